"""A game's own words: what its template folder says of events, reasons, questions and position, in one language.

The interface that a rules module's folder meets is told in templates/rockwell/README.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import GenericAlias
from typing import Any

import jinja2
import msgspec

from engine.contract import Fault, Limited, RulesModule, Setup
from engine.registry import load
from pbem.reports.environments import FOLDER, HTML, TEXT, environment, loader
from pbem.setups import set_name, unusual, written
from pbem.words import Words

MOST_SAID = 8192
"""Pieces of text that are kept for their next use."""


class MissingWords(LookupError):
    """A game's templates have no words for an event, a code or a name that its rules use."""


class GameWords:
    """The words of one game's rules under one setup, in one language."""

    def __init__(self, module: RulesModule, setup: Setup, language: str) -> None:
        self.module = module
        self._setup = setup
        self.rules = module.bind(setup)
        self.environments = {form: self._environment(language, form) for form in (TEXT, HTML)}
        self._modules: dict[str, Any] = {}
        self._told: dict[bytes, str] = {}
        self._public: dict[bytes, list[str]] = {}
        self._once: dict[tuple[Any, ...], str] = {}
        self._names: dict[str, str] = {}
        self._found: dict[str, bool] = {}
        self._stored = msgspec.defstruct("Stored", [("events", GenericAlias(tuple, (self.rules.event_type, ...)))])

    def _environment(self, language: str, form: str) -> jinja2.Environment:
        base = environment(language, form)
        folders = [loader(self.module.templates, form), loader(FOLDER, form)]
        own = base.overlay(loader=jinja2.ChoiceLoader(folders))
        own.globals = dict(base.globals, rules=self.rules, seat=self.seat, once=self._once_said)
        return own

    def seat(self, number: int) -> str:
        """The name of a side, such as Red."""
        return self.name("seat", self.module.seat_names[number])

    def name(self, family: str, code: str) -> str:
        """A name from `names.j2`: families are `seat`, `stage`, `source` (of a score) and `kind` (of orders)."""
        key = f"{family}_{code}"
        if key not in self._names:
            self._names[key] = self._say("names.j2", key)
        return self._names[key]

    def structs(self, events: Iterable[Any]) -> Sequence[Any]:
        """Stored events as the rules' own structs."""
        stored: Any = msgspec.convert({"events": tuple(events)}, self._stored)
        return tuple(stored.events)

    @property
    def last_turn(self) -> int:
        """The last turn that can be played; 0 where no number of turns ends the game."""
        return self.rules.last_turn if isinstance(self.rules, Limited) else 0

    def turn(self, number: int | str, words: Words) -> str:
        """The number of a turn, with that of the last one where one is set."""
        if not self.last_turn:
            return str(number)
        return words.gettext("%(turn)s of %(last)s") % {"turn": number, "last": self.last_turn}

    def title(self) -> str:
        """The game's name."""
        return self._say("names.j2", "title")

    def event(self, data: Any) -> str:
        """One event as a sentence; empty for one that is not worth telling."""
        key = msgspec.msgpack.encode(data)
        told = self._told.get(key)
        if told is None:
            told = self._say("events.j2", tag(data), data)
            if len(self._told) > 4096:
                self._told.clear()
            self._told[key] = told
        return told

    def heading(self, data: Any) -> str:
        """The heading that an event begins a new part of the report with, empty for most."""
        return self._say_if("events.j2", f"{tag(data)}_heading", data)

    def why(self, data: Any, me: int) -> str:
        """What came of an order of a seat, out of an event; empty where that says nothing."""
        return self._say_if("why.j2", tag(data), data, me) if self.has("why.j2") else ""

    def reason(self, code: str, params: Mapping[str, Any]) -> str:
        """Why an order was not carried out or could not be read: the game's own codes first, then those of all."""
        if hasattr(self._module("reasons.j2"), _macro(code)):
            return self._say("reasons.j2", code, params)
        return self._say("game/reasons.j2", code, params)

    def played_with(self, words: Words) -> list[str]:
        """The component set and the options that are not at their defaults, in sentences."""
        sentences = []
        box = set_name(self.module, self._setup)
        if box is not None:
            params = {"name": box.name, "edition": box.edition}
            sentences.append(words.gettext("The component set is “%(name)s”, edition %(edition)s.") % params)
            sentences += [said for said in [self.built_in_set()] if said and box.built_in]
        return sentences + [self.option(name, value) for name, value in unusual(self.module, self._setup).items()]

    def option(self, name: str, value: Any) -> str:
        """What an option that is not at its default means: a sentence, or name and value where the game has none."""
        said = self._say_if("options.j2", name, value) if self.has("options.j2") else ""
        return said or f"{name}={written(value)}"

    def built_in_set(self) -> str:
        """What is to be said of the built-in component set, empty for nothing."""
        return self._say_if("components.j2", "built_in") if self.has("components.j2") else ""

    def fault(self, fault: Fault) -> str:
        """What is wrong with a component set and what would be right: the game's own codes first, then those of all."""
        if self.has("components.j2") and hasattr(self._module("components.j2"), _macro(fault.code)):
            return self._say("components.j2", fault.code, fault.params)
        return self._say("game/components.j2", fault.code, fault.params)

    def foreseen(self, code: str, params: Mapping[str, Any], me: int) -> str:
        """What an order of a seat would bring about; empty for a game that foresees nothing."""
        return self._say_if("foreseen.j2", code, params, me) if self.has("foreseen.j2") else ""

    def asks(self, asked: Any) -> str:
        """What a question asks."""
        return self._say("asked.j2", asked.kind, asked)

    def otherwise(self, asked: Any) -> str:
        """What would happen without an answer to a question."""
        return self._say("asked.j2", f"{asked.kind}_otherwise", asked)

    def lead(self, events: Any, view: Any, me: int) -> list[str]:
        """What changed most for a seat, a sentence each; nothing where there is nothing to say or no `lead.j2`."""
        return self._lines("lead.j2", "lead", events, view, me)

    def outlook(self, view: Any, me: int | None) -> list[str]:
        """What a seat can reckon from its view, as lines of a position; nothing for a game without `outlook.j2`."""
        return self._lines("outlook.j2", "outlook", view, me)

    def has(self, template: str) -> bool:
        """Whether the game's folder has a template of that name."""
        found = self._found.get(template)
        if found is None:
            found = self._found[template] = (self.module.templates / template).is_file()
        return found

    def position(self, public: Any, moved: Sequence[Any] = ()) -> list[str]:
        """The public position as lines, headings not indented; made once for all seats.

        `moved` as for the picture (`pbem.reports.board`): the words say all that it shows.
        """
        key = msgspec.msgpack.encode((public, moved))
        made = self._public.get(key)
        if made is None:
            text = self.environments[TEXT].get_template("position.txt.j2").render(view=public, moved=moved)
            made = text.strip("\n").split("\n")
            if len(self._public) > 64:
                self._public.clear()
            self._public[key] = made
        return made

    def own(self, template: str, form: str, view: Any, me: int) -> str:
        """What a template makes of a seat's own view."""
        made = self.environments[form].get_template(template)
        return "".join(made.root_render_func(made.new_context({"view": view, "me": me})))

    def _once_said(self, macro: Any, *args: Any) -> str:
        """What a macro makes of hashable arguments, made once: most of a position stays as it was.

        Macros that are called so have names of their own in the game's folder.
        """
        key = (macro.name, args)
        made = self._once.get(key)
        if made is None:
            if len(self._once) > MOST_SAID:
                self._once.clear()
            made = self._once[key] = str(macro(*args))
        return made

    def _module(self, template: str) -> Any:
        module = self._modules.get(template)
        if module is None:
            module = self._modules[template] = self.environments[TEXT].get_template(template).module
        return module

    def _say(self, template: str, name: str, *args: Any) -> str:
        macro = getattr(self._module(template), _macro(name), None)
        if macro is None:
            raise MissingWords(f"{self.module.name}: {template} has no macro {_macro(name)}")
        return " ".join(str(macro(*args)).split())

    def _lines(self, template: str, name: str, *args: Any) -> list[str]:
        """What a macro says line by line, if the game has that template; empty lines between, none at the ends."""
        if not self.has(template):
            return []
        said = str(getattr(self._module(template), name)(*args)).strip("\n")
        return said.split("\n") if said else []

    def _say_if(self, template: str, name: str, *args: Any) -> str:
        if hasattr(self._module(template), _macro(name)):
            return self._say(template, name, *args)
        return ""


def tag(data: Any) -> str:
    """The tag of an event's struct."""
    return str(type(data).__struct_config__.tag)


def _macro(code: str) -> str:
    """The macro's name for a code: a code may begin with a digit or hold dashes."""
    return code.replace("-", "_").replace(".", "_")


def game_words(rules: str, setup: Setup, language: str) -> GameWords:
    """The words of a game by the id of its rules. Raises UnknownRules for a game that is not installed."""
    return _game_words(rules, msgspec.json.encode(setup, order="deterministic"), language)


@lru_cache(maxsize=64)
def _game_words(rules: str, setup: bytes, language: str) -> GameWords:
    return GameWords(load(rules), msgspec.json.decode(setup, type=Setup), language)
