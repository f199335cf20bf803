"""The nearest readable line to one that looks like an order and can't be read."""

from collections.abc import Callable, Iterator, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from engine.contract import Rules, View
from engine.numerals import DIGITS, whole_number
from engine.orders.cursor import MAX_WORK, Cursor, Unread, Work
from engine.orders.language import Language
from engine.orders.lexicon import Lexicon
from engine.orders.lookalikes import plain
from engine.orders.shape import Order, Problem
from engine.orders.tokens import NUMBER, SIGN, WORD, Token
from engine.orders.tokens import tokens as tokenize
from engine.orders.writer import write

MAX_HEADLESS = 12
"""Tokens of a line without a word that begins an order in which one is still looked for."""
NO_GUESS = frozenset({"too_long", "hidden", "too_many_alternatives", "not_foreseen"})
"""Codes of problems for which leaving the rest out would be another order."""
WHOLE = frozenset(
    """
    back clear concede confirm never_mind new_token propose_draw propose_extend propose_pause propose_replace
    propose_resume resign undo use vote_no vote_yes
    """.split()  # noqa: SIM905 - as a list of quoted words it is harder to read
)
"""Commands that drop or bind: without what can't be read they would do more than was written, or something else."""
IN_A_ROW = 6
"""Orders in one line that are told as several."""
REPAIRS = 4
"""Readings that are tried to find the nearest readable line."""
EXAMPLE_COST = 60
"""Steps that an example of the position costs, made once for each kind."""

SHORTEST_SLIP = 3
"""Letters of a word that may be another one but for a slip."""
SLIP_COST = 20
"""Steps that a look for such a word among all of the game's costs."""

Attempt = Callable[[list[Token], Work], str]
"""Reads tokens as a line; gives its normal form, empty if it can't be read."""


