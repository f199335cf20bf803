"""What the service refuses, as codes and parameters: the words are made by who shows them."""


class Refused(Exception):
    """An act that can't be done now. Nothing was changed.

    Codes: `no_game`, `no_seat`, `no_account`, `unknown_rules`, `bad_option`, `bad_pace`, `bad_seats`, `wrong_status`,
    `not_moderator`, `no_reason`, `bad_address`, `bad_zone`, `bad_language`, `seat_taken`, `all_not_joined`,
    `deadline_past`, `link_void`, `nothing_to_confirm`, `bad_time`, `bad_absence`,
    `bad_code`.
    """

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class Busy(Exception):
    """The game changed again and again while the work was done: the sweep will try once more."""
