"""One line's tokens to an order, a command or a problem.

    line        = { ( "if" | "unless" ) condition [ "," | ":" | "then" ] | "always" | kind ":" } ( order | command )
    order       = head [ round ] [ ":" ] alternative { ( "or" | "|" ) alternative }
    round       = [ "round" ] number | "any"                          (kinds that come up in rounds)
    alternative = [ "if" condition [ "," | ":" | "then" ] ] [ head ] body [ [ "," ] ( "if" | "unless" ) condition ]
    condition   = every { ( "or" | "|" ) every }
    every       = unit { ( "and" | "&" ) unit }
    unit        = "not" unit | "(" condition ")" | fact

Heads, bodies and facts are the game's; a head may be repeated, and must be of the same kind of decision. After `or`
stands an alternative if it can be read as one, else another condition.
"""

from collections.abc import Sequence

import msgspec

from engine.contract import Either, Every, Intent, Rules, Test, View
from engine.orders.commands import read_command
from engine.orders.conditions import is_foreseen, opposite, read_test
from engine.orders.cursor import MAX_WORK, Cursor, Unread, Work
from engine.orders.language import Language
from engine.orders.lexicon import Found, Lexicon
from engine.orders.mending import Mender, joined
from engine.orders.shape import Alternative, Command, Order, Problem
from engine.orders.tokens import NUMBER, SIGN, WORD, Token, is_long
from engine.orders.tokens import tokens as tokenize
from engine.orders.writer import write

MAX_ALTERNATIVES = 16
_TALKED_OF = frozenset({"command:remind", "command:quiet"})
_MOST_WORDS = 3
"""Words of a line that is still taken for an attempt at one of those, where it names no time."""
SHORT = 40
"""Tokens of a line whose normal form is no longer than a line may be."""
COLON = Token(SIGN, ":", 0, spaced=False)
REPAIR_COST = 15
"""Steps that an attempt to mend a line costs on top: at most half of the work goes into suggestions."""


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
    is_bare: bool = False
    """Whether only words that say nothing stood before it: `the bid` is a heading and no order without an end."""


