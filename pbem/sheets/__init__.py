"""Sheets: what players send, what is made of it, and what they are told."""
