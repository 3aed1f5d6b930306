"""Checks of a run's options, before anything is done."""

from citeplug.errors import UsageError
from citeplug.records.outcome import RANKINGS, STRATEGIES, Options


def check_options(options: Options, *, with_model: bool) -> None:
    """Raise UsageError for a number out of range, a strategy or ranking that is none, or one that lacks its model."""
    if options.strategy not in STRATEGIES:
        raise UsageError(f"there is no strategy “{options.strategy}”", f"name one of {', '.join(STRATEGIES)}")
    if not 1 <= options.breadth <= 100:
        raise UsageError(f"breadth {options.breadth} is out of range", "give a number from 1 to 100")
    if not 0 <= options.diversity <= 1:
        raise UsageError(f"diversity {options.diversity:g} is out of range", "give a number from 0 to 1")
    if options.depth < 0:
        raise UsageError(f"depth {options.depth} is out of range", "give 0 or more")
    if options.rank is not None and options.rank not in RANKINGS:
        raise UsageError(f"there is no ranking “{options.rank}”", f"name one of {', '.join(RANKINGS)}")
    if options.rank not in (None, RANKINGS[0]) and not with_model:
        raise UsageError(
            f"--rank {options.rank} needs a language model", f"name one with --llm, or use --rank {RANKINGS[0]}"
        )
