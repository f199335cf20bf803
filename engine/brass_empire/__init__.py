"""Brass Empire: companies hire, build and fight for the brass of a region."""

from engine.brass_empire.module import MODULE

__all__ = ["MODULE"]
