"""The letters that answer a submission: its acknowledgement, and what its commands ask for."""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence

from sqlmodel import Session, col, select

from engine.orders.lexicon import lexicon
from engine.orders.outlook import can_be_used
from engine.orders.reader import read
from engine.orders.shape import Command, Order
from engine.orders.writer import examples
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.notices import compose, composed, overseers, spoken, thread
from pbem.games.position import Position, players_of, seat_rows
from pbem.games.status import status_rows
from pbem.habits import HABITS
from pbem.letters import Composed, Envelope, Recipient, finish
from pbem.mail.identity import Purpose
from pbem.reports import data
from pbem.reports.render import acknowledgement_letter, chapter, report_letter
from pbem.sheets.lines import line, tongue_of
from pbem.sheets.stored import of_present_player, orders_for_once
from pbem.storage.models import Game, Letter, Report, Submission
from pbem.voting.letters import proposal_letters
from pbem.voting.proposals import REPLACE, proposed_by

CONFIRM_HOURS = 48
PROPOSALS = ("propose_draw", "concede", "propose_extend", "propose_pause", "propose_resume", "propose_replace")
HELD_BACK = frozenset({"press", "resign", "new_token", "extend", *PROPOSALS})
"""Commands that `check` holds back."""


def status_letter(service: Service, session: Session, game_id: int, number: int, key: str) -> Letter:
    """How a player's games stand, for a seat whose game is not being played. Raises Refused `no_game`, `no_seat`."""
    game = session.get(Game, game_id)
    players = players_of(session, game_id)
    if game is None or number not in players:
        raise Refused("no_seat" if game is not None else "no_game")
    seat = seat_rows(session, game_id)[number]
    to = Recipient.of(players[number].account, players[number].address, number, seat.generation)
    assert to.account_id is not None
    made = compose("status", to.words, {"games": status_rows(session, to.account_id, to.words)})
    return finish(service, Envelope("status", f"status/{key}", Purpose.ORDERS, game, thread(game)), to, made)


