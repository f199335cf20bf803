"""What a moderator's commands do, in sentences: by the names that `pbem.commands` gives them."""

from collections.abc import Callable, Mapping

from pbem.words import Words


def does(name: str, words: Words) -> str:
    """What a command does."""
    return words.gettext(_helps(_plain)[name])


def done(name: str, words: Words) -> str:
    """That it was done."""
    return words.gettext(_dones(_plain)[name])


def _plain(message: str) -> str:
    return message


def _helps(_: Callable[[str], str]) -> Mapping[str, str]:
    return {
        "extend": _("Put the deadline off by so many hours (negative: bring it forward)."),
        "end-deadline": _("Let the deadline be now: what is missing takes its default."),
        "force": _("Play on now with what the sheets say, whoever is not ready."),
        "pause": _("Let the game stand still until it is taken up again: orders are kept, and no deadline runs."),
        "resume": _(
            "Take up a game that was paused, stands still or was moved, or one that was set aside once that is mended."
        ),
        "orders": _(
            "Enter orders for a seat, as its player could write them; votes, messages and absences stay the player's."
        ),
        "withdraw": _("Take all orders off the sheet of a seat, the standing ones too."),
        "admit": _("Use the orders of a seat that came too late, as far as they fit what is open now."),
        "standin": _("Let a stand-in of a level play a seat; its player's orders still come first."),
        "roll-back": _(
            "Let the game stand as it did after a journal entry: what was drawn since"
            " comes again or is drawn anew, orders of that stage stand again or are cleared."
        ),
        "change": _(
            "Change the state by hand, as far as the rules let it: what it comes to is shown before it is done."
        ),
        "return": _("Return to a line of the journal that was left."),
        "hold": _("Let nothing of this stage be played or sent until you send it, or `resume` lets the game go on."),
        "preview": _("Show what would be played now and each report, without sending any; `send` sends them as shown."),
        "send": _("Play and send what a preview has shown; nothing is done if anything has changed since."),
        "look": _("Show what each seat sees and has ordered."),
        "see": _("Show what one seat sees and has ordered, as its player would be told now."),
        "give-back": _("End what the stand-in does for a seat: its player is waited for again."),
        "replace": _(
            "Ask somebody to take a seat over, or to join where the game has not begun: by mail, with a link."
        ),
        "invite-observer": _("Invite somebody by mail to observe the game."),
        "remove-observer": _("Let somebody observe the game no longer, nor come back uninvited."),
        "schedule": _(
            "Change when stages may end, such as days=mon-fri or at=18:00; the deadline of now stays, or is set anew."
        ),
        "policy": _(
            "Change what happens when no orders come, and what messages and observers the game has, such as nmr=wait or"
            " press=choose."
        ),
        "end": _("End the game now, with the standings as they are; the last report follows, with the secret."),
        "end-moved": _(
            "End the game here alone, as it goes on at another house: neither its secret nor anything else that it"
            " hides is told; `resume` takes that back."
        ),
        "mute": _("Let messages of a seat go to no other player; it can still write to the moderator."),
        "unmute": _("Let messages of a seat go to other players again."),
        "open": _("Take a seat from its player at once: it is nobody's, and is offered to who waits for one."),
    }


def _dones(_: Callable[[str], str]) -> Mapping[str, str]:
    return {
        "extend": _("The deadline is moved."),
        "end-deadline": _("The deadline is now: what is missing takes its default."),
        "force": _("The game goes on now with what the sheets say."),
        "pause": _("The game is paused."),
        "resume": _("The game is taken up again."),
        "orders": _("The orders are entered."),
        "withdraw": _("The orders are withdrawn."),
        "admit": _("The late orders are admitted."),
        "standin": _("A stand-in plays the seat."),
        "roll-back": _("The game is set back."),
        "change": _("The state is changed."),
        "return": _("The game stands where that line was left."),
        "hold": _("Nothing of this stage is sent before you send it."),
        "preview": _("Nothing is sent yet."),
        "send": _("It is played and sent."),
        "look": _("All players are told of the look."),
        "see": _("All players are told of the look."),
        "give-back": _("No stand-in plays the seat any more."),
        "replace": _("The seat is offered: a letter is on its way."),
        "invite-observer": _("The invitation to observe is on its way."),
        "remove-observer": _("They observe the game no longer, and are told."),
        "schedule": _("Stages end by the new schedule."),
        "policy": _("The game goes by the new settings."),
        "end": _("The game is ended: its last report follows."),
        "end-moved": _("The game is ended here, as one that has moved: nothing that it hides is told."),
        "mute": _("Messages of the seat go to no player."),
        "unmute": _("Messages of the seat go to other players again."),
        "open": _("The seat is nobody's now."),
    }
