"""Rules and play. Pure: no web, no database, no mail, no clock, no global randomness, no environment."""
