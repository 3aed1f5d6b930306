"""Language model of `citeplug watch`: only by the user's own setting, and within a daily limit."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from citeplug.errors import BudgetReached, UsageError
from citeplug.llm.chosen_model import Notice, Wanted, is_hosted, language_model
from citeplug.llm.daily_limit import DailyLimit
from citeplug.llm.guarded import CarefulModel
from citeplug.settings.environment import Settings
from citeplug.settings.user_toml import FILE, read_preferences


@dataclass(frozen=True, slots=True)
class Allowance:
    """Permission to use a language model. `limit` is None for a model on this machine without a limit."""

    chosen: Settings
    announce: Callable[[Notice], None]
    limit: DailyLimit | None

    @contextmanager
    def model(self) -> Iterator[CarefulModel]:
        """Open the model of config.toml. Raises UsageError, ModelUnavailable."""
        with language_model(Wanted(), self.chosen, self.announce, self.limit) as model:
            if not isinstance(model, CarefulModel):
                raise UsageError("config.toml no longer names a language model", f"see [language_model] in {FILE}")
            yield model

    def used_up(self) -> str:
        """Return the reason why no more requests can be sent today; empty if some can."""
        if self.limit is None:
            return ""
        try:
            left = self.limit.left()
        except BudgetReached as error:
            return str(error)
        return "" if left.cost > 0 and left.tokens > 0 else "the daily limit for the language model is used up"


def allowance(settings: Settings, announce: Callable[[Notice], None]) -> Allowance | None:
    """Return the permission in the user's config.toml; None without one.

    Raises UsageError for a hosted model without a daily limit.
    """
    preferences = read_preferences(settings.home)
    watch = preferences.watch
    if not watch.language_model:
        return None
    hosted = is_hosted(preferences.use, settings)
    where = settings.home / FILE
    if hosted is None:
        raise UsageError(
            f"{where}: watch.language_model is true, but no model is chosen", "choose one with language_model.use"
        )
    bounded = watch.max_cost_per_day is not None or watch.max_tokens_per_day is not None
    if hosted and not bounded:
        raise UsageError(
            f"{where}: citeplug watch uses a hosted language model only with a daily limit",
            "set max_cost_per_day (US dollars) or max_tokens_per_day under [watch]",
        )
    limit = DailyLimit(settings.home, watch.max_cost_per_day, watch.max_tokens_per_day) if bounded else None
    return Allowance(settings, announce, limit)
