"""How the demo ends when it is told to."""

import subprocess
import sys

# Closing takes a while, in which the second signal comes.
_ENDED_TWICE = """
import os, signal, time
from pbem.demo import __main__ as demo

def play(*_):
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(60)

def close(house):
    for each in demo.ENDS:
        os.kill(os.getpid(), each)
        time.sleep(0.1)
    print("closed", flush=True)

demo._play, demo.House.close = play, close
demo.main()
"""


def test_a_second_signal_does_not_break_off_the_end_of_the_demo() -> None:
    """As `timeout` sends it, to the process and to its group: the game ends in peace, without a traceback."""
    ended = subprocess.run(
        [sys.executable, "-c", _ENDED_TWICE], capture_output=True, text=True, timeout=120, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("closed\nStopped.\n")
