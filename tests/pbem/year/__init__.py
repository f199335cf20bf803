"""A year of games that nobody moderates, among people as they are: see `tests.pbem.year.people`."""
