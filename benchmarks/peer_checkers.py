"""Published checkers of bibliographies beside citeplug, each given the very records that citeplug has.

    make bench-check

They are asked through their own code: refaudit's `Checker` with resolvers that look into the records instead of
Crossref and arXiv, and RefChecker's checker for a local database, filled with the records. Neither reaches a
network. A checker that is not installed is left out.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from citeplug.corpus.index import Corpus
from citeplug.records.paper import ArxivId, Paper
from citeplug.text.compare import record_dois
from citeplug.text.folding import split_name

# Whether a checker takes each entry of a .bib for wrong, by key.
Flags = dict[str, bool]
Peer = Callable[[str], Flags]


def exact_title(papers: Sequence[Paper]) -> Peer:
    """The baseline: an entry is right if a record has its title, braces and case aside."""
    from citeplug.bibtex.entries import parse_bib

    def plain(title: str) -> str:
        return " ".join(re.sub(r"[{}]", "", title).lower().split())

    known = {plain(paper.title) for paper in papers}

    def flags(bib: str) -> Flags:
        return {entry.key: plain(entry.fields.get("title", "")) not in known for entry in parse_bib(bib)}

    return flags


def refaudit(corpus: Corpus) -> Peer:
    """refaudit, with identifier lookups and a title search over the catalogue. Raises ImportError without it."""
    from refaudit.bibtex import parse_string
    from refaudit.checker import Checker
    from refaudit.models import Found, NotFound, Record
    from refaudit.normalize import clean_arxiv_id, clean_doi

    def record(paper: Paper) -> Any:
        family = split_name(paper.authors[0]).surname if paper.authors else ""
        dois = record_dois(paper)
        return Found(Record("records", paper.title, paper.published.year, family, dois[0] if dois else ""))

    class Resolver:
        rate = None
        year_is_authoritative = True

        def __init__(self, name: str, wanted: Callable[[Any], str], find: Callable[[str], Sequence[Paper]]) -> None:
            self.name, self._wanted, self._find = name, wanted, find

        def can_handle(self, entry: Any) -> bool:
            return bool(self._wanted(entry))

        def resolve(self, entry: Any) -> Any:
            found = self._find(self._wanted(entry))
            return record(found[0]) if found else NotFound(self.name)

    def by_doi(doi: str) -> Sequence[Paper]:
        if match := re.match(r"10\.48550/arxiv\.(.+)", doi, re.IGNORECASE):
            return by_id(match[1])
        return corpus.by_doi([doi.lower()]).get(doi.lower(), [])

    def by_id(value: str) -> Sequence[Paper]:
        try:
            return list(corpus.papers([ArxivId.parse(value).value]).values())
        except ValueError:
            return []

    # Its own order: identifiers before titles.
    checker = Checker(
        [
            Resolver("records:doi", lambda entry: str(clean_doi(entry.doi)), by_doi),
            Resolver("records:arxiv", lambda entry: str(clean_arxiv_id(entry.arxiv_id)), by_id),
            Resolver("records:title", lambda entry: str(entry.title), lambda title: corpus.by_title(title, 1)),
        ]
    )

    def flags(bib: str) -> Flags:
        return {entry.key: checker.check(entry).verdict.is_finding for entry in parse_string(bib)}

    return flags


def refchecker(papers: Sequence[Paper], folder: Path) -> Peer:
    """RefChecker (academic-refchecker), with its local database in `folder`. Raises ImportError without it.

    What it cannot verify counts as flagged, as its report has it; hints at a better address do not.
    """
    from refchecker.checkers.local_semantic_scholar import LocalNonArxivReferenceChecker
    from refchecker.utils.bibtex_parser import parse_bibtex_references

    file = folder / "refchecker.db"
    with sqlite3.connect(file) as database:
        database.execute(
            "CREATE TABLE papers (paperId TEXT PRIMARY KEY, title TEXT, normalized_paper_title TEXT, venue TEXT,"
            " year INTEGER, externalIds_DOI TEXT, externalIds_ArXiv TEXT, authors TEXT, source_url TEXT)"
        )
        database.executemany("INSERT INTO papers VALUES (?, ?, ?, '', ?, ?, ?, ?, ?)", map(_row, papers))
    checker = LocalNonArxivReferenceChecker(str(file), "records", "records")
    # It would look at arXiv's web page to excuse a difference of versions.
    checker._downgrade_inferred_arxiv_version_mismatches = lambda reference, value, authors, errors: errors

    def flags(bib: str) -> Flags:
        found = {}
        for reference in parse_bibtex_references(bib):
            record, errors, _ = checker.verify_reference(reference)
            wrong = [error for error in errors if "error_type" in error or "warning_type" in error]
            found[str(reference["bibtex_key"])] = record is None or bool(wrong)
        return found

    return flags


def _row(paper: Paper) -> tuple[Any, ...]:
    dois = record_dois(paper)
    return (
        paper.id.value,
        paper.title,
        re.sub(r"[^a-z0-9]", "", paper.title.lower()),
        paper.published.year,
        dois[0] if dois else None,
        paper.id.value,
        json.dumps([{"name": author} for author in paper.authors]),
        f"https://arxiv.org/abs/{paper.id.value}",
    )
