"""Leaks looked for at size, in any rules: at every decision, in what letters tell, and on every page."""
