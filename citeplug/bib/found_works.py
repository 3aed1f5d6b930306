"""Works that services found: arXiv's record where there is one, else the record of the work's own DOI.

A work outside arXiv counts only if Crossref's record of its DOI is the same work. Its entry is made of that record;
once a section cites it, it is kept in the author's library, under a file of citeplug's own.
"""

import contextlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from citeplug.bib.collect_library import add_holdings, on_arxiv
from citeplug.bib.compare.elsewhere import compare, is_same_work
from citeplug.bib.library.entries import holdings_of_bib
from citeplug.bib.library.references import FOUND_WORKS
from citeplug.bib.library.works import LibraryWork
from citeplug.bib.write.dialect import Dialect
from citeplug.bib.write.entries import lay_out
from citeplug.bib.write.keystyle import KeyFacts, make_key
from citeplug.bib.write.works import work_fields
from citeplug.corpus.index import Corpus
from citeplug.corpus.records_by_id import Lookup
from citeplug.errors import SourceUnavailable, StoreBusy
from citeplug.files.atomic import write_atomically
from citeplug.protocols import PreparedSource, WorkSource
from citeplug.records.draft import BibEntry, Span
from citeplug.records.finding import source_unavailable
from citeplug.records.paper import ArxivId, Paper, library_id
from citeplug.records.work import Holding, OwnEntry, Work


class FoundWorks:
    """Papers of works that services found. `dois` gives the record of a DOI: nobody else's word is taken for a work."""

    def __init__(self, corpus: Corpus, home: Path, lookup: Lookup, dois: WorkSource) -> None:
        self._corpus = corpus
        self._file = home / FOUND_WORKS
        self.lookup = lookup
        self._dois = dois
        # Of verified works that are not in the library, by the ids of their papers: entries, with abstract and without.
        self._texts: dict[str, str] = {}
        self._held: dict[str, Holding] = {}
        self._own = lookup.own_entries
        self._checked: dict[str, Paper | None] = {}
        lookup.own_entries, lookup.others = self.own_entries, (dois,)

    def papers(self, works: Sequence[Work]) -> list[Paper]:
        """The paper of each work, in their order; a work that has no record and no verified DOI is left out.

        Raises SourceUnavailable if DOIs could not be verified and no work is at arXiv.
        """
        ids = [ArxivId(work.arxiv_id) for work in works if work.arxiv_id]
        records = self.lookup.records(list(dict.fromkeys(ids))) if ids else {}
        by_id = {arxiv_id.value: paper for arxiv_id, paper in records.items()}
        own = self._corpus.library.holdings()
        by_doi = {holding.doi: value for value, holding in own if holding.doi}
        known: dict[str, str] = {}
        for work in works:
            if not work.arxiv_id and (value := by_doi.get(work.doi or "") or self._on_arxiv(work)) is not None:
                known[_name(work)] = value
        there = self._corpus.papers(list(known.values()))
        by_id |= {name: there[value] for name, value in known.items() if value in there}
        outside = [w for w in works if not w.arxiv_id and _name(w) not in by_id and w.doi and w.abstract and w.authors]
        try:
            by_id |= self._verified(outside, {library_key(value).lower() for value, _ in own})
        except SourceUnavailable as error:
            if not by_id:
                raise
            self.lookup.findings.append(source_unavailable(error, "works outside arXiv were left out"))
        return [by_id[name] for work in works if (name := work.arxiv_id or _name(work)) in by_id]

    def with_abstract(self, work: Work) -> Work:
        """The work with the abstract in the record of its DOI, if it has none. Raises SourceUnavailable."""
        if work.abstract or not work.doi:
            return work
        record = self._dois.by_doi(work.doi)
        return work if record is None else replace(work, abstract=record.abstract)

    def own_entries(self, ids: Sequence[str]) -> Mapping[str, OwnEntry]:
        """The library's entries of these papers, and those of found works, which are as good as in it."""
        works = ((value, self._held[value]) for value in ids if value in self._held)
        return {**{v: OwnEntry(v, held.key, held.entry, held.file) for v, held in works}, **self._own(ids)}

    def keep(self, ids: Collection[str]) -> None:
        """Put those found works among these papers into the library: a section cites them. Skipped if it is busy."""
        values = [value for value in self._held if value in ids]
        if not values:
            return
        text = "\n".join(self._texts[value] for value in values)
        with contextlib.suppress(StoreBusy), self._corpus.one_change_of_library():
            before = self._file.read_text("utf-8") + "\n" if self._file.exists() else ""
            write_atomically(self._file, f"{before}{text}".encode())
            add_holdings(self._corpus, [self._held.pop(value) for value in values])

    def _on_arxiv(self, work: Work) -> str | None:
        """The id of arXiv's record of the work, by its DOI or its title and people, where the catalogue has one."""
        holding = Holding(self._file, "bib", work.title, authors=work.authors, year=work.year, doi=work.doi)
        return on_arxiv(self._corpus, LibraryWork([holding]))

    def _verified(self, works: Sequence[Work], taken: Collection[str]) -> dict[str, Paper]:
        """The papers of those works whose DOI has the record of the same work, by name; `taken` are keys of others."""
        new = [work for work in works if _name(work) not in self._checked]
        if isinstance(self._dois, PreparedSource) and new:
            self._dois.prepare([work.doi for work in new if work.doi])
        for work in new:
            record = self._dois.by_doi(work.doi or "")
            same = record is not None and is_same_work(compare(_entry(work, self._file), record, by_doi=True))
            paper = None
            if record is not None and same and not record.retracted and record.authors and record.year:
                paper = self._paper(record, work.abstract, taken)
            self._checked[_name(work)] = paper
        return {name: paper for work in works if (paper := self._checked[name := _name(work)]) is not None}

    def _paper(self, record: Work, abstract: str, taken: Collection[str]) -> Paper:
        day = date(record.year or 1, 1, 1)
        mine = {library_key(value).lower() for value in self._texts}
        key = make_key(KeyFacts(record.authors, record.year, record.title), mine.union(taken))
        paper = Paper(library_id(key), record.title, abstract, record.authors, day, day, doi=record.doi)
        dialect = Dialect()
        fields = {**work_fields(record, dialect), "abstract": dialect.latex(abstract)}
        text = lay_out(record.kind, key, fields)
        (holding,), _ = holdings_of_bib(text, self._file)
        self._texts[paper.id.value], self._held[paper.id.value] = text, holding
        return paper


def library_key(value: str) -> str:
    """The key of a work of the library, from its id."""
    return value.partition(":")[2]


def _name(work: Work) -> str:
    return work.doi or f"{work.service} {work.own_id}"


def _entry(work: Work, file: Path) -> BibEntry:
    fields = {"title": work.title, "author": " and ".join(work.authors), "year": str(work.year or "")}
    return BibEntry("", work.kind, {name: text for name, text in fields.items() if text}, Span(file, 0, 0, 1))
