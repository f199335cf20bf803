"""What the reader makes of text, shown with tinygame's few orders: the same for every game."""

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinygame import MODULE
from tinygame.state import Attack, Bid, Defend, View

from engine.contract import Condition, Either, Every
from engine.orders.cursor import MAX_WORK, Work
from engine.orders.lexicon import Lexicon, lexicon, tongues
from engine.orders.reader import _Reader, read
from engine.orders.shape import Alternative, Command, Line, Order, Reading
from engine.orders.tokens import MAX_LINE, MAX_LINES
from engine.orders.writer import examples, write
from tests.engine import tiny
from tests.engine.orders.floods import floods

LANGUAGE = MODULE.language
RED = Condition("attacked_by", {"seat": 0})
GREEN = Condition("attacked_by", {"seat": 1})


def view() -> View:
    """Red's view at the first bid of three seats."""
    table = tiny.begin()
    seen: View = table.rules.view(table.state, 0)
    return seen


def reading(text: str) -> Reading:
    """What is read for red."""
    return read(text, LANGUAGE, view(), rules=tiny.begin().rules)


def only(text: str) -> Line:
    """The one line of a text."""
    (line,) = reading(text).lines
    return line


def order(kind: str, *intents: object, always: bool = False) -> Order:
    """An order without conditions."""
    return Order(kind, tuple(Alternative(intent) for intent in intents), always=always)


