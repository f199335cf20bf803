"""The player's guide as a page, and the letters that lead to it."""

import html
import re
from pathlib import Path

import pytest

from pbem.storage.sessions import Database
from tests.pbem.playing import begun, service_on
from tests.pbem.reports.plain import shown
from tests.pbem.web.visiting import Visit, app_on

DOCS = Path(__file__).parents[3] / "docs"
URL = "https://play.example"


@pytest.mark.parametrize(("path", "name"), [("/guide", "player.md"), ("/guide/api", "api.md")])
def test_everybody_can_read_the_guides(database: Database, path: str, name: str) -> None:
    """Whoever has no account too: every heading and every line to copy stands on the page as it is in the guide."""
    service = service_on(database)
    visit = Visit(app_on(service), service)
    visit.get(path)
    text = (DOCS / name).read_text(encoding="utf-8")
    for heading in re.findall(r"^##? (.*)$", text, re.MULTILINE):
        assert re.search(rf"<h[12]>{re.escape(html.escape(heading, quote=False))}</h[12]>", visit.page), heading
    page = shown(visit.page)
    for block in re.findall(r"^```\w+\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        assert block in page
    assert "**" not in page
    assert "`" not in page
    assert "| ---" not in page


def test_the_players_guide_leads_to_that_for_programs(database: Database) -> None:
    """The link between the files is one between the pages."""
    service = service_on(database)
    visit = Visit(app_on(service), service)
    assert 'href="/guide/api"' in visit.get("/guide")
    assert not [link for link in re.findall(r'href="([^"]+)"', visit.page) if link.endswith(".md")]


def test_letters_lead_to_the_guide(database: Database) -> None:
    """Invitation, the letter that confirms a seat, and reports have its address at their foot, in text and HTML."""
    match = begun(service_on(database, base_url=URL), "rockwell", 2)
    for kind in ("invitation", "joined", "report"):
        letter = match.letters(0, kind)[-1]
        assert f"The player's guide: {URL}/guide" in " ".join(letter.text.split()), kind
        assert f'href="{URL}/guide"'.encode() in letter.content.replace(b"=\r\n", b"").replace(b"=3D", b"="), kind
