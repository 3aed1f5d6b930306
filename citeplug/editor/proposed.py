"""A proposed section as a reader sees it: its sentences with names and years for keys, each with its sources."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from citeplug.editor.cards import closeness, entry_authors, source_name, source_place, source_title
from citeplug.editor.lines import Lined
from citeplug.editor.snapshot import Snapshot
from citeplug.latex.project import read_draft
from citeplug.project.provenance import PROVENANCE, read_provenance
from citeplug.records.draft import BibEntry
from citeplug.records.paper import Paper, library_id
from citeplug.records.provenance import RecordedSource
from citeplug.related.attribute.support import matching
from citeplug.related.section.accept import is_summary, recorded_sentences
from citeplug.related.section.in_print import PrintedWork, cited_prose, printed_works, readable
from citeplug.section_file.grammar import places_of, read_related
from citeplug.text.cleaning import plain
from citeplug.text.compare import entry_year, paper_year
from citeplug.text.tex_text import decode_tex
from citeplug.text.withdrawn import possibly_withdrawn


def proposed_sentences(root: Path, tex: str, papers: Mapping[str, Paper]) -> list[dict[str, Any]]:
    """Return the sentences that stand in the section `tex`, which was just written for `root`, in their order.

    `text` is the sentence as it reads in print, `heading` that of its paragraph, empty without one, `place` what
    `applyPreview` takes to leave it out; `line` and `character` to `end_line` and `end_character` are where it is in
    `tex`, from 0 and in UTF-16; `sources` are its quotations, each with the name and the place of what is quoted.
    `papers` are those of the section, by their ids.
    """
    draft = read_draft(root)
    entries = {entry.key: entry for entry in draft.entries}
    works = printed_works(draft.entries)
    record = read_provenance(root.parent / PROVENANCE)
    related = read_related(tex)
    blocks = {block.id: block for block in related.blocks}
    by_id = {library_id(key).value: entry for key, entry in entries.items()}
    by_id |= {made.arxiv_id: entries[made.key] for made in record.entries if made.arxiv_id and made.key in entries}
    standing = [
        (sentence, blocks[sentence.paragraph])
        for sentence in recorded_sentences(record, related)
        if sentence.status != "rejected" and sentence.paragraph in blocks
    ]
    places = places_of(tex, [(block, sentence.text) for sentence, block in standing])
    lined = Lined(tex)
    return [
        {
            "paragraph": sentence.paragraph,
            "heading": block.plan.heading,
            "place": sentence.place,
            **(lined.span_told(*span, "utf-16") if span is not None else {}),
            "text": in_print(sentence.text, works),
            "close": closeness(sentence, papers),
            "doubt": sentence.doubt,
            "verdict": "accepted" if sentence.status == "accepted" else "doubtful" if sentence.doubt else "review",
            "sources": [
                {
                    **named(source, by_id.get(source.arxiv_id or ""), record.quotes_from, sentence.words, papers),
                    "arxiv_id": source.arxiv_id,
                    "text": plain(source.quote),
                }
                for source in sentence.sources
            ],
        }
        for (sentence, block), span in zip(standing, places, strict=True)
    ]


def named(
    source: RecordedSource,
    entry: BibEntry | None,
    quotes_from: Mapping[str, str],
    words: str,
    papers: Mapping[str, Paper],
) -> dict[str, Any]:
    """Return name and title of what a source quotes, the place in it, and the quotation in parts: marked where the
    `words` of its sentence are."""
    parts = [{"text": text, "marked": marked} for text, marked in matching(plain(source.quote), [words])]
    place = source_place(source, quotes_from, papers)
    told = {"name": source_name(source, entry), "title": source_title(entry), "place": place}
    return {**told, "summary": is_summary(source, papers.get(source.arxiv_id or "")), "parts": parts}


def as_written(value: str, paper: Paper | None, snapshot: Snapshot) -> dict[str, Any] | None:
    """Return a paper of the section as a list of papers has it; without its record, what its entry says of it.

    None without either.
    """
    entry, section = snapshot.entry_of(value), snapshot.section
    places = () if entry is None else snapshot.mentions.get(entry.key, ())
    cited = any(section is None or mention.place.file != section.path for mention in places)
    if paper is not None:
        about = {
            "title": paper.title,
            "authors": list(paper.authors),
            "year": paper_year(paper, entry),
            "categories": list(paper.categories),
            "abstract": plain(decode_tex(paper.abstract, keep_math=True)),
            "verified": paper.complete and not possibly_withdrawn(paper),
        }
    elif entry is not None:
        people = [name for name in entry_authors(entry) if name != "others"]
        about = {"title": source_title(entry), "authors": people, "year": entry_year(entry), "verified": False}
    else:
        return None
    return {
        "arxiv_id": value,
        **about,
        "key": entry.key if entry is not None else None,
        "cited_as": entry.key if entry is not None and cited else None,
        "chosen": True,
        "in_section": True,
    }


def in_print(tex: str, works: Mapping[str, PrintedWork]) -> str:
    """Return a sentence as it reads in print, with names and years for its keys."""
    return "".join(part for part, _ in cited_prose(readable(tex), works, tex))
