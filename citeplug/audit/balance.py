"""Facts on what a draft cites: years, authors, rows of citations, paragraphs with one source."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, timedelta
from statistics import median_low

from citeplug.records.audit import Balance
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.prose import ProseParagraph
from citeplug.text.compare import entry_year
from citeplug.text.folding import split_name
from citeplug.text.people import same_person
from citeplug.text.sameness import describe_entry
from citeplug.text.tex_text import decode_tex

_ROW = 10  # works in one citation
_SENTENCES = 4  # of a paragraph that may want more than one source
_OFTEN = 3  # works of one author
_VENUES = 3
_LISTS = 10  # later papers whose reference lists are known, before it is said that none of them cites a work
_YEAR = timedelta(365)


def balance_of(draft: Draft, prose: Sequence[ProseParagraph]) -> Balance:
    """Return the facts; `prose` are the draft's paragraphs."""
    keys = {key.lower() for cite in draft.cites for key in cite.keys}
    entries = [entry for entry in draft.entries if entry.key.lower() in keys or "*" in keys]
    entries = list({entry.key.lower(): entry for entry in reversed(entries)}.values())
    years = sorted(
        year for entry in entries if (year := entry_year(entry)) is not None and 1500 <= year <= date.today().year + 1
    )
    names: Counter[str] = Counter()
    for entry in entries:
        people = (split_name(name) for name in describe_entry(entry).names)
        names.update({f"{person.given[:1]}. {person.family}" for person in people if person.given and person.family})
    often = names.most_common(1)
    citing = [paragraph for paragraph in prose if paragraph.keys]
    return Balance(
        works=len(entries),
        own=own_works(draft.authors, [describe_entry(entry).names for entry in entries]),
        years=(years[0], median_low(years), years[-1]) if years else None,
        author=often[0] if often and often[0][1] >= _OFTEN else None,
        venues=tuple(venues_of(entries)),
        paragraphs=len(citing),
        single=tuple(
            (paragraph.file, paragraph.line)
            for paragraph in citing
            if len(paragraph.sentences) >= _SENTENCES and len({key.lower() for key in paragraph.keys}) == 1
        ),
    )


def own_works(authors: Sequence[str], works: Sequence[Sequence[str]]) -> int | None:
    """Return how many of the works, each given by its authors, have one of these; None if nobody is known.

    Names without a given name are no evidence.
    """
    ours = [name for name in map(split_name, authors) if name.given]
    theirs = [[name for name in map(split_name, names) if name.given] for names in works]
    if not ours or not any(theirs):
        return None
    return sum(any(same_person(one, name) for name in names for one in ours) for names in theirs)


def venues_of(entries: Sequence[BibEntry]) -> list[tuple[str, int]]:
    """Return the journals and proceedings of two works or more, the most frequent first; a name in any case is one."""
    names = [
        " ".join(decode_tex(entry.fields.get("journal") or entry.fields.get("booktitle") or "").split())
        for entry in entries
    ]
    counts = Counter(name.lower() for name in names if name)
    shown = {name.lower(): name for name in reversed(names)}
    return [(shown[name], count) for name, count in counts.most_common(_VENUES) if count > 1]


def unlinked_works(
    cited: Mapping[str, Paper], near: Collection[str], references: Mapping[str, Sequence[str]]
) -> tuple[str, ...] | None:
    """Return the keys of cited works that none of the papers near the draft cites, in the order of `cited`.

    `near` are the ids of papers like the draft; the cited works count as such, too. `references` has the known lists
    of references. A work is left out unless enough of these papers are later than it by a year; None if no work is.
    """
    citing = {value for value in references if value in near or value in {paper.id.value for paper in cited.values()}}
    linked = {value for value_of_paper in citing for value in references[value_of_paper] if value != value_of_paper}
    days = sorted(day for value in citing if (day := _month_of(value)) is not None)
    judged = [key for key, paper in cited.items() if _later(days, paper.published) >= _LISTS]
    return tuple(key for key in judged if cited[key].id.value not in linked) if judged else None


def _month_of(value: str) -> date | None:
    try:
        return ArxivId.parse(value).month
    except ValueError:
        return None


def _later(days: Sequence[date], day: date) -> int:
    return len(days) - bisect_left(days, day + _YEAR)


def rows_of_citations(draft: Draft) -> Iterator[Finding]:
    """Yield a finding on each citation of ten works or more, most of which are cited nowhere else."""
    times = Counter(key.lower() for cite in draft.cites for key in set(cite.keys))
    for cite in draft.cites:
        once = sum(times[key.lower()] == 1 for key in set(cite.keys))
        if len(set(cite.keys)) >= _ROW and 2 * once > len(set(cite.keys)) and not cite.command.startswith("nocite"):
            message = f"{len(set(cite.keys))} works are cited in a row, {once} of them nowhere else"
            fix = "say what each is cited for, or cite fewer"
            yield Finding("cited_in_row", "info", message, cite.span.file, cite.span.line, None, fix)
