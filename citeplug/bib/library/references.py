"""Papers of which the author's library has an entry: cited under the author's own key, by the author's own entry."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from citeplug.bib.compare.check_entries import check_entries
from citeplug.bib.library.entries import rekeyed
from citeplug.bib.write.keystyle import KeyFacts, make_key
from citeplug.bibtex.entries import parse_bib
from citeplug.corpus.records_by_id import Lookup
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import EntryCheck
from citeplug.records.finding import Finding
from citeplug.records.outcome import EntryResult
from citeplug.records.paper import LIBRARY, Paper, shown_id
from citeplug.records.section import GeneratedEntry
from citeplug.records.work import OwnEntry
from citeplug.section_file.cite_style import unfit_for_cite
from citeplug.text.compare import compare_titles
from citeplug.text.sameness import describe_entry, same_paper

FOUND_WORKS = "found-works.bib"  # citeplug's own file, of works that services found


@dataclass(frozen=True, slots=True)
class FromLibrary:
    """Keys by id, the entries to be written, their checks, and the ids of papers whose entry does not fit them."""

    keys: dict[str, str]
    rendered: tuple[GeneratedEntry, ...] = ()
    entries: tuple[EntryResult, ...] = ()
    unfit: tuple[Finding, ...] = ()


def match_own(papers: Sequence[Paper], entries: Sequence[BibEntry], own: Mapping[str, OwnEntry]) -> dict[str, str]:
    """The key among `entries` of each paper that has an entry of its own there, by id.

    A work that nothing else tells from others is known by what the author calls it: key and title together.
    """
    texts: dict[str, str] = {}
    for paper in papers:
        theirs = _parsed(own.get(paper.id.value))
        if theirs is None:
            continue
        same = next((entry for entry in entries if _is(entry, theirs)), None)
        if same is not None:
            texts[paper.id.value] = same.key
    return texts


def _is(one: BibEntry, other: BibEntry) -> bool:
    first, second = describe_entry(one), describe_entry(other)
    if same_paper(first, second) is not None:
        return True
    named_alike = one.key == other.key and compare_titles(first.title, second.title) == "same"
    return named_alike and None in (one.arxiv_id, other.arxiv_id)


def refer_to_library(
    papers: Sequence[Paper],
    there: Mapping[str, str],
    taken: Sequence[str],
    own: Mapping[str, OwnEntry],
    lookup: Lookup,
    today: date,
    *,
    biber: bool = False,
) -> FromLibrary:
    """The author's entries for `papers`; `there` are keys, by id, under which the section's file has them already.

    A key that another entry of the draft has, whatever its case, gets a letter; one that LaTeX cannot cite, or `biber`
    where that reads it, gives way to one as for a new entry. An entry that claims to be on arXiv is
    checked as any other is; where it is not the paper that it was linked to, nothing is made of it.
    """
    keys: dict[str, str] = {}
    used = {key.lower() for key in taken}
    texts: dict[str, str] = {}
    for paper in papers:
        entry = own.get(paper.id.value)
        if entry is None:
            continue
        key = there.get(paper.id.value)
        if key is None and unfit_for_cite(entry.key, biber=biber):
            key = make_key(KeyFacts.of_paper(paper), used)
        key = key or _free(entry.key, used)
        used.add(key.lower())
        keys[paper.id.value] = key
        texts[paper.id.value] = rekeyed(entry.text, entry.key, key).strip() + "\n"
    parsed = {value: entries[0] for value, text in texts.items() if (entries := parse_bib(text))}
    found_works = [value for value in parsed if own[value].file.name == FOUND_WORKS]
    of_author = [value for value in parsed if value not in found_works]
    checks: dict[str, EntryCheck] = {}
    for values, others in ((of_author, ()), (found_works, lookup.others)):
        made = check_entries([parsed[value] for value in values], lookup, today=today, others=others)
        checks |= dict(zip(values, made, strict=True))
    by_id = {paper.id.value: paper for paper in papers}
    dropped = [value for value, check in checks.items() if by_id[value].id.on_arxiv and check.severity == "error"]
    unfit = tuple(_unfit(own[value], value) for value in dropped)
    fit = [value for value in parsed if value not in dropped]
    lost = [paper.id.value for paper in papers if not paper.id.on_arxiv and paper.id.value not in parsed]
    return FromLibrary(
        {value: keys[value] for value in fit},
        tuple(GeneratedEntry(keys[value], texts[value], value) for value in fit),
        (
            *(EntryResult(_told(checks[value], own[value], by_id[value]), "author") for value in fit),
            *(EntryResult(_without_entry(value), "author") for value in lost),
        ),
        unfit,
    )


def _without_entry(value: str) -> EntryCheck:
    """Another process took the entry away while the section was being made."""
    message = "your library no longer has an entry for it"
    return EntryCheck(value.removeprefix(LIBRARY), value, "not_found", "error", "library", message=message)


def _told(check: EntryCheck, own: OwnEntry, paper: Paper) -> EntryCheck:
    """The check of an entry whose work nobody else knows says whose word is taken for it."""
    if paper.id.on_arxiv:
        return check
    check = replace(check, arxiv_id=paper.id.value)
    if check.verdict not in ("not_arxiv", "unchecked"):
        return check
    message = f"from your library ({own.file.name}); {check.message or 'no service was asked'}"
    return replace(check, checked_against="library", message=message)


def _unfit(own: OwnEntry, value: str) -> Finding:
    return Finding(
        "library_entry_unfit",
        "warning",
        f"your entry {own.key} does not belong to {shown_id(value)}, so citeplug wrote its own",
        own.file,
        fix="correct your entry, then run 'citeplug library add' on its file again",
    )


def _free(key: str, used: set[str]) -> str:
    letters = ("", *"abcdefghijklmnopqrstuvwxyz")
    candidates = (key + one + two for one in letters for two in (letters if one else ("",)))
    return next((candidate for candidate in candidates if candidate.lower() not in used), key)


def _parsed(own: OwnEntry | None) -> BibEntry | None:
    return next(iter(parse_bib(own.text)), None) if own is not None else None
