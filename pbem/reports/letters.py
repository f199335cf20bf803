"""Letters: a template of `templates/mail` with its parameters, in the recipient's words, as subject, text and HTML.

What parameters a letter needs stands at the top of its template. Nothing here knows of addresses or of MIME.
"""

from typing import Any

import msgspec
from markupsafe import Markup

from pbem.reports.environments import HTML, PAGE, TEXT, block, environment, tidy
from pbem.words import Words


class Letter(msgspec.Struct, frozen=True):
    """A letter ready to be made into a mail. `fragment` is the inside of the HTML, for a page."""

    subject: str
    text: str
    html: str
    fragment: str


def letter(words: Words, name: str, **params: Any) -> Letter:
    """The letter of that name, such as `invitation`. Raises UndefinedError where a parameter is missing."""
    return render(words, f"mail/{name}.j2", params)


def render(words: Words, template: str, params: dict[str, Any]) -> Letter:
    """A template in its two forms."""
    given = {**params, "words": words}
    text = environment(words.language, TEXT).get_template(template)
    subject = block(text, "subject", given)
    body = tidy(block_lines(text, given))
    html = environment(words.language, HTML)
    fragment = block_lines(html.get_template(template), given)
    shell = html.get_template("kit/shell.html.j2")
    page = shell.render(subject=subject, content=Markup(fragment), language=words.language)
    return Letter(subject, body, page, fragment)


def part(words: Words, template: str, name: str, params: dict[str, Any]) -> Markup:
    """One block of a letter's template as a page shows it."""
    found = environment(words.language, PAGE).get_template(template)
    return Markup(block_lines(found, {**params, "words": words}, name))


def block_lines(template: Any, params: dict[str, Any], name: str = "body") -> str:
    """A block of a letter's template, its body where none is named."""
    return "".join(template.blocks[name](template.new_context(params)))
