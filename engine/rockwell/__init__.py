"""Rockwell: four companies drill for cubes on their way to the centre of the Earth."""
