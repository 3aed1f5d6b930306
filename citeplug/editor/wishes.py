"""Options of a run in the argument of a command; a client is trusted as the command line is."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from citeplug.errors import UsageError
from citeplug.settings.known_settings import OF_A_RUN, as_plain, read_value

ARGUMENTS_HINT = "the documentation's page on language servers lists the arguments of commands"


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Options of a run. `given` are by the names of the choices, as JSON; `only` is the id of a paragraph.

    `llm`, `online` and `max_cost` are as on the command line; `stream`: send lines of the text while it is written.
    """

    given: Mapping[str, Any]
    insert: bool = False
    preview: bool = False
    only: str | None = None
    replan: bool = False
    stream: bool = False
    llm: str | None = None
    online: bool = False
    max_cost: float | None = None


def read_request(argument: Mapping[str, Any]) -> RunRequest:
    """Read the options. Raises UsageError on a value out of range."""
    options = {}
    for choice in OF_A_RUN:
        if argument.get(choice.name) is not None:
            try:
                options[choice.name] = as_plain(read_value(choice, argument[choice.name]))
            except ValueError as error:
                raise UsageError(f"{choice.name} {error}", ARGUMENTS_HINT) from None
    return RunRequest(
        options,
        insert=argument.get("insert") is True,
        preview=argument.get("preview") is True,
        only=_named(argument.get("place")),
        replan=argument.get("replan") is True,
        stream=argument.get("stream") is True,
        llm=_named(argument.get("llm")),
        online=argument.get("online") is True,
        max_cost=as_dollars(argument.get("max_cost")),
    )


def as_dollars(value: Any) -> float | None:
    """Return a limit in dollars; None if it is no positive number."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 < value < math.inf else None


def _named(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