@pytest.mark.parametrize(
    "text",
    [
        "bid 1200",
        "BID 1200",
        "  Bid: 1,200.",
        "- bid 1.200",
        "• bid 1 200",
        "1. bid $1200",
        "2) **bid** $ 1,200",
        "* bid 1'200",
        "[x] bid 1200 # all or nothing",
        "bïd\u00a01200",
        "“bid 1200”",
        "bid \u2013 1200",
        "please bid 1200, thanks",
        "I bid 1200!",
        "bid ___1200___",
    ],
)
def test_an_order_may_be_written_in_many_ways(text: str) -> None:
    """Case, accents, bullets, numbering, bold, blanks, quotes, dashes and thousands don't matter."""
    assert only(text).order == order("bid", Bid(1200))


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("bid 4 or 3 | 2", [order("bid", Bid(4), Bid(3), Bid(2))]),
        ("bid 4 or bid 3", [order("bid", Bid(4), Bid(3))]),
        ("always defend nothing", [order("defend", Defend(0), always=True)]),
        (
            "bid 3; attack green with 4. defend 5",
            [order("bid", Bid(3)), order("attack", Attack(1, 4)), order("defend", Defend(5))],
        ),
        ("1200 + 3", []),
        ("# bid 3", []),
        ("> bid 3", []),
        ("bid ____", []),
        ("bid ...", []),
    ],
)
def test_a_line_gives_its_orders_and_no_others(text: str, orders: list[Order]) -> None:
    """Alternatives, standing orders and several orders in a line; comments, quotes and unfilled forms give none."""
    read_ = reading(text)
    assert list(read_.orders) == orders
    assert not read_.problems


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "defend 5 if attacked by red or nothing",
            Order("defend", (Alternative(Defend(5), RED), Alternative(Defend(0)))),
        ),
        (
            "defend 5 if attacked by red or attacked by green",
            Order("defend", (Alternative(Defend(5), Either((RED, GREEN))),)),
        ),
        ("if attacked by red defend 5", Order("defend", (Alternative(Defend(5)),), test=RED)),
        ("when attacked by red: defend 5", Order("defend", (Alternative(Defend(5)),), test=RED)),
        (
            "if attacked by red and not attacked by green, always defend 5",
            Order(
                "defend",
                (Alternative(Defend(5)),),
                test=Every((RED, Condition("attacked_by", {"seat": 1}, expected=False))),
                always=True,
            ),
        ),
        (
            "defend if attacked by red: 5 or nothing",
            Order("defend", (Alternative(Defend(5), RED), Alternative(Defend(0)))),
        ),
        (
            "defend 5 if (attacked by red or attacked by green) or nothing",
            Order("defend", (Alternative(Defend(5), Either((RED, GREEN))), Alternative(Defend(0)))),
        ),
    ],
)
def test_conditions_stand_before_or_after(text: str, expected: Order) -> None:
    """Before the order for the whole line, after an alternative for that one alone."""
    assert only(text).order == expected


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("ready", Command("ready")),
        ("Ready!", Command("ready")),
        ("not ready", Command("not_ready")),
        ("check", Command("check")),
        ("clear", Command("clear")),
        ("cancel bid", Command("cancel", {"kind": "bid", "round": -1})),
        ("never mind", Command("never_mind", {"kind": "", "round": -1})),
        ("never mind defend", Command("never_mind", {"kind": "defend", "round": -1})),
        ("show orders", Command("show", {"what": "orders"})),
        ("show report", Command("show", {"what": "report"})),
        ("status", Command("status")),
        ("history 3", Command("history", {"turns": 3})),
        ("to red: hello", Command("press", {"to": [0], "text": "hello"})),
        ("to green and blue: hello", Command("press", {"to": [1, 2], "text": "hello"})),
        ("to all: hello", Command("press", {"to": ["all"], "text": "hello"})),
        ("absent 3 Dec to 10 Dec", Command("absent", {"from": "12-03", "to": "12-10"})),
        ("absent dec 3 - 2027-01-04", Command("absent", {"from": "12-03", "to": "2027-01-04"})),
        ("absent 3 to 10 dec", Command("absent", {"from": "12-03", "to": "12-10"})),
        ("Absent 3rd-10th Dec", Command("absent", {"from": "12-03", "to": "12-10"})),
        ("absent 30 - 31.12.2026", Command("absent", {"from": "2026-12-30", "to": "2026-12-31"})),
        ("I'm away from tomorrow until Friday", Command("absent", {"from": "tomorrow", "to": "fri"})),
        ("absent until 3.12.", Command("absent", {"from": "", "to": "12-03"})),
        ("back", Command("back")),
        ("extend 24h: I'm away, sorry", Command("extend", {"hours": 24, "reason": "I'm away, sorry"})),
        ("extend 2 days", Command("extend", {"hours": 48, "reason": ""})),
        ("mail each step", Command("mail_each")),
        ("Mail once a day at 7.30 pm.", Command("mail_daily", {"at": 19 * 60 + 30})),
        ("mail daily 18h", Command("mail_daily", {"at": 18 * 60})),
        ("mail daily at 18h30", Command("mail_daily", {"at": 18 * 60 + 30})),
        ("mail daily", Command("mail_daily", {"at": -1})),
        ("please mail only when asked", Command("mail_asked")),
        ("mail now", Command("mail_now")),
        ("remind 6h", Command("remind", {"hours": 6})),
        ("Remind me 2 days before the deadline", Command("remind", {"hours": 48})),
        ("remind off", Command("remind", {"hours": 0})),
        ("quiet 22:00 to 07:15", Command("quiet", {"begins": 22 * 60, "ends": 7 * 60 + 15})),
        ("quiet hours from 10pm - 12 am", Command("quiet", {"begins": 22 * 60, "ends": 0})),
        ("quiet 22h to 7h05", Command("quiet", {"begins": 22 * 60, "ends": 7 * 60 + 5})),
        ("quiet off", Command("quiet", {"begins": 0, "ends": 0})),
        ("calendar on", Command("calendar_on")),
        ("calendar off", Command("calendar_off")),
        ("undo", Command("undo")),
        ("use", Command("use")),
        ("new token", Command("new_token")),
        ("resign", Command("resign")),
        ("confirm", Command("confirm")),
        ("help", Command("help", {"topic": ""})),
        ("help bid", Command("help", {"topic": "bid"})),
        ("help conditions", Command("help", {"topic": "conditions"})),
        ("help absent", Command("help", {"topic": "absent"})),
    ],
)
def test_every_command_of_the_service_is_read(text: str, command: Command) -> None:
    """The commands that any game takes, with their parameters."""
    assert only(text).command == command


