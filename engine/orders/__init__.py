"""Orders written ahead: their shape, the sheet that holds them, and the reader that makes them from what a player wrote."""
