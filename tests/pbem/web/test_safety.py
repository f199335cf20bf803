"""What no page may do, whoever asks and whatever was typed."""

import html
import io
import json
import re
import socket
from collections.abc import Iterator

import pytest
from sqlmodel import col, select

from pbem import logs
from pbem.door import PATIENCE
from pbem.games.lifecycle import Guest, Plan, create_game, invite, join
from pbem.reports.environments import FOLDER
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import extend_deadline
from pbem.storage.models import Account, Picture
from pbem.storage.sessions import Database
from pbem.tokens import PLAY, make_token
from tests.pbem.brokers import useless
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.web.visiting import Visit, app_on, forms

MARKUP = "\"><script>alert(1)</script><b x='{{7*7}}"
ANN, BEN, EVE = "ann@players.example", "ben@players.example", "eve@players.example"


def every_path(match: Match) -> Iterator[str]:
    """The pages that a player in a game has."""
    yield from ("/", "/account")
    yield from (f"/games/{match.code}{rest}" for rest in ("", "/table", "/messages", "/reports", "/reports/1"))


def without_our_script(page: str) -> str:
    """A page without the one element that names our own file of scripts."""
    return re.sub(r'<script type="module" src="/scripts-[0-9a-f]{12}/page\.js"></script>', "", page, count=1)


