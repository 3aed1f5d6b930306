"""Recall@k of the papers that the real paper cites (LitLLM, appendix D.1)."""

from collections.abc import Collection, Sequence


def recall_at_k(retrieved: Sequence[str], cited: Collection[str], k: int) -> float | None:
    """Return the share of the cited papers that is among the first `k` results; None without cited papers."""
    return len(set(cited).intersection(retrieved[:k])) / len(set(cited)) if cited else None
