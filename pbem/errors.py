"""What the service refuses, as codes and parameters: the words are made by who shows them."""


class Refused(Exception):
    """An act that can't be done now. Nothing was changed.

    The codes are those of `pbem.refusals`.
    """

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class Busy(Exception):
    """The game changed again and again while the work was done: the sweep will try once more."""
