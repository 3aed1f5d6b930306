"""Records as they are stored: rows of the catalogue's database, filters over raw columns, and digests of records.

The digests distinguish unchanged, changed and new ones (Citegeist, 3.2.1).
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any

from citeplug.records.paper import LIBRARY, ArxivId, Filter, Paper

_encode_canonical = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
FIELDS = (
    "id, version, title, abstract, authors, published, updated, categories, doi, journal_ref, comment, abstract_kind"
)
_encode = json.JSONEncoder(ensure_ascii=False).encode


def row_of(paper: Paper, digest: bytes, generation: int) -> tuple[object, ...]:
    """The columns of `FIELDS`, month, digest, digest of the text, and generation."""
    return (
        paper.id.value,
        paper.id.version,
        paper.title,
        paper.abstract,
        _encode(paper.authors),
        paper.published.isoformat(),
        paper.updated.isoformat(),
        " ".join(paper.categories),
        paper.doi,
        paper.journal_ref,
        paper.comment,
        paper.abstract_kind,
        month_of(paper.id),
        digest,
        text_digest(paper),
        generation,
    )


def papers_from_rows(rows: Iterable[Sequence[Any]]) -> Iterator[Paper]:
    """The papers of rows whose columns are `FIELDS`."""
    for row in rows:
        yield Paper(
            id=ArxivId(row[0], row[1]),
            title=row[2],
            abstract=row[3],
            authors=tuple(json.loads(row[4])),
            published=date.fromisoformat(row[5]),
            updated=date.fromisoformat(row[6]),
            categories=tuple(row[7].split()),
            doi=row[8],
            journal_ref=row[9],
            comment=row[10],
            abstract_kind=row[11],
        )


def month_of(arxiv_id: ArxivId) -> str:
    """`1706` for 1706.03762; `hep-th/9301` for hep-th/9301001, since archives numbered separately."""
    value = arxiv_id.value
    if not arxiv_id.on_arxiv:
        return LIBRARY
    return value.split(".")[0] if "/" not in value else value[: value.index("/") + 5]


def day_before(where: Filter) -> str:
    """The day on which what passes the filter ends, as text that compares like a date."""
    return where.before.isoformat() if where.before is not None else "9999-99-99"


def first_day(where: Filter) -> str:
    """The first day of what passes the filter, as text that compares like a date."""
    return where.first_day.isoformat() if where.first_day is not None else ""


def admits_row(where: Filter, value: str, published: str, categories: str) -> bool:
    """`Filter.admits` on the raw columns, without making a Paper."""
    if not first_day(where) <= published < day_before(where) or value in where.exclude:
        return False
    if where.among is not None and value not in where.among:
        return False
    return not where.categories or any(
        have == want or have.startswith(want + ".") for have in categories.split() for want in where.categories
    )


def canonical(paper: Paper) -> bytes:
    """The record as UTF-8 JSON with sorted keys and no spaces; equal records give equal bytes."""
    fields = {
        "id": paper.id.value,
        "version": paper.id.version,
        "title": paper.title,
        "abstract": paper.abstract,
        "authors": paper.authors,
        "published": paper.published.isoformat(),
        "updated": paper.updated.isoformat(),
        "categories": paper.categories,
        "doi": paper.doi,
        "journal_ref": paper.journal_ref,
        "comment": paper.comment,
        "abstract_kind": paper.abstract_kind,
    }
    return _encode_canonical(fields).encode("utf-8")


def record_digest(paper: Paper) -> bytes:
    """SHA-256 of the serialised record (Citegeist, 3.2.1), 32 bytes."""
    return hashlib.sha256(canonical(paper)).digest()


def embedded_text(paper: Paper) -> str:
    return f"{paper.title}. {paper.abstract}"


def text_digest(paper: Paper) -> bytes:
    """First 16 bytes of the SHA-256 of the embedded text: the key under which its vectors are kept."""
    return hashlib.sha256(embedded_text(paper).encode("utf-8")).digest()[:16]
