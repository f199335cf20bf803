"""What-ifs: a game copied at any point, for one person who plays all of its sides, without letters and in no list."""
