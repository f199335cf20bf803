"""Orders written ahead: their shape, the sheet that holds them, and the reader that makes them from text."""
