"""What a moderator does to a game: each act has a reason, is on record, and is told to the players."""
