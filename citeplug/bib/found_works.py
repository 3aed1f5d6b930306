"""Works that services found: arXiv's record where there is one, else the record of the work's own DOI.

A work outside arXiv counts only if Crossref's record of its DOI is the same work. Its entry is made of that record;
once a section is to cite it, it is kept in the author's library, under a file of citeplug's own.
"""

import contextlib
from collections.abc import Iterable, Mapping, Sequence
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
        self._lookup = lookup
        self._dois = dois
        self._texts: dict[str, str] = {}  # entries of verified works, by the ids of their papers
        self._own = lookup.own_entries
        self._checked: dict[str, Paper | None] = {}
        lookup.own_entries, lookup.others = self.own_entries, (dois,)

    def papers(self, works: Sequence[Work]) -> list[Paper]:
        """The paper of each work, in their order; a work that has no record and no verified DOI is left out.

        Raises SourceUnavailable if DOIs could not be verified and no work is at arXiv.
        """
        ids = [ArxivId(work.arxiv_id) for work in works if work.arxiv_id]
        records = self._lookup.records(list(dict.fromkeys(ids))) if ids else {}
        by_id = {arxiv_id.value: paper for arxiv_id, paper in records.items()}
        for work in works:
            if not work.arxiv_id and (value := self._known(work)) is not None:
                by_id[_name(work)] = self._corpus.papers([value])[value]
        outside = [w for w in works if not w.arxiv_id and _name(w) not in by_id and w.doi and w.abstract and w.authors]
        try:
            by_id |= self._verified(outside)
        except SourceUnavailable as error:
            if not by_id:
                raise
            self._lookup.findings.append(source_unavailable(error, "works outside arXiv were left out"))
        return [by_id[name] for work in works if (name := work.arxiv_id or _name(work)) in by_id]

    def own_entries(self, ids: Sequence[str]) -> Mapping[str, OwnEntry]:
        """The library's entries of these papers, after those of found works among them were put into it."""
        self._keep([value for value in ids if value in self._texts])
        return self._own(ids)

    def _known(self, work: Work) -> str | None:
        """The id of the work's record at arXiv or in the library, where the catalogue has one."""
        held = next((value for value, holding in self._corpus.library.holdings() if holding.doi == work.doi), None)
        if work.doi and held is not None:
            return held
        return on_arxiv(self._corpus, LibraryWork([_holding(work, self._file)]))

    def _verified(self, works: Sequence[Work]) -> dict[str, Paper]:
        new = [work for work in works if _name(work) not in self._checked]
        if isinstance(self._dois, PreparedSource) and new:
            self._dois.prepare([work.doi for work in new if work.doi])
        for work in new:
            record = self._dois.by_doi(work.doi or "")
            same = record is not None and is_same_work(compare(_entry(work, self._file), record, by_doi=True))
            paper = None
            if record is not None and same and not record.retracted and record.authors and record.year:
                paper = self._paper(record, work.abstract)
            self._checked[_name(work)] = paper
        return {name: paper for work in works if (paper := self._checked[name := _name(work)]) is not None}

    def _paper(self, record: Work, abstract: str) -> Paper:
        day = date(record.year or 1, 1, 1)
        paper = Paper(library_id(""), record.title, abstract, record.authors, day, day, doi=record.doi)
        taken = {value.lower() for value, _ in self._corpus.library.holdings()} | {v.lower() for v in self._texts}
        key = make_key(KeyFacts.of_paper(paper), {library_key(value) for value in taken})
        paper = Paper(library_id(key), record.title, abstract, record.authors, day, day, doi=record.doi)
        dialect = Dialect()
        fields = {**work_fields(record, dialect), "abstract": dialect.latex(abstract)}
        self._texts[paper.id.value] = lay_out(record.kind, key, fields)
        return paper

    def _keep(self, ids: Iterable[str]) -> None:
        text = "\n".join(self._texts[value] for value in ids)
        if not text:
            return
        with contextlib.suppress(StoreBusy), self._corpus.one_change_of_library():
            before = self._file.read_text("utf-8") if self._file.exists() else ""
            write_atomically(self._file, f"{before}{chr(10) * bool(before)}{text}".encode())
            add_holdings(self._corpus, holdings_of_bib(text, self._file)[0])
            for value in ids:
                del self._texts[value]


def library_key(value: str) -> str:
    """The key of a work of the library, from its id."""
    return value.partition(":")[2]


def _name(work: Work) -> str:
    return work.doi or f"{work.service} {work.own_id}"


def _entry(work: Work, file: Path) -> BibEntry:
    fields = {"title": work.title, "author": " and ".join(work.authors), "year": str(work.year or "")}
    return BibEntry("", work.kind, {name: text for name, text in fields.items() if text}, Span(file, 0, 0, 1))


def _holding(work: Work, file: Path) -> Holding:
    return Holding(file, "bib", work.title, authors=work.authors, year=work.year, doi=work.doi)