class LineReader:
    """Reads the lines of one submission, in the order written."""

    def __init__(self, language: Language, view: View, lexicon: Lexicon, rules: Rules | None = None) -> None:
        self.language = language
        self.view = view
        self.lexicon = lexicon
        self.last_kind = ""
        self.mender = Mender(language, view, lexicon, self._mended, rules)

    def split(self, tokens: list[Token], work: Work) -> list[list[Token]]:
        """The line at each `;` or full stop after which a word follows that begins an order."""
        parts: list[list[Token]] = [[]]
        for at, token in enumerate(tokens):
            ends = token.kind == SIGN and token.text in ";."
            if ends and self.lexicon.heads.exact(Cursor(tokens, self.lexicon, work, at + 1).words_ahead()) is not None:
                parts.append([])
            else:
                parts[-1].append(token)
        return [part for part in parts if part]

    def read(self, tokens: list[Token], work: Work) -> LineRead:
        """What the line says. Raises OutOfWork."""
        words = Cursor(tokens, self.lexicon, work)
        lead: Lead | None = None
        try:
            lead = self._lead(words)
            if lead is None:
                return LineRead(problem=self.mender.headless(tokens, work))
            if lead.head == "command:press":
                return LineRead()
            read = self._after(lead, words)
            self._refuse_long(read.order, lead, tokens, work)
        except Unread as unread:
            is_sure = lead is not None and lead.exact
            if not is_sure and not self.mender.means_something(tokens[1:]):
                return LineRead()
            if lead is not None and (_is_talk(lead, tokens) or self._is_reply_in_prose(lead, unread, words)):
                return LineRead()
            if lead is not None and lead.is_bare and unread.code == "ends_early" and unread.at == words.at:
                return LineRead()
            head = lead.head.partition(":")[2] if lead is not None else ""
            return LineRead(problem=self.mender.problem(unread, head, tokens, work))
        read.doubts = words.doubts
        if read.order is not None:
            self.last_kind = read.order.kind
            self.mender.last = read.order
        return read

    def _is_reply_in_prose(self, lead: Lead, unread: Unread, words: Cursor) -> bool:
        """`Yes, fine`, `end of it`: a word that stands alone, before others that mean nothing, and nobody asked."""
        place, _, head = lead.head.partition(":")
        if place != "order" or unread.code != "too_much" or unread.at != words.at:
            return False
        asked = self.language.asked(self.view) in self.language.heads[head]
        return not asked and not self.mender.means_something(words.tokens[words.at :])

    def _refuse_long(self, order: Order | None, lead: Lead, tokens: list[Token], work: Work) -> None:
        """An order whose normal form would be longer than a line may be could not be told back."""
        is_spread = order is not None and order.test is None and lead.test is not None
        if order is None or not (is_spread or len(tokens) > SHORT):
            return
        work.step(len(tokens) // 6)
        written = write(order, self.language, self.view, self.lexicon.tongue)
        if is_long(written, tokenize(written)):
            raise Unread("too_long", 0)

    def _after(self, lead: Lead, words: Cursor) -> LineRead:
        place, _, name = lead.head.partition(":")
        if place == "order":
            return LineRead(self._order(name, lead, words))
        if lead.always or lead.test is not None:
            words.fail("no_order")
        words.take_sign(":")
        return LineRead(command=read_command(name, words, self.language, self.view))

    def _lead(self, words: Cursor) -> Lead | None:
        """Conditions, `always`, politeness, and the head; None for prose."""
        tests: list[Test] = []
        always = False
        while True:
            found = self._head(words) or self._before_kind(words)
            if found is None and (always or tests) and self.mender.means_something(words.tokens[words.at :]):
                words.fail("no_order")
            if found is None:
                return None
            words.at += found.words
            if found.id == "lead:always":
                always = True
            elif found.id in ("lead:if", "lead:unless"):
                test = self._leading_test(words)
                if test is None:
                    return None
                tests.append(test if found.id == "lead:if" else opposite(test))
            elif found.id != "lead:please":
                break
            words.take_sign(",", ":", "-")
        if not found.exact:
            written = " ".join(token.text for token in words.tokens[words.at - found.words : words.at])
            words.doubts.append((written, found.spelling))
        is_bare = words.at > found.words and not tests and not always
        return Lead(found.id, found.exact, _both(tests), always, is_bare)

    def _head(self, words: Cursor) -> Found | None:
        """The word that begins an order or command. Only an order's may be shortened; misspelt may be either."""
        words.work.step()
        ahead, heads = words.words_ahead(), self.lexicon.heads
        if not ahead:
            return None
        found = heads.exact(ahead)
        if found is not None:
            return self._longer(found, words)
        words.work.step(3)
        named = self.lexicon.body.exact(ahead)
        if named is not None and named.words > 1:
            return None
        begun = heads.begun(ahead[0]) if len(ahead[0]) > 2 else None
        if begun is not None and begun.id.startswith("order:"):
            return begun
        # What is spelt as another word is no slip: a card called "steam handcar" is no "steal".
        misspelt = heads.misspelt(ahead) if named is None else None
        return misspelt if misspelt is not None and not misspelt.id.startswith("lead:") else None

    def _before_kind(self, words: Cursor) -> Found | None:
        """The head after a kind of decision and a colon, `market: sell 3 gold`; the kind is passed over."""
        start, kind = words.at, words.take(*self.lexicon.kinds)
        found = self._head(words) if kind is not None and words.take_sign(":") else None
        if found is None or not found.id.startswith("order:"):
            words.at = start
            return None
        if kind in self.language.heads[found.id.partition(":")[2]]:
            self.last_kind = str(kind)
        return found

    def _begins_order(self, head: Found) -> bool:
        return head.id.startswith(("order:", "lead:always")) or head.spelling in self.lexicon.longer

    def _longer(self, found: Found, words: Cursor) -> Found:
        """A command's word with more after it, where the game has an order that begins with it (`use storm coil`)."""
        head = self.lexicon.longer.get(found.spelling)
        rest = Cursor(words.tokens, self.lexicon, words.work, words.at + found.words, words.end)
        return found if head is None or rest.done else Found(head, found.words, found.exact, found.spelling)

    def _leading_test(self, words: Cursor) -> Test | None:
        """The condition up to the order that it is for; None if no word follows that begins an order."""
        first: Unread | None = None
        start, candidates = words.at, 0
        for at in range(start + 1, words.end):
            token = words.tokens[at]
            words.work.step()
            heads = self.lexicon.heads.exact([part.text for part in words.tokens[at : at + 4] if part.kind == WORD])
            if token.kind != WORD or heads is None or not self._begins_order(heads):
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
        self._refuse_negative(words)
        words.take_sign(":", "=", "-", ")", ".", ",")
        words.take("is")
        kept: list[Alternative] = []
        segments = self._segments(words)
        while segments:
            start, end = segments.pop(0)
            if len(kept) == MAX_ALTERNATIVES:
                words.part(start, end).fail("too_many_alternatives", most=MAX_ALTERNATIVES)
            try:
                head = self._add(head, kind, words.part(start, end), kept)
            except Unread as unread:
                # `if B3 or B4 is revealed`: that `or` stood within the condition.
                if not segments or unread.at < end:
                    raise
                head = self._add(head, kind, words.part(start, segments.pop(0)[1]), kept)
        return self._foreseeing(Order(kind, tuple(kept), round_, lead.test, lead.always), words)

    def _refuse_negative(self, words: Cursor) -> None:
        """`bid -100` is no bid of 100; `bid - 100` is."""
        here, after = words.tokens[words.at : words.end][:1], words.tokens[words.at : words.end][1:2]
        if here and after and here[0].text == "-" and after[0].kind == NUMBER and here[0].spaced > after[0].spaced:
            words.fail("negative", [after[0].text], over=2)

    def _foreseeing(self, order: Order, words: Cursor) -> Order:
        """A test of what an alternative would bring about stands with each; not all kinds bring anything."""
        tests = (order.test, *(each.test for each in order.alternatives))
        if not any(map(is_foreseen, tests)):
            return order
        if order.kind not in self.language.foreseen:
            raise Unread("not_foreseen", words.end)
        if not is_foreseen(order.test):
            return order
        assert order.test is not None
        kept = tuple(
            Alternative(each.intent, _both([order.test] if each.test is None else [order.test, each.test]))
            for each in order.alternatives
        )
        return Order(order.kind, kept, order.round, None, order.always)

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
        """`if B3 is revealed: c2 to C3`; `pass if B3 is revealed`."""
        found = part.take("if", "unless")
        if found is None:
            return None
        test = read_test(part, self.language, self.view)
        if not part.take("then"):
            part.take_sign(",", ":")
        return test if found == "if" else opposite(test)

    def _ended(self, intent: Intent, test: Test | None, part: Cursor) -> Alternative:
        start = part.at
        part.take_sign(",")
        found = part.take("if", "unless")
        if found is not None:
            after = read_test(part, self.language, self.view)
            after = after if found == "if" else opposite(after)
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
        self._refuse_rounds(words, at)
        most = self.language.rounds[kind]
        if not 1 <= round_ <= most:
            raise Unread("out_of_range", at, [str(most)], least=1, most=most)
        return round_

    def _refuse_rounds(self, words: Cursor, at: int) -> None:
        """`drill 1 or 2: …`, `drill 1-3: …`: a line is for one round, or for any."""
        start = words.at
        while words.take("or", "and", "to") or words.take_sign("-", ",", "/", "&", "+"):
            if words.take_number() is None or not (words.done or words.here == COLON or words.take("or", "and", "to")):
                continue
            end = words.at
            words.at = start
            raise Unread("one_round", at, [self.lexicon.say("any")], over=end - at)
        words.at = start

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

    def _mended(self, tokens: list[Token], work: Work) -> str:
        """The line with these tokens in its stead, in its normal form, if it can be read."""
        if work.left < MAX_WORK // 2:
            return ""
        work.step(REPAIR_COST + len(tokens) // 6)
        read = self._understood(tokens, work)
        if read is None or (read.order is not None and not self.language.plausible(read.order, self.view)):
            return ""
        if read.order is not None:
            return write(read.order, self.language, self.view, self.lexicon.tongue)
        # Of a command there is no normal form: put together its tokens may say something else, or two things.
        said = joined(tokens)
        parts = self.split(tokenize(said), work)
        again = self._understood(parts[0], work) if len(parts) == 1 else None
        return said if again is not None and again.command == read.command else ""

    def _understood(self, tokens: list[Token], work: Work) -> LineRead | None:
        """The order or command that they are; None if they can't be read."""
        words = Cursor(tokens, self.lexicon, work)
        try:
            lead = self._lead(words)
            return self._after(lead, words) if lead is not None else None
        except Unread:
            return None


def _is_talk(lead: Lead, tokens: list[Token]) -> bool:
    """Whether a line that can't be read begins with such a word as any sentence may: "Quiet evening here, so …"."""
    timeless = not any(token.kind == NUMBER for token in tokens)
    return lead.head in _TALKED_OF and timeless and sum(token.kind == WORD for token in tokens) > _MOST_WORDS


def _both(tests: Sequence[Test]) -> Test | None:
    """One test that holds when all of these do."""
    return None if not tests else tests[0] if len(tests) == 1 else Every(tuple(tests))
