"""Marks that mail programs leave: attributions, header blocks, signatures, footers. By shape, in any language."""

import re
from collections.abc import Sequence

_ADDRESS = re.compile(r"[^\s@<>]{1,64}@[^\s@<>]{1,200}\.[^\s@<>.]{2,}|<[^\s@<>]{1,64}@[^\s@<>]{1,200}>?|mailto:")
_BRACKETED = re.compile(r"<\s?(?:mailto:)?[^\s@<>]{1,64}@[^\s@<>]{1,200}>")
_TIME = re.compile(r"\b\d{1,2}[:h.]\d{2}\b|\b\d{1,2}\s?[時时시]|\b\d{1,2}\s?[ap]\.?m\b", re.IGNORECASE)
_NUMERIC_DATE = re.compile(r"\b\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{1,4}\b|\d{4}\s?[年년]")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DAY = re.compile(r"(?<![\d.,$])\d{1,2}(?![\d:])\b")
_LABELLED = re.compile(r"\W*[^\W\d_][^\W\d_]*(?:[ \-'’][^\W\d_]+){0,3}\s?[*]?\s?[:：]\s?[*]?\s?\S")
_SUBJECT = re.compile(r"\W*[^\W\d_]{2,20}\s?[:：].*\[[^\]]+\]")
_DASHED = re.compile(r"\s*-{2,}\s?[^-\s][^-]{2,60}?-{2,}\s*")
_DASHED_ADDRESS = re.compile(r"\s*-{3,}\s?[^-\s].{2,300}?-{3,}\s*")
_RULE = re.compile(r"\s*(?:_{8,}|-{20,}|={20,}|\*{10,})\s*")
_LINK = re.compile(r"https?://|www\.|mailto:|@")
_LONG_LINE = 100
_PRODUCTS = re.compile(
    r"i(?:Phone|Pad|Pod)|\b(?:Android|Galaxy|Samsung|Huawei|Xiaomi|OnePlus|Nokia|BlackBerry|Outlook|Yahoo|Proton ?Mail"
    r"|Gmail|GMX|WEB\.DE|K-9|Spark|Airmail|Mailspring|Thunderbird|eM Client|Windows|Fastmail|Mail\.ru|Yandex|Zoho)\b",
)
_LINKED = re.compile(r"[<(\[]?https?://[^\s>)\]]*[>)\]]?")
_OPENERS = re.compile(
    r"\s(?:On|Le|Am|El|Il|Op|Em|Den|Dne|Den|W dniu|På|Fra|Dnia|Pe|Στις|В|On Mon)\s(?=.{0,50}(?:19|20)\d\d)"
)


def has_date_and_time(text: str) -> bool:
    """Whether it names a day and a time of day."""
    return has_date(text) and bool(_TIME.search(text))


def has_date(text: str) -> bool:
    """Whether it names a day: in numbers, or a year beside the number of a day."""
    if _NUMERIC_DATE.search(text):
        return True
    return bool(_YEAR.search(text)) and bool(_DAY.search(_YEAR.sub(" ", text)))


def attribution(lines: Sequence[str]) -> int:
    """How many of the last lines are an attribution ("On …, … wrote:"), by address, date and time; 0 for none.

    `lines` are those straight above a quote, with no blank line between them.
    """
    last = lines[-1] if lines else ""
    ends = last.rstrip().endswith((":", "：", ":*"))
    for count in range(1, min(len(lines), 4) + 1):
        text = " ".join(lines[-count:])
        whole = has_date_and_time(text)
        if (ends and _ADDRESS.search(text)) or (whole and _BRACKETED.search(text)):
            return count if whole else _with_what_belongs(lines, count)
        if ends and whole:
            return count
    dated = (count for count in (1, 2) if ends and has_date(" ".join(lines[-count:])))
    return min(next(dated, 0), len(lines))


def is_whole_attribution(text: str) -> bool:
    """Whether it names sender, day and time, so that no quote need follow for it to be one."""
    return bool(_BRACKETED.search(text)) and has_date_and_time(text)


def _with_what_belongs(lines: Sequence[str], count: int) -> int:
    """Lines above that have the date or the time of a wrapped attribution."""
    while count < min(len(lines), 4) and (has_date(lines[-count - 1]) or _TIME.search(lines[-count - 1])):
        count += 1
        if has_date_and_time(" ".join(lines[-count:])):
            break
    return count


def before_attribution(line: str) -> str:
    """What stands in front of an attribution on the same line."""
    match = _OPENERS.search(line)
    return line[: match.start()].strip() if match else ""


def header_block(lines: Sequence[str]) -> int:
    """How many of the first lines are the header block above an original (From, Sent, To, Subject); 0 for none."""
    start = 1 if lines and (_RULE.fullmatch(lines[0]) or begins_original(lines[0])) else 0
    skipped = start
    while skipped < len(lines) and skipped < start + 2 and not lines[skipped].strip():
        skipped += 1
    count = skipped
    while count < len(lines) and count < skipped + 12 and _LABELLED.match(lines[count]):
        count += 1
    if _heads(lines[skipped:count], 3):
        apart = count + 1 < len(lines) and not lines[count].strip() and _SUBJECT.match(lines[count + 1])
        return count + 2 if apart else count
    return _unlabelled(lines, skipped) if start else 0


def _unlabelled(lines: Sequence[str], first: int) -> int:
    """The same below a rule, for programs that write no colons; 0 for none."""
    last = first
    while last < len(lines) and last < first + 8 and lines[last].strip():
        last += 1
    block = lines[first:last]
    return last if any(_ADDRESS.search(line) for line in block) and _heads(block, 3) else 0


def _heads(block: Sequence[str], least: int) -> bool:
    return len(block) >= least and any(has_date_and_time(line) for line in block)


def begins_original(line: str) -> bool:
    """Whether it is a line such as `-----Original Message-----`, or `-----Ann <ann@x.org> wrote:-----`."""
    if _DASHED.fullmatch(line):
        return len(line.strip()) >= 12
    return bool(_DASHED_ADDRESS.fullmatch(line)) and bool(_ADDRESS.search(line))


def is_signature_mark(line: str) -> bool:
    """Whether a signature begins below."""
    return line.rstrip() in {"--", "—"}


def begins_footer(lines: Sequence[str]) -> bool:
    """Whether the first is a rule above what a list or a scanner has added at the end: by a link, or a long line."""
    rest = [line for line in lines[1:] if line.strip()]
    if not _RULE.fullmatch(lines[0]) or not 0 < len(rest) <= 12:
        return False
    return any(_LINK.search(line) or len(line) >= _LONG_LINE for line in rest)


def is_advertising(line: str) -> bool:
    """Whether it is the line of a phone, a program or a scanner about itself: by the product's name, or a link."""
    said = _LINKED.sub("", line)
    named = len(said) <= _LONG_LINE and bool(_PRODUCTS.search(said))
    return ":" not in said and (named or bool(_LINKED.search(line)))


def introduces(line: str) -> bool:
    """Whether it is such a line as stands above the header block of a letter that is sent on."""
    return len(line) <= _LONG_LINE and line.endswith((":", "："))
