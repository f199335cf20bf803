"""Rockwell: companies drill for cubes on their way to the centre of the Earth."""

from engine.rockwell.module import MODULE

__all__ = ["MODULE"]
