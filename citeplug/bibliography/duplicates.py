"""The same paper under two keys."""

from collections.abc import Callable, Hashable, Sequence

from citeplug.bibliography.compare import compare_authors, compare_titles, entry_year
from citeplug.bibliography.evidence import entry_doi
from citeplug.records.draft import BibEntry
from citeplug.records.folding import fold_title
from citeplug.records.review import Finding, Severity

_SHORTEST = 12  # letters of a title that can tell a paper
_YEARS = 2  # between a preprint and its publication


def find_duplicates(entries: Sequence[BibEntry]) -> dict[int, Finding]:
    """A finding for each entry, by its place in `entries`, that an earlier one with another key stands for too.

    By arXiv id, else by DOI, else by title, ordered authors and year together (bibtex.md). Entries with different
    ids, or different DOIs, are different works; nothing is ever joined.
    """
    found: dict[int, Finding] = {}
    for by, name in ((_by_id, "arXiv id"), (_by_doi, "DOI"), (_by_title, "title and authors")):
        groups: dict[Hashable, list[int]] = {}
        for number, entry in enumerate(entries):
            if (value := by(entry)) is not None:
                groups.setdefault(value, []).append(number)
        for numbers in groups.values():
            for position, number in enumerate(numbers):
                earlier = next((n for n in numbers[:position] if _same(entries[n], entries[number], by)), None)
                if earlier is not None and number not in found:
                    found[number] = _finding(entries[earlier], entries[number], name)
    return found


def _same(first: BibEntry, second: BibEntry, by: Callable[[BibEntry], str | None]) -> bool:
    if first.key.lower() == second.key.lower():
        return False  # a key that is defined twice is another finding
    ids, dois = {first.arxiv_id, second.arxiv_id}, {entry_doi(first), entry_doi(second)}
    if by is _by_id:
        return True
    if by is _by_doi:
        return None in ids or len(ids) == 1
    if (None not in ids and len(ids) == 2) or (None not in dois and len(dois) == 2):
        return False
    years = [year for year in (entry_year(first), entry_year(second)) if year is not None]
    if len(years) == 2 and abs(years[0] - years[1]) > _YEARS:
        return False
    titles = first.fields["title"], second.fields["title"]
    authors = first.fields.get("author", ""), second.fields.get("author", "")
    if not all(authors) or compare_titles(*titles) != "same":
        return False
    return compare_authors(authors[0], authors[1].split(" and ")).degree == "same" or authors[0] == authors[1]


def _by_id(entry: BibEntry) -> str | None:
    return entry.arxiv_id


def _by_doi(entry: BibEntry) -> str | None:
    return entry_doi(entry)


def _by_title(entry: BibEntry) -> str | None:
    folded = fold_title(entry.fields.get("title", "")).replace(" ", "")
    return folded if len(folded) >= _SHORTEST and entry.kind != "bibitem" else None


def _finding(first: BibEntry, second: BibEntry, by: str) -> Finding:
    if by != "title and authors" and _other_titles(first, second):
        message = f"{second.key} has the {by} of {first.key} and another title: see which of the two it belongs to"
        # Chapters may carry the DOI of their book.
        severity: Severity = "warning" if by == "arXiv id" else "info"
        fix = f"look the {by} up, and correct the other"
        return Finding("shared_id", severity, message, second.span.file, second.span.line, None, fix)
    message = f"{second.key} is the same paper as {first.key}, by its {by}"
    fix = f"cite {first.key} in its place, and remove {second.key}"
    return Finding("duplicate_entry", "warning", message, second.span.file, second.span.line, None, fix)


def _other_titles(first: BibEntry, second: BibEntry) -> bool:
    titles = first.fields.get("title", ""), second.fields.get("title", "")
    return all(titles) and compare_titles(*titles, same_authors=True) == "other"
