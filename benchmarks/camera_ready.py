"""Preprints made published: how many of the true versions are found, and that none takes another paper's data.

    python -m benchmarks.camera_ready PAPERS.jsonl.gz [--records 1000]

The sample has real DOIs, and no `journal_ref`: one is made for each record, with a volume and pages that no other has.
Entries are preprints of records with a DOI, in one .bib file, which `citeplug fix --camera-ready`
corrects against these records. What is planted is always of the nearest other paper by words, or said to be:

arXiv      no service: what is written has to be in the record's own `journal_ref`
true       a service has the published work under its DOI, with a word more in the title of every other one. Beside it
           are works of the same title by others, and of the same people with another title
true title the same where arXiv's record has the DOI alone
wrong DOI  the service has the other paper under the record's DOI
same group as before, but by the same people
no DOI     the service has only works of the same title by others, and of the same people with another title
mixed      the entry has the id of the other paper, unless title and people of the two are the same

A chimera is an entry that afterwards has a journal, volume, pages or DOI that are not of its own paper.
"""

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

from citeplug.bib.fix_bibliography import fix_bibliography
from citeplug.bib.fixed import FixRequest
from citeplug.bib.write.published import read_journal_ref
from citeplug.bibtex.entries import read_bib
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import open_corpus
from citeplug.corpus.stores import settings as user_settings
from citeplug.records.paper import Filter, Paper
from citeplug.records.work import Service, Work
from citeplug.settings.environment import Settings
from citeplug.sources.snapshot import SnapshotReader
from citeplug.text.compare import compare_titles, record_dois
from citeplug.text.people import compare_authors
from citeplug.text.tex_text import decode_tex

_FIELDS = ("journal", "volume", "pages", "doi")
_JOURNALS = ("Phys. Rev. D", "Journal of Machine Learning Research", "Nature", "Acta Numer.", "Commun. Math. Phys.")
CASES = ("arXiv", "true", "wrong DOI", "same group", "no DOI", "mixed", "true title")


@dataclass(slots=True)
class Planted:
    """A service in memory."""

    dois: dict[str, Work] = field(default_factory=dict)
    titles: dict[str, list[Work]] = field(default_factory=dict)
    name: Service = "crossref"
    knows_dois: bool = True

    def by_doi(self, doi: str) -> Work | None:
        return self.dois.get(doi)

    def by_title(self, title: str, surnames: Sequence[str]) -> list[Work]:
        return self.titles.get(title, [])


def with_journal_ref(paper: Paper, number: int) -> Paper:
    year = paper.published.year + 1
    place = f"{_JOURNALS[number % len(_JOURNALS)]} {number // 9_000 + 1}, {number}-{number + 9} ({year})"
    return replace(paper, journal_ref=place)


def work_of(paper: Paper, number: int) -> Work:
    """The published work as a service would have it; volume and pages are no other's."""
    place = read_journal_ref(paper)
    return Work(
        "crossref",
        paper.title,
        paper.authors,
        year=place.year if place else paper.published.year + 1,
        kind="article",
        venue=place.journal if place else f"Journal {number}",
        volume=place.volume if place else str(number),
        pages=place.pages if place else f"{number}-{number + 9}",
        doi=next(iter(record_dois(paper)), f"10.9999/own.{number}"),
    )


def entry_of(paper: Paper, number: int, arxiv_id: str) -> str:
    authors, title = " and ".join(paper.authors), paper.title
    fields = {"title": title, "author": authors, "eprint": arxiv_id, "year": str(paper.published.year)}
    return f"@misc{{k{number},\n" + "".join(f" {name} = {{{text}}},\n" for name, text in fields.items()) + "}\n"


