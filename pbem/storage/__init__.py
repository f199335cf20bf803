"""Where everything is kept: models, engines, sessions, migrations. The database is the truth, all else only nudges."""
