"""Games as files: all that was played, for who wants to check it, keep it, or go on elsewhere."""
