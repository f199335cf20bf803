"""What `pbem` and `python -m pbem` start."""

from pbem.collector import leave_alone


def main() -> None:
    """The command line."""
    with leave_alone():  # looking for garbage was a fifth of what a short command took
        from pbem.cli import main as command  # noqa: PLC0415 - what it imports is what takes so long
    command()


if __name__ == "__main__":
    main()
