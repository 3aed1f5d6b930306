"""Small records for the tests of the corpus."""

import gzip
import json
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

from citeplug.records.paper import ArxivId, Paper


def make_paper(value: str = "1706.03762", **fields: Any) -> Paper:
    """A complete paper; `fields` replace the defaults."""
    given: dict[str, Any] = {
        "title": "Attention Is All You Need",
        "abstract": "We propose the Transformer, based solely on attention mechanisms.",
        "authors": ("Ashish Vaswani", "Noam Shazeer"),
        "published": date(2017, 6, 12),
        "updated": date(2017, 6, 12),
        "categories": ("cs.CL", "cs.LG"),
    }
    version = fields.pop("version", 1)
    return Paper(id=ArxivId(value, version), **{**given, **fields})


def make_record(number: int, **fields: Any) -> dict[str, Any]:
    """A line of the snapshot; the number makes id and texts differ."""
    return {
        "id": f"1801.{number:05d}",
        "submitter": None,
        "authors": "Ada Lovelace, Alan Turing and Emmy Noether",
        "title": f"On problem number {number}",
        "comments": None,
        "journal-ref": None,
        "doi": None,
        "categories": "cs.DS math.CO" if number % 2 else "stat.ML",
        "abstract": f"  We solve problem {number}\nin linear time.\n",
        "versions": [{"version": "v1", "created": f"2018-01-{number % 28 + 1:02d}"}],
        "update_date": f"2018-01-{number % 28 + 1:02d}",
        **fields,
    }


def write_snapshot(path: Path, records: Iterable[object]) -> Path:
    """Write JSON Lines; strings go in as they are, `.gz` is compressed."""
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    data = "".join(line + "\n" for line in lines).encode("utf-8")
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path
