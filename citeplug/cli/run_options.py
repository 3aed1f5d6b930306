"""Options that `related` and `plan` share, as one record."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from citeplug.cli import options

if TYPE_CHECKING:
    from pathlib import Path

    from citeplug.llm.chosen_model import Wanted
    from citeplug.settings.environment import Settings
    from citeplug.sync.watch.context import WatchOverrides


@dataclass(frozen=True, slots=True)
class Means:
    """Options for the services that may be asked and the models that find papers; None where not given."""

    offline: bool
    online: bool
    embedder: str | None
    rescorer: str | None
    device: str | None

    def settings(self, main: "Path | None") -> "Settings":
        """The settings for the project of `main`, None for that of the current folder."""
        from citeplug.corpus.stores import for_project, settings

        chosen = settings(
            offline=self.offline,
            online=self.online,
            embedder=self.embedder,
            rescorer=self.rescorer,
            device=self.device,
        )
        return for_project(chosen, main)


@dataclass(frozen=True, slots=True)
class PaperOptions(Means):
    """Options of `papers`, by which papers are chosen. `choices` are values by the names of the table of choices."""

    choices: dict[str, Any]

    def given(self, **more: Any) -> dict[str, Any]:
        """The choices that were given, and `more` of one command alone. Raises UsageError as `options.given` does."""
        return options.given(**self.choices, **more)


@dataclass(frozen=True, slots=True)
class RunOptions(PaperOptions):
    """Options of `related` and `plan`."""

    plan_text: str | None
    as_published: bool
    llm: str | None
    models: tuple[str, ...]
    max_cost: float | None
    max_tokens: int | None

    def model(self, *, rehearse: bool, afresh: bool = False) -> "Wanted":
        """Return the language model asked for; `rehearse` and `afresh` as in `Wanted`."""
        from citeplug.llm.chosen_model import Wanted

        return Wanted(self.llm, self.models, self.max_cost, self.max_tokens, rehearse=rehearse, afresh=afresh)


@dataclass(frozen=True, slots=True)
class UpkeepOptions(Means):
    """Options of `watch` and `overleaf sync`, which keep a section as it was last written."""

    breadth: int | None
    diversity: float | None

    def overrides(self, *, model: bool = False) -> "WatchOverrides":
        from citeplug.sync.watch.context import WatchOverrides

        return WatchOverrides(self.breadth, self.diversity, online=self.online, model=model)


_BREADTH, _DIVERSITY = "Papers in the section.", "0: relevance alone; 1: spread alone."
_MEANS = (options.embedder, options.rescorer, options.device)
_SPREAD = options.number("diversity", f"{_DIVERSITY} [default: 0.3]")
_FILTERS = (
    options.before,
    options.categories,
    options.topics,
    options.whole_draft,
    options.deep,
    options.pins,
)
_RUN = (
    options.offline,
    options.online,
    options.language_model,
    options.plan_text,
    options.as_published,
    options.rank,
    options.number("breadth", f"{_BREADTH} [default: 20, or as --words asks]"),
    _SPREAD,
    options.number("words", "Length of the section, without a language model an upper bound; default: as it needs."),
    options.quotes,
    options.pinpoint,
    *_FILTERS,
    *_MEANS,
)
_PAPERS = (
    options.offline,
    options.online,
    options.number("breadth", f"{_BREADTH} [default: 20]"),
    _SPREAD,
    *_FILTERS,
    *_MEANS,
)
_UPKEEP = (
    options.offline,
    options.online,
    options.number("breadth", f"{_BREADTH} [default: as it was last written]"),
    options.number("diversity", f"{_DIVERSITY} [default: as it was last written]"),
    *_MEANS,
)
_OF_PAPERS = (
    "breadth",
    "diversity",
    "before",
    "categories",
    "topics",
    "whole_draft",
    "deep",
    "pin",
    "exclude",
)
_CHOICES = ("rank", "words", "quotes", "pinpoint", *_OF_PAPERS)


def of_a_run(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that `related` and `plan` share; the command receives them as `run`."""

    @functools.wraps(function)
    def command(**values: Any) -> None:
        choices = {name: values.pop(name) for name in _CHOICES}
        function(run=_record(RunOptions, values, choices=choices), **values)

    return _with_options(_RUN, command)


def of_papers(function: Callable[..., None]) -> Callable[..., None]:
    """All options by which papers are chosen, which the command is given as `run`."""

    @functools.wraps(function)
    def command(**values: Any) -> None:
        choices = {name: values.pop(name) for name in _OF_PAPERS}
        function(run=_record(PaperOptions, values, choices=choices), **values)

    return _with_options(_PAPERS, command)


def of_upkeep(function: Callable[..., None]) -> Callable[..., None]:
    """All options of keeping a section current, which the command is given as `upkeep`."""

    @functools.wraps(function)
    def command(**values: Any) -> None:
        function(upkeep=_record(UpkeepOptions, values), **values)

    return _with_options(_UPKEEP, command)


def _record(kind: type[Means], values: dict[str, Any], **made: Any) -> Any:
    """A record of `made` and of the values that bear the names of its other fields, which are taken out."""
    names = [field.name for field in fields(kind) if field.name not in made]
    return kind(**{name: values.pop(name) for name in names}, **made)


def _with_options(chosen: Sequence[Any], command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(chosen):
        command = option(command)
    return command