def test_press_goes_on_to_the_next_blank_line_or_end() -> None:
    """Lines within a message are no orders, and those after it are."""
    lines = reading("to green: bid low\nbid 2, say\nEnd\nbid 3\nto all: x\n\nbid 4").lines
    assert [line.command for line in lines if line.command is not None] == [
        Command("press", {"to": [1], "text": "bid low\nbid 2, say"}),
        Command("press", {"to": ["all"], "text": "x"}),
    ]
    assert [line.order for line in lines if line.order is not None] == [order("bid", Bid(3)), order("bid", Bid(4))]


def test_press_to_nobody_known_is_a_problem_and_no_order() -> None:
    """A message to a seat that the game does not have is told back, and nothing in it is carried out."""
    (line,) = reading("to purple: listen\nbid 3").lines
    assert line.problem is not None
    assert line.problem.code == "unknown_recipient"
    assert line.problem.nearest.startswith("to ")


@pytest.mark.parametrize(
    ("text", "doubts"),
    [
        ("atack gren with 3", (("atack", "attack"), ("gren", "green"))),
        ("att gre with 3", (("att", "attack"), ("gre", "green"))),
        ("attack blue wtih 3 or gren with 3", (("wtih", "with"), ("gren", "green"))),
    ],
)
def test_misspelt_and_shortened_words_are_taken_and_told(text: str, doubts: tuple[tuple[str, str], ...]) -> None:
    """What was taken for another word is recorded, so that the acknowledgement can say so."""
    line = only(text)
    assert line.order is not None
    assert line.order.alternatives[-1].intent == Attack(1, 3)
    assert line.doubts == doubts


@pytest.mark.parametrize("text", ["Dear all,", "Dear all", "hear all", "Near all of you"])
def test_a_greeting_is_no_command_that_is_spelt_like_it(text: str) -> None:
    """`dear all` is two slips from `clear all`, in a word that is forgiven one: it must not empty a sheet."""
    line = only(text)
    assert (line.order, line.command, line.problem) == (None, None, None)


@pytest.mark.parametrize("text", ["claer", "never mnd", "new tokens"])
def test_a_slip_in_a_command_is_forgiven_and_told(text: str) -> None:
    """Word by word."""
    line = only(text)
    assert line.command is not None
    assert line.doubts


@pytest.mark.parametrize(
    ("text", "code", "token", "nearest"),
    [
        ("attack purple with 3", "unknown_word", "purple", "attack red with 3"),
        ("bid lots", "number_expected", "lots", "bid 1"),
        ("bid", "ends_early", "", "bid 1"),
        ("bid 3 zinc", "too_much", "zinc", "bid 3"),
        ("attack green with 3 or bid 4", "other_kind", "bid", "attack green with 3"),
        ("cancel", "ends_early", "", "cancel bid"),
        ("ready when you are", "too_much", "when", "ready"),
        ("defend 5 if green attacks", "unknown_word", "green", "defend 5 if attacked by red"),
        ("absent yesterday", "date_expected", "yesterday", "absent 3 dec to 10 dec"),
        ("mail daily at 25:00", "time_expected", "25", "mail daily at 8:00"),
        ("mail daily at 8h75", "time_expected", "8", "mail daily at 8:00"),
        ("quiet 99:00 to 7:00", "time_expected", "99", "quiet 8:00 to 7:00"),
        ("quiet 10pm to 99:30", "time_expected", "99", "quiet 10pm to 8:30"),
        ("extend 24x: reason", "unknown_word", "x", "extend 24 hours: reason"),
        ("cancel bid at once", "too_much", "at", "cancel bid"),
        ("mail daily at 13 pm", "time_expected", "13", ""),
        ("remind 9 days", "out_of_range", "9", ""),
        ("quiet 22:00", "ends_early", "", ""),
        ("quiet 7 to 7", "time_expected", "7", ""),
        ("quiet at night", "time_expected", "at", "quiet 22:00 to 7:00"),
        ("remind me early", "number_expected", "early", ""),
        ("to red hello", "colon_expected", "hello", "to red: …"),
        ("bid 1234567890123", "number_expected", "1234567890123", "bid 1"),
        ("bid 3" + " or 4" * 20, "too_many_alternatives", "4", ""),
        ("bid 3 " + "x" * 700, "too_long", "bid", ""),
    ],
)
def test_what_looks_like_an_order_and_cant_be_read_is_told_back(text: str, code: str, token: str, nearest: str) -> None:
    """The problem names the word, and a line that would be readable where one is near."""
    problem = only(text).problem
    assert problem is not None
    assert (problem.code, problem.token) == (code, token)
    if nearest:
        assert problem.nearest == nearest
    assert not reading(problem.nearest).problems