def service_for(case: str, pairs: Sequence[tuple[Paper, Paper]]) -> Planted:
    planted = Planted()
    for number, (paper, other) in enumerate(pairs):
        own, theirs = work_of(paper, number), work_of(other, number + len(pairs))
        title = f"{own.title} revisited" if number % 2 else own.title
        by_others = [replace(theirs, authors=own.authors)]
        if compare_authors(" and ".join(own.authors), theirs.authors).degree != "same":  # else it would be this paper
            by_others.append(replace(theirs, title=own.title))
        planted.titles[paper.title] = [*by_others, *([replace(own, title=title)] if case.startswith("true") else [])]
        for doi in record_dois(paper):
            if case.startswith("true"):
                planted.dois[doi] = replace(own, title=title)
            elif case == "wrong DOI":
                planted.dois[doi] = theirs
            elif case == "same group":
                planted.dois[doi] = replace(theirs, authors=own.authors)
    return planted


def count(case: str, pairs: Sequence[tuple[Paper, Paper]], settings: Settings, folder: Path) -> tuple[int, int]:
    """The entries that were made published, and the chimeras among them."""
    file = folder / "refs.bib"
    if case == "mixed":  # by its title and people the entry is of the other paper as well
        pairs = [pair for pair in pairs if not _are_alike(*pair)]
    ids = [(other if case == "mixed" else paper).id.value for paper, other in pairs]
    entries = [entry_of(paper, number, ids[number]) for number, (paper, _) in enumerate(pairs)]
    file.write_text("\n".join(entries), "utf-8")
    planted = [] if case in ("arXiv", "mixed") else [service_for(case, pairs)]
    with (
        patch("citeplug.bib.fix_bibliography.open_sources", lambda *_, **__: planted),
        patch("citeplug.bib.check.open_sources", lambda *_, **__: planted),
    ):
        request = FixRequest(published=True, camera_ready=True)
        done = fix_bibliography([file], settings, request, report=lambda *_: None)
    taken = chimeras = 0
    for entry in read_bib(done.files[0].after, file).entries:
        written = {name: decode_tex(entry.fields[name]).lower() for name in _FIELDS if name in entry.fields}
        paper = pairs[int(entry.key[1:])][0]
        own = work_of(paper, int(entry.key[1:]))
        values = {"journal": own.venue, "volume": own.volume, "pages": own.pages, "doi": own.doi}
        allowed = {name: (value or "").lower() for name, value in values.items()}
        taken += bool(written)
        if any(value.replace("--", "-").replace("–", "-") != allowed[name] for name, value in written.items()):
            chimeras += 1
            print(f"{case}: {paper.id.value} {paper.title!r}: {written}, not {allowed}")
    return taken, chimeras


def _are_alike(paper: Paper, other: Paper) -> bool:
    authors = compare_authors(" and ".join(paper.authors), other.authors).degree
    return authors == "same" and compare_titles(paper.title, other.title, same_authors=True) == "same"


def pairs_of(file: Path, corpus: Corpus, most: int) -> list[tuple[Paper, Paper]]:
    """Records with a DOI, spread over the file, each with the nearest other one, which are all added."""
    drawn = [paper for paper in SnapshotReader(file) if len(record_dois(paper)) == 1 and paper.authors]
    papers = {paper.id.value: with_journal_ref(paper, number) for number, paper in enumerate(drawn)}
    corpus.add_papers(list(papers.values()))
    pairs: list[tuple[Paper, Paper]] = []
    for paper in list(papers.values())[:: max(1, len(papers) // most)][:most]:
        beside = [papers[value] for value, _ in corpus.lexical(paper.title, 5, Filter()) if value in papers]
        pairs.append((paper, next(p for p in [*beside, *papers.values()] if p.title != paper.title)))
    return pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", type=Path)
    parser.add_argument("--records", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = replace(user_settings(offline=True), home=Path(folder, "home"))
        with open_corpus(settings) as corpus:
            pairs = pairs_of(options.papers, corpus, options.records)
        print(f"{len(pairs)} preprints with a journal_ref and a DOI")
        for case in CASES:
            if case == "true title":
                with open_corpus(settings) as corpus:
                    corpus.add_papers([replace(paper, journal_ref=None) for paper, _ in pairs])
            taken, chimeras = count(case, pairs, settings, Path(folder))
            print(f"{case}: {taken} made published, {chimeras} chimeras")


if __name__ == "__main__":
    main()
