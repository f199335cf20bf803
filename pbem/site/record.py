"""Who may settle accounts, and the record of what was done to them: each act has a reason."""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlmodel import Session, col, select

from pbem import clock
from pbem.accounts import account_of
from pbem.errors import Refused
from pbem.rulings.authority import Actor, check_length
from pbem.storage.models import Account, SiteRecord

BLOCKED, UNBLOCKED, MERGED, EXPORTED, DELETED = "blocked", "unblocked", "merged", "exported", "deleted"


def governor(session: Session, actor: Actor) -> Account | None:
    """The site's moderator who acts, None for the operator.

    Raises Refused `no_reason`, `long_reason`, `not_of_site`.
    """
    if not actor.reason.strip():
        raise Refused("no_reason")
    check_length(actor.reason)
    if not actor.address:
        return None
    account = account_of(session, actor.address)
    if account is None or not account.moderator or account.blocked is not None:
        raise Refused("not_of_site")
    return account


def subject(session: Session, account_id: int) -> Account:
    """The account, locked. Raises Refused `no_account` where there is none, or none any more."""
    account = session.get(Account, account_id, with_for_update=True, populate_existing=True)
    if account is None or account.deleted is not None:
        raise Refused("no_account")
    return account


def number_of(session: Session, address: str) -> int:
    """The number of the account that has the address. Raises Refused `no_account`."""
    account = account_of(session, address)
    if account is None or account.id is None:
        raise Refused("no_account")
    return account.id


def not_oneself(by: Account | None, account: Account) -> None:
    """Raises Refused `own_account`: nobody locks themselves out."""
    if by is not None and by.id == account.id:
        raise Refused("own_account")


def put_on_record(
    session: Session, by: Account | None, actor: Actor, act: str, account: Account, params: Mapping[str, Any]
) -> None:
    """Store what is done, in the transaction that does it."""
    assert account.id is not None
    session.add(
        SiteRecord(
            subject_id=account.id,
            account_id=by.id if by is not None else None,
            act=act,
            reason=actor.reason,
            params=msgspec.json.encode(params).decode(),
            at=clock.now(),
        )
    )


def record_of(session: Session, account_id: int | None = None) -> list[tuple[SiteRecord, str | None]]:
    """What was done, to one account or to all, the newest first, each with who did it: None for the operator."""
    query = select(SiteRecord, Account.name).outerjoin(Account, col(Account.id) == col(SiteRecord.account_id))
    if account_id is not None:
        query = query.where(col(SiteRecord.subject_id) == account_id)
    rows = session.exec(query.order_by(col(SiteRecord.id).desc()))
    return [(row, name if row.account_id is not None else None) for row, name in rows]
