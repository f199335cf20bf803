"""Figures, each beside a yardstick measured in the same run. Nothing here asserts a time."""