class Mender:
    """Makes problems of the lines of one submission. `last` is the order read before."""

    def __init__(self, language: Language, view: View, lexicon: Lexicon, attempt: Attempt, rules: Rules | None) -> None:
        self.language = language
        self.view = view
        self.lexicon = lexicon
        self.attempt = attempt
        self.rules = rules
        self.last: Order | None = None
        self._examples: dict[tuple[str, int], list[Order]] = {}

    def is_known(self, token: Token) -> bool:
        """Whether it is no word, or one that orders are made of."""
        return token.kind != WORD or self._is_game_word(token.text) or token.text in self.lexicon.body.ids

    def means_something(self, tokens: Sequence[Token]) -> bool:
        """Whether there is anything in it that orders are made of."""
        return any(
            token.kind == NUMBER or (token.kind == WORD and self._is_game_word(token.text)) for token in tokens[:12]
        )

    def _is_game_word(self, word: str) -> bool:
        return word[-1] in DIGITS or word in self.lexicon.game_words

    def headless(self, tokens: list[Token], work: Work) -> Problem | None:
        """A line of nothing but the words of orders, which some word that begins one would make an order."""
        if work.left < MAX_WORK // 2 or not 1 <= len(tokens) <= MAX_HEADLESS:
            return None
        alike = self._lookalike(tokens, work)
        if alike is not None:
            return alike
        found = self._part_of_order(tokens, work) or self._round_first(tokens, work) or self._side_first(tokens, work)
        if found is not None or len(tokens) == 1:
            return found
        rest = self._mended_rest(tokens[1:], work)
        if not self.means_something(tokens) or not all(map(self.is_known, rest)):
            return None
        if not self.is_known(tokens[0]):
            return self._misspelt_head([tokens[0], *rest], work)
        if rest != tokens[1:]:
            return None
        mended = self._with_head(tokens, work)
        return Problem("no_order_word", {}, tokens[0].text, mended) if mended else None

    def _with_head(self, tokens: list[Token], work: Work) -> str:
        """The order that a word which begins one would make of it."""
        tries = (self.attempt([*tokenize(self.lexicon.say(head)), *tokens], work) for head in self._heads())
        return next(filter(None, tries), "")

    def _mended_rest(self, tokens: list[Token], work: Work) -> list[Token]:
        """The tokens, the only unknown one of them as the one word of the game that it is but for a slip."""
        unknown = [at for at, token in enumerate(tokens) if not self.is_known(token)]
        if len(unknown) != 1 or len(tokens[unknown[0]].text) < SHORTEST_SLIP:
            return tokens
        at = unknown[0]
        work.step(SLIP_COST)
        near = process.extract(tokens[at].text, self.lexicon.game_words, scorer=OSA.distance, score_cutoff=1, limit=2)
        mended = [tokens[at]._replace(text=word) for word, _, _ in near]
        return [*tokens[:at], *mended, *tokens[at + 1 :]] if len(mended) == 1 else tokens

    def _heads(self) -> list[str]:
        """The words that begin orders, those of what is asked first."""
        asked = self.language.asked(self.view)
        return sorted(self.language.heads, key=lambda head: asked not in self.language.heads[head])

    def _misspelt_head(self, tokens: list[Token], work: Work) -> Problem | None:
        """An order but for a slip in its first word that is too short, or too like another, to be taken for it."""
        for spelling, name in self.lexicon.heads.ids.items():
            if name.startswith("order:") and OSA.distance(spelling, tokens[0].text, score_cutoff=1) == 1:
                mended = self.attempt([*tokenize(spelling), *tokens[1:]], work)
                if mended:
                    return Problem("no_order_word", {}, tokens[0].text, mended)
        return None

    def _part_of_order(self, tokens: list[Token], work: Work) -> Problem | None:
        """What stands within an order only, `hire 2`, alone on a line: with how it is written there."""
        ahead = Cursor(tokens, self.lexicon, work).words_ahead()
        found, head = self.lexicon.body.exact(ahead), self.lexicon.kind_of_part(ahead)
        if found is None or not head or not all(map(self.is_known, tokens)):
            return None
        template, kind = self.lexicon.templates[found.id], self.language.heads[head][0]
        bases = [self.last] if self.last is not None and self.last.kind == kind else []
        for order in (*bases, *self._ideas(kind, work)[:2]):
            plain_order = Order(order.kind, (type(order.alternatives[0])(order.alternatives[0].intent),), order.round)
            written = write(plain_order, self.language, self.view, self.lexicon.tongue)
            mended = self.attempt([*tokenize(written), Token(SIGN, ","), *tokens], work)
            if mended:
                return Problem("part_of_order", {}, tokens[0].text, mended)
        return Problem("part_of_order", {}, tokens[0].text, template)

    def _round_first(self, tokens: list[Token], work: Work) -> Problem | None:
        """An order that begins with its round: `in round 3 drill c4 to A7`, `r1: c2 to A3`."""
        at, number = self._round(tokens)
        rest = tokens[at:]
        while rest and rest[0].kind == SIGN:
            rest = rest[1:]
        for head, kinds in self.language.heads.items() if rest else ():
            if kinds[0] in self.language.rounds:
                begun = self.lexicon.heads.ids.get(rest[0].text) == f"order:{head}"
                start = tokenize(f"{self.lexicon.say(head)} {number}:")
                mended = self.attempt([*start, *rest[begun:]], work)
                if mended:
                    return Problem("no_order_word", {}, tokens[0].text, mended)
        return None

    def _side_first(self, tokens: list[Token], work: Work) -> Problem | None:
        """An order that names a side before it: `red: bid 100`, `green bid 100`. "Red plays a card" tells a story."""
        sides = self.language.seats(self.view)
        if tokens[0].kind != WORD or self.lexicon.body.ids.get(tokens[0].text) not in sides:
            return None
        addressed = len(tokens) > 2 and tokens[1].kind == SIGN and tokens[1].text in ":,-"
        rest = tokens[2:] if addressed else tokens[1:]
        if not addressed and not (rest and self._begins_order(rest[0]) and any(each.kind == NUMBER for each in rest)):
            return None
        mended = self.attempt(rest, work)
        if not mended and addressed:
            mended = self._with_head(rest, work)
        return Problem("side_named", {}, tokens[0].text, mended) if mended else None

    def _begins_order(self, token: Token) -> bool:
        """Whether it is a word that begins an order, to the letter."""
        return self.lexicon.heads.ids.get(token.text, "").startswith("order:")

    def _round(self, tokens: list[Token]) -> tuple[int, str]:
        """Behind which token the line goes on after its round, and the round; the line's end where it names none."""
        word = self.lexicon.say("round")
        for at, token in enumerate(tokens[:4]):
            if token.kind == NUMBER and at and tokens[at - 1].text == word:
                return at + 1, token.text
            if token.kind == WORD and token.text[0] == word[0] and whole_number(token.text[1:]) is not None:
                return at + 1, token.text[1:]
        return len(tokens), ""

    def _ideas(self, kind: str, work: Work, round_: int = 0) -> list[Order]:
        """Examples of a kind, and for a round, as the seat might write them now."""
        if self.rules is None or not kind:
            return []
        if (kind, round_) not in self._examples:
            work.step(EXAMPLE_COST)
            self._examples[kind, round_] = list(self.language.ideas(self.rules, self.view, kind, round_))
        return self._examples[kind, round_]

    def problem(self, unread: Unread, head: str, tokens: list[Token], work: Work) -> Problem:
        """What is wrong with a line, at which word, and what would be readable instead."""
        alike = self._lookalike(tokens, work)
        if alike is not None:
            return alike
        token = tokens[unread.at].text if unread.at < len(tokens) else ""
        mended = next((found for found in self._tries(unread, head, tokens, work) if found), "")
        return Problem(unread.code, dict(unread.params), token, mended or self._example(head, tokens, work))

    def _round_of(self, kind: str, tokens: list[Token]) -> int:
        """The round that the line is for, as far as it can be read, else 0."""
        if [token.kind for token in tokens[1:3]] != [NUMBER, SIGN] or tokens[2].text != ":":
            return 0
        return tokens[1].value if tokens[1].value <= self.language.rounds.get(kind, 0) else 0

    def _tries(self, unread: Unread, head: str, tokens: list[Token], work: Work) -> Iterator[str]:
        """Lines that might be meant, the likeliest first; empty ones could not be read."""
        before, after = tokens[: unread.at], tokens[unread.at :]
        can_do_without = _can_do_without(unread, head)
        if before and after and before[-1].kind == after[0].kind == NUMBER:
            yield self.attempt([*before[:-1], *tokenize(before[-1].text + after[0].text), *after[1:]], work)
        if can_do_without:
            yield from self._other_alternatives(unread, tokens, work)
            yield from self._before_rest(before, after, tokens, work)
            yield from self._several(before, after, work)
        if unread.code == "no_order":
            for each in self._heads():
                yield self.attempt([*before, *tokenize(self.lexicon.say(each)), *after], work)
        said = next((token.text for token in after if token.text not in self.lexicon.polite), "1")
        is_word = unread.code == "number_expected" and self._is_game_word(said)
        for nearest in unread.nearest[:REPAIRS][:: -1 if is_word else 1]:
            put_in = [*before, *_apart(nearest), *after]
            replaced = [*before, *_apart(nearest), *after[unread.over :]]
            for tried in (put_in, replaced) if is_word else (replaced, put_in):
                yield self.attempt(tried, work)
        condition = self._condition(before)
        if condition:
            fact = [*condition, *tokenize(self.lexicon.templates.get("if", ""))]
            yield self.attempt(fact, work)
            order = next((after[at:] for at, token in enumerate(after) if self._begins_order(token)), [])
            yield self.attempt([*fact, Token(SIGN, ","), *order], work) if order else ""
        elif after and can_do_without:
            yield self.attempt([*before, *after[1:]], work)
            yield self.attempt(before, work)

    def _other_alternatives(self, unread: Unread, tokens: list[Token], work: Work) -> Iterator[str]:
        """`buy this or somthing or that` with the nearest of what can't be read, else with the others alone."""
        between = [place for place, token in enumerate(tokens) if self._is_or(token)]
        if not between or unread.code == "too_much":
            return
        before, after = tokens[: unread.at], tokens[unread.at + unread.over :]
        for nearest in unread.nearest[:1]:
            yield self.attempt([*before, *_apart(nearest), *after], work)
        start = max((place for place in between if place < unread.at), default=0)
        end = min((place for place in between if place > unread.at), default=len(tokens))
        # The first alternative stands behind the word that begins the order, which stays.
        yield self.attempt([*tokens[:start], *tokens[end:]] if start else [*tokens[:1], *tokens[end + 1 :]], work)

    def _is_or(self, token: Token) -> bool:
        return token.kind == WORD and self.lexicon.body.ids.get(token.text) == "or"

    def _before_rest(self, before: list[Token], after: list[Token], tokens: list[Token], work: Work) -> Iterator[str]:
        """The line without what follows it that is no word of ours ("bid 2900, sorry"), or is a sign left hanging."""
        is_rest = not self.is_known(after[0]) if after else tokens[-1].kind == SIGN
        is_rest = is_rest or all(token.kind == SIGN for token in after)
        if not is_rest or self._condition(before):
            return
        kept = list(before)
        while kept and kept[-1].kind == SIGN:
            kept.pop()
        yield self.attempt(kept, work) if kept else ""

    def _several(self, before: list[Token], after: list[Token], work: Work) -> Iterator[str]:
        """`c2 to B3, B4` as alternatives, or `sell 3 gold, 2 zinc` as two orders, `play all, buy it, end` as three."""
        yield self._in_a_row(before, after, work)
        if len(after) < 2 or not (after[0].text in (",", "/", "&", "+") or self._joins(after[0])):
            return
        alternatives = [*before, *tokenize(self.lexicon.say("or")), *after[1:]]
        head = self.lexicon.heads.exact([token.text for token in before[:1]])
        kinds = self.language.heads.get(head.id.partition(":")[2], ()) if head is not None else ()
        if (kinds and kinds[0] in self.language.rounds) or after[0].text == "/":
            yield self.attempt(alternatives, work)
            return
        yield self.attempt([*before, *after[1:]], work)
        first, second = self.attempt(before, work), self.attempt([*before[:1], *after[1:]], work)
        yield f"{first}; {second}" if first and second else ""
        yield self.attempt(alternatives, work)

    def _in_a_row(self, before: list[Token], after: list[Token], work: Work) -> str:
        """Whole orders in one line with nothing but a comma or `then` between them; empty where that is not so."""
        parts = [list(before)]
        for place, token in enumerate(after):
            if self._parts(token) and self._begins_order_at(after[place + 1 :]):
                parts.append([])
            else:
                parts[-1].append(token)
        while parts[0] and self._parts(parts[0][-1]):
            parts[0].pop()
        if not 1 < len(parts) <= IN_A_ROW:
            return ""
        read = [self.attempt(part, work) if part else "" for part in parts]
        return "; ".join(read) if all(read) else ""

    def _parts(self, token: Token) -> bool:
        return token.text in (",", "-", ":") if token.kind == SIGN else self._joins(token)

    def _begins_order_at(self, tokens: Sequence[Token]) -> bool:
        """Whether an order begins there, past another word that joins."""
        while tokens and self._parts(tokens[0]):
            tokens = tokens[1:]
        return bool(tokens) and tokens[0].kind == WORD and self._begins_order(tokens[0])

    def _joins(self, token: Token) -> bool:
        return token.kind == WORD and self.lexicon.body.ids.get(token.text) in ("and", "then")

    def _condition(self, before: list[Token]) -> list[Token]:
        """The tokens up to the last `if`, where one stands among them."""
        for at in range(len(before) - 1, -1, -1):
            if before[at].kind == WORD and self.lexicon.body.ids.get(before[at].text) in ("if", "unless"):
                return before[: at + 1]
        return []

    def _example(self, head: str, tokens: list[Token], work: Work) -> str:
        """An order of the position that begins with the same word, else a template."""
        kind = self.language.heads.get(head, ("",))[0]
        for order in self._ideas(kind, work, self._round_of(kind, tokens)):
            if self.language.say(order.alternatives[0].intent, self.lexicon, self.view)[0] == head:
                return write(order, self.language, self.view, self.lexicon.tongue)
        return str(self.lexicon.templates.get(head, ""))

    def _lookalike(self, tokens: list[Token], work: Work) -> Problem | None:
        """A line with letters of another alphabet, or letters for figures: told with what it looks like."""
        line = "".join(f" {token.text}" if token.spaced else token.text for token in tokens)
        mapped = plain(line)
        if mapped == line:
            return None
        changed = [was for was, now in zip(line.split(), mapped.split(), strict=False) if was != now]
        mended = self.attempt(tokenize(mapped), work)
        return Problem("lookalike", {}, changed[0], mended) if mended else None


def _can_do_without(unread: Unread, head: str) -> bool:
    """Whether a line may be meant without what can't be read in it."""
    if head == "cancel":
        # Without a round it drops all of them.
        return unread.code == "too_much"
    return unread.code not in NO_GUESS and head not in WHOLE


def _apart(text: str) -> list[Token]:
    """The tokens of what is put into a line: they hang on nothing that stands before them."""
    found = tokenize(text)
    return [token._replace(spaced=True) for token in found[:1]] + found[1:]


def joined(tokens: list[Token]) -> str:
    """Tokens as one would write them, so that they are read as the same: `8:00` is a time, `8: 00` is none."""
    said = ""
    for before, token in zip([None, *tokens], tokens, strict=False):
        tight = token.kind == SIGN and token.text in ",:;.)!'"
        tight = tight or before is None or said.endswith("(") or _hangs_on(before, token)
        said += token.text if tight else f" {token.text}"
    return said


def _hangs_on(before: Token, token: Token) -> bool:
    """Whether it is written right behind the one before it, and would be read as it is: `:00`, `24h`."""
    if token.spaced:
        return False
    return SIGN in (before.kind, token.kind) or (before.kind, token.kind) == (NUMBER, WORD)
