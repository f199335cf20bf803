"""Whether a style shows nothing of what it is for: hidden, tiny, moved off the page, of its background's colour, struck
out."""

import re

_ZERO = r"0+(?:\.0+)?(?:px|pt|r?em|ex|%|cm|mm|in)?"
_TINY = rf"(?:{_ZERO}|[12](?:\.\d+)?(?:px|pt))"
_END = r"(?=!|;|$)"
_HIDDEN = re.compile(
    rf"display:none|visibility:(?:hidden|collapse)|mso-hide:all|line-through|clip:rect\([01](?:px)?[,)]"
    rf"|clip-path:inset\((?:50|100)%|scale\(0[,)]"
    rf"|(?:^|;)(?:font-size:{_TINY}{_END}|font:{_TINY}(?:/|[a-z])|max-height:{_ZERO}{_END}|opacity:0+(?:\.0+)?{_END}"
    rf"|(?:text-indent|left|right|top|bottom|margin-left|margin-top):-\d{{3}}"
    rf"|color:(?:transparent|rgba\([\d.,%]{{1,30}},0?(?:\.0+|0)\)))"
)
_NO_SIZE = re.compile(rf"(?:^|;)(?:height|width):{_ZERO}{_END}")
_COLOUR = re.compile(r"(?:^|;)(color|background|background-color):([^;!]{1,40})")
_NAMED = {"white": "#ffffff", "black": "#000000"}
_SHORT = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])")
_NUMBERS = re.compile(r"rgb\((\d{1,3}),(\d{1,3}),(\d{1,3})\)")
_LONGEST = 2000


def is_unseen(style: str) -> bool:
    """Whether nothing would be seen. `style` is what stands in a style attribute, or between a rule's braces."""
    plain = "".join(style[:_LONGEST].split()).lower()
    if not plain:
        return False
    if _HIDDEN.search(plain) or ("overflow:hidden" in plain and _NO_SIZE.search(plain)):
        return True
    colours = {name.partition("-")[0]: _colour(value) for name, value in _COLOUR.findall(plain)}
    return "color" in colours and colours["color"] == colours.get("background")


def _colour(value: str) -> str:
    """A colour as six digits, where it is one of the ordinary ways to write one."""
    numbers = _NUMBERS.fullmatch(value)
    if numbers is not None:
        return "#" + "".join(f"{min(int(each), 255):02x}" for each in numbers.groups())
    return _SHORT.sub(r"#\1\1\2\2\3\3", value) if len(value) == 4 else _NAMED.get(value, value)
