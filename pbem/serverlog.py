"""The web server's own log: `gunicorn --logger-class pbem.serverlog.ServerLog`."""

from gunicorn.glogging import Logger  # type: ignore[import-untyped]

from pbem import logs
from pbem.settings import load


class ServerLog(Logger):  # type: ignore[misc]
    """What the web server says goes the way of our own logs, in the process that watches over the others too."""

    def setup(self, cfg: object) -> None:
        """Called again when the server is told to read its configuration anew."""
        super().setup(cfg)
        ours = load()  # and not the settings of this process: those that it starts read them for themselves
        logs.configure(ours.log_level, as_json=ours.log_json)
