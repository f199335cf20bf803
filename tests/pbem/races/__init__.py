"""What happens at the same moment, on real threads and both databases: the journal explains what came of it."""
