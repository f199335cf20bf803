"""Print what one random game comes to: `python -m engine.conformance NAME SETUP-AS-JSON SEED`."""

import sys

from engine.conformance.course import bound, fingerprint
from engine.registry import load

if __name__ == "__main__":
    _, name, setup, seed = sys.argv
    sys.stdout.write(fingerprint(bound(load(name), setup), int(seed)) + "\n")
