"""Entries as CSL-JSON (citationstyles.org), for Pandoc, Obsidian and word processors."""

import re
from typing import Any

from citeplug.records.draft import BibEntry
from citeplug.text.cleaning import plain
from citeplug.text.compare import entry_year
from citeplug.text.folding import is_collective, split_name
from citeplug.text.people import split_authors
from citeplug.text.tables import Tables
from citeplug.text.tex_text import decode_tex

_TYPES = Tables(__name__).pairs("types")
_FIELDS = {
    "volume": "volume",
    "number": "issue",
    "publisher": "publisher",
    "school": "publisher",
    "institution": "publisher",
    "edition": "edition",
    "doi": "DOI",
    "url": "URL",
    "isbn": "ISBN",
}


def as_csl(entry: BibEntry) -> dict[str, Any]:
    """An entry as an item of CSL-JSON, under its key; what it lacks is left out."""

    def text(name: str) -> str:
        return plain(decode_tex(entry.fields.get(name, "")))

    item: dict[str, Any] = {"id": entry.key, "type": _TYPES.get(entry.kind, "document"), "title": text("title")}
    for name in ("author", "editor"):
        people = split_authors(entry.fields.get(name, ""))[0]
        item[name] = [_person(plain(person)) for person in people if plain(person)]
    year = entry_year(entry)
    item["issued"] = {"date-parts": [[year]]} if year else None
    item["container-title"] = next(filter(None, map(text, ("journal", "journaltitle", "booktitle"))), "")
    item["page"] = re.sub(r"\s*[-–—]+\s*", "-", text("pages"))
    for name, csl in _FIELDS.items():
        item[csl] = item.get(csl) or text(name)
    if entry.arxiv_id:
        item |= {"number": f"arXiv:{entry.arxiv_id}", "URL": item["URL"] or f"https://arxiv.org/abs/{entry.arxiv_id}"}
    return {name: value for name, value in item.items() if value}


def _person(name: str) -> dict[str, str]:
    parts = split_name(name)
    if is_collective(parts.family) or not parts.given:
        return {"literal": decode_tex(parts.surname)}
    named = {"family": parts.family, "given": parts.given, "non-dropping-particle": parts.particles}
    return {key: decode_tex(value) for key, value in {**named, "suffix": parts.suffix}.items() if value}
