"""The list of all messages: `python -m pbem.catalog` writes it anew into pbem/locale/pbem.pot, for translators."""

import io
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import write_po

from pbem.words import DOMAIN, FOLDER

ROOT = Path(__file__).parents[1]
TEMPLATE = FOLDER / f"{DOMAIN}.pot"
_SINCE = datetime(2026, 1, 1, tzinfo=UTC)


def extracted() -> Catalog:
    """All messages of the checkout's code and templates, in one order whatever the machine."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as config:
        methods, options = parse_mapping_cfg(config)  # type: ignore[no-untyped-call]
    found = extract_from_dir(ROOT, methods, options, comment_tags=("translators:",))
    catalog = Catalog(project=DOMAIN, version="0", creation_date=_SINCE, revision_date=_SINCE, fuzzy=False)
    for _, _, message, comments, context in sorted(found, key=lambda each: (str(each[2]), each[0])):
        catalog.add(message, None, auto_comments=comments, context=context)
    return catalog


def written(catalog: Catalog) -> bytes:
    """The catalog as a file: without places, which would change with every line."""
    file = io.BytesIO()
    write_po(file, catalog, no_location=True, sort_output=True, ignore_obsolete=True)
    return file.getvalue()


if __name__ == "__main__":
    TEMPLATE.write_bytes(written(extracted()))
