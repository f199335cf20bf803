"""What the players of a game decide together: somebody proposes, the others vote, and what carries is done."""
