"""A proposed section as a reader sees it: its sentences with names and years for keys, each with its sources."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from citeplug.editor.cards import source_name, source_place
from citeplug.latex.project import read_draft
from citeplug.project.provenance import PROVENANCE, read_provenance
from citeplug.records.draft import BibEntry
from citeplug.records.provenance import RecordedSentence
from citeplug.text.cleaning import plain
from citeplug.text.compare import entry_year
from citeplug.text.people import cited_people, split_authors
from citeplug.text.tex_text import decode_tex

_CITED = re.compile(r"~?\\(cite[a-zA-Z]*)\*?(?:\[[^\[\]]*\])*\{([^{}]*)\}")


def proposed_sentences(root: Path) -> list[dict[str, Any]]:
    """Return the sentences that stand in the section that was just written for `root`, in their order.

    `text` is the sentence as it reads in print; `sources` are its quotations, each with the name and the place of what
    is quoted.
    """
    draft = read_draft(root)
    entries = {entry.key: entry for entry in draft.entries}
    record = read_provenance(root.parent / PROVENANCE)
    by_id = {made.arxiv_id: entries[made.key] for made in record.entries if made.arxiv_id and made.key in entries}
    return [
        {
            "paragraph": sentence.paragraph,
            "text": _in_print(sentence, entries),
            "sources": [
                {
                    "name": source_name(source, by_id.get(source.arxiv_id or "")),
                    "place": source_place(source),
                    "text": plain(source.quote),
                }
                for source in sentence.sources
            ],
        }
        for sentence in record.sentences
        if sentence.status != "rejected"
    ]


def _in_print(sentence: RecordedSentence, entries: Mapping[str, BibEntry]) -> str:
    def named(match: re.Match[str]) -> str:
        works = [_name(key.strip(), entries) for key in match[2].split(",")]
        if "t" in match[1].removeprefix("cite")[:1]:
            return "; ".join(f"{who} ({year})" if year else who for who, year in works)
        return f" ({'; '.join(', '.join(filter(None, work)) for work in works)})"

    return plain(decode_tex(_CITED.sub(named, sentence.tex or sentence.text), keep_math=True))


def _name(key: str, entries: Mapping[str, BibEntry]) -> tuple[str, str]:
    """Authors and year of a work, as a citation prints them; the key of one without authors."""
    entry = entries.get(key)
    if entry is None:
        return key, ""
    people, more = split_authors(decode_tex(entry.fields.get("author", "")))
    return cited_people(people, more=more) or key, str(entry_year(entry) or "")