class Answers:
    """Composes the letters for one post against the position that it came to.

    `commands` are those that are followed.
    """

    def __init__(
        self, service: Service, session: Session, stands: Position, seat: int, key: str, commands: Sequence[Command]
    ) -> None:
        self.service = service
        self.session = session
        self.stands = stands
        self.seat = stands.seats[seat]
        self.key = key
        self.commands = commands
        player = stands.players[seat]
        self.to = Recipient.of(player.account, player.address, seat, self.seat.generation)
        self.turn = stands.rules.stage(stands.table.state, stands.game.pace).turn
        self.view = stands.rules.view(stands.table.state, seat)

    def acknowledgement(self, told: data.Acknowledgement) -> Letter:
        """What was made of the post."""
        return self._finish("acknowledgement", composed(acknowledgement_letter(told, self.to.words)), Purpose.ORDERS)

    def letters(self) -> list[Letter]:
        """What its commands ask for, in the order written."""
        found: list[Letter] = []
        for command in self.commands:
            maker = self._makers().get(command.name)
            if maker is not None:
                found += maker(command)
        return list({letter.key: letter for letter in found}.values())

    def _makers(self) -> Mapping[str, Callable[[Command], list[Letter]]]:
        return {
            **dict.fromkeys(PROPOSALS, self._propose),
            "show": self._show,
            "status": self._status,
            "history": self._history,
            "help": self._help,
            "resign": self._confirm,
            "new_token": self._confirm,
            "extend": self._extend,
        }

    def _show(self, command: Command) -> list[Letter]:
        if command.params["what"] == "orders":
            return [self._orders()]
        return [] if self._is_held() else [self._report()]

    def _is_held(self) -> bool:
        """Whether the latest report waits to be asked for, and goes by itself now."""
        waiting = col(Letter.fate) == "queued", col(Letter.problem).in_(HABITS), col(Letter.kind) == "report"
        seat = col(Letter.game_id) == self.stands.game.id, col(Letter.seat) == self.seat.number
        return self.session.exec(select(Letter.id).where(*seat, *waiting).limit(1)).first() is not None

    def _report(self) -> Letter:
        """The latest report once more."""
        stored = self._reports(1)[0]
        report = data.decode_report(stored.data)
        return self._finish("report-again", composed(report_letter(report, self.to.words)), Purpose.ORDERS)

    def _orders(self) -> Letter:
        late = self.session.exec(
            select(Submission).where(
                col(Submission.game_id) == self.stands.game.id,
                col(Submission.seat) == self.seat.number,
                col(Submission.late).is_(True),
                col(Submission.used_late).is_(None),
                col(Submission.undone).is_(None),
                of_present_player(self.seat),
            )
        )
        said = spoken(self.stands.game, self.to.words)
        stage = self.stands.rules.stage(self.stands.table.state, self.stands.game.pace)
        params = {
            "title": self.stands.game.title,
            "side": said.seat(self.seat.number),
            "sheet": [self._line(kept.order) for kept in self.stands.open_orders(self.stands.sheets[self.seat.number])],
            "late": [self._line(each.order) for row in late for each in orders_for_once(self.stands.rules, row)],
            "stage": said.name("stage", stage.name),
            "deadline": self.stands.game.deadline,
            "ready": self.seat.ready,
        }
        return self._finish("orders", compose("orders", self.to.words, params), Purpose.ORDERS)

    def _status(self, command: Command) -> list[Letter]:
        assert self.to.account_id is not None
        params = {"games": status_rows(self.session, self.to.account_id, self.to.words)}
        return [self._finish("status", compose("status", self.to.words, params), Purpose.ORDERS)]

    def _history(self, command: Command) -> list[Letter]:
        """The latest turns as this seat was told of them."""
        reports = [data.decode_report(stored.data) for stored in self._reports(command.params["turns"] * 8)]
        turns = sorted({report.turn for report in reports})[-command.params["turns"] :]
        chapters = [chapter(report, self.to.words) for report in reversed(reports) if report.turn in turns]
        params = {"title": self.stands.game.title, "chapters": chapters}
        return [self._finish("history", compose("history", self.to.words, params), Purpose.ORDERS)]

    def _help(self, command: Command) -> list[Letter]:
        """The order language, with examples from where the player stands."""
        topic = command.params["topic"]
        orders, later = self._forms(topic)
        words = lexicon(self.stands.module.language.words, self._tongue())
        params = {
            "title": self.stands.game.title,
            "rules": spoken(self.stands.game, self.to.words).title(),
            "kind": words.say(self.stands.module.language.asked(self.view) or words.kinds[0]),
            "side": self._own_and_another()[1],
            "topic": topic if orders else "",
            "orders": orders or self._all_examples(),
            "later": later,
        }
        return [self._finish(f"help-{topic}", compose("help", self.to.words, params), Purpose.ORDERS)]

    def _all_examples(self) -> list[tuple[str, list[str]]]:
        kinds = lexicon(self.stands.module.language.words, self._tongue()).kinds
        shown = [(self._heading(kind), self._examples(kind)) for kind in kinds]
        return [(heading, lines) for heading, lines in shown if lines]

    def _examples(self, kind: str) -> list[str]:
        return examples(self.stands.module.language, self.stands.rules, self.view, kind, 0, self._tongue())

    def _heading(self, topic: str) -> str:
        gettext = self.to.words.gettext
        headings = {
            "conditions": gettext("Conditions"),
            "alternatives": gettext("Alternatives"),
            "standing": gettext("Standing orders"),
            "commands": gettext("Commands"),
        }
        return headings.get(topic) or spoken(self.stands.game, self.to.words).name("kind", topic)

    def _forms(self, topic: str) -> tuple[list[tuple[str, list[str]]], list[str]]:
        """What is shown of one topic, and those forms of a kind of order that can't be done just now."""
        words = lexicon(self.stands.module.language.words, self._tongue())
        forms = [self._of_another(form) for form in words.forms.get(topic, ())]
        if topic not in words.kinds:
            return ([(self._heading(topic), list(forms))] if forms else []), []
        now = [form for form in forms if self._can_be_used(form)]
        shown = list(dict.fromkeys([*self._examples(topic), *now]))
        return [(self._heading(topic), shown)], [form for form in forms if form not in now]

    def _of_another(self, form: str) -> str:
        """A form that speaks of the asker's own company as of another, with the next company's name."""
        own, another = self._own_and_another()
        return re.sub(rf"\b{re.escape(own)}\b", another, form)

    def _own_and_another(self) -> tuple[str, str]:
        """How orders name the asker's own company, and the next one."""
        words = lexicon(self.stands.module.language.words, self._tongue())
        names = [words.say(seat) for seat in self.stands.module.language.seats(self.view)]
        return names[self.seat.number], names[(self.seat.number + 1) % len(names)]

    def _can_be_used(self, form: str) -> bool:
        stands = self.stands
        orders = read(form, stands.module.language, self.view, self._tongue()).orders
        state, pace = stands.table.state, stands.game.pace
        return all(can_be_used(stands.rules, state, self.seat.number, order, pace) for order in orders)

    def _extend(self, command: Command) -> list[Letter]:
        """Asks whoever leads the game for time, with the command that grants it. Nothing is moved by it."""
        game, hours = self.stands.game, command.params["hours"]
        letters = []
        for recipient in overseers(self.service, self.session, game):
            said = spoken(game, recipient.words)
            reason = f"{self.seat.name} asked"
            grant = ["pbem", "game", "extend", game.code, "--hours", str(hours), "--reason", reason]
            if recipient.account_id is not None:
                grant += ["--as", recipient.address]
            params = {
                "title": game.title,
                "side": said.seat(self.seat.number),
                "player": self.to.name,
                "hours": hours,
                "reason": command.params["reason"],
                "deadline": game.deadline,
                "grant": shlex.join(grant),
                "answer": [f"extend {hours}", f"because {reason}"] if recipient.account_id is not None else [],
            }
            envelope = Envelope(
                "extension", f"extension/{self.key}/{hours}/{recipient.address}", Purpose.NOTICE, game, self._thread()
            )
            letters.append(finish(self.service, envelope, recipient, compose("extension", recipient.words, params)))
        return letters

    def _propose(self, command: Command) -> list[Letter]:
        """Asks the others for their votes."""
        proposed = proposed_by(command)
        if proposed is None:
            return []
        stands, reason = self.stands, command.params.get("reason", "")
        about = {self.seat.number, proposed.params["seat"] if proposed.kind == REPLACE else self.seat.number}
        to = {seat: stands.players[seat] for seat in sorted(stands.held - about)}
        by = (self.seat.number, reason)
        return proposal_letters(self.service, stands.game, proposed, by, to, self.key)

    def _confirm(self, command: Command) -> list[Letter]:
        """Asks for a word of confirmation before anything is done."""
        params = {
            "title": self.stands.game.title,
            "action": command.name,
            "what": "",
            "url": "",
            "hours": CONFIRM_HOURS,
        }
        made = compose("confirm", self.to.words, params)
        return [self._finish(f"confirm-{command.name}", made, Purpose.CONFIRMATION)]

    def _reports(self, limit: int) -> list[Report]:
        game = self.stands.game
        return list(
            self.session.exec(
                select(Report)
                .where(col(Report.game_id) == game.id, col(Report.seat) == self.seat.number)
                .order_by(col(Report.entry).desc())
                .limit(limit)
            )
        )

    def _finish(self, kind: str, made: Composed, purpose: Purpose) -> Letter:
        envelope = Envelope(kind, f"{kind}/{self.key}", purpose, self.stands.game, self._thread())
        return finish(self.service, envelope, self.to, made)

    def _thread(self) -> str:
        return thread(self.stands.game, self.turn)

    def _line(self, order: Order) -> str:
        return line(self.stands.module, order, self.view, self._tongue())

    def _tongue(self) -> str:
        return tongue_of(self.stands.module, self.to.words.language)
