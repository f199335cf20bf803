"""A day of a large service, at many times the speed: the programs of `pbem up` on PostgreSQL, and many players."""
