"""Find papers among the entries that the author's bibliography already has."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from citeplug.bibliography.compare import compare_authors, compare_titles, entry_year
from citeplug.bibliography.entries import clean_doi
from citeplug.records.draft import BibEntry
from citeplug.records.folding import fold_title
from citeplug.records.paper import Paper


@dataclass(frozen=True, slots=True)
class Match:
    """A paper and the author's entry for it. `by`: the arXiv id, the DOI, or title with authors and year."""

    arxiv_id: str
    key: str
    by: Literal["arxiv", "doi", "title"]


def match_existing(papers: Sequence[Paper], entries: Sequence[BibEntry]) -> dict[str, str]:
    """The author's key for each paper that the entries already hold, by arXiv id."""
    return {match.arxiv_id: match.key for match in find_matches(papers, entries)}


def find_matches(papers: Sequence[Paper], entries: Sequence[BibEntry]) -> list[Match]:
    """Pair papers with entries: by arXiv id, else by DOI, else by title, ordered authors and year together.

    A title alone is never enough: two papers of the same people may share one (arxiv-api.md, 19). An entry
    that carries another arXiv id is another paper, whatever its title.
    """
    by_id = _first((entry.arxiv_id, entry) for entry in entries)
    by_doi = _first((clean_doi(entry.doi or entry.fields.get("doi")), entry) for entry in entries)
    by_title: dict[str, list[BibEntry]] = {}
    for entry in entries:
        if entry.arxiv_id is None and entry.fields.get("title"):
            for form in _title_forms(entry.fields["title"]):
                by_title.setdefault(form, []).append(entry)
    matches = []
    claimed: set[str] = set()
    for paper in papers:
        doi = clean_doi(paper.doi)
        same_doi = by_doi.get(doi) if doi else None
        match: Match | None
        if paper.id.value in by_id:
            match = Match(paper.id.value, by_id[paper.id.value].key, "arxiv")
        elif same_doi is not None and same_doi.arxiv_id is None:
            match = Match(paper.id.value, same_doi.key, "doi")
        else:
            alike = (entry for form in _title_forms(paper.title) for entry in by_title.get(form, []))
            found = next((entry for entry in alike if _same_work(entry, paper)), None)
            match = Match(paper.id.value, found.key, "title") if found is not None else None
        # One entry is one paper, even where two records share title, authors and DOI.
        if match is not None and match.key not in claimed:
            claimed.add(match.key)
            matches.append(match)
    return matches


def _first(pairs: Iterable[tuple[str | None, BibEntry]]) -> dict[str, BibEntry]:
    found: dict[str, BibEntry] = {}
    for name, entry in pairs:
        if name:
            found.setdefault(name, entry)
    return found


def _title_forms(title: str) -> set[str]:
    """Folded title, whole and up to the first colon."""
    return {fold_title(part).replace(" ", "") for part in (title, title.split(":")[0])} - {""}


def _same_work(entry: BibEntry, paper: Paper) -> bool:
    if compare_titles(entry.fields["title"], paper.title) != "same":
        return False
    if not entry.fields.get("author") or compare_authors(entry.fields["author"], paper.authors).degree != "same":
        return False
    year = entry_year(entry)
    # A published version may be a little older or younger than the preprint's versions.
    return year is None or paper.published.year - 1 <= year <= paper.updated.year + 2
