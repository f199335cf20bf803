"""Whole games among stand-ins, in many processes, and the figures of them. It knows no game: only the contract."""
