"""Facts on what a draft cites: years, authors, rows of citations, paragraphs with one source."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from statistics import median_low

from citeplug.records.audit import Balance
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.prose import ProseParagraph
from citeplug.text.compare import entry_year
from citeplug.text.folding import split_name
from citeplug.text.sameness import describe_entry

_ROW = 10  # works in one citation
_SENTENCES = 4  # of a paragraph that may want more than one source
_OFTEN = 3  # works of one author


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
        years=(years[0], median_low(years), years[-1]) if years else None,
        author=often[0] if often and often[0][1] >= _OFTEN else None,
        paragraphs=len(citing),
        single=tuple(
            (each.file, each.line)
            for each in citing
            if len(each.sentences) >= _SENTENCES and len({key.lower() for key in each.keys}) == 1
        ),
    )


def rows_of_citations(draft: Draft) -> Iterator[Finding]:
    """Yield a finding on each citation of ten works or more, most of which are cited nowhere else."""
    times = Counter(key.lower() for cite in draft.cites for key in set(cite.keys))
    for cite in draft.cites:
        once = sum(times[key.lower()] == 1 for key in set(cite.keys))
        if len(set(cite.keys)) >= _ROW and 2 * once > len(set(cite.keys)) and not cite.command.startswith("nocite"):
            message = f"{len(set(cite.keys))} works are cited in a row, {once} of them nowhere else"
            fix = "say what each is cited for, or cite fewer"
            yield Finding("cited_in_row", "info", message, cite.span.file, cite.span.line, None, fix)
