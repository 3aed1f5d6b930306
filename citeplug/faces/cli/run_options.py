"""Options of a run, which `related` and `plan` share: declared once, and handed on as one record."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from citeplug.faces.cli import options

if TYPE_CHECKING:
    from citeplug.settings.environment import Settings
    from citeplug.usecases.chosen_model import Wanted


@dataclass(frozen=True, slots=True)
class RunOptions:
    """`choices` are values by the names of the table of choices; what the user did not say is None or empty."""

    choices: dict[str, Any]
    offline: bool
    online: bool
    plan_text: str | None
    llm: str | None
    models: tuple[str, ...]
    max_cost: float | None
    max_tokens: int | None
    embedder: str | None
    rescorer: str | None
    device: str | None

    def given(self, **more: Any) -> dict[str, Any]:
        """What was said; `more` are choices that one command alone has. Raises UsageError as `options.given` does."""
        return options.given(**self.choices, **more)

    def settings(self) -> "Settings":
        from citeplug.usecases.stores import settings

        return settings(
            offline=self.offline,
            online=self.online,
            embedder=self.embedder,
            rescorer=self.rescorer,
            device=self.device,
        )

    def model(self, *, rehearse: bool, afresh: bool = False) -> "Wanted":
        """The language model that is wanted; `rehearse` and `afresh` as there."""
        from citeplug.usecases.chosen_model import Wanted

        return Wanted(self.llm, self.models, self.max_cost, self.max_tokens, rehearse=rehearse, afresh=afresh)


_OPTIONS = (
    options.offline,
    options.online,
    options.language_model,
    options.plan_text,
    options.rank,
    options.breadth,
    options.diversity,
    options.words,
    options.before,
    options.categories,
    options.topics,
    options.pins,
    options.embedder,
    options.rescorer,
    options.device,
)
_CHOICES = ("rank", "breadth", "diversity", "words", "before", "categories", "topics", "pin", "exclude")
_OTHERS = tuple(name for name in RunOptions.__dataclass_fields__ if name != "choices")


def of_a_run(function: Callable[..., None]) -> Callable[..., None]:
    """All options of a run, which the command is given as `run`."""

    @functools.wraps(function)
    def command(**values: Any) -> None:
        choices = {name: values.pop(name) for name in _CHOICES}
        others = {name: values.pop(name) for name in _OTHERS}
        function(run=RunOptions(choices, **others), **values)

    for option in reversed(_OPTIONS):
        command = option(command)
    return command
