"""Coverage of the cited papers by all that was retrieved (LitLLM, Table 1)."""

from collections.abc import Collection


def coverage(retrieved: Collection[str], cited: Collection[str]) -> float | None:
    """Return the share of the cited papers that was retrieved at any rank; None without cited papers.

    It rises with the length of the list: numbers are comparable between lists of one length (LitLLM's have 100 papers,
    with Deep Research 200).
    """
    return len(set(cited).intersection(retrieved)) / len(set(cited)) if cited else None
