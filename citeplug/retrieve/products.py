"""Products of small matrices, on one core."""

from collections.abc import Callable
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def on_one_core(function: Callable[P, R]) -> Callable[P, R]:
    """A function during which numpy's products take one thread.

    For some hundred vectors a second one gains nothing, and OpenBLAS lets it spin for longer than the product took: a
    third of a search's processor time.
    """

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with _libraries().limit(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return limited


@cache
def _libraries() -> Any:
    import numpy  # noqa: F401 (only what is loaded is found)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
