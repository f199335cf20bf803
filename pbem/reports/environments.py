"""The template environments: one a language and form, compiled once a process.

A template meets both forms through the kit (`templates/kit`): a set of macros of the same names that write plain text
in one form and HTML with its styles already inlined in the other. So each letter is one template, and each message
stands in it once. Pages show the same HTML with classes alone: their own style sheet gives the looks.
"""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import css_inline
import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context
from markupsafe import Markup, escape

from pbem.words import Words, translations

FOLDER = Path(__file__).parents[2] / "templates"
TEXT = "text"
HTML = "html"
PAGE = "page"
"""HTML inside a web page, where styles are not inlined."""


class _Calling(Context):
    """Calls what a template calls, and nothing more.

    Jinja first looks three times at each callable whether it wants the context; ours never do, and a letter calls so
    often that a tenth of it went there.
    """

    call: Any = staticmethod(operator.call)


class _Calls(CodeGenerator):
    """Writes calls without the variables of loops and blocks, which are for callables that want the context."""

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        """Jinja's own way to name and to call it."""
        self.write("context.call(")
        self.visit(node.node, frame)
        self.signature(node, frame, {"caller": "caller"} if forward_caller else None)
        self.write(")")


class _Compiled(jinja2.BytecodeCache):
    """What was compiled, for all games of a kind: each of their setups has an environment of its own."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        """What the same source of that name came to."""
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        """Keep it."""
        self._code[bucket.key, bucket.checksum] = bucket.code


@lru_cache
def environment(language: str, form: str) -> jinja2.Environment:
    """The environment for `TEXT`, `HTML` or `PAGE` in a language. Undefined names raise."""
    environment = jinja2.Environment(
        loader=loader(FOLDER, form),
        autoescape=form != TEXT,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
        bytecode_cache=_Compiled(),
    )
    prepare(environment, language)
    environment.filters["quoted"] = _QUOTING[form]
    environment.filters["rows"] = _ROWS[form]
    if form == HTML:
        environment.globals["dark_rules"] = Markup(at_rules())  # our own style sheet
    environment.globals["k"] = environment.get_template("kit/text.j2" if form == TEXT else "kit/html.j2").module
    return environment


_STYLED = re.compile(r"""\{\{ s\("([a-z -]+)"\) \}\}""")


class _Inlining(jinja2.FileSystemLoader):
    """Sets the styles into templates as they are compiled: `{{ s("title note") }}` costs nothing in a mail."""

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        source, path, fresh = super().get_source(environment, template)
        return _STYLED.sub(lambda found: str(styled(found[1])), source), path, fresh


class _Classes(jinja2.FileSystemLoader):
    """Sets classes alone into templates: what a page's style sheet needs."""

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        source, path, fresh = super().get_source(environment, template)
        return _STYLED.sub(r'class="\1"', source), path, fresh


def loader(folder: Path, form: str) -> jinja2.BaseLoader:
    """What finds the templates of a folder for a form."""
    return {TEXT: jinja2.FileSystemLoader, HTML: _Inlining, PAGE: _Classes}[form](folder)


def prepare(environment: jinja2.Environment, language: str) -> None:
    """Give an environment the words of a language, whatever the request or recipient."""
    spoken = Words.of(language)
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_gettext_callables(*_spoken(language, bool(environment.autoescape)), newstyle=False)  # type: ignore[attr-defined]
    environment.newstyle_gettext = True  # type: ignore[attr-defined]
    environment.context_class = _Calling
    environment.code_generator_class = _Calls
    environment.globals["_"] = environment.globals["gettext"]  # without the detour that Jinja's own `_` takes each time
    environment.filters["money"] = spoken.money
    environment.filters["number"] = spoken.number
    environment.filters["span"] = span


def _spoken(language: str, escaped: bool) -> tuple[Callable[..., str], Callable[..., str]]:
    """`gettext` and `ngettext` of a language as templates call them: a whole message with its parameters set in."""
    catalog = translations(language)
    marked: Callable[[str], str] = Markup if escaped else str

    @cache
    def message(text: str) -> str:
        return marked(catalog.gettext(text))

    def gettext(text: str, /, **params: Any) -> str:
        return message(text) % params

    def ngettext(one: str, many: str, num: int, /, **params: Any) -> str:
        return marked(catalog.ngettext(one, many, num)) % {"num": num, **params}

    return gettext, ngettext


