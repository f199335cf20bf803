"""What a game does when no orders come, what press and observers it allows, in sentences: for page and command line."""

from pbem.games.policy import (
    ANONYMOUS,
    ANYBODY,
    ASKED,
    CHOOSE,
    NOBODY,
    OPEN,
    PAUSED,
    QUIET,
    REVIEW,
    STANDIN,
    WAIT,
    Policy,
)
from pbem.words import Words


def silence_told(policy: Policy, words: Words, *, overseen: bool) -> list[str]:
    """A sentence for each thing that happens; `overseen` says whether the game has a moderator to be asked."""
    told = [_extended(policy, words)] if policy.extensions else []
    told.append(_silent(policy, words))
    if policy.open_after:
        told.append(
            words.ngettext(
                "After one stage without orders the seat is open to another player.",
                "After %(num)s stages in a row without orders the seat is open to another player.",
                policy.open_after,
            )
            % {"num": policy.open_after}
        )
    if overseen and policy.ask_share < 100:
        told.append(_asks(policy, words))
    if policy.pause_after:
        told.append(_pauses(policy, words))
    return told


def press_told(policy: Policy, words: Words) -> str:
    """What messages between players a game allows."""
    said = {
        CHOOSE: words.gettext(
            "Messages between players say who wrote them, or not, as their writer chooses: up to %(most)s within 24"
            " hours a side, of up to %(length)s characters."
        ),
        ANONYMOUS: words.gettext(
            "Messages between players do not say who wrote them: up to %(most)s within 24 hours a side, of up to"
            " %(length)s characters."
        ),
    }
    signed = words.gettext(
        "Messages between players say who wrote them: up to %(most)s within 24 hours a side, of up to %(length)s"
        " characters."
    )
    return said.get(policy.press, signed) % {"most": policy.press_a_day, "length": policy.press_length}


def observing_told(policy: Policy, words: Words, *, takes_all: bool) -> str:
    """Who may observe a game, and how far behind; `takes_all` says whether its seats are open to whoever comes."""
    if policy.observers == NOBODY:
        return words.gettext("Nobody may observe the game.")
    everybody = policy.observers == ANYBODY or (policy.observers == OPEN and takes_all)
    if not policy.observer_delay:
        if everybody:
            return words.gettext("Everybody may observe the game, as what all players know happens.")
        return words.gettext("Whom the moderator invites may observe the game, as what all players know happens.")
    if everybody:
        said = words.ngettext(
            "Everybody may observe what all players know, one turn behind.",
            "Everybody may observe what all players know, %(num)s turns behind.",
            policy.observer_delay,
        )
    else:
        said = words.ngettext(
            "Whom the moderator invites may observe what all players know, one turn behind.",
            "Whom the moderator invites may observe what all players know, %(num)s turns behind.",
            policy.observer_delay,
        )
    return said % {"num": policy.observer_delay}


def held_told(held: str, words: Words) -> str:
    """Why a game stands still; empty where it does not."""
    return {
        ASKED: words.gettext("The game stands still: too many orders are missing, and its moderator is asked."),
        QUIET: words.gettext("The game is paused: nobody sends orders. Orders, or `ready`, take it up again."),
        PAUSED: words.gettext("The moderator has paused the game. Orders are kept, and no deadline runs."),
        REVIEW: words.gettext("The moderator looks over what comes of this stage before it is sent."),
    }.get(held, "")


def _extended(policy: Policy, words: Words) -> str:
    said = words.ngettext(
        "When a side's orders are missing at the deadline, it is put off by %(hours)s hours, once a side.",
        "When a side's orders are missing at the deadline, it is put off by %(hours)s hours, up to %(num)s times a "
        "side.",
        policy.extensions,
    )
    return said % {"hours": policy.extension_hours, "num": policy.extensions}


def _silent(policy: Policy, words: Words) -> str:
    if policy.nmr == WAIT:
        return words.gettext("The game waits for missing orders, and reminds who has not sent any.")
    if policy.nmr == STANDIN:
        said = words.gettext("A stand-in (level %(level)s) plays the stage for a side that has sent no orders.")
        return said % {"level": policy.level}
    return words.gettext("For a side that has sent no orders the stage is played in a harmless way.")


def _asks(policy: Policy, words: Words) -> str:
    if policy.ask_hours:
        said = words.gettext(
            "Where more than %(share)s %% of the sides are silent, the game stops and asks its moderator; after "
            "%(hours)s hours it goes on."
        )
        return said % {"share": policy.ask_share, "hours": policy.ask_hours}
    said = words.gettext("Where more than %(share)s %% of the sides are silent, the game stops and asks its moderator.")
    return said % {"share": policy.ask_share}


def _pauses(policy: Policy, words: Words) -> str:
    if policy.abandon_days:
        said = words.gettext(
            "After %(stages)s stages in which nobody sent anything the game pauses; %(days)s days later it ends as "
            "abandoned."
        )
        return said % {"stages": policy.pause_after, "days": policy.abandon_days}
    said = words.gettext("After %(stages)s stages in which nobody sent anything the game pauses.")
    return said % {"stages": policy.pause_after}
