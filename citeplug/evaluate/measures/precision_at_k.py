"""Precision@k (LitLLM, section 3.4, Eq. 1)."""

from collections.abc import Collection, Sequence


def precision_at_k(retrieved: Sequence[str], cited: Collection[str], k: int) -> float | None:
    """Return |Retrieved@k and GT| / k; results that are missing from the first `k` count as misses.

    None without cited papers.
    """
    return len(set(cited).intersection(retrieved[:k])) / k if cited else None
