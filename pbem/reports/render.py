"""Reports and acknowledgements from their data: the same sentences for text, HTML and page."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from engine.contract import Asked, Standing
from engine.numerals import whole_number
from pbem.games.policy import PAUSED, REVIEW
from pbem.reports.data import Acknowledgement, Done, Fate, Prospect, Question, ReadLine, Report, Seat, Unanswered
from pbem.reports.differing import differs
from pbem.reports.environments import TEXT
from pbem.reports.game import GameWords, game_words
from pbem.reports.letters import Letter, render
from pbem.reports.ruled import rulings_told
from pbem.reports.silence import held_told
from pbem.words import Words


class Story(msgspec.Struct, frozen=True):
    """What a seat was told before its player came: headings with sentences, oldest first, and the page of all of it.

    `is_whole` says whether the chapters are all that there is.
    """

    chapters: tuple[tuple[str, list[str]], ...]
    url: str
    is_whole: bool


def report_letter(
    report: Report, words: Words, picture: str = "", guide: str = "", story: Story | None = None
) -> Letter:
    """A report as a letter. `picture` is what the HTML shows the board from, such as `cid:board`, `guide` the address
    of the player's guide, for its foot; `story` is for who takes a seat over."""
    params = report_params(report, words, picture)
    return render(words, "report/report.j2", {**params, "guide": guide, "story": story, "watch": None})


def report_params(report: Report, words: Words, picture: str = "") -> dict[str, Any]:
    """What the template of a report is given, for a letter or a page."""
    game = game_words(report.rules, report.setup, words.language)
    events = game.structs(report.events)
    view = msgspec.convert(report.view, game.rules.view_type)
    public = msgspec.convert(report.public, game.rules.view_type)
    me = report.seat
    return {
        "r": report,
        "g": game,
        "side": "" if me is None else game.seat(me),
        "stage": game.name("stage", report.stage),
        "turn": game.turn(report.turn, words),
        "lead": [] if me is None else game.lead(events, view, me),
        "won": _agreed(game, report.agreed, words) or _won(game, report.standings, words),
        "asks": [game.asks(asked) for asked in merged(report.questions) if asked.required],
        "ahead": [game.asks(asked) for asked in merged(report.questions) if not asked.required],
        "otherwise": [game.otherwise(asked) for asked in merged(report.questions)],
        "asked": me is None or awaited_or_spared(me, report.waiting, _spared(report)),
        "form": form_of(report.questions),
        "examples": _each(line for question in report.questions for line in question.examples),
        "waiting": [game.seat(seat) for seat in report.waiting],
        "away": away(report.away, game, words),
        "observers": observers(report.observers, words),
        "told": told(game, events, me),
        "fates": [_fate(game, fate, me, words) for fate in report.orders],
        "rulings": rulings_told(report.rulings, game, words),
        "played_with": game.played_with(words) if report.first else [],
        "own": game.own("own.txt.j2", TEXT, view, me).strip() if me is not None and game.has("own.txt.j2") else "",
        "outlook": [] if report.over else game.outlook(view, me),
        "public": public,
        "position": game.position(public, game.structs(report.moved)),
        "ranks": [_rank(game, report.seats, standing, me, words) for standing in report.standings],
        "differs": differs(report, game, me),
        "picture": picture,
        "substituted": me is not None and report.seats[me].standin,
    }


def awaited_or_spared(seat: int, waiting: Collection[int], spared: Collection[int]) -> bool:
    """Whether a seat is asked something now: play waits for it or for nobody, or would wait if it were not spared.

    Spared are those whose players are away and those that a stand-in plays.
    """
    return not waiting or seat in waiting or seat in spared


def _spared(report: Report) -> set[int]:
    return {seat for seat, _ in report.away} | {at for at, each in enumerate(report.seats) if each.standin}


def acknowledgement_letter(data: Acknowledgement, words: Words) -> Letter:
    """An acknowledgement as a letter."""
    return render(words, "mail/acknowledgement.j2", acknowledgement_params(data, words))


