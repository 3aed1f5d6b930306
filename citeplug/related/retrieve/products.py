"""Matrix products on one core."""

from collections.abc import Callable
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def on_one_core(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function so that numpy's matrix products in it use one thread.

    For some hundred vectors more threads gain nothing, and OpenBLAS lets them spin for longer than the product takes:
    a third of a search's processor time.
    """

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with _libraries().limit(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return limited


@cache
def _libraries() -> Any:
    import numpy  # noqa: F401 (the controller finds only loaded libraries)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
