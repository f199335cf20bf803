"""The API under /api/v1: what players do on pages, for their own programs. docs/api.md tells of it."""
