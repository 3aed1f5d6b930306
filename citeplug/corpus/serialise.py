"""Serialisation and digests of records, to distinguish unchanged, changed and new ones (Citegeist, 3.2.1)."""

import hashlib
import json

from citeplug.records.paper import Paper

_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


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
    return _encode(fields).encode("utf-8")


def record_digest(paper: Paper) -> bytes:
    """SHA-256 of the serialised record (Citegeist, 3.2.1), 32 bytes."""
    return hashlib.sha256(canonical(paper)).digest()


def embedded_text(paper: Paper) -> str:
    """Return the text of a paper that is embedded."""
    return f"{paper.title}. {paper.abstract}"


def text_digest(paper: Paper) -> bytes:
    """First 16 bytes of the SHA-256 of the embedded text: the key under which its vectors are kept."""
    return hashlib.sha256(embedded_text(paper).encode("utf-8")).digest()[:16]
