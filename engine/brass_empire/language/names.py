"""Cards, corporations, sides and targets in words, read and written."""

from collections.abc import Sequence

from rapidfuzz.distance import OSA

from engine.brass_empire.cards import CORPORATIONS, built_in
from engine.brass_empire.language.intents import ALL, ANY, COMPANY, WEAKEST, Target
from engine.brass_empire.stages import SEAT_NAMES
from engine.brass_empire.view import BrassView
from engine.orders.cursor import Cursor
from engine.orders.lexicon import Lexicon, allowed
from engine.orders.tokens import WORD, fold

UNLIKE = 0.4
"""How far from a name what is written may be for that to be what is meant."""
SHORTENED = 0.3
NEAREST_COST = 20
"""Steps that a look for the nearest name costs."""
CARD, CARDS = "card_", "cards_"
"""What the id of a card is preceded by in the catalogs of words, for one and for several."""
_IDS = tuple(card.id for card in built_in())
_UNITS = {card.id for card in built_in() if card.type == "unit"}
_NAMES = {card.id: card.name for card in built_in()}
_WORDS = tuple(CARD + id_ for id_ in _IDS)
CORPORATION_WORDS = tuple(f"corp_{name}" for name in CORPORATIONS)


def take_card(words: Cursor, view: BrassView) -> int | None:
    """A card by its name, if one comes next. One of a table's own file that the catalogs lack is read as it stands."""
    if not view.names:
        found = _take_known(words, _WORDS)
        return None if found is None else _IDS.index(found)
    own = _take_own(words, view)
    if own is not None:
        return own
    ids = {id_: place for place, (id_, name) in enumerate(view.names) if _NAMES.get(id_) == name}
    found = _take_known(words, tuple(CARD + id_ for id_ in ids))
    return None if found is None else ids[found]


def _take_known(words: Cursor, singular: tuple[str, ...]) -> str | None:
    """The id of a card of the catalogs; a second word of its name that is misspelt goes with the first."""
    plural = tuple(CARDS + name.removeprefix(CARD) for name in singular)
    found = words.take(*singular, *plural)
    if found is None:
        return None
    id_ = found.partition("_")[2]
    here, name = words.here, words.lexicon.say(CARD + id_).split(" ")
    before = words.tokens[words.at - 1].text
    if here is None or here.kind != WORD or len(name) != 2 or before != name[0] or here.text in words.lexicon.body.ids:
        return id_
    if OSA.distance(here.text, name[1]) <= allowed(name[1]):
        words.doubts.append((f"{before} {here.text}", " ".join(name)))
        words.at += 1
    return id_


def _take_own(words: Cursor, view: BrassView) -> int | None:
    for place, (id_, name) in enumerate(view.names):
        if _NAMES.get(id_) == name:
            continue
        spelt = fold(name).replace("'", "").split()
        ahead = [token.text for token in words.tokens[words.at : min(words.end, words.at + len(spelt))]]
        words.work.step()
        if ahead == spelt:
            words.at += len(spelt)
            return place
    return None


def card(words: Cursor, view: BrassView, likely: Sequence[int] = ()) -> int:
    """A card. Raises Unread, with those that are likely there, else with the name that is nearest."""
    found = take_card(words, view)
    if found is not None:
        return found
    here = words.here
    words.work.step(NEAREST_COST)
    if likely:
        raise words.unread("card_expected", [say_card(number, words.lexicon, view) for number in likely])
    nearest = _nearest(here.text, words.lexicon, view) if here is not None and here.kind == WORD else ""
    raise words.unread("card_expected", [nearest] if nearest else [])


def own_units(view: BrassView) -> list[int]:
    """The units that a seat has in play, as far as cards of the catalogs tell; each kind once."""
    if view.me is None:
        return []
    found = [piece.card for piece in view.companies[view.me].pieces if not piece.down]
    return [number for number in dict.fromkeys(found) if _id(number, view) in _UNITS]


def _nearest(written: str, lexicon: Lexicon, view: BrassView) -> str:
    """The name that a word is most like, of the cards that can be seen first; empty where none is like it."""
    sides = [(side.pieces, side.reserve) for side in view.companies]
    seen = {*view.hand, *view.rows[0], *view.rows[1]}
    for pieces, reserve in sides:
        seen.update(piece.card for piece in pieces)
        seen.update(reserve)
    every = range(len(view.names or _IDS))
    for numbers in (sorted(card for card in seen if card >= 0), every):
        called = [say_card(number, lexicon, view) for number in numbers]
        near = [(_unlike(written, name), name) for name in called]
        likest = min((each for each in near if each[0] <= UNLIKE), default=None)
        if likest is not None:
            return likest[1]
    return ""


