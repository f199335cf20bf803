"""One line's tokens to an order, a command or a problem.

    line        = { "if" condition [ "," | ":" | "then" ] | "always" } ( order | command )
    order       = head [ round ] [ ":" ] alternative { ( "or" | "|" ) alternative }
    round       = [ "round" ] number | "any"                          (kinds that come up in rounds)
    alternative = [ "if" condition ( "," | ":" | "then" ) ] [ head ] body [ [ "," ] "if" condition ]
    condition   = every { ( "or" | "|" ) every }
    every       = unit { ( "and" | "&" ) unit }
    unit        = "not" unit | "(" condition ")" | fact

Heads, bodies and facts are the game's; a head may be repeated, and must be of the same kind of decision. After `or`
stands an alternative if it can be read as one, else another condition.
"""

from collections.abc import Sequence

import msgspec
from rapidfuzz.distance import OSA

from engine.contract import Either, Every, Intent, Test, View
from engine.orders.commands import read_command
from engine.orders.conditions import read_test
from engine.orders.cursor import MAX_WORK, Cursor, Unread, Work
from engine.orders.language import Language
from engine.orders.lexicon import Found, Lexicon
from engine.orders.shape import Alternative, Command, Order, Problem
from engine.orders.tokens import NUMBER, SIGN, WORD, Token
from engine.orders.tokens import tokens as tokenize
from engine.orders.writer import write

MAX_ALTERNATIVES = 16
MAX_HEADLESS = 12
"""Tokens of a line without a word that begins an order in which one is still looked for."""
NO_GUESS = frozenset({"hidden", "too_many_alternatives"})
"""Codes of problems for which leaving the rest out would be another order."""
REPAIR_COST = 15
"""Steps that an attempt to mend a line costs on top: at most half of the work goes into suggestions."""
REPAIRS = 4
"""Readings that are tried to find the nearest readable line."""


class LineRead(msgspec.Struct):
    """What a line says: one of order, command and problem, or none of them for prose."""

    order: Order | None = None
    command: Command | None = None
    problem: Problem | None = None
    doubts: list[tuple[str, str]] = []


class Lead(msgspec.Struct):
    """What stands before the word that begins an order."""

    head: str
    exact: bool
    test: Test | None
    always: bool