def test_every_change_needs_the_form_of_the_page(database: Database) -> None:
    """Without the token of the session nothing changes, on any page that takes changes."""
    match = begun(service_on(database), pace="brisk")
    app = app_on(match.service)
    visit = Visit(app, match.service, ANN)
    posts = [rule.rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    # These ask for secrets of their own, and come from no page of ours.
    changes = [rule for rule in posts if not rule.startswith(("/hooks/", "/unsubscribe/", "/api/"))]
    assert len(changes) >= 9
    for rule in changes:
        path = re.sub("<int:[a-z]+>", "1", rule.replace("<code>", match.code))
        visit.post(re.sub("<[a-z]+>", "x", path), 400, text="bid 1", act="send", stage="0/1")
    assert match.game.next_submission == 1


def test_no_page_allows_scripts_frames_or_copies(database: Database) -> None:
    """The headers are on every answer, errors too; no page has a script but our own file, a style or a handler."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    visit = Visit(app_on(match.service), match.service, ANN)
    for path in (*every_path(match), "/nothing", "/sign-in", "/healthz"):
        answer = visit.client.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "script-src 'self';" in policy
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"
        text = without_our_script(answer.text).replace(match.service.settings.url, "")
        assert not re.search(r"<script|<style|\sstyle=|\son\w+=|javascript:|https?://", text)


def test_another_seat_is_not_found(database: Database) -> None:
    """Neither for a stranger with an account, nor for who was invited and declined, nor for who resigned."""
    match = begun(service_on(database), pace="brisk")
    other = begun(match.service, pace="brisk")
    with match.service.writing() as session:
        account = session.exec(select(Account).where(col(Account.name) == "Ann")).one()
        seat = session.merge(other.seats[0])
        assert seat.account_id == account.id
        seat.account_id = None
        session.add(seat)
    visit = Visit(app_on(match.service), match.service, ANN)
    for rest in ("", "/table", "/messages", "/reports", "/reports/1", "/orders"):
        visit.get(f"/games/{match.code}{rest}")
        visit.get(f"/games/{other.code}{rest}", 404)
    visit.get(f"/games/{match.code}")
    token = forms(visit.page)[0].fields["csrf_token"]
    for rest in ("orders", "ready", "messages", "join", "decline"):
        visit.post(f"/games/{other.code}/{rest}", 404, csrf_token=token, text="bid 1", stage="0/1-turn")
    assert other.game.next_submission == 1
    visit.get(f"/games/{match.code}/reports/2", 404)
    visit.get("/games/zzzzzz", 404)


def test_board_is_shown_to_those_whose_report_has_it(database: Database) -> None:
    """By the hash of its content, with a policy of its own; the same hash is nothing to anybody else."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    other = begun(match.service, pace="brisk", seats=3)
    app = app_on(match.service)
    visit = Visit(app, match.service, ANN)
    path = re.findall(r'src="(/games/[^"]+\.svg)"', visit.get(f"/games/{match.code}"))[0]
    answer = visit.client.get(path)
    assert answer.content_type.startswith("image/svg+xml")
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert "private" in answer.headers["Cache-Control"]
    visit.get(path.replace(match.code, other.code), 404)
    assert "Enter the address" in Visit(app, match.service).get(path)
    with match.service.writing() as session:
        picture = session.exec(select(Picture)).first()
        assert picture is not None
        session.add(Picture(id="f" * 32, svg="<svg/>", png=b"", created=picture.created))
    visit.get(f"/games/{match.code}/board/{'f' * 32}.svg", 404)


def test_markup_in_every_name_is_shown_and_not_run(database: Database) -> None:
    """Title, names, words, reasons, messages and orders full of markup stand escaped on every page."""
    service = service_on(database, sender_name=MARKUP)
    guests = [Guest(ANN, MARKUP), Guest(BEN, MARKUP)]
    code = create_game(
        service, Plan("tinygame", guests, pace="brisk", title=MARKUP, moderator="mo@x.example", stage_hours=9)
    )
    with service.writing() as session:
        mo = session.exec(select(Account).where(col(Account.name) == "mo")).one()
        mo.name = MARKUP
        session.add(mo)
    invite(service, code, MARKUP)
    match, app = Match(service, code), app_on(service)
    visit = Visit(app, service, ANN)
    pages = [visit.page, visit.get(f"/games/{code}")]
    visit.send(f"/games/{code}/join", word=MARKUP)
    pages.append(visit.page)
    join(service, match.id, 1, MARKUP)
    match.settle()
    extend_deadline(service, code, 1, Actor(MARKUP, "mo@x.example"))
    match.say(1, f"to red: {MARKUP}")
    visit.get(f"/games/{code}/messages")
    visit.send(f"/games/{code}/messages", to=["1"], text=MARKUP)
    visit.get(f"/games/{code}")
    pages.append(visit.send(f"/games/{code}/orders", act="check", text=f"bid {MARKUP}\n{MARKUP}"))
    pages += [visit.get(path) for path in every_path(match)]
    for page in pages:
        assert "<script" not in without_our_script(page)
        assert "<b x" not in page
        assert "alert(1)" in page
        assert not re.search(r'="[^"]*"><script', page)
    match.settle()


def test_no_page_that_is_linked_runs_markup(database: Database) -> None:
    """All pages that a player, and a moderator of the site, come to by links, with markup in whatever can be named."""
    service = service_on(database, sender_name=MARKUP)
    guests = [Guest(ANN, MARKUP), Guest(BEN, MARKUP)]
    code = create_game(service, Plan("tinygame", guests, pace="brisk", title=MARKUP, moderator=EVE, stage_hours=9))
    invite(service, code, MARKUP)
    match, app = Match(service, code), app_on(service)
    for seat in range(2):
        join(service, match.id, seat, MARKUP)
    with service.writing() as session:
        for account in session.exec(select(Account)):
            account.name = MARKUP
            account.moderator = account.id == match.game.moderator_id
            session.add(account)
    match.settle()
    extend_deadline(service, code, 1, Actor(MARKUP, EVE))
    match.say(1, f"to all: {MARKUP}")
    ann, eve = Visit(app, service, ANN), Visit(app, service, EVE)
    ann.get("/account")
    ann.send("/account/tokens", name=MARKUP, scope="read")
    ann.get(f"/games/{code}")
    ann.send(f"/games/{code}/notes", notes=MARKUP)
    match.pass_deadline()
    for visit, least in ((ann, 9), (eve, 12)):
        seen = linked(visit)
        assert len(seen) >= least
        for path, page in seen.items():
            assert "<script" not in without_our_script(page), path
            assert "<b x" not in page, path
            assert "alert(1)" in page, path


def linked(visit: Visit) -> dict[str, str]:
    """All pages of ours that links lead to from the first one, by path."""
    seen: dict[str, str] = {}
    files: set[str] = set()
    wanted = ["/"]
    while wanted:
        path = wanted.pop()
        if path in seen or path in files:
            continue
        answer = visit.client.get(path, follow_redirects=True)
        assert answer.status_code == 200, path
        if answer.mimetype != "text/html":
            files.add(path)
            continue
        seen[path] = answer.text
        wanted += [html.unescape(each) for each in re.findall(r'<a[^>]* href="(/[^"#]*)', answer.text)]
    return seen


def test_errors_show_nothing_of_the_inside(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that fails says so in a sentence; the log has the kind and the place, not path or text."""
    match = begun(service_on(database), pace="brisk")
    app = app_on(match.service)
    visit = Visit(app, match.service, ANN)

    def fail(*_: object) -> None:
        raise RuntimeError("a hidden card")

    monkeypatch.setattr("pbem.web.home.rows_of", fail)
    page = visit.get("/", 500)
    assert "Something went wrong here" in page
    assert "hidden card" not in page
    assert "RuntimeError" not in page


def test_lines_that_are_logged_for_a_games_page_name_it(sqlite: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its code, which stands in what the operator's commands list; those of other pages name none."""
    match = begun(service_on(sqlite), pace="brisk")
    visit = Visit(app_on(match.service), match.service, ANN)

    def fail(*_: object) -> None:
        raise RuntimeError("a hidden card")

    monkeypatch.setattr("pbem.web.table.spectator", fail)
    monkeypatch.setattr("pbem.web.home.rows_of", fail)
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    logs.configure("info", as_json=True)
    visit.get(f"/games/{match.code}/table", 500)
    visit.get("/", 500)
    of_the_game, of_none = map(json.loads, stream.getvalue().splitlines())
    assert (of_the_game["event"], of_the_game["game_code"]) == ("page_failed", match.code)
    assert "game_code" not in of_none


def test_sizes_are_bounded(database: Database) -> None:
    """Too long an order form, message or request is told so; nothing of it is kept."""
    match = begun(service_on(database), pace="brisk")
    visit = Visit(app_on(match.service), match.service, ANN)
    path = f"/games/{match.code}"
    for action, text, status in (
        ("orders", "x" * 20_001, 413),
        ("orders", "x" * 200_000, 413),
        ("messages", "x" * 20_001, 413),
        ("orders", "bid \0 1", 400),
    ):
        visit.get(path + ("/messages" if action == "messages" else ""))
        visit.send(f"{path}/{action}", status, text=text, act="send", to="1")
    assert match.game.next_submission == 1


def test_rates_are_bounded(database: Database) -> None:
    """One account can't send forms without end, and another is not held up by it."""
    match = begun(service_on(database), pace="brisk")
    app = app_on(match.service)
    ann, ben = Visit(app, match.service, ANN), Visit(app, match.service, BEN)
    ann.get("/account")
    form = next(form for form in forms(ann.page) if form.action == "/account")
    statuses = [ann.client.post("/account", data=form.fields).status_code for _ in range(61)]
    assert statuses.count(429) >= 1
    ben.get("/account")
    ben.send("/account", name="Benny")
    assert "Benny" in ben.page


def test_health_and_readiness_are_told(database: Database) -> None:
    """Whether the process answers, and whether its database can be used."""
    service = service_on(database)
    visit = Visit(app_on(service), service)
    assert visit.get("/healthz") == "ok\n"
    assert visit.get("/readyz") == "ready\n"
    with service.writing() as session:
        session.connection().exec_driver_sql("DELETE FROM alembic_version")
    assert visit.get("/readyz", 503) == "outdated\n"


def test_style_sheet_has_a_look_for_every_class_of_the_kit(database: Database) -> None:
    """What reports and acknowledgements say is dressed on pages too; the sheet is kept for good under its hash."""
    service = service_on(database)
    visit = Visit(app_on(service), service)
    path = re.findall(r'href="(/style[^"]+)"', visit.get("/sign-in"))[0]
    sheet = visit.get(path)
    mail = (FOLDER / "kit" / "letter.css").read_text()
    wanted = set(re.findall(r"^\.([a-z-]+) ", mail, re.MULTILINE)) - {"body", "page"}
    assert not {name for name in wanted if not re.search(rf"\.{name}\b", sheet)}
    assert "immutable" in visit.client.get(path).headers["Cache-Control"]
    visit.get("/style-0.css", 404)


def test_all_text_can_be_read_in_light_and_dark() -> None:
    """Every ink on every ground that it stands on has a contrast of at least 4.5 to 1, and controls' edges 3 to 1."""
    sheet = (FOLDER / "web" / "page.css").read_text()
    schemes = re.findall(r":root \{(.*?)\}", sheet, re.DOTALL)[:2]
    for scheme in schemes:
        colours = dict(re.findall(r"--([\w-]+): (#\w+);", scheme))
        grounds = [colours[name] for name in ("paper", "card", "soft", "gold", "rose")]
        for ink in ("ink", "dim", "blue"):
            assert min(_contrast(colours[ink], ground) for ground in grounds) >= 4.5, ink
        assert _contrast(colours["on-blue"], colours["blue"]) >= 4.5
        assert min(_contrast(colours["control"], colours[name]) for name in ("card", "soft", "paper")) >= 3


def _contrast(one: str, other: str) -> float:
    """As WCAG defines it."""
    lights = sorted(map(_luminance, (one, other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _luminance(colour: str) -> float:
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_rates_are_counted_in_redis_where_there_is_one(database: Database, redis_url: str) -> None:
    """Two processes that serve pages count together; the address is the one that Celery takes."""
    service = service_on(database, redis_url=redis_url.replace("unix://", "redis+socket://"))
    one, other = Visit(app_on(service), service), Visit(app_on(service), service)
    for _ in range(10):
        for visit in (one, other):
            visit.get("/sign-in")
            visit.send("/sign-in", address=EVE)
    other.get("/sign-in")
    other.send("/sign-in", 429, address=EVE)


def test_pages_wait_a_moment_for_a_redis_that_hangs(sqlite: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given up soon, and then requests are counted in the process: most pages do not ask it at all."""
    waits: list[float | None] = []

    class Watched(socket.socket):
        def settimeout(self, value: float | None) -> None:
            waits.append(value)
            super().settimeout(value)

    with useless(hangs=True) as broker:
        monkeypatch.setattr(socket, "socket", Watched)
        service = service_on(sqlite, redis_url=broker.url)
        visit = Visit(app_on(service), service)
        for _ in range(50):
            visit.get("/sign-in")
        assert 0 < broker.came < 10
    assert set(waits) == {PATIENCE}


@pytest.mark.parametrize("character", ["%00", "%0a", "%1f", "%7f", "%c2%85"])
def test_no_page_has_a_control_character_in_its_address(database: Database, character: str) -> None:
    """Of each page and each call that is found by a word, wherever the word stands: there is none."""
    match = begun(service_on(database), pace="brisk")
    app = app_on(match.service)
    visit = Visit(app, match.service, ANN)
    visit.get("/")
    token = make_token(match.service, match.seats[0].account_id or 0, "mine", PLAY)
    rules = [rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    words = [(rule, word) for rule in rules for word in re.findall("<[a-z]+>", rule)]
    assert len(words) > 30
    for rule, word in words:
        path = re.sub("<int:[a-z]+>", "1", rule.replace(word, f"a{character}b").replace("<code>", match.code))
        path = re.sub("<[a-z:]+>", "x", path)
        given = {"Authorization": f"Bearer {token}"} if path.startswith("/api/") else {}
        assert visit.client.get(path, headers=given).status_code == 404, path
    assert visit.client.get(f"/games/{match.code}/board/{character}.svg").status_code == 404
    assert visit.client.get(f"/what-ifs/{character}").status_code == 404


def test_nul_in_what_is_asked_for_or_sent_is_refused(database: Database) -> None:
    """Also in the second of two values of one name."""
    match = begun(service_on(database), pace="brisk")
    visit = Visit(app_on(match.service), match.service, ANN)
    visit.get("/?x=a%00b", 400)
    visit.get("/?x=a&x=%00", 400)
    visit.get(f"/games/{match.code}/messages")
    visit.send(f"/games/{match.code}/messages", 400, to=["1", "\0"], text="hello")


@pytest.mark.parametrize("digit", ["²", "፩", "٣", "1" * 12])
def test_what_only_looks_like_a_number_is_refused_wherever_one_is_sent(database: Database, digit: str) -> None:
    """The mark of a stage, hours, a time of day, the account of a calendar: there is an answer, and nothing is done."""
    match = begun(service_on(database), pace="brisk")
    visit = Visit(app_on(match.service), match.service, ANN)
    visit.get(f"/games/{match.code}")
    visit.send(f"/games/{match.code}/orders", 400, text="bid 1", act="send", stage=f"{digit}/1-turn")
    visit.get("/account")
    visit.send("/account/letters", 409, remind=digit)
    visit.get("/account")
    visit.send("/account/letters", 409, mails_at=f"{digit}:00")
    visit.get(f"/calendar/{digit}-x.ics", 404)
    assert match.game.next_submission == 1