def _unlike(written: str, name: str) -> float:
    """How far a word is from a name, or from a word of it: 0 to 1. One whose letters stand in it in order is near."""
    spellings = [name, *name.split(" ")]
    far = min(OSA.normalized_distance(written, spelling) for spelling in spellings)
    return min(far, SHORTENED) if any(_is_shortened(written, spelling) for spelling in spellings) else far


def _is_shortened(written: str, spelling: str) -> bool:
    """`mgr` for manager: the first letter, and others of it in order."""
    letters = iter(spelling)
    return len(written) > 2 and written[0] == spelling[0] and all(letter in letters for letter in written)


def say_card(number: int, lexicon: Lexicon, view: BrassView) -> str:
    """The name of a card as it is read."""
    if not view.names:
        return lexicon.say(_WORDS[number])
    id_, name = view.names[number]
    return lexicon.say(CARD + id_) if _NAMES.get(id_) == name else fold(name).replace("'", "")


def counted(words: Cursor, view: BrassView) -> tuple[int, int]:
    """A card and how many: `clerk`, `2 clerks`, `all clerks`. Raises Unread."""
    if words.take("all"):
        return card(words, view), ALL
    count = words.take_number()
    if count == 0:
        words.at -= 1
        words.fail("out_of_range", ["1"], least=1, most=99)
    return card(words, view), 1 if count is None else min(count, 99)


def say_counted(each: tuple[int, int], lexicon: Lexicon, view: BrassView) -> str:
    """A card and how many."""
    number, count = each
    name = say_card(number, lexicon, view)
    if count == 1:
        return name
    several = CARDS + _id(number, view)
    name = lexicon.say(several) if lexicon.knows(several) else name
    return f"{lexicon.say('all')} {name}" if count == ALL else f"{count} {name}"


def _id(number: int, view: BrassView) -> str:
    """The id of a card that the catalogs know, empty for another."""
    if not view.names:
        return _IDS[number]
    id_, name = view.names[number]
    return id_ if _NAMES.get(id_) == name else ""


def seats(view: BrassView) -> tuple[str, ...]:
    """The ids of the companies that play."""
    return SEAT_NAMES[: view.seats]


def take_side(words: Cursor, view: BrassView) -> int | None:
    """A side by its colour, or the automaton, if one comes next."""
    ids = seats(view)
    found = words.take(*ids, "automaton") if view.seats < len(view.companies) else words.take(*ids)
    return None if found is None else len(ids) if found == "automaton" else ids.index(found)


def side(words: Cursor, view: BrassView) -> int:
    """A side. Raises Unread."""
    found = take_side(words, view)
    if found is None:
        ids = seats(view)
        raise words.unread("unknown_word", [words.lexicon.say(name) for name in ids], expected=list(ids))
    return found


def say_side(number: int, lexicon: Lexicon, view: BrassView) -> str:
    """The word for a side."""
    ids = seats(view)
    return lexicon.say(ids[number]) if number < len(ids) else lexicon.say("automaton")


def target(words: Cursor, view: BrassView) -> Target:
    """`blue mining platform`, `chroniker of blue`, `chroniker`, `blue` or `blue company`, `weakest`. Raises Unread."""
    seat = take_side(words, view)
    if seat is not None:
        if words.take("company"):
            return Target(seat, COMPANY)
        if words.take("weakest"):
            return Target(seat, WEAKEST)
        number = take_card(words, view)
        return Target(seat, COMPANY if number is None else number)
    if words.take("weakest"):
        words.take("of")
        after = take_side(words, view)
        return Target(ANY if after is None else after, WEAKEST)
    number = card(words, view)
    after = take_side(words, view)
    return Target(ANY if after is None else after, number)


def say_target(said: Target, lexicon: Lexicon, view: BrassView) -> str:
    """The words of a target."""
    special = {COMPANY: "company", WEAKEST: "weakest"}.get(said.card)
    what = lexicon.say(special) if special else say_card(said.card, lexicon, view)
    return what if said.seat == ANY else f"{say_side(said.seat, lexicon, view)} {what}"
