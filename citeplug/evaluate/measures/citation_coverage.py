"""Citation coverage: of the papers that a text was to cite, those that it cites (LitLLM, Table 5)."""

from collections.abc import Collection


def citation_coverage(cited: Collection[str], planned: Collection[str]) -> float | None:
    """Return the share of `planned` that the text cites; None without any. Further citations do not count."""
    return len(set(planned).intersection(cited)) / len(set(planned)) if planned else None
