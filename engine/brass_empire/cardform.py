"""The form of a card file: its tables, the words that it may use, and within which bounds numbers lie."""

from typing import Annotated, Literal, TypeAlias

from annotated_types import Len
from pydantic import Field, StrictBool

from engine.components import Form

Count: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=99)]
Some: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=99)]
Id: TypeAlias = Annotated[str, Field(strict=True, max_length=60, pattern=r"^[a-z][a-z0-9_]*$")]
Name: TypeAlias = Annotated[str, Field(strict=True, min_length=1, max_length=60, pattern=r"^[\w ,.()'&/+-]+$")]
Text: TypeAlias = Annotated[str, Field(strict=True, max_length=600)]
Trigger = Literal[
    "play", "built", "turn", "activate", "demolish", "destroyed", "attack", "kill", "mine", "action", "static"
]
Primitive = Literal[
    "gain_labor",
    "gain_construction",
    "gain_brass",
    "draw",
    "end_draw",
    "dismiss",
    "opp_discard",
    "damage",
    "steal_brass",
    "acquire_free",
    "choose",
    "if_corp",
    "warden",
    "hand_size",
]
Corporation = Literal["mcglynn", "frontier", "omni_edo", "harlem", "windcraft", "neutral"]
Type = Literal["employee", "unit", "building"]
Pool = Literal["starting", "reserve", "labor", "design"]


class Effect(Form):
    """One effect. `when` stands on the outermost alone; what each primitive does stands in `primitives`."""

    do: Primitive
    when: Literal[Trigger, ""] = ""
    n: Some = 1
    optional: StrictBool = False
    target: Literal["unit", "building", "any", ""] = ""
    floor: Count = 0
    scope: Literal["played", "in_play", ""] = ""
    pool: Literal["labor", "design", "any", ""] = ""
    corp: Literal[Corporation, ""] = ""
    then: "list[Effect]" = Field(default_factory=list)
    options: "list[list[Effect]]" = Field(default_factory=list)


class Card(Form):
    """One kind of card, with as many copies as the box holds.

    `known` names the fields that the rulebook fixes; `text` says in words what `effects` say, for who reads the file.
    """

    id: Id
    name: Name
    type: Type
    corporation: Corporation
    pool: Pool
    copies: Some
    cost_labor: Count
    cost_construction: Count
    brass: Count
    attack: Count
    health: Count
    effects: Annotated[list[Effect], Len(0, 12)]
    provenance: Literal["rulebook", "reconstructed", "printed"] = "printed"
    known: list[str] = Field(default_factory=list)
    text: Text = ""
    per_player: Some = 1
    starts_in_play: StrictBool = False
    convert_construction: Some = 1
    convert_brass: Some = 1
    rebuild_construction: Some = 1


class Set(Form):
    """What the set is called."""

    name: Name
    edition: Some


class Vocabulary(Form):
    """The words that the file uses, for who reads it."""

    fields: list[str] = Field(default_factory=list)
    triggers: list[Trigger] = Field(default_factory=list)
    primitives: list[Primitive] = Field(default_factory=list)
    corporations: list[Corporation] = Field(default_factory=list)


class CorporationNames(Form):
    """How the corporations are called, for who reads the file."""

    mcglynn: Name = ""
    frontier: Name = ""
    omni_edo: Name = ""
    harlem: Name = ""
    windcraft: Name = ""
    neutral: Name = ""


class CardFile(Form):
    """A card file."""

    set: Set
    card: Annotated[list[Card], Len(1, 400)]
    vocabulary: Vocabulary = Vocabulary()
    corporation_names: CorporationNames = CorporationNames()
