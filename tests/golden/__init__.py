"""Whole games that are played again on each change: the same journals, states and reports."""
