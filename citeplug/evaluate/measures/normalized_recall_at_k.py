"""Normalised recall@k (LitLLM, section 3.4, Eq. 1; worked example in appendix D.1)."""

from collections.abc import Collection, Sequence


def normalized_recall_at_k(retrieved: Sequence[str], cited: Collection[str], k: int) -> float | None:
    """Return |Retrieved@k and GT| / |Retrieved and GT|: the order alone, whatever retrieval missed.

    `retrieved` is the whole ranked list. None where no cited paper was retrieved. D.1 prints 0.10 for 4 of 10 (it has
    1/10 where its own 4 belongs), a slip of the text that Eq. 1 does not have, so that there is one form.
    """
    found = set(cited).intersection(retrieved)
    return len(found.intersection(retrieved[:k])) / len(found) if found else None
