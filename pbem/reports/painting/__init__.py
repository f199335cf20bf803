"""Drawings painted piece by piece: what looks the same in many of them is drawn once."""