def acknowledgement_params(data: Acknowledgement, words: Words) -> dict[str, Any]:
    """What the template of an acknowledgement is given, for a letter or a page."""
    game = game_words(data.rules, data.setup, words.language)
    return {
        "a": data,
        "g": game,
        "problems": [(line.text, _problem(game, line, words), line.nearest) for line in data.problems],
        "unfit": [
            (line.order, _problem(game, line, words), line.nearest)
            for line in data.lines
            if line.code and not line.passing
        ],
        "likely": [(line.order, _problem(game, line, words)) for line in data.lines if line.passing],
        "spent": [(line.order, _problem(game, line, words)) for line in data.spent],
        "foreseen": [(each.order, _foreseen(game, each, data.seat)) for each in data.foreseen if not each.code],
        "idle": [(each.order, _idle(game, each, words)) for each in data.foreseen if each.code],
        "doubtful": [_read(line, words) for line in (*data.lines, *data.guessed) if line.doubts],
        "commands": [line for line in data.commands if line not in {each.text for each in data.guessed}],
        "read": [_read(line, words) for line in data.lines if not line.doubts],
        "changes": [*(f"- {line}" for line in data.removed), *(f"+ {line}" for line in data.added)],
        "otherwise": [game.otherwise(asked) for asked in merged(data.unanswered)],
        "done": [_done(each, game, words) for each in data.done],
        "later": [game.asks(asked) for asked in merged(data.later)],
        "held": held_told(data.held, words) if data.held in (PAUSED, REVIEW) else "",
        "press": _pressed(data, game, words),
        "late_by": words.span(timedelta(seconds=data.late_by)) if data.late_by is not None else "",
    }


def told(game: GameWords, events: Sequence[Any], me: int | None) -> list[tuple[str, list[tuple[str, bool]]]]:
    """What happened, as groups of a heading and sentences, each with whether it concerns the seat."""
    groups: list[tuple[str, list[tuple[str, bool]]]] = [("", [])]
    for event in events:
        heading = game.heading(event)
        if heading:
            groups.append((heading, []))
        sentence = game.event(event)
        if sentence:
            groups[-1][1].append((sentence, me is not None and getattr(event, "seat", None) == me))
    return [group for group in groups if group[1]]


def away(seats: Sequence[tuple[int, datetime]], game: GameWords, words: Words) -> list[str]:
    """Whose players are away until when, as sentences."""
    said = words.gettext("%(side)s is away until %(ends)s.")
    return [said % {"side": game.seat(seat), "ends": words.moment(until)} for seat, until in seats]


def observers(names: Sequence[str], words: Words) -> str:
    """Who observes a game, or how many where it is anonymous; empty for nobody."""
    if not names:
        return ""
    if not all(names):
        one = words.ngettext("One person observes this game.", "%(num)s people observe this game.", len(names))
        return one % {"num": len(names)}
    return words.gettext("This game is observed by %(names)s.") % {"names": ", ".join(names)}


def chapter(report: Report, words: Words) -> tuple[str, list[str]]:
    """A past report in short, a heading and what happened, for the letter `history`."""
    game = game_words(report.rules, report.setup, words.language)
    groups = told(game, game.structs(report.events), report.seat)
    params = {"turn": report.turn, "stage": game.name("stage", report.stage)}
    heading = words.gettext("Turn %(turn)s: %(stage)s") % params
    return heading, [sentence for _, sentences in groups for sentence, _ in sentences]


def merged(questions: Sequence[Question | Unanswered | Asked]) -> list[Asked]:
    """One question a kind: how often in all, and no round where it comes up in several."""
    found: dict[str, Asked] = {}
    for asked in questions:
        same = found.get(asked.kind, Asked(asked.kind, asked.round, 0, False))
        round_ = asked.round if same.round == asked.round else 0
        times = same.times + asked.times
        found[asked.kind] = Asked(asked.kind, round_, times, same.required or asked.required)
    return list(found.values())


def form_of(questions: Sequence[Question]) -> list[str]:
    """The lines to fill in: as many as are needed of what must be answered, one of what may be."""
    needed = [line for question in questions if question.required for line in question.form]
    return [*needed, *_each(line for asked in questions for line in asked.form if line not in needed)]


def _each(lines: Any) -> list[str]:
    """The lines without empty ones and repetitions, in their order."""
    return list(dict.fromkeys(line for line in lines if line))


def _fate(game: GameWords, fate: Fate, me: int | None, words: Words) -> str:
    params = {"order": fate.order, "taken": fate.taken}
    came = _came(game, fate, me)
    if came and fate.code in ("used", "standing"):
        return words.gettext("`%(order)s`: done; %(came)s.") % {**params, "came": came}
    if came and fate.code == "alternative":
        return words.gettext("`%(order)s`: done as `%(taken)s`; %(came)s.") % {**params, "came": came}
    plain = {
        "used": words.gettext("`%(order)s`: done."),
        "standing": words.gettext("`%(order)s`: done, and it stands."),
        "alternative": words.gettext("`%(order)s`: done as `%(taken)s`."),
        "waiting": words.gettext("`%(order)s`: still on your sheet."),
        "left": words.gettext("`%(order)s`: not used, for it did not come up."),
        "unasked": words.gettext("`%(order)s`: not used, for it was asked of others and not of you."),
        "answered": words.gettext("`%(order)s`: not used, for what it was for was answered without it."),
    }
    if fate.code in plain:
        return plain[fate.code] % params
    reason = game.reason(fate.code, fate.params)
    return words.gettext("`%(order)s`: not used. %(reason)s") % {**params, "reason": reason}