class LineReader:
    """Reads the lines of one submission, in the order written."""

    def __init__(self, language: Language, view: View, lexicon: Lexicon) -> None:
        self.language = language
        self.view = view
        self.lexicon = lexicon
        self.last_kind = ""

    def read(self, tokens: list[Token], work: Work) -> LineRead:
        """What the line says. Raises OutOfWork."""
        words = Cursor(tokens, self.lexicon, work)
        lead: Lead | None = None
        try:
            lead = self._lead(words)
            if lead is None:
                return LineRead(problem=self._headless(tokens, work))
            if lead.head == "command:press":
                return LineRead()
            read = self._after(lead, words)
        except Unread as unread:
            is_sure = lead is not None and lead.exact
            if not is_sure and not self._means_something(tokens[1:]):
                return LineRead()
            return LineRead(problem=self._problem(unread, lead, tokens, work))
        read.doubts = words.doubts
        if read.order is not None:
            self.last_kind = read.order.kind
        return read

    def _after(self, lead: Lead, words: Cursor) -> LineRead:
        place, _, name = lead.head.partition(":")
        if place == "order":
            return LineRead(self._order(name, lead, words))
        if lead.always or lead.test is not None:
            words.fail("no_order")
        words.take_sign(":")
        return LineRead(command=read_command(name, words, self.language))

    def _lead(self, words: Cursor) -> Lead | None:
        """Conditions, `always`, politeness, and the head; None for prose."""
        tests: list[Test] = []
        always = False
        while True:
            found = self._head(words)
            if found is None and (always or tests) and self._means_something(words.tokens[words.at :]):
                words.fail("no_order")
            if found is None:
                return None
            words.at += found.words
            if found.id == "lead:always":
                always = True
            elif found.id == "lead:if":
                test = self._leading_test(words)
                if test is None:
                    return None
                tests.append(test)
            elif found.id != "lead:please":
                break
            words.take_sign(",", ":", "-")
        if not found.exact:
            written = " ".join(token.text for token in words.tokens[words.at - found.words : words.at])
            words.doubts.append((written, found.spelling))
        every = None if not tests else tests[0] if len(tests) == 1 else Every(tuple(tests))
        return Lead(found.id, found.exact, every, always)

    def _head(self, words: Cursor) -> Found | None:
        """The word that begins an order or command. Only an order's may be shortened; misspelt may be either."""
        words.work.step()
        ahead, heads = words.words_ahead(), self.lexicon.heads
        if not ahead:
            return None
        found = heads.exact(ahead)
        if found is not None:
            return found
        words.work.step(3)
        begun = heads.begun(ahead[0]) if len(ahead[0]) > 2 else None
        if begun is not None and begun.id.startswith("order:"):
            return begun
        misspelt = heads.misspelt(ahead)
        return misspelt if misspelt is not None and not misspelt.id.startswith("lead:") else None

    def _leading_test(self, words: Cursor) -> Test | None:
        """The condition up to the order that it is for; None if no word follows that begins an order."""
        first: Unread | None = None
        start, candidates = words.at, 0
        for at in range(start + 1, words.end):
            token = words.tokens[at]
            words.work.step()
            heads = self.lexicon.heads.exact([part.text for part in words.tokens[at : at + 4] if part.kind == WORD])
            if token.kind != WORD or heads is None or not heads.id.startswith(("order:", "lead:always")):
                continue
            candidates += 1
            end = at
            while end > start and self._is_pause(words.tokens[end - 1]):
                end -= 1
            part = words.part(start, end)
            try:
                test = read_test(part, self.language, self.view)
                part.finish()
            except Unread as unread:
                first = first or unread
                if candidates == 6:
                    break
                continue
            words.at = at
            return test
        if first is not None:
            raise first
        return None

    def _is_pause(self, token: Token) -> bool:
        if token.kind == SIGN:
            return token.text in ",:;-"
        return token.kind == WORD and self.lexicon.body.ids.get(token.text) == "then"

    def _order(self, head: str, lead: Lead, words: Cursor) -> Order:
        kind, round_ = self._kind(head, words), 0
        if kind in self.language.rounds:
            round_ = self._round(kind, words)
        words.take_sign(":", "=", "-")
        words.take("is")
        kept: list[Alternative] = []
        for start, end in self._segments(words):
            part = words.part(start, end)
            if len(kept) == MAX_ALTERNATIVES:
                part.fail("too_many_alternatives", most=MAX_ALTERNATIVES)
            head = self._add(head, kind, part, kept)
        return Order(kind, tuple(kept), round_, lead.test, lead.always)

    def _add(self, head: str, kind: str, part: Cursor, kept: list[Alternative]) -> str:
        """Reads one alternative, or one more condition of that before; gives the head that is now in force."""
        part.take_sign(",")
        start, doubts = part.at, len(part.doubts)
        try:
            test = self._own_test(part)
            if kept or test is not None:
                head = self._repeated_head(kind, part) or head
            intent = self.language.body(head, part, self.view, kept[-1].intent if kept else None)
            kept.append(self._ended(intent, test, part))
        except Unread as unread:
            before = kept[-1].test if kept else None
            part.at = start
            del part.doubts[doubts:]
            if before is None:
                raise
            try:
                test = read_test(part, self.language, self.view)
                part.finish()
            except Unread:
                raise unread from None
            earlier = before.parts if isinstance(before, Either) else (before,)
            kept[-1] = Alternative(kept[-1].intent, Either((*earlier, test)))
        return head

    def _own_test(self, part: Cursor) -> Test | None:
        """`if B3 is revealed: c2 to C3`, where the comma, the colon or `then` must stand; `pass if B3 is revealed`."""
        if not part.take("if"):
            return None
        test = read_test(part, self.language, self.view)
        if not (part.done or part.take("then") or part.take_sign(",", ":")):
            part.fail("then_expected", [self.lexicon.say("then")])
        return test

    def _ended(self, intent: Intent, test: Test | None, part: Cursor) -> Alternative:
        start = part.at
        part.take_sign(",")
        if part.take("if"):
            after = read_test(part, self.language, self.view)
            test = after if test is None else Every((test, after))
        elif not part.done:
            part.at = start
        part.finish()
        return Alternative(intent, test)

    def _kind(self, head: str, words: Cursor) -> str:
        kinds = self.language.heads[head]
        if len(kinds) == 1:
            return kinds[0]
        named = words.take(*kinds)
        if named is not None:
            return named
        if self.last_kind in kinds:
            return self.last_kind
        asked = self.language.asked(self.view)
        if asked in kinds:
            return asked
        said = [self.lexicon.say(kind) for kind in kinds]
        raise Unread("say_which", words.at, said, which=said)

    def _repeated_head(self, kind: str, part: Cursor) -> str | None:
        at = part.at
        head = part.take(*self.language.heads)
        if head is not None and kind not in self.language.heads[head]:
            raise Unread("other_kind", at, kind=self.lexicon.say(kind))
        if head is not None and len(self.language.heads[head]) > 1:
            part.take(kind)
        return head

    def _round(self, kind: str, words: Cursor) -> int:
        words.take("round")
        at = words.at
        round_ = words.take_number()
        if round_ is None:
            words.take("any")
            return 0
        most = self.language.rounds[kind]
        if not 1 <= round_ <= most:
            raise Unread("out_of_range", at, [str(most)], least=1, most=most)
        return round_

    def _segments(self, words: Cursor) -> list[tuple[int, int]]:
        """Where the alternatives stand: between `or`s that are in no parentheses."""
        segments: list[tuple[int, int]] = []
        depth, start = 0, words.at
        for at in range(words.at, words.end):
            token = words.tokens[at]
            if token.kind == SIGN and token.text in "()":
                depth += 1 if token.text == "(" else -1
            is_or = token.text == "|" or (token.kind == WORD and self.lexicon.body.ids.get(token.text) == "or")
            if is_or and depth <= 0:
                if at > start or not segments:
                    segments.append((start, at))
                start = at + 1
        return [*segments, (start, words.end)] if start < words.end or not segments else segments

    def _headless(self, tokens: list[Token], work: Work) -> Problem | None:
        """A line of nothing but the words of orders, which some word that begins one would make an order."""
        if work.left < MAX_WORK // 2 or not 1 < len(tokens) <= MAX_HEADLESS:
            return None
        if not self._means_something(tokens) or not all(self._is_known(token) for token in tokens[1:]):
            return None
        if not self._is_known(tokens[0]):
            return self._misspelt_head(tokens, work)
        asked = self.language.asked(self.view)
        for head in sorted(self.language.heads, key=lambda head: asked not in self.language.heads[head]):
            mended = self._mended([*tokenize(self.lexicon.say(head)), *tokens], work)
            if mended:
                return Problem("no_order_word", {}, tokens[0].text, mended)
        return None

    def _misspelt_head(self, tokens: list[Token], work: Work) -> Problem | None:
        """An order but for a slip in its first word that is too short, or too like another, to be taken for it."""
        for spelling, name in self.lexicon.heads.ids.items():
            if name.startswith("order:") and OSA.distance(spelling, tokens[0].text, score_cutoff=1) == 1:
                mended = self._mended([*tokenize(spelling), *tokens[1:]], work)
                if mended:
                    return Problem("no_order_word", {}, tokens[0].text, mended)
        return None

    def _is_known(self, token: Token) -> bool:
        return token.kind != WORD or self._is_game_word(token.text) or token.text in self.lexicon.body.ids

    def _means_something(self, tokens: Sequence[Token]) -> bool:
        """Whether there is anything in it that orders are made of."""
        return any(
            token.kind == NUMBER or (token.kind == WORD and self._is_game_word(token.text)) for token in tokens[:12]
        )

    def _is_game_word(self, word: str) -> bool:
        return word[-1].isdigit() or word in self.lexicon.game_words

    def _problem(self, unread: Unread, lead: Lead | None, tokens: list[Token], work: Work) -> Problem:
        token = tokens[unread.at].text if unread.at < len(tokens) else ""
        whole = self._before_rest(unread, tokens, work)
        if whole:
            return Problem(unread.code, dict(unread.params), token, whole)
        for nearest in unread.nearest[:REPAIRS]:
            before, after = [*tokens[: unread.at], *tokenize(nearest)], tokens[unread.at :]
            mended = self._mended([*before, *after[1:]], work) or self._mended([*before, *after], work)
            if mended:
                return Problem(unread.code, dict(unread.params), token, mended)
        mended = ""
        if unread.at < len(tokens) and unread.code not in NO_GUESS:
            before, after = tokens[: unread.at], tokens[unread.at + 1 :]
            mended = self._mended([*before, *after], work) or self._mended(before, work)
        if not mended and lead is not None:
            mended = self.lexicon.templates.get(lead.head.partition(":")[2], "")
        return Problem(unread.code, dict(unread.params), token, mended)

    def _before_rest(self, unread: Unread, tokens: list[Token], work: Work) -> str:
        """The line without what follows it that is no word of ours ("bid 2900, sorry"), or is a sign left hanging."""
        before = tokens[: unread.at]
        is_rest = not self._is_known(tokens[unread.at]) if unread.at < len(tokens) else tokens[-1].kind == SIGN
        if unread.code in NO_GUESS or not is_rest:
            return ""
        while before and before[-1].kind == SIGN:
            before.pop()
        return self._mended(before, work) if before else ""

    def _mended(self, tokens: list[Token], work: Work) -> str:
        """The line with these tokens in its stead, in its normal form, if it can be read."""
        if work.left < MAX_WORK // 2:
            return ""
        work.step(REPAIR_COST)
        words = Cursor(tokens, self.lexicon, work)
        try:
            lead = self._lead(words)
            if lead is None:
                return ""
            read = self._after(lead, words)
        except Unread:
            return ""
        if read.order is not None:
            return write(read.order, self.language, self.view, self.lexicon.tongue)
        return joined(tokens)


def joined(tokens: list[Token]) -> str:
    """Tokens as one would write them."""
    said = ""
    for token in tokens:
        tight = token.kind == SIGN and token.text in ",:;.)!'"
        said += token.text if tight or said.endswith("(") or not said else f" {token.text}"
    return said
