"""The user's settings in `config.toml` of CITEPLUG_HOME: the language model, its limits, vectors, consent.

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
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from citeplug.errors import UsageError
from citeplug.records.dialogue import Stage
from citeplug.records.setting import Kind, Setting, setting, settings_of
from citeplug.settings.environment import DENSE
from citeplug.settings.known_settings import read_table

FILE = "config.toml"
STAGES: tuple[Stage, ...] = get_args(Stage)
_DOLLARS = (0.0001, 10**12)
_TOKENS = (1, 10**12)


def _own(
    default: Any,
    kind: Kind,
    key: str,
    option: str | None = None,
    *,
    between: tuple[float, float] = (0, 0),
    among: tuple[str, ...] = (),
) -> Any:
    """A field that the user's file sets by `key`, and nothing of a project."""
    return setting(default, kind, "", option=option, document=None, toml=key, between=between, among=among)


@dataclass(frozen=True, slots=True)
class Watching:
    """Use of the language model by `citeplug watch`; limits are for a day, over all projects (None: no limit)."""

    language_model: bool = _own(False, "switch", "watch.language_model")
    max_cost_per_day: float | None = _own(None, "number", "watch.max_cost_per_day", between=_DOLLARS)
    max_tokens_per_day: int | None = _own(None, "whole", "watch.max_tokens_per_day", between=_TOKENS)


@dataclass(frozen=True, slots=True)
class Preferences:
    """Settings of the user. `use` is as `--llm`; `max_cost` is in US dollars, `max_tokens` counts those read and
    written, each for one run, None: no limit. `at_once` is the number of concurrent requests, 1 to 64. `fetch_texts`:
    texts of papers may be fetched from arXiv without `--online`. `dense` is one of `environment.DENSE`, None: not set.
    """

    use: str = _own("none", "text", "language_model.use", "--llm")
    model: str | None = _own(None, "text", "language_model.model", "--model")
    stages: Mapping[Stage, str] = field(default_factory=dict)
    max_cost: float | None = _own(None, "number", "language_model.max_cost", "--max-cost", between=_DOLLARS)
    max_tokens: int | None = _own(None, "whole", "language_model.max_tokens", "--max-tokens", between=_TOKENS)
    at_once: int = _own(4, "whole", "language_model.at_once", between=(1, 64))
    watch: Watching = Watching()
    fetch_texts: bool = _own(False, "switch", "full_text.online")
    dense: str | None = _own(None, "one", "dense", among=DENSE)


PREFERENCES: Mapping[str, Setting] = {
    **{str(entry.toml): entry for record in (Preferences, Watching) for entry in settings_of(record)},
    **{key: Setting(key, "text", None, toml=key) for key in (f"language_model.stages.{stage}" for stage in STAGES)},
}


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
        raise UsageError(f"{path} is not TOML: {error}", "docs/configuration.md shows its settings") from error
    values = read_table(document, PREFERENCES, lambda _, what, hint: UsageError(f"{path}: {what}", hint))

    def of(record: type) -> dict[str, Any]:
        return {entry.name: values[entry.toml] for entry in settings_of(record) if entry.toml in values}

    names = {stage: values.get(f"language_model.stages.{stage}") for stage in STAGES}
    stages = {stage: name for stage, name in names.items() if name is not None}
    return Preferences(stages=stages, watch=Watching(**of(Watching)), **of(Preferences))
