"""A storm over the real service: processes are killed, servers and disk fail, and nothing is lost or doubled."""