def _came(game: GameWords, fate: Fate, me: int | None) -> str:
    """What came of an order, out of the events of its decision."""
    if me is None or not fate.result:
        return ""
    return ", ".join(_each(game.why(event, me) for event in game.structs(fate.result)))


def _problem(game: GameWords, line: ReadLine, words: Words) -> str:
    reason = game.reason(line.code, line.params)
    if not line.token:
        return reason
    return words.gettext("At `%(token)s`: %(reason)s") % {"token": line.token, "reason": reason}


def _read(line: ReadLine, words: Words) -> str:
    if not line.doubts:
        return f"`{line.order}`"
    doubts = dict.fromkeys(line.doubts)  # the same word may stand there twice
    pairs = [words.gettext("`%(written)s` as `%(taken)s`") % {"written": a, "taken": b} for a, b in doubts]
    return words.gettext("`%(order)s` (read %(doubts)s)") % {"order": line.order, "doubts": ", ".join(pairs)}


def _pressed(data: Acknowledgement, game: GameWords, words: Words) -> list[str]:
    """Whom its messages went to."""
    others = [words.gettext("who wrote the message")] if data.press_answers else []
    others += [words.gettext("the moderator")] if data.press_moderator else []
    return [game.seat(seat) for seat in data.press] + others


def _muted(whom: Sequence[str], game: GameWords, words: Words) -> str:
    """Whose messages are not mailed from now on."""
    named = [game.seat(number) for number in map(whole_number, whom) if number is not None]
    named += [words.gettext("anonymous writers")] if "anonymous" in whom else []
    if not named:
        return words.gettext("You get all messages by mail.")
    return words.gettext("Messages of %(whom)s stand on your page and are not mailed to you.") % {
        "whom": ", ".join(named)
    }


def _done(done: Done, game: GameWords, words: Words) -> str:
    params = dict(done.params)
    if done.code in ("mute", "unmute"):
        return _muted(params["whom"], game, words)
    if done.code == "admitted":
        one = words.ngettext("One late order counts now.", "%(orders)s late orders count now.", params["orders"])
        return one % params
    if done.code in ("proposed", "voted"):
        return _voted(done.code, words)
    if done.code == "away":
        return _away(params, words)
    if done.code == "undone" and params["entered"] and params["played"]:
        return words.gettext(
            "What the moderator entered for you last is taken back, and what was done by it as well: the game stands as"
            " it did before."
        )
    if done.code == "undone" and params["entered"]:
        return words.gettext("What the moderator entered for you last is taken back: your sheet is what it was before.")
    if done.code == "undone" and params["played"]:
        return words.gettext(
            "Your last act is taken back, and what was done by it as well: the game stands as it did before."
        )
    if done.code == "undone":
        return words.gettext("Your last act is taken back: your sheet is what it was before.")
    if done.code == "back":
        return words.gettext("You are not away any longer in any of your games; the other players are told.")
    if done.code != "time_asked_for":
        return _habit(done.code, params, words)
    return _time_asked_for(params, words)


def _voted(code: str, words: Words) -> str:
    if code == "proposed":
        return words.gettext("Your proposal goes to the others: it is decided by the end of this stage, or falls.")
    return words.gettext("Your vote counts. Until it is decided you can change it; nobody is told how you voted.")


