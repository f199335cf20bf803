"""The player's guide as a page, and the letters that lead to it."""

import html
import re
from pathlib import Path

from pbem.storage.sessions import Database
from tests.pbem.playing import begun, service_on
from tests.pbem.reports.plain import shown
from tests.pbem.web.visiting import Visit, app_on

GUIDE = Path(__file__).parents[3] / "docs" / "player.md"
URL = "https://play.example"


def test_everybody_can_read_the_guide(sqlite: Database) -> None:
    """Whoever has no account too: every heading and every line to copy stands on the page as it is in the guide."""
    service = service_on(sqlite)
    visit = Visit(app_on(service), service)
    visit.get("/guide")
    text = GUIDE.read_text(encoding="utf-8")
    for heading in re.findall(r"^##? (.*)$", text, re.MULTILINE):
        assert re.search(rf"<h[12]>{re.escape(html.escape(heading))}</h[12]>", visit.page), heading
    page = shown(visit.page)
    for block in re.findall(r"^```\w+\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        assert block in page
    assert "**" not in page
    assert "`" not in page


def test_letters_lead_to_the_guide(sqlite: Database) -> None:
    """Invitation, the letter that confirms a seat, and reports have its address at their foot, in text and HTML."""
    match = begun(service_on(sqlite, base_url=URL), "rockwell", 2)
    for kind in ("invitation", "joined", "report"):
        letter = match.letters(0, kind)[-1]
        assert f"The player's guide: {URL}/guide" in " ".join(letter.text.split()), kind
        assert f'href="{URL}/guide"'.encode() in letter.content.replace(b"=\r\n", b"").replace(b"=3D", b"="), kind
