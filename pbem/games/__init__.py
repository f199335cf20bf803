"""Games: made, joined, begun, played on stage by stage, and closed."""