def _habit(name: str, params: Mapping[str, Any], words: Words) -> str:
    """How letters come from now on."""
    said = {
        "mail_each": words.gettext("Each letter of your games comes when it is written."),
        "mail_daily": words.gettext("You get one letter a day in each of your games."),
        "mail_asked": words.gettext(
            "Letters of your games come when you ask for them, with `mail now` or `show report`; answers to your own"
            " mails come at once."
        ),
        "mail_now": words.gettext("What waits for you in this game is on its way."),
        "remind": words.gettext("You are not reminded of deadlines."),
        "quiet": words.gettext("There are no quiet hours."),
        "calendar_on": words.gettext("The deadlines of your games come as invitations for your calendar."),
        "calendar_off": words.gettext(
            "Deadlines do not come as invitations any more; those in your calendar are taken back."
        ),
    }
    if name == "mail_daily" and params["at"] >= 0:
        given = {"at": _time(params["at"]), "zone": params["zone"]}
        return words.gettext("You get one letter a day in each of your games, at %(at)s (%(zone)s).") % given
    if name == "remind" and params["hours"]:
        one = words.ngettext(
            "You are reminded one hour before a deadline, if orders of yours are still missing then.",
            "You are reminded %(hours)s hours before a deadline, if orders of yours are still missing then.",
            params["hours"],
        )
        return one % params
    if name == "quiet" and params["begins"] != params["ends"]:
        given = {"begins": _time(params["begins"]), "ends": _time(params["ends"]), "zone": params["zone"]}
        return (
            words.gettext(
                "Letters that can wait do not come from %(begins)s to %(ends)s (%(zone)s), in all of your games."
            )
            % given
        )
    return said[name]


def _time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _away(params: Mapping[str, Any], words: Words) -> str:
    begins, ends = (words.moment(datetime.fromisoformat(params[name])) for name in ("begins", "ends"))
    said = {
        "wait": words.gettext(
            "You are away from %(begins)s to %(ends)s, in all of your games. This one waits for you: a deadline that"
            " falls into that time is put off. The other players are told until when you are away."
        ),
        "standing": words.gettext(
            "You are away from %(begins)s to %(ends)s, in all of your games. This one does not wait for you in that"
            " time: your standing orders are used, and what they do not answer takes its default. The other players"
            " are told until when you are away."
        ),
    }
    standin = words.gettext(
        "You are away from %(begins)s to %(ends)s, in all of your games. This one does not wait for you in that time:"
        " what your orders do not answer a stand-in decides. The other players are told until when you are away."
    )
    return said.get(params["policy"], standin) % {"begins": begins, "ends": ends}


def _time_asked_for(params: Mapping[str, Any], words: Words) -> str:
    if params["until"]:
        asked = words.ngettext(
            "The moderator is asked for one hour more, until %(until)s. Unless you hear of it, the deadline stays.",
            "The moderator is asked for %(hours)s hours, to %(until)s. Unless you hear of it, the deadline stays.",
            params["hours"],
        )
        return asked % {**params, "until": words.moment(datetime.fromisoformat(params["until"]))}
    asked = words.ngettext(
        "The moderator is asked for one hour more.", "The moderator is asked for %(hours)s hours more.", params["hours"]
    )
    return asked % params


def _foreseen(game: GameWords, prospect: Prospect, me: int) -> str:
    """What an order would bring about, in the game's words."""
    return " ".join(_each(game.foreseen(code, params, me) for code, params in prospect.consequences))


def _idle(game: GameWords, prospect: Prospect, words: Words) -> str:
    """Why an order would bring about nothing."""
    said = words.gettext("It would not be used as things would stand then. %(reason)s")
    return said % {"reason": game.reason(prospect.code, prospect.params)}


def _agreed(game: GameWords, agreed: str, words: Words) -> str:
    """How a game ended before its rules ended it; empty where they did."""
    how, _, seat = agreed.partition(" ")
    said = {
        "draw": words.gettext("The players have agreed on a draw. The standings are those of that moment."),
        "concede": words.gettext("%(side)s has won: the others have conceded. The standings are those of that moment."),
        "ruled": words.gettext("The game was ended by a ruling. The standings are those of that moment."),
    }
    return said[how] % {"side": game.seat(int(seat)) if seat else ""} if how else ""


def _won(game: GameWords, standings: Sequence[Standing], words: Words) -> str:
    first = [standing for standing in standings if standing.place == 1]
    if not first and len(standings) == 1:
        params = {"side": game.seat(standings[0].seat), "score": standings[0].score}
        return words.gettext("%(side)s has not won, with %(score)s.") % params
    if not first:
        return ""
    sides = ", ".join(game.seat(standing.seat) for standing in first)
    said = words.ngettext("%(sides)s wins with %(score)s.", "%(sides)s share the victory with %(score)s.", len(first))
    return said % {"sides": sides, "score": first[0].score}


def _rank(
    game: GameWords, seats: Sequence[Seat], standing: Standing, me: int | None, words: Words
) -> tuple[int, str, int, str, bool]:
    player = seats[standing.seat].player or (words.gettext("a stand-in") if seats[standing.seat].standin else "")
    side = game.seat(standing.seat)
    sources = [f"{game.name('source', name)} {points}" for name, points in standing.sources.items() if points]
    who = f"{side} ({player})" if player else side
    return standing.place, who, standing.score, ", ".join(sources), standing.seat == me
