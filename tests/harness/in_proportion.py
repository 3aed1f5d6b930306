"""Whether what a piece of work costs grows with its size, or with the square of it."""

import time
from collections.abc import Callable

MOST = 9.0  # four times the size costs 4 times as much in proportion, 16 times with the square


def growth(work: Callable[[int], object], size: int) -> float:
    """How many times as much processor time `work` takes for four times `size`; the least of three runs each."""

    def seconds(count: int) -> float:
        start = time.process_time()
        work(count)
        return time.process_time() - start

    work(size // 10)  # what is compiled and imported once
    small, large = (min(seconds(count) for _ in range(3)) for count in (size, 4 * size))
    return large / max(small, 0.01)  # less is lost in what else the machine does