@pytest.mark.parametrize(
    "text",
    [
        "never mind foo",
        "nevermind the delay",
        "clear bid",
        "undo attack",
        "use bid",
        "resign from caring",
        "back soon enough",
        "vote yes but only for a pause",
        "concede to red if he pays",
        "propose draw maybe",
        "new token for me maybe",
    ],
)
def test_no_command_is_suggested_that_would_do_more_than_was_written(text: str) -> None:
    """What drops or binds is not put forward without the words that can't be read."""
    problem = only(text).problem
    assert problem is not None
    assert reading(problem.nearest).commands == ()


@settings(max_examples=150)
@given(st.integers(0, 2**32))
def test_what_is_suggested_for_a_command_reads_without_a_complaint(seed: int) -> None:
    """Every command with a word or number of it replaced, left out or added, and with slips in its letters."""
    random = Random(seed)
    words = lexicon(LANGUAGE.words, "en")
    for form in words.forms["commands"]:
        line = form.format(kind="bid", side="red")
        for text in (spoilt(line, random), mutated(line, random)):
            for problem in (each.problem for each in reading(text).lines):
                if problem is not None and problem.nearest:
                    assert not reading(problem.nearest).problems, (text, problem.nearest)


def spoilt(line: str, random: Random) -> str:
    """A line with one of its words or numbers as another, without it, or with one more."""
    pieces = re.findall(r"\d+|[^\W\d]+|\s+|.", line)
    at = random.randrange(len(pieces))
    pieces[at : at + random.randrange(2)] = [random.choice(("", "99", "0", "foo", " please ", ":", " to ", "24"))]
    return "".join(pieces)


def mutated(line: str, random: Random) -> str:
    """A line with a few slips."""
    chars = list(line)
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(chars))
        chars[at] = random.choice((chars[at] * 2, "", " ", random.choice("abcdez159,:.()-")))
    return "".join(chars)


@pytest.mark.parametrize(
    "text",
    [
        "Hi all, sorry for the delay",
        "Mail was down here, and the calendar is full",
        "Well, that went badly",
        "His bid was too high",
        "To be honest: no",
        "If you like",
        "---",
        "Cheers,",
        "See you in Köln",
        "Remind me never to trust Green again.",
        "Quiet evening here, so:",
    ],
)
def test_prose_is_passed_over_and_counted(text: str) -> None:
    """It gives a line that holds nothing."""
    line = only(text)
    assert (line.order, line.command, line.problem) == (None, None, None)


def test_one_bad_line_keeps_the_good_ones() -> None:
    """Each line is read for itself."""
    read_ = reading("bid 3\nattack nobody\nattack green with 4\nHello\nready")
    assert read_.orders == (order("bid", Bid(3)), order("attack", Attack(1, 4)))
    assert [line.number for line in read_.problems] == [2]
    assert read_.commands == (Command("ready"),)


WORDS = """bid attack defend if or and not ( ) always never mind red green blue 3 12 1,200 with attacked by help cancel
| , : ; . ___ # > * - to: end absent dec extend 24h atack defed qwertyuiop é \ufdfa ’ 𝟛 ½ ² ፩ b፩ İ"""
PIECES = [*WORDS.split(), "\n", "\n", "\t", "\u00a0"]


