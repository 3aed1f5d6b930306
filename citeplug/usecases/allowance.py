"""The language model that a watcher may ask by itself: by the user's own setting, and within a day's bound."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from citeplug.adapters.language.careful import CarefulModel
from citeplug.adapters.language.daily import DailyLimit
from citeplug.errors import BudgetReached, UsageError
from citeplug.settings.environment import Settings
from citeplug.settings.user_toml import FILE, read_preferences
from citeplug.usecases.chosen_model import Notice, Wanted, is_hosted, language_model


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a watcher may ask. `limit` is None for a model on this machine without one, which costs nothing."""

    chosen: Settings
    announce: Callable[[Notice], None]
    limit: DailyLimit | None

    @contextmanager
    def model(self) -> Iterator[CarefulModel]:
        """The model of config.toml. Raises UsageError, ModelUnavailable."""
        with language_model(Wanted(), self.chosen, self.announce, self.limit) as model:
            if not isinstance(model, CarefulModel):
                raise UsageError("no language model is settled any more", f"see [language_model] in {FILE}")
            yield model

    def used_up(self) -> str:
        """Why nothing can be asked any more today; empty if something can."""
        if self.limit is None:
            return ""
        try:
            left = self.limit.left()
        except BudgetReached as error:
            return str(error)
        return "" if left.cost > 0 and left.tokens > 0 else "what a language model may take in a day is spent"


def allowance(chosen: Settings, announce: Callable[[Notice], None]) -> Allowance | None:
    """What the user's config.toml allows watchers to ask; None without a word of it there.

    Raises UsageError for a model that may cost something without a bound for the day.
    """
    settled = read_preferences(chosen.home)
    watch = settled.watch
    if not watch.language_model:
        return None
    hosted = is_hosted(settled.use, chosen)
    where = chosen.home / FILE
    if hosted is None:
        raise UsageError(
            f"{where}: watch.language_model is set, and no language model is", "name one with language_model.use"
        )
    bounded = watch.max_cost_per_day is not None or watch.max_tokens_per_day is not None
    if hosted and not bounded:
        raise UsageError(
            f"{where}: a watcher asks a hosted language model only within a bound for the day",
            "set max_cost_per_day (US dollars) or max_tokens_per_day under [watch]",
        )
    limit = DailyLimit(chosen.home, watch.max_cost_per_day, watch.max_tokens_per_day) if bounded else None
    return Allowance(chosen, announce, limit)
