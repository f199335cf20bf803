"""The game as all its players may see it."""

from flask import Blueprint
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from sqlmodel import Session, col, select

from pbem.games.earlier import table_after
from pbem.games.history import plots
from pbem.games.leading import awaited
from pbem.games.policy import policy_of
from pbem.games.position import name_shown, players_of, position, seat_rows, watchers
from pbem.games.rules import setup_of
from pbem.games.schedule import schedule_of
from pbem.games.telling import told
from pbem.records.writing import record
from pbem.reports import board
from pbem.reports.data import decode_report
from pbem.reports.game import GameWords, game_words
from pbem.reports.render import observers, report_params
from pbem.reports.ruled import rulings_told
from pbem.reports.silence import held_told, observing_told, press_told, silence_told
from pbem.reports.times import schedule_told
from pbem.storage.models import Account, Game, Ruling
from pbem.web.keeping import as_file
from pbem.web.pages import back_to, me, my_seat, page, service, signed_in
from pbem.web.points import points_told
from pbem.web.reports import picture_of, report_rows
from pbem.web.spectating import Spectator, spectator

routes = Blueprint("table", __name__)


@routes.get("/games/<code>/table")
@signed_in
def show(code: str) -> ResponseReturnValue:
    """Board, sides, who is waited for, rulings, and what the game can be checked with; for who leads it as well."""
    seen = spectator(code)
    game = seen.game
    assert game.id is not None
    words = me().words
    said = game_words(game.rules, setup_of(game), words.language)
    with service().reading() as reading:
        rows = report_rows(reading, game, seen.seat) if seen.seat is not None else []
        drawn = _drawn(reading, seen, said) if seen.seat is None and game.next_entry else None
        newest = decode_report(rows[-1].data) if rows else None
        seats, players = seat_rows(reading, game.id), players_of(reading, game.id)
        rulings = [told(ruling) for ruling in rulings_of(reading, game)]
        points = points_told(reading, game, said, words) if game.status == "over" else []
        host = reading.get(Account, game.moderator_id) if game.moderator_id is not None else None
        names = watchers(reading, game)
        plotted = plots(reading, position(reading, game.id)) if game.status == "over" and game.next_entry else []
    params = report_params(newest, words) if newest is not None else None
    waited_for = awaited(game, seats) if game.status == "playing" else []
    sides = [
        {
            "name": said.seat(each.number),
            "player": name_shown(game, players.get(each.number)),
            "is_held": each.number in players,
            "left": each.resigned is not None,
            "standin": bool(each.standin),
            "word": each.public_word,
            "awaited": each.number in waited_for,
            "mine": each.number == seen.number,
        }
        for each in seats
    ]
    turn, _, stage = game.stage_key.partition("-")
    return page(
        "table",
        game=game,
        rules=said.title(),
        host=host.name if host is not None else "",
        turn=said.turn(turn, words) if turn else "",
        stage=said.name("stage", stage) if stage else "",
        sides=sides,
        mine=seen.seat is not None,
        picture=picture_of(rows),
        drawing=drawn[0] if drawn else "",
        position=params["position"] if params else drawn[1] if drawn else [],
        ranks=params["ranks"] if params else [],
        held=held_told(game.stopped, words),
        silence=silence_told(policy_of(game), words, overseen=host is not None),
        schedule=schedule_told(schedule_of(game), words),
        press=press_told(policy_of(game), words),
        observing=observing_told(policy_of(game), words, takes_all=bool(game.seating)),
        observers=observers(names, words),
        rulings=rulings_told(rulings, said, words),
        points=points,
        head=game.head.hex(),
        secret_hash=game.secret_hash.hex(),
        plots=plotted,
        plot_names={each.code: said.name("figure", each.code) for each in plotted},
        plot_sides=[side["name"] for side in sides],
        secret=game.secret.hex() if game.status == "over" else "",
    )


def _drawn(reading: Session, seen: Spectator, said: GameWords) -> tuple[Markup, list[str]]:
    """The board as all may know it, for who gets no reports: as a picture, and in lines."""
    assert seen.game.id is not None
    entry = seen.game.next_entry - 1 if seen.game.status == "over" else seen.told
    table = table_after(reading, position(reading, seen.game.id), entry)
    public = table.rules.view(table.state, None)
    return Markup(board.svg(said, public, ())), said.position(public)


@routes.get("/games/<code>/record")
@signed_in
def download(code: str) -> ResponseReturnValue:
    """The game's record as a file, once it is over."""
    game, _ = my_seat(code)
    if game.status != "over":
        return back_to(f"/games/{code}/table", "not_over")
    return as_file(game.code, record(service(), game.code))


def rulings_of(reading: Session, game: Game) -> list[Ruling]:
    """The newest rulings on a game, the newest first."""
    query = select(Ruling).where(col(Ruling.game_id) == game.id).order_by(col(Ruling.number).desc()).limit(200)
    return list(reading.exec(query))
