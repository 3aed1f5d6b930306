"""Give the papers of a section their keys and entries, and check what was written.

The check is no tautology: the text of the `.bib` is parsed again, and each entry is compared with a record
fetched anew by the id that the text carries, from arXiv where that is allowed, else from the catalogue.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from citeplug.bibliography.bibtex import parse_bib
from citeplug.bibliography.entries import dialect_for, render_entry
from citeplug.bibliography.keys import make_keys
from citeplug.bibliography.match import match_existing
from citeplug.checking import check_entries
from citeplug.lookup import Lookup
from citeplug.records.draft import Draft
from citeplug.records.outcome import EntryResult
from citeplug.records.paper import Paper
from citeplug.records.review import EntryCheck, Finding

# A section whose entry got one of these verdicts must not cite it.
REFUSED = ("differs", "not_found", "possibly_withdrawn")

HEADER = "% Entries of the related-work section, written by citeplug.\n\n"


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

    def doubts(self) -> list[Finding]:
        """What the checks say of the author's own entries: shown, and mended by nobody but the author."""
        return [finding for entry in self.entries if entry.origin == "author" for finding in entry.check.findings]


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

    written = check_entries(parse_bib(content), lookup, today=today)
    authors = {entry.key: entry for entry in draft.entries}
    # An entry without an id is compared with the record of the paper that it was matched to.
    cited = [
        replace(authors[key], arxiv_id=authors[key].arxiv_id or arxiv_id)
        for arxiv_id, key in own.items()
        if key in authors
    ]
    return References(
        keys,
        content,
        (
            *(EntryResult(check, "generated") for check in written),
            *(
                EntryResult(check, "author", entry.span.file)
                for entry, check in zip(cited, check_entries(cited, lookup, today=today), strict=True)
            ),
        ),
    )
