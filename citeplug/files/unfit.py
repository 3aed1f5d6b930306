"""The one reason why a file gives no text."""


class Unfit(Exception):
    """A file is not read. `code` names the reason for programs, `hint` says what to do."""

    def __init__(self, code: str, why: str, hint: str = "") -> None:
        super().__init__(why)
        self.code = code
        self.hint = hint
