"""Observers: who they are, what they may see yet, and the reports and letters that show it to them."""
