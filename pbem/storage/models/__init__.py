"""All tables. Moments are aware datetimes in UTC (`Utc`); bytes are canonical msgpack unless another form is named."""

from pbem.storage.models.games import Game, Observer, Proposal, Ruling, Seat, Standby, Tenure, Vote
from pbem.storage.models.mail import Inbound, Letter, Press
from pbem.storage.models.people import Absence, Account, Address, ApiToken, Note, SignInLink, SiteRecord, Unwanted
from pbem.storage.models.play import JournalEntry, Picture, Report, Seals, Snapshot, StageTime, Submission
from pbem.storage.models.running import Chore, Heartbeat, Setting
from pbem.storage.models.whatifs import WhatIf, WhatIfMoment

__all__ = [
    "Absence",
    "Account",
    "Address",
    "ApiToken",
    "Chore",
    "Game",
    "Heartbeat",
    "Inbound",
    "JournalEntry",
    "Letter",
    "Note",
    "Observer",
    "Picture",
    "Press",
    "Proposal",
    "Report",
    "Ruling",
    "Seals",
    "Seat",
    "Setting",
    "SignInLink",
    "SiteRecord",
    "Snapshot",
    "StageTime",
    "Standby",
    "Submission",
    "Tenure",
    "Unwanted",
    "Vote",
    "WhatIf",
    "WhatIfMoment",
]
