"""Laws of plain data: states, views, choices and events are copied, stored and read back without loss."""

from typing import Any

import msgspec
from msgspec import inspect

from engine.conformance.walk import Position, hold, positions, same
from engine.contract import Rules, RulesModule
from engine.journal import canonical

_COPY_KEPT = 10  # every tenth copy is looked at again when the game is over


def plain_state(module: RulesModule, rules: Rules, seed: int) -> None:
    """The state's types hold no sets, floats or keys but text, and fields at their defaults are not encoded."""
    seen: set[type] = set()
    todo: list[Any] = [inspect.type_info(rules.state_type)]
    while todo:
        info = todo.pop()
        hold(not isinstance(info, inspect.SetType | inspect.FrozenSetType | inspect.FloatType), "plain_state", info)
        if isinstance(info, inspect.StructType):
            if info.cls in seen:
                continue
            seen.add(info.cls)
            encodes_all = all(field.required for field in info.fields)
            hold(
                encodes_all or info.cls.__struct_config__.omit_defaults,
                "plain_state",
                f"{info.cls.__name__} needs omit_defaults",
            )
            todo += [field.type for field in info.fields]
        elif isinstance(info, inspect.UnionType):
            todo += info.types
        elif isinstance(info, inspect.DictType):
            hold(isinstance(info.key_type, inspect.StrType), "plain_state", f"keys of {info}")
            todo += [info.key_type, info.value_type]
        elif isinstance(info, inspect.ListType | inspect.VarTupleType):
            todo.append(info.item_type)
        elif isinstance(info, inspect.TupleType):
            todo += info.item_types


def copies(module: RulesModule, rules: Rules, seed: int) -> None:
    """A copy equals its state, plays on like it, and neither changes when the other does."""
    kept: list[tuple[Any, bytes]] = []
    for position in positions(rules, seed):
        state = position.state
        before = canonical(state)
        twin, spare = state.copy(), state.copy()
        hold(canonical(twin) == before, "copies", f"differs from the start at {position}")
        answers = position.answers()
        position.applied(twin, answers, position.number)
        hold(canonical(state) == before, "copies", f"original changed at {position}")
        position.applied(state, answers, position.number)
        hold(same(state, twin), "copies", f"plays on differently at {position}")
        hold(canonical(spare) == before, "copies", f"copy changed at {position}")
        if position.number % _COPY_KEPT == 0:
            kept.append((spare, before))
    hold(all(canonical(spare) == before for spare, before in kept), "copies", "an old copy changed later")


def encoding(module: RulesModule, rules: Rules, seed: int) -> None:
    """States, views, choices and events survive encoding, and a decoded state plays on as if never stored."""
    for position in positions(rules, seed):
        decoded: Any = msgspec.msgpack.decode(canonical(position.state), type=rules.state_type)
        hold(same(decoded, position.state), "encoding", f"state at {position}")
        answers = position.answers()
        for choice in answers.values():
            _survives(choice, rules.choice_type, position)
        for seat in (None, *range(rules.setup.seats)):
            _survives(rules.view(position.state, seat), rules.view_type, position)
        events = position.applied(position.state, answers, position.number)
        again = position.applied(decoded, answers, position.number)
        hold(same(decoded, position.state) and same(events, again), "encoding", f"plays on differently at {position}")
        for event in events:
            _survives(event.data, rules.event_type, position)
            if event.instead is not None:
                _survives(event.instead, rules.event_type, position)


def _survives(value: Any, kind: Any, position: Position) -> None:
    packed = msgspec.msgpack.decode(canonical(value), type=kind)
    hold(packed == value and same(packed, value), "encoding", f"{value} at {position}")
    shown = msgspec.json.decode(msgspec.json.encode(value), type=kind)
    hold(same(shown, value), "encoding", f"{value} as JSON at {position}")
