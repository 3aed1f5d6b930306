"""Works outside arXiv that several of a draft's citations cite. They are named to the author, and never cited."""

from collections.abc import Iterable, Mapping, Sequence

from citeplug.records.draft import BibEntry
from citeplug.records.outcome import OutsideWork
from citeplug.records.passage import Reference
from citeplug.text.compare import entry_doi, entry_title
from citeplug.text.folding import fold_title

FEWEST = 2  # citations of the draft that cite it
MOST = 20
_TELLING = 3  # words of a title; a shorter one is not one work's alone


def outside_arxiv(
    unresolved: Mapping[str, Sequence[Reference]], entries: Iterable[BibEntry] = ()
) -> tuple[OutsideWork, ...]:
    """At most 20 works that entries of two or more lists mean, those of the most lists first.

    `unresolved` are entries that mean no record, by the paper in whose list they are. What the draft has an entry for
    is left out. Two entries are of one work if they print the same DOI, or the same title of three words or more.
    """
    titles: dict[str, str] = {}  # folded title by DOI
    for reference in (each for _, listed in sorted(unresolved.items()) for each in listed):
        if reference.doi and _name(reference):
            titles.setdefault(reference.doi, _name(reference))
    found: dict[str, dict[str, Reference]] = {}
    for paper, listed in sorted(unresolved.items()):
        for reference in listed:
            name = titles.get(reference.doi or "") or _name(reference) or reference.doi
            if name and reference.title:
                found.setdefault(name, {}).setdefault(paper, reference)
    known = {name for entry in entries for name in (fold_title(entry_title(entry)), entry_doi(entry)) if name}
    works = [
        _work(by_paper)
        for name, by_paper in found.items()
        if len(by_paper) >= FEWEST and not known & {name, *(each.doi for each in by_paper.values())}
    ]
    return tuple(sorted(works, key=lambda work: (-len(work.cited_by), work.title))[:MOST])


def _name(reference: Reference) -> str:
    title = reference.title or ""
    return fold_title(title) if len(title.split()) >= _TELLING else ""


def _work(by_paper: Mapping[str, Reference]) -> OutsideWork:
    listed = list(by_paper.values())
    return OutsideWork(
        listed[0].title or "",
        next((each.year for each in listed if each.year), None),
        next((each.doi for each in listed if each.doi), None),
        tuple(by_paper),
    )
