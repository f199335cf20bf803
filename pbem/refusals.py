"""What the service refuses, in words, for whoever shows it: command line, page or mail."""

from collections.abc import Callable, Mapping

from pbem.errors import Refused, RefusedByRules
from pbem.reports.game import game_words
from pbem.words import Words

_Say = Callable[[str], str]


def _texts(_: _Say) -> Mapping[str, str]:
    return {
        "no_game": _("There is no game %(game)s."),
        "record_hidden": _(
            "The record of a game tells its secrets: there is one when the game is over. This one is in the state "
            "“%(status)s”."
        ),
        "notes_too_long": _("Notes have at most %(most)s characters: nothing was changed. Go back, and shorten them."),
        "no_seat": _("The game has no such seat, or nobody is invited to it."),
        "not_observable": _("Nobody may observe this game but whom its moderator invites."),
        "observer_barred": _("The game's moderator has ruled that you do not observe it."),
        "plays_here": _("Who plays in a game, or is invited to, can't observe it."),
        "leads_here": _("Who leads a game can't observe it: the desk shows how it stands."),
        "too_many_observers": _("A game has at most %(most)s observers."),
        "not_observing": _("You do not observe this game."),
        "no_observer": _("The game has no observer %(given)s; it has, by number: %(known)s."),
        "no_observers": _("Nobody observes this game, or is invited to."),
        "no_account": _("There is no account with this address."),
        "unknown_rules": _("There are no rules called %(rules)s; there are: %(known)s."),
        "unknown_option": _("There is no option %(option)s; there are: %(known)s."),
        "option_value": _("The option %(option)s can't be %(given)s; it can be: %(legal)s."),
        "option_seats": _("The option %(option)s is for these numbers of seats: %(known)s; not for %(seats)s."),
        "bad_components": _(
            "The component set can't be played with, because of %(place)s: see `pbem components check`."
        ),
        "no_components": _("The rules %(rules)s take no component set."),
        "which_rules": _("Say with --rules for which rules it is; these take component sets: %(known)s."),
        "file_unread": _("%(file)s: there is no such file, or it can't be read."),
        "file_kind": _("%(file)s: this is no file but a folder or the like; what is asked for is one TOML file."),
        "file_size": _("%(file)s: the file is too long; it may have at most %(most)s bytes."),
        "file_text": _("%(file)s, line %(line)s: this is not UTF-8 text; save the file as UTF-8."),
        "file_depth": _(
            "%(file)s, line %(line)s: brackets or keys go too deep; at most %(most)s may lie in one another."
        ),
        "file_form": _("%(file)s: this is no TOML: %(problem)s."),
        "guest_line": _(
            "“%(given)s” does not say who has which side: SIDE=ADDRESS or SIDE=NAME=ADDRESS, each side once."
        ),
        "bad_side": _("There is no side %(given)s among these: %(known)s."),
        "standin_already": _("A stand-in of the level %(level)s plays this seat already."),
        "no_standin": _("No stand-in plays this seat."),
        "bad_pace": _("These rules can't be played at the pace %(pace)s; their paces are: %(known)s."),
        "bad_seats": _("The number of seats can be %(known)s with these rules, and not %(seats)s."),
        "bad_time": _(
            "A stage needs some time, at most a year, and the wait after the last seat is ready can't be negative."
        ),
        "bad_absence": _("%(given)s is not one of what a game can do when a player is away: %(known)s."),
        "unknown_policy": _("There is no setting %(given)s for when no orders come; there are: %(known)s."),
        "policy_value": _("%(name)s can't be %(given)s; it can be: %(legal)s."),
        "unknown_schedule": _("There is no setting %(given)s for when stages end; there are: %(known)s."),
        "schedule_value": _("%(name)s can't be %(given)s; write it like %(legal)s."),
        "setting_line": _("“%(given)s” does not set anything: write NAME=VALUE, each name once, one a line."),
        "no_moment": _("No stage could ever end so: leave a day, and an hour outside the quiet ones."),
        "no_text": _("The message is empty."),
        "text_too_long": _("The message has %(given)s characters; it may have %(most)s."),
        "no_readers": _("There is no player whom it would reach."),
        "nothing_changed": _("Nothing would be changed by it."),
        "paused": _("The game is paused, and no deadline runs: take it up with `resume` first."),
        "goes_on": _("The game goes on as it is: it is neither paused, nor held, nor set aside."),
        "paused_already": _("The game is paused already."),
        "bad_code": _("There is a game %(given)s already."),
        "odd_code": _("A code is made of up to 40 letters from a to z, digits and hyphens."),
        "wrong_status": _("This can't be done while the game is in the state “%(status)s”."),
        "not_moderator": _("This is for the game's moderator alone."),
        "not_of_site": _("This is for the moderators of the site alone."),
        "own_account": _("This is your own account: another moderator of the site, or the operator, can do it."),
        "same_account": _("Both are addresses of one account already."),
        "same_game": _(
            "Both accounts have a seat in the game %(game)s: made one, they would see each other's secrets. One has to "
            "leave it first."
        ),
        "blocked": _("The account of %(name)s is blocked."),
        "blocked_already": _("The account is blocked already."),
        "not_blocked": _("The account is not blocked."),
        "not_typed": _("Nothing was done: what was typed is not the main address of the account."),
        "plays_too": _("You play in this game: this needs a moderator who does not."),
        "ruled_meanwhile": _(
            "Nothing was done: the game has gone on, or there was a ruling, since you saw it. Look at it as it is now."
        ),
        "unchangeable": _("The rules of this game let nothing be changed by hand."),
        "bad_change": _("Nothing was changed. %(why)s"),
        "bad_change_line": _("Nothing was changed. Line %(line)s: %(why)s"),
        "long_changes": _("The changes are too long to be read: they have at most %(most)s characters."),
        "not_looked": _(
            "The game has gone on since you looked at it, or you have not yet: begin anew. All players are told"
            " of each look."
        ),
        "no_entry": _("The game can't go back to entry %(given)s: it can to any from 1 to %(last)s."),
        "no_line": _("There is no line %(given)s that play has left; it has left: %(known)s."),
        "no_lines": _("Play has left no line of this game's journal: there is none to return to."),
        "no_what_if": _("There is no such what-if of yours."),
        "not_for_you": _("Nobody but those who were in the game, observed or moderate it, can copy it."),
        "not_over": _("What the game itself would draw can be used once it is over."),
        "no_such_entry": _("The journal has no entry %(given)s: it has those from 1 to %(last)s."),
        "too_many_what_ifs": _("You have %(most)s what-ifs, as many as one can have: delete one first."),
        "what_if_moved": _("The what-if has gone on since you saw it, or is over: look at it as it is now."),
        "what_if_long": _("A what-if has at most %(most)s acts: take some back, or make another."),
        "what_if_begins": _("The what-if stands where it left the game: there is nothing to take back."),
        "held_already": _("The reports of this stage are held for you already."),
        "not_due": _(
            "Nothing would be played now: orders are awaited. Hold the stage, then end its deadline or force it: it is"
            " not played before you send it."
        ),
        "unread_mail": _("A mail that came in time is not read yet: try again in a moment."),
        "sealed_yet": _("There are sealed answers in it: they can be looked over only after the deadline."),
        "changed_since": _("Something has changed since the preview: nothing was sent. Look it over again."),
        "no_number": _("“%(given)s” is no whole number."),
        "bad_choice": _("“%(given)s” is none of these: %(known)s."),
        "bad_number": _("“%(given)s” is no number of hours: write it like 24, or -6 to bring the deadline forward."),
        "form_too_long": _("What was written has %(given)s characters; it may have %(most)s there. Nothing was done."),
        "long_title": _("The title has %(given)s characters; it may have %(most)s."),
        "long_name": _("A person's name has %(given)s characters; it may have %(most)s."),
        "no_reason": _("A ruling needs a reason."),
        "long_reason": _("The reason is too long: it has at most %(most)s characters."),
        "no_command": _("None of its lines begins with a command of a moderator's; there are: %(known)s."),
        "two_commands": _("It has more than one command, this one too: “%(given)s”. Send each in a mail of its own."),
        "too_many_lines": _("It has more lines than are read; at most %(most)s are."),
        "too_much": _("“%(given)s” is nothing that belongs to the command."),
        "missing_part": _("It does not say which side; there are: %(known)s."),
        "no_orders": _("There are no orders in it: they stand below the command, one a line."),
        "two_forms": _(
            "It says one thing as plain text and another as HTML, and we do not guess which you meant. Please send it "
            "again, as plain text."
        ),
        "confirmed_before": _("You have answered this before."),
        "bad_address": _("“%(given)s” is not a mail address."),
        "bad_name": _("A name has from one to %(most)s characters: nothing was changed."),
        "bad_zone": _("There is no such time zone."),
        "bad_language": _("There is no catalog for this language."),
        "address_taken": _("That address is an account's already."),
        "bad_mails": _("Letters can't come “%(given)s”; they can come: %(known)s."),
        "bad_clock": _("“%(given)s” is no time of day: write 8:00 or 22:30."),
        "bad_lead": _("A reminder comes from 0 (never) to %(most)s hours before a deadline."),
        "bad_scope": _("A token is good for one of these, and not for “%(given)s”: %(known)s."),
        "token_name": _("A token needs a name by which you know it, of at most %(most)s characters."),
        "token_taken": _("There is a token called “%(name)s” already: choose another name, or revoke it first."),
        "too_many_tokens": _("There are %(most)s tokens already: revoke one that is not used any more."),
        "no_token": _("There is no token called “%(name)s”."),
        "absence_over": _("That absence would be over already, or end before it begins."),
        "absence_too_long": _("An absence can last %(days)s days at most: please write to the moderator."),
        "absence_too_far": _("An absence can be entered %(days)s days ahead at most."),
        "no_such_day": _("There is no such day."),
        "same_player": _("%(address)s has another seat of this game already: each address has one."),
        "nothing_late": _("There are no late orders of this seat that were not used yet."),
        "nothing_read": _(
            "This holds no order and changes nothing: %(lines)s. An order is `%(example)s`, for instance."
        ),
        "port_taken": _("%(host)s, port %(port)s, can't be listened at (%(problem)s): %(setting)s names another port."),
        "seat_taken": _("The seat's player has joined already."),
        "no_template": _("There is no template %(given)s; there are: %(known)s."),
        "template_key": _("A template has no such setting; here it can have: %(known)s."),
        "template_text": _("This should be text in quotes."),
        "template_number": _("This should be a number."),
        "template_whole": _("This should be a whole number."),
        "template_switch": _("This should be true or false."),
        "template_table": _("This should be a table of names and values."),
        "template_needs": _("A template says which rules it is for, and for how many seats: %(missing)s is missing."),
        "not_asked": _("The players can't vote on that: it would show what is hidden."),
        "vote_open": _("A proposal is open already: it is decided first."),
        "nobody_votes": _("There is no other player to vote on it."),
        "bad_seating": _("Open seats can't be given by “%(given)s”, but by: %(known)s."),
        "not_open": _("The game takes nobody who was not invited."),
        "bad_start": _(
            "The date `%(given)s` on which the game is to begin can't be read: write it as 2026-12-03T18:00."
        ),
        "start_past": _("The date on which the game is to begin lies in the past."),
        "start_far": _("The date on which the game is to begin may lie %(days)s days ahead at most."),
        "side_taken": _("That side is taken. These are free: %(known)s."),
        "not_waiting": _("You have no seat in this game, and wait for none."),
        "leave_resign": _("The game has begun: to leave it, answer a report of it with `resign`."),
        "nobody_there": _("The seat has no player."),
        "players_alone": _(
            "Only the player can say “%(line)s”. For a seat you can enter orders, `ready`, `not ready`, `cancel`,"
            " `clear`, `use` and `undo`."
        ),
        "holds_it": _("This player has the seat already."),
        "plays_another": _("This player has another seat of the game."),
        "knows_another": _("This player has had another seat of the game, and knows what it knew."),
        "knows_hidden": _("This moderator has looked at hidden things of the game: they can't play in it any more."),
        "no_such_account": _("There is no account with the address that was typed."),
        "offer_gone": _("The seat is not offered to you any longer, or never was."),
        "seat_passed": _("The seat has another player, or other reply addresses, since: nothing of it was used."),
        "all_not_joined": _("Nobody has joined yet."),
        "bad_hours": _("A deadline can be moved by a year at most, that is by %(most)s hours."),
        "deadline_past": _("The new deadline would lie in the past."),
        "no_mail": _("There is no mail of the number %(number)s."),
        "hidden_mail": _(
            "The mail %(number)s belongs to a seat and may hold its orders: they are seen by `pbem game look` alone, of"
            " which the players are told."
        ),
        "unwanted": _("%(address)s has declined or complained, and is not to be invited again."),
        "not_unwanted": _("%(address)s has neither declined nor complained."),
        "too_many_invitations": _("That would be more than %(most)s invitations in a day: wait until tomorrow."),
        "no_address": _("This is no other address of the account."),
        "too_many": _("That was too often for now, or there are too many addresses already. Try again in an hour."),
        "nothing_to_confirm": _("There is nothing that this letter asks to confirm."),
        "unknown_level": _("These rules have no stand-in of level %(given)s; there are: %(levels)s."),
        "no_planner": _("Stand-ins of level %(given)s write no sheets; these do: %(levels)s."),
        "levels_do_not_fit": _("%(seats)s seats can't be shared evenly among the %(given)s players named."),
        "link_void": _("This link has been used, has expired, or never was one of ours."),
    }


def said(refused: Refused, words: Words) -> str:
    """The refusal as a sentence. Raises KeyError for a code that has no words."""
    params = _by_rules(refused, words) if isinstance(refused, RefusedByRules) else refused.params
    return words.gettext(_texts(_plain)[refused.code]) % params


def _by_rules(refused: RefusedByRules, words: Words) -> Mapping[str, object]:
    """Why, in the game's words, and the line that it is about."""
    game, params = game_words(refused.rules, refused.setup, words.language), dict(refused.illegal.params)
    broken = params.get("broken", ())
    assert isinstance(broken, tuple)
    why = {"why": [game.reason(f"breaks_{code}", {}) for code in broken]}
    return {"line": params.get("line", ""), "why": game.reason(refused.illegal.code, params | why)}


def codes() -> frozenset[str]:
    """The codes that have words."""
    return frozenset(_texts(_plain))


def _plain(message: str) -> str:
    return message
