"""The browser of the tests of pages."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.pbem.web.browsing import FLAGS


@pytest.fixture(scope="module")
def browser(require: Callable[[str], str]) -> Iterator[Browser]:
    """The machine's Chromium."""
    path = require("browser")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()
