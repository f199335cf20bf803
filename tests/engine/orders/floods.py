"""64 KB of anything: texts that try to make a reader work hard, raise, or read what is not there."""

from collections.abc import Mapping
from functools import cache
from random import Random

from engine.orders.tokens import MAX_TEXT

WORDS = """bid place drill sell buy pass power if or and not ( ) always red green c2 c3 B3 b4 12 1,200 to straddle hire
bribe zinc gold workshop is revealed on help cancel | , : ; . ___ # > - all then die keep danger insurance stay core
unless this extracts my more than has attack defend with attacked by rebuild convert play tesla"""


def _lines(line: str) -> str:
    return (line + "\n") * (MAX_TEXT // (len(line) + 1) + 1)


def _mixed(random: Random, joint: str) -> str:
    pieces = WORDS.split()
    return joint.join(" ".join(random.choice(pieces) for _ in range(60)) for _ in range(300))


def _letters(random: Random) -> str:
    ranges = ((0, 0x250), (0, 0xD800), (0x10000, 0x12000))
    return "".join(chr(random.randrange(*random.choice(ranges))) for _ in range(MAX_TEXT))


@cache
def floods(seed: int = 1) -> Mapping[str, str]:
    """The texts by name, each as long as a reader looks, or longer."""
    random = Random(seed)
    line = {
        "conditions without an end": "if " * 100 + "bid 3",
        "or without an end": "bid 3" + " or 4" * 60,
        "alternatives": "drill 1: c1 to A1" + " or c2 to B3" * 15,
        "alternatives with conditions": "drill 1: c1 to A1" + " or c2 to B3 if (B3 is revealed or red is on B4)" * 6,
        "numbers": "1,200 " * 80,
        "groups of digits": "1 234 567 890 123 456 " * 20,
        "letters for figures": "1O0l0O " * 80,
        "characters that become many": "\ufdfa" * 160,
        "words nearly right": "drlil 1: c2 too B3, hrie 2 anywya or styay",
        "no head and a word nearly right": "bit 1 znc",
        "no head and words nearly right": "xyz 1 znc slver coper gld zinnc",
        "rounds first": "r1: znc 1 znc",
        "sides first": "red: bit 1",
        "heads nearly right": "plce worksop 1 or exchnge 2 or contrl 3",
        "prose nearly right": "plcae wroksohp cntrol exchnage insurnace automatno mobiltiy mineshfat",
        "long words": "insuranceinsurance " * 30,
        "one long word": "a" * 599,
        "letters of another alphabet": "drill 1: с2 to В3, hire 2",
        "no head": "c2 to B3 hire 2 bribe red c3 to B4 die",
        "parts of orders": "bribe red c3 hire 2 stay core gold",
        "many facts": "if " + " and ".join(["B3 is revealed"] * 20) + ", bid 3",
        "brackets in a condition": "if " + "(" * 40 + "B3 is revealed" + ")" * 40 + " bid 3",
        "not": "if " + "not " * 60 + "B3 is revealed, bid 3",
        "many tiles": "if " + " or ".join(["B3"] * 60) + " is revealed, bid 3",
        "many segments": "drill 1: c1 to A1 if " + " or ".join(["B3"] * 60),
        "many foreseen": "drill 1: c1 to A1 if " + " and ".join(["this extracts"] * 15),
        "orders in a line": "bid 3;" * 60,
        "sentences": "bid 3. " * 60,
        "press": "to red: x",
        "press to many": "to red and green and purple and white and " * 10,
        "dates": "absent 3 dec 4 dec 5 dec to 3",
        "politeness": "please " * 80 + "bid 3",
        "fillers": "and then please also so " * 20,
        "bullets": "- - - - 1. 2. (a) bid 3",
        "apostrophes": "a'b'c'd'e'f " * 40,
    }
    whole = {
        "one line": "x" * MAX_TEXT,
        "one line of or": "or " * (MAX_TEXT // 3),
        "one line of if": "if " * (MAX_TEXT // 3),
        "open brackets": "(" * MAX_TEXT,
        "closed brackets": ")" * MAX_TEXT,
        "digits": "1" * MAX_TEXT,
        "accents": "e\u0301\u0301\u0301" * (MAX_TEXT // 4),
        "nothing": "\n" * MAX_TEXT,
        "controls": "\x00\x0c\x1c\u2028\r" * (MAX_TEXT // 5),
        "letters of all alphabets": _letters(random),
        "words of orders in lines": _mixed(random, "\n"),
        "words of orders in one line": _mixed(random, " "),
    }
    return {**{name: _lines(text) for name, text in line.items()}, **whole}
