"""New text in replies: exactly the player's lines, whatever program wrote the mail."""

import contextlib
import random
from collections.abc import Callable

import pytest

from pbem.mail.abovemark import mark, with_mark
from pbem.mail.htmltext import lines_of
from pbem.mail.newtext import TooLong, new_text
from tests.pbem.mail.replies import (
    ADDRESS,
    ATTRIBUTIONS,
    ORDERS,
    OUTLOOK_HEADERS,
    TEXT,
    gmail_html,
    html_lines,
    marked,
    outlook_html,
    wrapped,
)

SAID = "\n".join(ORDERS)


def found(mail: str, *versions: str) -> list[str]:
    """The player's lines, without the blank ones."""
    lines = new_text(mail, *(versions or (TEXT, html_lines()))).split("\n")
    return [line.strip() for line in lines if line.strip()]


FORMS = {
    "plain": TEXT,
    "html": html_lines(),
    "plain wrapped": wrapped(TEXT),
    "typography": TEXT.replace("'", "’").replace(" - ", " – ").replace("$", "$\u200b"),
    "autolinks": TEXT.replace("Europe/Paris", "Europe/Paris<https://europe.example/paris>"),
    "non-breaking": TEXT.replace(" ", "\u00a0"),
    "trimmed": TEXT[: TEXT.index("What happened")],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("program", ATTRIBUTIONS)
def test_top_and_bottom_replies(program: str, form: str) -> None:
    """Orders above or below a quote come back alone, with any attribution, also without a blank line between."""
    quote = ATTRIBUTIONS[program] + "\n" + marked(FORMS[form])
    assert found(f"{SAID}\n\n{quote}\n") == list(ORDERS)
    assert found(f"{SAID}\n{quote}\n") == list(ORDERS)
    assert found(f"{quote}\n\n{SAID}\n") == list(ORDERS)


@pytest.mark.parametrize("program", ATTRIBUTIONS)
def test_inline_replies(program: str) -> None:
    """Orders written between the quoted lines are found, and nothing of the quote is."""
    quote = marked(TEXT)
    for asked, said in zip(("> insure ____", "> drill 1: ____", "> drill 2: ____"), ORDERS, strict=True):
        quote = quote.replace(asked, f"{asked}\n{said}")
    assert found(f"{ATTRIBUTIONS[program]}\n{quote}") == list(ORDERS)


@pytest.mark.parametrize("form", ["plain", "html", "non-breaking"])
def test_form_filled_in_within_the_quote(form: str) -> None:
    """A line of our form that was filled in inside the quote is the player's; the blank ones are not."""
    text = FORMS[form].replace("\u00a0", " ")
    quote = marked(text.replace("insure ____", "insure 2 zinc").replace("drill 1: ____", "drill 1: ____ c2 to B3"))
    assert found(f"{ATTRIBUTIONS['gmail']}\n{quote}") == ["insure 2 zinc", "drill 1:  c2 to B3"]


def test_example_uncommented_within_the_quote() -> None:
    """An example whose `#` was taken away inside the quote is an order; the others stay examples."""
    quote = marked(TEXT.replace("# drill 1: c2", "drill 1: c2").replace("# sell 3 gold", "sell 2 gold"))
    assert found(f"{ATTRIBUTIONS['apple']}\n{quote}") == ["drill 1: c2 to B3, hire 2", "sell 2 gold"]


def test_example_quoted_by_itself_is_no_order() -> None:
    """A few lines of the HTML form, quoted out of their order, are not taken for examples made orders."""
    quote = marked("What happened\n" + html_lines()[-200:] + "\ndrill 1: c2 to B3, hire 2\nsell 3 gold")
    assert found(f"ready\n\n{quote}") == ["ready"]


@pytest.mark.parametrize("program", OUTLOOK_HEADERS)
@pytest.mark.parametrize("form", FORMS)
def test_outlook_replies(program: str, form: str) -> None:
    """An original below a header block, with no quote marks, is taken out."""
    for rule in ("", "_" * 32 + "\n", "-----Original Message-----\n"):
        assert found(f"{SAID}\n\n{rule}{OUTLOOK_HEADERS[program]}\n\n{FORMS[form]}") == list(ORDERS)


@pytest.mark.parametrize("program", OUTLOOK_HEADERS)
def test_outlook_html(program: str) -> None:
    """The same in HTML as Outlook writes it."""
    assert found(lines_of(outlook_html(SAID, OUTLOOK_HEADERS[program]))) == list(ORDERS)


def test_gmail_html() -> None:
    """HTML as Gmail writes it."""
    assert found(lines_of(gmail_html(SAID))) == list(ORDERS)


def test_original_below_without_any_mark() -> None:
    """The original pasted below with nothing in between is still ours."""
    assert found(f"{SAID}\n\n{TEXT}") == list(ORDERS)
    assert found(f"{TEXT}\n\n{SAID}") == list(ORDERS)


def test_form_filled_in_without_quote_marks() -> None:
    """The whole letter sent back with its form filled in gives the lines of the form."""
    text = TEXT.replace("insure ____", "insure 2 zinc").replace("drill 2: ____", "drill 2: c1 stay")
    assert found(text) == ["insure 2 zinc", "drill 2: c1 stay"]


def test_our_words_repeated_by_the_player_are_theirs() -> None:
    """A line outside the quote is the player's even where it says what our letter says."""
    copied = ["drill 1: c2 to B3, hire 2", "insure 2 zinc, 1 copper", "always danger: insurance 2"]
    said = "\n".join(copied)
    assert found(said) == copied
    assert found(f"{said}\n\n{ATTRIBUTIONS['gmail']}\n{marked(TEXT)}") == copied
    assert found(f"{ATTRIBUTIONS['gmail']}\n{marked(TEXT)}\n\n{said}") == copied
    assert found(f"{said}\n\n{OUTLOOK_HEADERS['outlook']}\n\n{TEXT}") == copied


def test_wrapped_quote_with_lost_marks() -> None:
    """The tail of a quoted line that a server has wrapped is not the player's."""
    quote = "\n".join(line for row in TEXT.split("\n") for line in wrapped(f"> {row}", 40).split("\n"))
    assert found(f"{SAID}\n\n{ATTRIBUTIONS['gmail']}\n{quote}") == list(ORDERS)


@pytest.mark.parametrize("mark", [">", ">>", "> > ", "| "])
def test_any_quote_mark(mark: str) -> None:
    """Marks of any common shape are seen."""
    assert found(f"{SAID}\n\n{marked(TEXT, mark)}") == list(ORDERS)


def test_signatures_and_footers_are_no_orders() -> None:
    """What stands below `-- `, or below a list's rule, is dropped; phones' lines above it are only prose."""
    end = "\n-- \nAnn\npass\n+33 6 00 00 00 00\n"
    assert found(f"{SAID}\n{end}") == list(ORDERS)
    assert found(f"{SAID}\n{end}\n{ATTRIBUTIONS['gmail']}\n{marked(TEXT)}") == list(ORDERS)
    assert found(f"{ATTRIBUTIONS['gmail']}\n{marked(TEXT)}\n{SAID}\n{end}") == list(ORDERS)
    footer = "_______________________________________________\ngames mailing list\npass\nhttps://lists.example/games\n"
    assert found(f"{SAID}\n\n{ATTRIBUTIONS['gmail']}\n{marked(TEXT)}\n{footer}") == list(ORDERS)


def test_order_on_the_line_of_the_attribution() -> None:
    """A program that puts the attribution behind the last order loses none."""
    assert found(f"ready {ATTRIBUTIONS['gmail']}\n{marked(TEXT)}") == ["ready"]


@pytest.mark.parametrize("program", [*ATTRIBUTIONS, *OUTLOOK_HEADERS])
def test_unknown_letter(program: str) -> None:
    """Where the answered letter is not known, the marks of mail programs are enough."""
    header = ATTRIBUTIONS.get(program)
    quote = f"{header}\n{marked(TEXT)}" if header else f"{OUTLOOK_HEADERS[program]}\n\n{TEXT}"
    assert found(f"{SAID}\n\n{quote}", "") == list(ORDERS)


def test_orders_that_look_a_little_like_marks() -> None:
    """Dates, times, colons and numbers in orders and press are not taken for attributions or headers."""
    said = [
        "bid 2025 + 2 zinc",
        "drill 2: 12",
        "to all: write to bob@example.org by 3/12/2026",
        "absent 3 Dec 2026 to 10 Dec 2026",
        "to red: 10:30 at A3?",
        "sell 3 gold",
    ]
    for end in ("", f"\n{ATTRIBUTIONS['gmail']}\n{marked(TEXT)}", f"\n{OUTLOOK_HEADERS['outlook']}\n\n{TEXT}"):
        for stream in range(20):
            random.Random(stream).shuffle(said)
            assert found("\n".join(said) + "\n" + end) == said


def test_nested_quotes_of_others_are_dropped() -> None:
    """What the quote of an older mail holds is not read again."""
    older = marked(marked(f"bid 900\n{ADDRESS} wrote:\nsell 2 gold"))
    assert found(f"{SAID}\n\n{ATTRIBUTIONS['gmail']}\n{marked(TEXT)}\n{older}") == list(ORDERS)


@pytest.mark.parametrize(
    "body",
    [
        "x" * 1_000_000,
        "\n" * 200_000,
        "On " * 7_000,
        ("> " * 400 + "x\n") * 300,
        "drill " * 50_000,
        TEXT * 100,
        "a: b\n" * 9000,
    ],
)
def test_hostile_bodies(body: str) -> None:
    """Bodies made to be slow are read, or said to be too long."""
    with contextlib.suppress(TooLong):
        new_text(body, TEXT, html_lines())


def test_changed_replies_never_raise() -> None:
    """Replies with lines lost, doubled and swapped are read without an exception."""
    stream = random.Random(3)
    for _ in range(60):
        lines = f"{SAID}\n\n{ATTRIBUTIONS['gmail wrapped']}\n{marked(TEXT)}".split("\n")
        for _ in range(20):
            place = stream.randrange(len(lines))
            lines[place : place + stream.randrange(3)] = stream.choices(lines, k=stream.randrange(3))
        new_text("\n".join(lines), TEXT)


MARKED = with_mark(TEXT, "", "Write your answer above this line")[0]
ELSEWHERE = f"{mark('Bitte oberhalb dieser Zeile antworten')}\nDas hier hat niemand von uns geschrieben\nbid 9\nready"


@pytest.mark.parametrize(
    "shape", [str, marked, wrapped, lambda text: marked(marked(text)), lambda text: marked(text, "| ")]
)
def test_line_to_write_above_is_never_the_player_s(shape: Callable[[str], str]) -> None:
    """Unquoted, quoted once and twice, wrapped: what stands above it is the player's, and it is not."""
    assert new_text(f"{SAID}\n\n{shape(MARKED)}", MARKED) == SAID


def test_line_to_write_above_is_enough_where_the_letter_is_not_known() -> None:
    """In any language, and broken in two by a narrow program."""
    assert new_text(f"{SAID}\n{ELSEWHERE}") == SAID
    assert new_text(f"{SAID}\n{ELSEWHERE}", "A letter of quite another kind\nwith other words in it") == SAID
    assert new_text(f"{SAID}\n-=-=- Bitte oberhalb\ndieser Zeile antworten -=-=-\nbid 9") == SAID


def test_form_below_the_line_is_the_player_s_when_it_is_filled_in() -> None:
    """The mark is one piece of evidence: orders within the letter count, as without it."""
    filled = MARKED.replace("insure ____", "insure 2 zinc")
    for shown in (filled, marked(filled)):
        assert found(f"ready\n{shown}", MARKED) == ["ready", "insure 2 zinc"]
