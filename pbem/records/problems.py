"""What is wrong with a record, in words."""

from pbem.records.bounds import MOST_DEPTH, MOST_DIGITS, MOST_NUMBER, MOST_SALT
from pbem.records.checking import BadRecord
from pbem.words import Words


def problem(bad: BadRecord, words: Words) -> str:
    """What is wrong, and what that means; without a full stop."""
    _ = words.gettext
    said = {
        "too_long": _("this is longer than a record can be"),
        "unreadable": _("this is not as a record is written; something in the line was changed or damaged"),
        "deep": _("too many values lie in one another in this line: %(depth)s can"),
        "digits": _("a number in this line is too long: one has %(digits)s digits at most"),
        "number": _("a number in this line, which names or counts something, is too great: it is %(number)s at most"),
        "nul": _("a text in this line has the character NUL (\\u0000), which no text of a record can have"),
        "salt": _("a salt in this line is too long: it has %(salt)s hexadecimal digits at most"),
        "stage": _("this line names a stage as none is named: by its turn, a hyphen and its name"),
        "unfinished": _("the record breaks off here: its last line is missing"),
        "no_game": _("the first line does not say which game it is"),
        "out_of_place": _("this line stands in the wrong place"),
        "format": _("this is a record of another form than this version reads"),
        "rules": _("the game's rules are not installed here in that version, or can't be played with that set-up"),
        "count": _("the first line says that there are other lines than there are"),
        "secret": _("the secret is not the one whose hash was given out before the game"),
        "hash": _("the entry %(entry)s of the journal was changed: its hash is another"),
        "chain": _("the entry %(entry)s of the journal does not follow from those before it"),
        "draw": _("the sides were not drawn as the secret and the players' words draw them (entry %(entry)s)"),
        "seal": _("sheet and salt do not make the seal: one of them was changed"),
        "unbound": _("the entry %(entry)s of the journal has no seals, and earlier ones have"),
        "unopened": _("the entry %(entry)s of the journal was made by sheets that the record does not open"),
        "order": _("the entry %(entry)s of the journal does not follow from the orders that were sealed"),
        "seals": _(
            "the entry %(entry)s of the journal holds more than one seal of a seat, or one of a seat that is none"
        ),
        "source": _("the entry %(entry)s of the journal has an answer that neither order, default nor stand-in gave"),
        "default": _("the entry %(entry)s of the journal calls a choice the default, and it is not"),
        "other_stage": _("the entry %(entry)s of the journal is said to be of a stage that was not open"),
        "line": _(
            "at the entry %(entry)s of the journal play began anew, and no undoing, roll-back or return is on record "
            "for it: draws may have been chosen"
        ),
        "text": _("the name of a stage has characters that are no letters, such as those that move a terminal"),
        "changed": _(
            "the ruling at the entry %(entry)s changed the position by hand, and says that it did something else"
        ),
        "message": _("this message is by or to a seat that the game does not have"),
        "head": _("the journal does not end with the head that the first line names"),
        "over": _("the first line does not say truly whether the game is over"),
        "running": _("this is nothing that the game can go on with: it does not fit the journal"),
        "setting": _("the game has a setting that there is not here, such as a level of stand-ins"),
        "ruling": _("there are no words here for the ruling at the entry %(entry)s"),
        "ending": _(
            "the ruling at the entry %(entry)s does not say how the game ended: by a ruling, by a draw that was agreed"
            " on, or by a concession with the number of its seat"
        ),
        "moment": _(
            "the ruling at the entry %(entry)s has a moment that no clock shows: it is in ISO form, with its zone"
        ),
        "word": _("a public word is longer than it can be"),
        "altered": _("something in the file was changed that the journal says nothing of, such as the title"),
        "other_seal": _(
            "the record is sound, but opens no sheet with the seal that was given: before anything was played by it "
            "other orders took its place, those of a later acknowledgement or ones that are not the player's"
        ),
        "other_seal_unbound": _(
            "the record is sound, but opens no sheet with the seal that was given. Part of the game was played by an "
            "earlier release, which kept only the last sheet of each stage: for a seal of that part, this shows nothing"
        ),
        "hash_as_seal": _("what was given with --seal is the seal of the secret: give it with --secret-seal"),
        "hash_as_head": _("what was given with --head is the seal of the secret: give it with --secret-seal"),
        "other_secret_hash": _(
            "the record is sound in itself, but the seal of its secret is not the one that was given: its draws are "
            "not those of the game of that invitation"
        ),
        "unwritten": _("the sheet of that seal has an order that there are no words for"),
        "other_head": _("the record is sound, but no report with the head that was given was made from it"),
    }
    other = _("the entry %(entry)s of the journal is not what the secret and the choices make of it (%(problem)s)")
    most = {"depth": MOST_DEPTH, "digits": MOST_DIGITS, "number": MOST_NUMBER, "salt": 2 * MOST_SALT}
    return said.get(bad.code, other) % {"entry": bad.entry, "problem": bad.code, **most}
