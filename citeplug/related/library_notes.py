"""`citeplug library export`: a Markdown note for each work of the library, and all entries as CSL-JSON.

What stands below the mark of a note is the author's, and stays byte for byte; a file without the mark is the author's.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from citeplug.bib.compare.duplicates import match_existing
from citeplug.bib.library.csl import as_csl
from citeplug.bibtex.entries import parse_bib
from citeplug.corpus.stores import open_corpus
from citeplug.errors import UsageError, WouldOverwrite
from citeplug.files.atomic import Change, write_together
from citeplug.files.project_files import read_bytes
from citeplug.project.any_draft import read_any_draft
from citeplug.project.find_project import find_project
from citeplug.project.provenance import read_provenance
from citeplug.project.section_targets import generated_files
from citeplug.records.paper import Paper
from citeplug.records.work import OwnEntry
from citeplug.related.papers import contribution_of
from citeplug.settings.environment import Settings
from citeplug.text.cleaning import plain
from citeplug.text.file_names import is_device
from citeplug.text.tex_text import decode_tex

MARK = "<!-- citeplug writes the above anew; what you write below stays -->"
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Exported:
    """How many works were exported, and the files that are the author's own and were left alone."""

    works: int
    written: int
    left: tuple[Path, ...] = ()


def export_library(settings: Settings, notes: Path | None, csl: Path | None, main: Path | None) -> Exported:
    """Write notes to a folder and CSL-JSON to a file; `main` is the draft whose quotations and citations notes show.

    Raises UsageError for an empty library, WouldOverwrite for a file of something else, CannotWrite.
    """
    with open_corpus(settings) as corpus:
        ids = list(dict.fromkeys(value for value, _ in corpus.library.holdings()))
        own, papers = corpus.library.entries(ids), corpus.papers(ids)
    works = [(papers[value], own[value]) for value in ids if value in own and value in papers]
    if not works:
        raise UsageError("your library has no entries", "add some with 'citeplug library add' or 'library sync'")
    changes, left = [], list[Path]()
    if csl is not None:
        if csl.exists() and not re.match(rb'\s*\[\s*(\]|\{\s*"id")', read_bytes(csl)):
            raise WouldOverwrite(f"{csl} is no CSL-JSON of citeplug's", "give another file")
        entries = (entry for _, mine in works for entry in parse_bib(mine.text))
        text = json.dumps([as_csl(entry) for entry in entries], ensure_ascii=False, indent=2) + "\n"
        changes.append(Change(csl.absolute(), text.encode()))
    if notes is not None:
        quotes, uses = ({}, {}) if main is None else _of_draft(main, [paper for paper, _ in works])
        taken: set[str] = set()
        for paper, mine in works:
            path = notes.absolute() / f"{_name(mine.key, taken)}.md"
            before = read_bytes(path) if path.exists() else b""
            head, mark, below = before.partition(MARK.encode())
            if head and not mark:
                left.append(path)
                continue
            value = paper.id.value
            after = _note(paper, mine, quotes.get(value, ()), uses.get(value, ())).encode() + (below or b"\n")
            if after != before:
                changes.append(Change(path, after, makes_folder=True))
    write_together(changes)
    return Exported(len(works), len(changes), tuple(left))


def _of_draft(main: Path, papers: Sequence[Paper]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The quotations of a draft's section, and the places that cite, by the ids of papers."""
    project = find_project(main)
    draft = read_any_draft(project.root, skip=generated_files(project.where))
    quotes: dict[str, list[str]] = {}
    for sentence in read_provenance(project.where.provenance).sentences:
        for source in sentence.sources:
            if source.arxiv_id and source.quote and sentence.status != "rejected":
                quotes.setdefault(source.arxiv_id, []).append(source.quote)
    by_key = {key: value for value, key in match_existing(papers, draft.entries, draft.cites).items()}
    uses: dict[str, list[str]] = {}
    for cite in draft.cites:
        for value in filter(None, (by_key.get(key) for key in cite.keys)):
            words = f": {_safe(cite.context)}" if cite.context else ""
            uses.setdefault(value, []).append(f"{cite.span.file.name}:{cite.span.line}{words}")
    return quotes, uses


def _note(paper: Paper, own: OwnEntry, quotes: Sequence[str], uses: Sequence[str]) -> str:
    return "\n".join((*_front(paper, own), "", *_body(paper, own, quotes, uses), MARK))


def _front(paper: Paper, own: OwnEntry) -> Iterator[str]:
    """Properties as YAML, of which JSON is a part."""
    year = paper.published.year if paper.published.year > 1 else None
    properties: Mapping[str, object] = {
        "citekey": own.key,
        "title": plain(decode_tex(paper.title)),
        "authors": list(paper.authors),
        "year": year,
        "arxiv": paper.id.value if paper.id.on_arxiv else None,
        "doi": paper.doi,
        "collections": list(own.collections),
    }
    yield "---"
    yield from (f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in properties.items() if value)
    yield "---"


def _body(paper: Paper, own: OwnEntry, quotes: Sequence[str], uses: Sequence[str]) -> Iterator[str]:
    year = f" ({paper.published.year})" if paper.published.year > 1 else ""
    yield from (f"# {_safe(decode_tex(paper.title))}", "", f"{_safe(', '.join(paper.authors))}{year}. `@{own.key}`", "")
    if contribution := contribution_of(paper):
        yield from ("## Contribution", "", f"> {_safe(contribution)}", "")
    if quotes:
        yield from ("## Quotations in your section", "")
        for quote in dict.fromkeys(quotes):
            yield from (f"> {_safe(quote)}", "")
    if uses:
        yield from ("## Cited in your draft", "", *(f"- {use}" for use in dict.fromkeys(uses)), "")


def _safe(text: str) -> str:
    """Text of others on one line, in which Markdown sees no HTML, link or mark of its own."""
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", plain(text))


def _name(key: str, taken: set[str]) -> str:
    """A file name for a key, on every system; `taken` are names in small letters."""
    base = re.sub(r"[^\w.+-]+", "-", key).strip(".-")[:_LONGEST_NAME] or "work"
    base = f"work-{base}" if is_device(base) else base
    name, number = base, 1
    while name.lower() in taken:
        number += 1
        name = f"{base}-{number}"
    taken.add(name.lower())
    return name
