"""The user's settings in `config.toml` of CITEPLUG_HOME: the language model, its limits, the choice of papers, consent.

    dense = "whole"                 # choose papers from all that is embedded (docs/retrieval.md)

    [language_model]
    use = "anthropic"               # or "openai", "none"; with a model: "openai:qwen3:8b"
    model = "claude-opus-5-5"
    max_cost = 1.50                 # US dollars for each run
    max_tokens = 400000             # read and written, for each run
    at_once = 4                     # requests at a time

    [language_model.stages]         # queries, ranking, summaries, plan, prose, judge
    ranking = "claude-haiku-5-5"

    [watch]                         # for `citeplug watch`
    language_model = true           # may use that model
    max_cost_per_day = 0.50         # US dollars, over all projects
    max_tokens_per_day = 200000     # read and written, over all projects

    [full_text]
    online = true                   # texts of papers may be fetched from arXiv without --online

No file of a project is ever read for this: a project is not trusted with a provider or a budget.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from citeplug.errors import UsageError
from citeplug.records.dialogue import Stage
from citeplug.settings.environment import DENSE

FILE = "config.toml"
STAGES: tuple[Stage, ...] = get_args(Stage)


@dataclass(frozen=True, slots=True)
class Watching:
    """Use of the language model by `citeplug watch`; limits are for a day, over all projects (None: no limit)."""

    language_model: bool = False
    max_cost_per_day: float | None = None
    max_tokens_per_day: int | None = None


@dataclass(frozen=True, slots=True)
class Preferences:
    """Settings of the user. `use` is as `--llm`; `max_cost` is in US dollars, `max_tokens` counts those read and
    written, each for one run, None: no limit. `at_once` is the number of concurrent requests, 1 to 64. `fetch_texts`:
    texts of papers may be fetched from arXiv without `--online`. `dense` is one of `environment.DENSE`, None: not said.
    """

    use: str = "none"
    model: str | None = None
    stages: Mapping[Stage, str] = field(default_factory=dict)
    max_cost: float | None = None
    max_tokens: int | None = None
    at_once: int = 4
    watch: Watching = Watching()
    fetch_texts: bool = False
    dense: str | None = None


def read_preferences(home: Path) -> Preferences:
    """Read the user's preferences; the defaults without a file. Raises UsageError on anything invalid."""
    path = home / FILE
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return Preferences()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read", "make it readable UTF-8, or remove it") from error
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of too many digits is no TOMLDecodeError
        raise UsageError(f"{path} is not TOML: {error}", "docs/models.md shows its settings") from error
    return _preferences(document, path)


def _preferences(document: Mapping[str, Any], path: Path) -> Preferences:
    _only_known(document, ("language_model", "watch", "full_text", "dense"), "", path)
    table = _of_kind(document.get("language_model", {}), dict, "language_model", path)
    _only_known(table, (*_READERS, "stages"), "language_model.", path)
    stages = _of_kind(table.get("stages", {}), dict, "language_model.stages", path)
    _only_known(stages, STAGES, "language_model.stages.", path)
    for stage, name in stages.items():
        _name(name, f"language_model.stages.{stage}", path)
    given = {
        name: reader(table[name], f"language_model.{name}", path) for name, reader in _READERS.items() if name in table
    }
    watch = _of_kind(document.get("watch", {}), dict, "watch", path)
    _only_known(watch, tuple(_WATCH_READERS), "watch.", path)
    watching = {
        name: reader(watch[name], f"watch.{name}", path) for name, reader in _WATCH_READERS.items() if name in watch
    }
    texts = _of_kind(document.get("full_text", {}), dict, "full_text", path)
    _only_known(texts, ("online",), "full_text.", path)
    fetch = _yes_or_no(texts.get("online", False), "full_text.online", path)
    dense = document.get("dense")
    if dense is not None and dense not in DENSE:
        raise UsageError(f"{path}: dense is out of range", f"write {' or '.join(DENSE)} in quotes, or remove it")
    return Preferences(stages=stages, watch=Watching(**watching), fetch_texts=fetch, dense=dense, **given)


def _only_known(table: Mapping[str, Any], known: tuple[str, ...], where: str, path: Path) -> None:
    """Refuse unknown names: a misspelled limit must not count as no limit."""
    for name in table:
        if name not in known:
            raise UsageError(f"{path}: unknown key {where}{name}", f"known are {', '.join(known)}")


def _of_kind(value: Any, kind: type, where: str, path: Path) -> Any:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise UsageError(f"{path}: {where} has a value of the wrong type", "docs/models.md shows an example")
    return value


def _name(value: Any, where: str, path: Path) -> str:
    name: str = _of_kind(value, str, where, path)
    if not name.strip() or not name.isprintable():
        raise UsageError(f"{path}: {where} is empty", "give a name, or remove the line")
    return name.strip()


def _dollars(value: Any, where: str, path: Path) -> float:
    number = _of_kind(value, int | float, where, path)  # type: ignore[arg-type]
    if not 0 < number <= 10**12:
        raise UsageError(f"{path}: {where} is out of range", "give US dollars, such as 1.50")
    return float(number)


def _whole(least: int, most: int) -> Callable[[Any, str, Path], int]:
    def read(value: Any, where: str, path: Path) -> int:
        number: int = _of_kind(value, int, where, path)
        if not least <= number <= most:
            raise UsageError(f"{path}: {where} is out of range", f"give a number from {least} to {most}")
        return number

    return read


def _yes_or_no(value: Any, where: str, path: Path) -> bool:
    if not isinstance(value, bool):
        raise UsageError(f"{path}: {where} is neither true nor false", "write true or false, without quotes")
    return value


_READERS: dict[str, Callable[[Any, str, Path], Any]] = {
    "use": _name,
    "model": _name,
    "max_cost": _dollars,
    "max_tokens": _whole(1, 10**12),
    "at_once": _whole(1, 64),
}
_WATCH_READERS: dict[str, Callable[[Any, str, Path], Any]] = {
    "language_model": _yes_or_no,
    "max_cost_per_day": _dollars,
    "max_tokens_per_day": _whole(1, 10**12),
}
