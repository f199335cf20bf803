"""The sharp stand-in: it plays each of a few candidate choices on in imagined states, and takes the most promising."""
