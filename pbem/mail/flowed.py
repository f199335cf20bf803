"""format=flowed (RFC 3676): soft line breaks undone, one depth of quoting at a time."""


def unflow(text: str, *, delete_space: bool) -> str:
    """The text with its soft breaks joined; quoted lines keep one `>` for each depth."""
    lines: list[str] = []
    depth_before, soft = 0, False
    for line in text.split("\n"):
        body = line.lstrip(">")
        depth = len(line) - len(body)
        body = body.removeprefix(" ")
        ends_soft = body.endswith(" ") and body != "-- "
        if ends_soft and delete_space:
            body = body[:-1]
        if soft and depth == depth_before and body != "-- ":
            lines[-1] += body
        else:
            lines.append(">" * depth + (" " if depth else "") + body)
        depth_before, soft = depth, ends_soft
    return "\n".join(lines)
