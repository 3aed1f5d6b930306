"""Give the papers of a section their keys and entries, and check what was written.

The check is no tautology: the text of the `.bib` is parsed again, and each entry is compared with a record
fetched anew by the id that the text carries, from arXiv where that is allowed, else from the catalogue.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from citeplug.bibliography.entries import dialect_for, render_entry
from citeplug.bibliography.keys import make_keys
from citeplug.bibliography.match import match_existing
from citeplug.bibliography.verify import check_entry, verify_bib
from citeplug.errors import SourceUnavailable
from citeplug.ports import PaperIndex, PaperSource
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.outcome import EntryResult
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.review import EntryCheck, Finding, source_unavailable

# A section whose entry got one of these verdicts must not cite it.
REFUSED = ("differs", "not_found", "possibly_withdrawn")

HEADER = "% Entries of the related-work section, written by citeplug.\n\n"


@dataclass(slots=True)
class Lookup:
    """Finds records by id, at arXiv where allowed, and notes where the answers came from.

    An outage is noted once as a finding, and the catalogue answers instead; it is never a verdict.
    `covers` says whether the catalogue covers the month of an id, `proves_absence` whether an id that it
    does not hold is known not to exist.
    """

    index: PaperIndex
    source: PaperSource | None
    covers: Callable[[ArxivId], bool]
    proves_absence: Callable[[ArxivId], bool]
    findings: list[Finding] = field(default_factory=list)

    @property
    def against(self) -> Literal["arxiv", "catalogue"]:
        return "catalogue" if self.source is None else "arxiv"

    def records(self, ids: Sequence[ArxivId]) -> Mapping[ArxivId, Paper]:
        """Records by the id asked for; what nobody knows is left out."""
        if self.source is not None:
            try:
                return self.source.fetch(ids)
            except SourceUnavailable as error:
                self.source = None
                self.findings.append(source_unavailable(error, "entries were checked against the local catalogue"))
        known = self.index.papers([arxiv_id.value for arxiv_id in ids])
        return {arxiv_id: known[arxiv_id.value] for arxiv_id in ids if arxiv_id.value in known}


@dataclass(frozen=True, slots=True)
class References:
    """Keys by arXiv id, the text of the `.bib`, and the check of every entry that the section cites."""

    keys: dict[str, str]
    bib_content: str
    entries: tuple[EntryResult, ...]

    def refused(self) -> dict[str, EntryCheck]:
        """Checks that forbid citing a paper, by arXiv id."""
        return {
            entry.check.arxiv_id: entry.check
            for entry in self.entries
            if entry.check.arxiv_id is not None
            and entry.check.verdict in REFUSED
            # A wrong year in the author's own entry is the author's to mend, and the paper is still real.
            and (entry.check.severity == "error" or entry.origin == "generated")
        }


def refer(papers: Sequence[Paper], draft: Draft, lookup: Lookup, today: date) -> References:
    """Keys, entries and checks for `papers`, in the order of their first citation.

    A paper that the draft already cites keeps the author's key and entry; nothing is written for it.
    """
    own = match_existing(papers, draft.entries)
    new = [paper for paper in papers if paper.id.value not in own]
    keys = {**own, **make_keys(new, [entry.key for entry in draft.entries], draft.entries)}
    dialect = dialect_for(draft.bib_style, draft.bib_engine, draft.document_class, draft.packages)
    content = "\n".join(render_entry(paper, keys[paper.id.value], dialect) for paper in new)
    content = HEADER + content if content else HEADER

    written = verify_bib(content, lookup.records, against=lambda: lookup.against, today=today)
    authors = {entry.key: entry for entry in draft.entries}
    cited = [authors[key] for key in dict.fromkeys(own.values()) if key in authors]
    ids = {key: arxiv_id for arxiv_id, key in own.items()}
    return References(
        keys,
        content,
        (
            *(EntryResult(check, "generated") for check in written),
            *(
                EntryResult(check, "author", authors[check.key].span.file)
                for check in _check(cited, ids, lookup, today)
            ),
        ),
    )


def _check(entries: Sequence[BibEntry], ids: Mapping[str, str], lookup: Lookup, today: date) -> list[EntryCheck]:
    """Check the author's own entries for papers that the section cites; `ids` gives the arXiv id by key."""
    wanted = {entry.key: ArxivId(ids[entry.key]) for entry in entries}
    records = lookup.records(list(wanted.values())) if wanted else {}
    return [
        check_entry(
            entry,
            records.get(wanted[entry.key]),
            against=lookup.against,
            complete=lookup.proves_absence(wanted[entry.key]),
            covered=lookup.covers(wanted[entry.key]),
            today=today,
        )
        for entry in entries
    ]