@settings(max_examples=150)
@given(st.integers(0, 2**32))
def test_the_reader_never_raises_and_its_work_is_bounded(seed: int) -> None:
    """On random text, on broken orders and on far too much of either; what was cut is said."""
    random = Random(seed)
    size = random.choice((30, 300, 3000))
    pieces = (
        PIECES
        if random.random() < 0.8
        else [chr(random.choice((random.randrange(0x250), random.randrange(0xD800)))) for _ in range(50)]
    )
    text = random.choice(("", " ")).join(random.choice(pieces) for _ in range(size))
    read_ = read(text, LANGUAGE, view())
    assert len(read_.lines) <= MAX_LINES * 100
    for given_order in read_.orders:
        assert read(write(given_order, LANGUAGE, view()), LANGUAGE, view()).orders == (given_order,)


@pytest.mark.parametrize("kind", sorted(floods()))
def test_64_kb_of_anything_is_read_in_bounded_steps(kind: str) -> None:
    """The reading ends after so many lines, characters or steps, says that it was cut, and never raises."""
    text = floods()[kind]
    steps = Work()
    read_ = _Reader(LANGUAGE, view(), lexicon(LANGUAGE.words, "en"), tiny.begin().rules)
    read_.work = steps
    reading_ = read_.read(text)
    assert steps.left >= -MAX_LINE, "a step is never so long that it could not be stopped"
    assert reading_.cut or len(reading_.lines) <= MAX_LINES
    assert MAX_WORK <= 5_000, "the bound that keeps 64 KB of anything under 50 ms: python -m tests.bench reader"


@settings(max_examples=100)
@given(st.integers(0, 2**32))
def test_an_order_written_reads_back_to_itself(seed: int) -> None:
    """The normal form that the acknowledgement shows is the order, conditions and all."""
    random = Random(seed)
    made = random_order(random)
    line = write(made, LANGUAGE, view())
    assert reading(line).orders == (made,), line


def random_order(random: Random) -> Order:
    """Any order of tinygame, with conditions."""
    kind = random.choice(("bid", "attack", "defend"))
    alternatives = tuple(
        Alternative(random_intent(kind, random), random.choice((None, random_test(random, 1))))
        for _ in range(random.randrange(1, 4))
    )
    return Order(kind, alternatives, 0, random.choice((None, random_test(random, 1))), random.random() < 0.3)


def random_intent(kind: str, random: Random) -> object:
    """Any intent of that kind."""
    number = random.randrange(0, 2000)
    return {"bid": Bid(number + 1), "attack": Attack(random.randrange(3), number), "defend": Defend(number)}[kind]


def random_test(random: Random, depth: int) -> Condition | Every | Either:
    """Any condition."""
    if depth == 0 or random.random() < 0.4:
        return Condition("attacked_by", {"seat": random.randrange(3)}, random.random() < 0.7)
    parts = tuple(random_test(random, depth - 1) for _ in range(random.randrange(2, 4)))
    return random.choice((Every, Either))(parts)


def test_examples_are_lines_that_read() -> None:
    """For each kind that may be asked, as the seat might write them now."""
    for kind in ("bid", "attack", "defend"):
        lines = examples(LANGUAGE, tiny.begin().rules, view(), kind)
        assert lines
        assert all(only(line).order is not None for line in lines)


def test_no_two_words_that_can_meet_are_spelt_alike() -> None:
    """In any tongue for which there are catalogs."""
    assert tongues(LANGUAGE.words)
    assert [lexicon(LANGUAGE.words, tongue).clashes for tongue in tongues(LANGUAGE.words)] == [[]]


def test_a_clash_of_words_is_found() -> None:
    """In French `or` is gold: as a separator too it would be told."""
    shared = {"commands": {}, "lead": {}, "joins": {"or": ["ou", "or"]}, "months": {}, "templates": {}}
    game = {"orders": {}, "words": {"gold": ["or"]}, "kinds": {"bid": ["mise"]}, "templates": {}}
    assert Lexicon("fr", shared, game).clashes == [("or", "or", "gold")]
