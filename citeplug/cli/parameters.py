"""A command is a function of one record: the fields of the record are the command's options and arguments.

    @parameters
    class SearchParams(Output):
        text: str | None = argument("[TEXT]")
        count: int = option("Maximum number of results.", "-k", default=20, between=(1, 10_000))

    @command("Example: citeplug search 'graph attention'", everyday=("count",))
    def search(params: SearchParams) -> None: ...

The type of a field says what is read: `bool` is a flag, or a pair `--x/--no-x` where it may be None or is True by
default; a tuple is repeatable; a `Literal` is one of its names. A class that stands before another in the list of
bases is shown first.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import Field, dataclass, field, fields
from datetime import date
from functools import partial
from inspect import get_annotations
from pathlib import Path
from types import NoneType
from typing import Any, Literal, TypeVar, dataclass_transform, get_args, get_origin, get_type_hints

import click

from citeplug.cli.help_groups import GroupedCommand

Params = TypeVar("Params")
_METADATA = "click"


@dataclass(frozen=True, slots=True)
class _Parameter:
    """What click needs beside a field's name and type. `names` are without those that follow from the field's.

    `between` are the least and the greatest number; `settings` are further arguments of `click.Option` or
    `click.Argument`.
    """

    names: tuple[str, ...]
    is_argument: bool
    between: tuple[Any, Any] | None
    settings: dict[str, Any]


@dataclass_transform(kw_only_default=True, frozen_default=True)
def parameters(record: type[Params]) -> type[Params]:
    """Make a class a frozen dataclass of parameters: a flag that is not given is False, what is repeatable is ()."""
    annotations: dict[str, Any] = get_annotations(record)
    for name, kind in annotations.items():
        entry = record.__dict__.get(name)
        if isinstance(entry, Field) and entry.default is None:
            entry.default = False if kind is bool else () if get_origin(kind) is tuple else None
    return dataclass(frozen=True, kw_only=True)(record)


def option(
    help_text: str,
    *names: str,
    default: Any = ...,
    between: tuple[Any, Any] | None = None,
    **settings: Any,
) -> Any:
    """A field that is an option; `names` are its short name, and its long one if it is not the field's.

    Without `default` it is None, or as `parameters` makes it; help shows one that was given.
    """
    parameter = _Parameter(names, False, between, {"help": help_text, **settings})
    return field(default=None if default is ... else default, metadata={_METADATA: parameter})


def argument(metavar: str | None = None, *, default: Any = None, **settings: Any) -> Any:
    """A field that is an argument: left out it is `default`; required where the field's type has no None."""
    return field(default=default, metadata={_METADATA: _Parameter((), True, None, {"metavar": metavar, **settings})})


def command(
    epilog: str,
    *,
    group: click.Group | None = None,
    everyday: Sequence[str] = (),
    not_shown: Sequence[str] = (),
    **settings: Any,
) -> Callable[[Callable[[Params], None]], click.Command]:
    """Make a command of a function whose one argument is a record of parameters.

    `everyday` are fields shown first in its help, which then stands under headings; `not_shown` are options that
    are taken, and that help leaves out: another one does the same, or they are settings that hardly a call changes.
    """

    def made(function: Callable[[Params], None]) -> click.Command:
        record = next(iter(get_type_hints(function).values()))
        kind = partial(GroupedCommand, everyday=everyday) if everyday else click.Command
        result = kind(
            function.__name__.rstrip("_"),
            callback=lambda **values: function(record(**values)),
            params=list(_parameters(record, not_shown)),
            help=function.__doc__,
            epilog=epilog,
            **settings,
        )
        if group is not None:
            group.add_command(result)
        return result

    return made


def _parameters(record: type, not_shown: Sequence[str]) -> Iterator[click.Parameter]:
    """The click parameters of a record: those of the class itself before those of its bases, in their order."""
    hints = get_type_hints(record)
    by_name = {entry.name: entry for entry in fields(record)}
    for owner in record.__mro__:
        for name in get_annotations(owner):
            if (entry := by_name.pop(name, None)) is not None:
                yield _parameter(entry, hints[name], {"hidden": True} if name in not_shown else {})


def _parameter(entry: "Field[Any]", hint: Any, more: dict[str, Any]) -> click.Parameter:
    parameter: _Parameter = entry.metadata[_METADATA]
    settings = parameter.settings | more
    kinds = [kind for kind in get_args(hint) if kind is not NoneType] if NoneType in get_args(hint) else [hint]
    kind, optional = kinds[0], NoneType in get_args(hint)
    repeatable = get_origin(kind) is tuple and not settings.pop("together", False)
    if repeatable:
        kind = get_args(kind)[0]
    # To click, a default of None is a value, so that nothing would be missing.
    default: dict[str, Any] = {} if entry.default is None else {"default": entry.default}
    if parameter.is_argument:
        settings.setdefault("type", _type(kind, None))
        if repeatable:
            return click.Argument([entry.name], nargs=-1, **settings)
        required = not optional and entry.default is None
        return click.Argument([entry.name], required=required, **default, **settings)
    long = any(name.startswith("--") for name in parameter.names)
    named = entry.name.replace("_", "-")
    names = [*parameter.names, *([] if long or parameter.names else [f"--{named}"]), entry.name]
    if kind is bool and (optional or entry.default is True):
        pair = [f"--{named}/--no-{named}", entry.name]
        return click.Option(pair, default=entry.default, show_default=entry.default is not None, **settings)
    if kind is bool:
        return click.Option(names, is_flag=True, **settings)
    if settings.get("count"):
        return click.Option(names, **settings)
    settings.setdefault("type", _type(kind, parameter.between))
    if parameter.between is not None:
        settings.setdefault("metavar", "N" if kind is int else "X")
    settings.setdefault("show_default", entry.default not in (None, ()))
    return _Option(names, multiple=repeatable, **default, **settings)


class _Option(click.Option):
    """An option whose help leaves its range out: the error names it to whoever needs it."""

    def get_help_extra(self, ctx: click.Context) -> "click.types.OptionHelpExtra":
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        return extra


def _type(kind: Any, between: tuple[Any, Any] | None) -> Any:
    if between is not None:
        return click.IntRange(*between) if kind is int else click.FloatRange(*between)
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if kind is Path:
        return click.Path(path_type=Path)
    return Day() if kind is date else kind


class Day(click.ParamType[date]):
    """A date written YYYY-MM-DD, or a year for its first day."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value if len(value) != 4 else f"{value}-01-01")
        except ValueError:
            self.fail(f"{value!r} is not a date; write YYYY-MM-DD, or a year", param, ctx)
