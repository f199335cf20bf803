"""The service: games, seats, sheets, stages, reports, mail, web, command line, storage."""
