"""What our own mail server says about a sender, and nobody else's."""

from collections.abc import Sequence

from authres import AuthenticationResultsHeader  # type: ignore[import-untyped]
from authres.core import AuthResError  # type: ignore[import-untyped]

_PREFIX = "Authentication-Results: "


def fails(proofs: Sequence[str], authserv_id: str) -> bool:
    """Whether our server, known by its authserv-id, has marked the sender as failing DMARC.

    Servers put theirs on top: only the first header that bears our server's name counts, for a sender may have put
    in others. Without a configured name nothing is known, and nothing fails.
    """
    if not authserv_id:
        return False
    for proof in proofs:
        try:
            header = AuthenticationResultsHeader.parse(_PREFIX + proof)
        except AuthResError:
            continue
        if header.authserv_id.lower() == authserv_id.lower():
            return any(result.method == "dmarc" and result.result == "fail" for result in header.results)
    return False
