"""Everything that `pbem up` does, from the empty folder to the clean stop."""

import os
from pathlib import Path

from pbem import keys, logs
from pbem.settings import CONFIG, PREFIX, Settings
from pbem.supervisor import datadir
from pbem.supervisor.child import Child
from pbem.supervisor.ports import claimable
from pbem.supervisor.programs import broker_url, programs
from pbem.supervisor.upgrade import upgrade, upgrade_beside_others
from pbem.supervisor.watch import Watch

log = logs.get(__name__)


def up(settings: Settings) -> None:
    """Run the service until it is told to stop.

    Raises datadir.InUse, migrate.NewerDatabase, migrate.StopFirst, broker.SocketPathTooLong, watch.DidNotStart, Refused
    `port_taken`.
    """
    held = datadir.claim(settings.data_dir)
    try:
        claimable(settings)
        keys.ensure(settings.keys)
        keys.load(settings.keys)
        # Whoever has the data folder is alone with an SQLite file in it; PostgreSQL others may be using too.
        backup = upgrade_beside_others(settings) if settings.database_url else upgrade(settings)
        if backup is not None:
            log.info("database was copied before it was brought up to date", copy=backup.name)
        environment = child_environment(settings)
        groups = programs(settings)
        Watch([[Child(program, environment, held) for program in group] for group in groups]).run()
    finally:
        os.close(held)


def child_environment(settings: Settings) -> dict[str, str]:
    """The environment of the programs: ours, with the broker that was chosen and paths that hold in any folder."""
    ours = dict(os.environ)
    ours[PREFIX + "DATA_DIR"] = str(settings.data_dir.resolve())
    ours[PREFIX + "REDIS_URL"] = broker_url(settings)
    if CONFIG in ours:
        ours[CONFIG] = str(Path(ours[CONFIG]).resolve())
    return ours
