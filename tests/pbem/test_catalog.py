from pbem.catalog import TEMPLATE, extracted, written


def test_the_list_of_messages_is_up_to_date() -> None:
    """Translators see every message: after a change of words, run `python -m pbem.catalog`."""
    now = {message.id for message in extracted()}
    kept = TEMPLATE.read_bytes()
    assert written(extracted()) == kept, "run `python -m pbem.catalog`"
    assert "Your orders are in" in now
