"""The three kinds of wrong, as exceptions: the user's input, the server under test, us.

Anything that reaches the boundary and is none of these is by definition a bug of ours.
"""

from mcpeak.command import exits
from mcpeak.messages import Words, say


class Failure(Exception):  # noqa: N818 - the house's word
    """Something expected went wrong. `code`/`detail` never change with the language; `room` holds the words.

    The words are those of `detail` where the catalogue has it, else of `code`.
    """

    exit = exits.UNREADABLE

    def __init__(
        self,
        code: str,
        *,
        room: str = "command",
        detail: str | None = None,
        exit_code: int | None = None,
        **values: object,
    ) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.room = room
        self.values = values
        if exit_code is not None:
            self.exit = exit_code

    @property
    def words(self) -> Words:
        """The message and its hint in the language of this process."""
        return say(self.room, self.detail or self.code, **self.values)


class UsageError(Failure):
    """The command line is wrong (exit 2; a wired command: 1 and CLI_USAGE)."""

    exit = exits.USAGE


class InputError(Failure):
    """What the user gave us to read is wrong (exit 3)."""

    exit = exits.UNREADABLE


class ServerError(Failure):
    """The server under test could not be started or reached (exit 4)."""

    exit = exits.UNREACHABLE
