"""What stand-ins like: the weights by which cards and acts are judged, in brass."""

from collections.abc import Mapping

import msgspec


class Taste(msgspec.Struct, frozen=True):
    """The weights of one level.

    once: what one of an effect is worth that happens once. moments: how often an effect of that moment happens, as
    against a card that is played once. attack, health: what a point of a unit's is worth; walls: a point of a
    building's health. if_corp: how often the condition holds. acquired: a point of the costs of a card had free.
    least: what a card must be worth to be bought. spent: what a construction is worth that is not spent on it.
    end: the part of the pool at which what cards do is worth nothing any more.
    killed, died: what the power of a unit counts that is destroyed, another's and one's own. scratch: a point of
    damage that destroys nothing. platform, halted: a platform that is destroyed, and an attack that can't mine then.
    struck: in battle a point of a company's health.
    """

    once: Mapping[str, float]
    moments: Mapping[str, float]
    attack: float
    health: float
    walls: float
    warden: float
    hand_size: float
    if_corp: float
    acquired: float
    least: float
    spent: float
    end: float
    killed: float
    died: float
    scratch: float
    platform: float
    halted: float
    struck: float


STEADY = Taste(
    once={
        "gain_labor": 0.9,
        "gain_construction": 1.0,
        "gain_brass": 2.2,
        "draw": 1.5,
        "end_draw": 1.0,
        "dismiss": 1.1,
        "opp_discard": 0.8,
        "damage": 0.6,
        "steal_brass": 2.4,
    },
    moments={
        "play": 1.0,
        "built": 0.6,
        "turn": 2.2,
        "activate": 2.2,
        "demolish": 0.9,
        "destroyed": 0.3,
        "attack": 0.6,
        "kill": 0.4,
        "mine": 2.0,
        "action": 1.2,
    },
    attack=1.8,
    health=0.3,
    walls=0.1,
    warden=0.8,
    hand_size=2.2,
    if_corp=0.45,
    acquired=0.8,
    least=0.8,
    spent=0.4,
    end=0.12,
    killed=0.6,
    died=0.7,
    scratch=0.25,
    platform=0.8,
    halted=0.2,
    struck=1.2,
)

# Found by games against steady companies, two and four: python -m tests.engine.brass_empire.tasting
KEEN = Taste(
    once={
        "gain_labor": 0.56,
        "gain_construction": 1.13,
        "gain_brass": 1.53,
        "draw": 1.53,
        "end_draw": 0.85,
        "dismiss": 0.82,
        "opp_discard": 0.69,
        "damage": 1.14,
        "steal_brass": 1.45,
    },
    moments={
        "play": 0.92,
        "built": 0.69,
        "turn": 2.24,
        "activate": 1.24,
        "demolish": 0.54,
        "destroyed": 0.49,
        "attack": 0.61,
        "kill": 0.32,
        "mine": 1.26,
        "action": 1.38,
    },
    attack=2.85,
    health=0.54,
    walls=0.05,
    warden=0.66,
    hand_size=4.0,
    if_corp=0.46,
    acquired=0.53,
    least=0.84,
    spent=0.49,
    end=0.11,
    killed=0.59,
    died=0.46,
    scratch=0.21,
    platform=1.41,
    halted=0.16,
    struck=1.2,
)