def span(bounds: tuple[int, int]) -> str:
    """A number by the least and the most that it can be: `3`, or `2–9`."""
    least, most = bounds
    return str(most) if least == most else f"{least}–{most}"


_QUOTED = re.compile("`([^`]*)`")


def quoted_text(text: str) -> str:
    """A message's `orders` in quotation marks."""
    return _QUOTED.sub(r'"\1"', text) if "`" in text else text


def quoted_html(text: str) -> Markup:
    """A message's `orders` set as code."""
    plain = escape(text)
    return Markup(_QUOTED.sub(rf"<code {styled('order')}>\1</code>", str(plain))) if "`" in plain else plain


def quoted_page(text: str) -> Markup:
    """The same in a page."""
    return Markup(_QUOTED.sub(r'<code class="order">\1</code>', str(escape(text))))


INDENT = "  "


def _is_heading(lines: Sequence[str], place: int) -> bool:
    """Whether an indented line follows."""
    return place + 1 < len(lines) and lines[place + 1].startswith(INDENT) and not lines[place].startswith(INDENT)


def rows_text(lines: Sequence[str]) -> str:
    """The lines of a position, below one another."""
    return "\n".join(lines)


@lru_cache(maxsize=64)
def _rows(lines: tuple[str, ...], heading: str, row: str) -> Markup:
    """The lines as headings and rows with these attributes. The public position is the same for all seats."""
    made = []
    for place, line in enumerate(lines):
        if line:
            name, attributes = ("h3", heading) if _is_heading(lines, place) else ("p", row)
            made.append(f"<{name} {attributes}>{escape(line)}</{name}>\n")
    return Markup("".join(made))  # escaped line by line


def rows_html(lines: Sequence[str]) -> Markup:
    """The lines of a position in a letter."""
    return _rows(tuple(lines), styled("sub"), styled("row"))


def rows_page(lines: Sequence[str]) -> Markup:
    """The same in a page."""
    return _rows(tuple(lines), 'class="sub"', 'class="row"')


_ROWS: Mapping[str, Callable[[Sequence[str]], str]] = {TEXT: rows_text, HTML: rows_html, PAGE: rows_page}

_QUOTING: Mapping[str, Callable[[str], str]] = {TEXT: quoted_text, HTML: quoted_html, PAGE: quoted_page}


def tidy(text: str) -> str:
    """A text without trailing blanks and with at most one empty line in a row."""
    lines = "\n".join([line.rstrip() for line in text.split("\n")]).strip()
    while "\n\n\n" in lines:
        lines = lines.replace("\n\n\n", "\n\n")
    return lines + "\n"


def block(template: jinja2.Template, name: str, params: Mapping[str, Any]) -> str:
    """One block of a template alone, on one line."""
    context = template.new_context(dict(params))
    return " ".join("".join(template.blocks[name](context)).split())


@lru_cache
def _styles() -> tuple[dict[str, str], str]:
    """The inlined style of each class of the mail style sheet, and the rules that can't be inlined (dark mode)."""
    sheet = (FOLDER / "kit" / "letter.css").read_text(encoding="utf-8")
    names = sorted(set(re.findall(r"\.([a-z][a-z-]*)", sheet)))
    marks = "".join(f'<i class="{name}"></i>' for name in names)
    inliner = css_inline.CSSInliner(keep_style_tags=False, keep_at_rules=True)
    page = inliner.inline(f"<html><head><style>{sheet}</style></head><body>{marks}</body></html>")
    found = dict(re.findall(r'<i class="([a-z-]+)" style="([^"]*)"', page))
    rules = "".join(re.findall(r"<style>(.*?)</style>", page, re.DOTALL))
    return {name: found.get(name, "") for name in names}, " ".join(rules.split()).replace("} ", "}\n")


def at_rules() -> str:
    """The rules of the mail style sheet that stay in the head, such as those for dark mode."""
    return _styles()[1]


@lru_cache(maxsize=256)
def styled(names: str) -> Markup:
    """The `class` and `style` attributes for classes of the mail style sheet. Raises KeyError for an unknown one.

    They stand on two lines, which keeps the lines of a letter short enough to be sent as they are.
    """
    styles = _styles()[0]
    style = "".join(styles[name] for name in names.split()).replace("\n", "").replace('"', "'")
    return Markup('class="{}"\nstyle="{}"').format(names, Markup(style))  # our own style sheet
