"""The law of changes by hand: whatever a moderator makes otherwise, the game goes on soundly and no secret is told."""

from random import Random
from typing import Any

import msgspec

from engine.chance import RandomChance, pick_from
from engine.changes import changed, check_words, read_changes, write_change
from engine.conformance.course import secret_of
from engine.conformance.views import play_on
from engine.conformance.walk import CAP, Broken, Position, hold, positions, same
from engine.contract import Change, Changing, Event, Pick, Rules, RulesModule
from engine.errors import Illegal
from engine.journal import Entry, Note, canonical, decode
from engine.spaces import sample
from engine.table import Answered, Table, replay, retrace

_LISTS = 3
_LONGEST = 3
_EVERY = 5
_MADE = 12
_NOTE = Note("state_changed", "moderator", "a slip", {})


def altered_by_hand(module: RulesModule, rules: Rules, seed: int) -> None:
    """Changes lead to sound states at the same decision, survive being stored and written as lines, and tell others
    only what follows from the change and their view; games with changes end, and replay to the byte."""
    if not isinstance(rules, Changing):
        return
    for position in positions(rules, seed):
        if position.number % _EVERY == 0:
            for _ in range(_LISTS):
                _look(module, rules, rules, position)
    _replays(rules, rules, seed)


def _look(module: RulesModule, rules: Rules, changing: Changing, position: Position) -> None:
    before = canonical(position.state)
    try:
        made = drawn(changing, position.state, pick_from(position.random))
        state, events = changed(rules, position.state, made)
    except Illegal as illegal:
        hold(bool(illegal.code), "changed", f"no reason at {position}")
        return
    finally:
        hold(canonical(position.state) == before, "changed", f"the state was touched at {position}")
    where = f"{made} at {position}"
    _stands(module, rules, position, state, where)
    _survives(rules, changing, position, made, events)
    for seat in range(rules.setup.seats):
        _tells_no_secret(rules, position, made, (state, events), seat)
        world = rules.imagine(rules.view(state, seat), RandomChance(position.random))
        hold(same(rules.view(world, seat), rules.view(state, seat)), "changed", f"view of seat {seat} after {where}")
        hold(not list(rules.invariants(world)), "changed", f"{list(rules.invariants(world))}, seat {seat}, {where}")
    play_on(rules, state, position)


def drawn(changing: Changing, state: Any, pick: Pick) -> tuple[Change, ...]:
    """A few changes at random, each as things stand after those before it. Raises Illegal where none may be made."""
    after, made = state.copy(), []
    for _ in range(1 + pick(_LONGEST)):
        change = sample(changing.changeable(after), pick)
        changing.change(after, change, [])
        made.append(change)
    return tuple(made)


def _stands(module: RulesModule, rules: Rules, position: Position, state: Any, where: str) -> None:
    """The question is the same, whoever is asked has a choice, and the stage is the same."""
    decision = rules.pending(state)
    hold(not list(rules.invariants(state)), "changed", f"{list(rules.invariants(state))} after {where}")
    hold(decision is not None and decision.kind == position.decision.kind, "changed", f"decision after {where}")
    for seat in decision.seats if decision is not None else ():
        sample(rules.space(state, seat), pick_from(position.random))
    for pace in module.paces:
        hold(rules.stage(state, pace) == rules.stage(position.state, pace), "changed", f"stage after {where}")


def _survives(
    rules: Rules, changing: Changing, position: Position, made: tuple[Change, ...], events: list[Event]
) -> None:
    """Stored changes and events read as they were; lines too, each as things stood before it."""
    for change in made:
        hold(msgspec.msgpack.decode(canonical(change), type=changing.change_type) == change, "changed", change)
    for event in events:
        for data in (event.data, event.instead):
            if data is not None:
                hold(msgspec.msgpack.decode(canonical(data), type=rules.event_type) == data, "changed", data)
    after, lines = position.state.copy(), []
    for change in made:
        lines.append(write_change(changing, changing.changeable(after), change))
        changing.change(after, change, [])
    hold(read_changes(rules, position.state, lines) == made, "changed", f"{lines} at {position}")
    check_words(rules, position.state, lines)


def _tells_no_secret(
    rules: Rules, position: Position, made: tuple[Change, ...], real: tuple[Any, list[Event]], seat: int
) -> None:
    """In a world that the seat thinks possible, where these changes can be made as well, it is told the same."""
    world = rules.imagine(rules.view(position.state, seat), RandomChance(position.random))
    try:
        state, events = changed(rules, world, made)
    except Illegal:
        return
    where = f"seat {seat} of {made} at {position}"
    told = [[event.seen_by(seat) for event in each] for each in (real[1], events)]
    hold(same(*told), "changed", f"told {where}")
    hold(same(rules.view(real[0], seat), rules.view(state, seat)), "changed", f"shown {where}")


def _replays(rules: Rules, changing: Changing, seed: int) -> None:
    """A game with changes now and then ends, and its stored journal comes to the same."""
    random = Random(f"changed {seed}")
    pick = pick_from(random)
    table, entry, _ = Table.begin(rules, secret_of(seed), ())
    entries = [entry]
    count = 0
    while (decision := rules.pending(table.state)) is not None:
        hold(len(entries) < CAP, "changed", f"not over after {CAP} entries")
        if count < _MADE and random.random() < 1 / _EVERY:
            count += _change(table, changing, entries, pick)
            decision = rules.pending(table.state) or decision
        answers = {seat: Answered(sample(rules.space(table.state, seat), pick), "standin") for seat in decision.seats}
        entries.append(table.decide(answers)[0])
    stored: list[Entry] = [decode(rules, canonical(each)) for each in entries]
    again = replay(rules, secret_of(seed), (), stored)
    hold(canonical(again.state) == canonical(table.state) and again.head == table.head, "changed", "replayed")
    if canonical(retrace(rules, stored)) != canonical(table.state):
        raise Broken("changed", "retraced")


def _change(table: Table, changing: Changing, entries: list[Entry], pick: Pick) -> int:
    try:
        entries.append(table.change(_NOTE, drawn(changing, table.state, pick))[0])
    except Illegal:
        return 0
    return 1
