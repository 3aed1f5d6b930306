"""Ids of papers as runs and gold sets write them."""

from citeplug.records.paper import ArxivId


def plain_id(text: str) -> str:
    """Return an arXiv id bare and without version, however it is written; any other id as it stands."""
    try:
        return ArxivId.parse(text).value
    except ValueError:
        return text.strip()
