"""Give the papers of a section their keys and entries, and check what was written.

The check is no tautology: the text of the `.bib` is parsed again, by bibtexparser too, and each entry is compared with
a record fetched anew by the id that the text carries, from arXiv where that is allowed, else from the catalogue.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import islice

from citeplug.bib.compare.check_entries import check_entries
from citeplug.bib.compare.duplicates import match_existing
from citeplug.bib.library.references import match_own, refer_to_library
from citeplug.bib.write.dialect import dialect_for
from citeplug.bib.write.entries import render_entry
from citeplug.bib.write.keystyle import make_keys
from citeplug.bib.write.merge import MergedBib, Shelf, merge_entries
from citeplug.bibtex.entries import parse_bib, read_again
from citeplug.corpus.records_by_id import Lookup
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.entry_check import EntryCheck
from citeplug.records.finding import Finding
from citeplug.records.outcome import EntryResult
from citeplug.records.paper import ArxivId, Paper, Shortlisted, shown_id
from citeplug.records.passage import Passage
from citeplug.records.section import HEADER, GeneratedEntry
from citeplug.section_file.cite_style import cited_keys, unfit_for_cite, usual_style
from citeplug.text.cleaning import collapsed

# A section whose entry got one of these verdicts must not cite it.
REFUSED = ("differs", "not_found", "possibly_withdrawn")


def ids_cited(keys: Mapping[str, str], draft: Draft) -> frozenset[str]:
    """The ids of those papers, of which `keys` has the keys by id, that the draft cites itself."""
    cited = {key for cite in draft.cites for key in cite.keys}
    return frozenset(value for value, key in keys.items() if key in cited)


@dataclass(frozen=True, slots=True)
class SectionReferences:
    """Keys by arXiv id, the new entries, and the check of every entry that the section cites.

    `unfit` are findings about entries of the author's that were not taken. `left_out` are such findings by the ids of
    papers that get no key, as the document prints the author's own entry, which cannot be cited.
    """

    keys: dict[str, str]
    rendered: tuple[GeneratedEntry, ...]
    entries: tuple[EntryResult, ...]
    unfit: tuple[Finding, ...] = ()
    left_out: Mapping[str, Finding] = field(default_factory=dict)

    def __add__(self, other: "SectionReferences") -> "SectionReferences":
        """Both, the checks of an entry that both have once."""
        return SectionReferences(
            {**self.keys, **other.keys},
            (*self.rendered, *other.rendered),
            tuple(dict.fromkeys((*self.entries, *other.entries))),
            tuple(dict.fromkeys((*self.unfit, *other.unfit))),
            {**self.left_out, **other.left_out},
        )

    def in_order_of(self, cites: Sequence[str]) -> "SectionReferences":
        """The references with their entries in the order in which their papers are cited, the others behind them."""
        place = {value: number for number, value in reversed(list(enumerate(cites)))}
        rendered = sorted(self.rendered, key=lambda entry: place.get(entry.arxiv_id, len(cites)))
        entries = sorted(self.entries, key=lambda entry: place.get(entry.check.arxiv_id or "", len(cites)))
        return replace(self, rendered=tuple(rendered), entries=tuple(entries))

    def not_citable(self) -> frozenset[str]:
        """Papers that the section must not cite, by arXiv id."""
        return frozenset({*self.refused(), *self.left_out})

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
        """Findings on entries that the author wrote or changed, which only the author may correct."""
        findings = [finding for entry in self.entries if entry.file is not None for finding in entry.check.findings]
        return [*findings, *self.unfit, *self.left_out.values()]


def refer(
    papers: Sequence[Paper], draft: Draft, lookup: Lookup, today: date, held: Sequence[BibEntry] = ()
) -> SectionReferences:
    """Keys, entries and checks for `papers`, in the order of their first citation.

    A paper that the draft already cites keeps the author's key and entry; nothing is written for it. One that is
    among `held`, the entries of the section's own file, keeps its key there. Of the others, those of which the author's
    library has an entry are cited by that one. An entry whose key LaTeX cannot cite is as if it were not there, save
    where the document prints all entries: the paper is not to stand there twice.
    """
    library = lookup.own_entries([paper.id.value for paper in papers])
    biber = draft.bib_engine == "biber"

    def find(papers_of: Sequence[Paper], entries: Sequence[BibEntry], *, fit: bool) -> dict[str, str]:
        among = [entry for entry in entries if (unfit_for_cite(entry.key, biber=biber) is None) == fit]
        return {**match_own(papers_of, among, library), **match_existing(papers_of, among, draft.cites)}

    own = find(papers, draft.citable, fit=True)
    new = [paper for paper in papers if paper.id.value not in own]
    uncitable = find(new, draft.citable, fit=False)
    prints_all = any("*" in cite.keys for cite in draft.cites)
    new = [paper for paper in new if not (prints_all and paper.id.value in uncitable)]
    there = find(new, held, fit=True)
    taken = [entry.key for entry in (*draft.citable, *held)]
    from_library = refer_to_library(new, there, taken, library, lookup, today, biber=biber)
    # What the library alone knows has no other entry.
    ours = [p for p in new if p.id.value not in from_library.keys and p.id.on_arxiv]
    taken += from_library.keys.values()
    coined = make_keys([paper for paper in ours if paper.id.value not in there], taken, draft.citable)
    keys = {**own, **there, **coined, **from_library.keys}
    style = draft.bib_style or usual_style(draft)
    dialect = dialect_for(style, draft.bib_engine, draft.document_class, draft.packages)
    rendered = [
        GeneratedEntry(keys[paper.id.value], render_entry(paper, keys[paper.id.value], dialect), paper.id.value)
        for paper in ours
    ]
    content = HEADER + "\n".join(entry.text for entry in rendered)

    written = check_entries(read_again(content), lookup, today=today)
    authors = {entry.key: entry for entry in draft.citable}
    cited = [authors[key] for key in own.values() if key in authors]
    passed_over = {
        value: _uncitable(authors[key], value, keys.get(value), biber=biber) for value, key in uncitable.items()
    }
    # Of an entry that names no paper of arXiv, the one that it was matched to.
    named = {key: value for value, key in own.items()}
    return SectionReferences(
        keys,
        (*rendered, *from_library.rendered),
        (
            *(EntryResult(check, "generated") for check in written),
            *from_library.entries,
            *(
                EntryResult(replace(check, arxiv_id=check.arxiv_id or named[check.key]), "author", entry.span.file)
                for entry, check in zip(cited, check_entries(cited, lookup, today=today), strict=True)
            ),
        ),
        (*from_library.unfit, *(finding for value, finding in passed_over.items() if value in keys)),
        {value: finding for value, finding in passed_over.items() if value not in keys},
    )


def refer_beside(
    papers: Sequence[Paper],
    others: SectionReferences,
    *,
    draft: Draft,
    lookup: Lookup,
    today: date,
    held: Sequence[BibEntry] = (),
) -> SectionReferences:
    """As `refer`, with keys that none of the `others` has."""
    made = parse_bib("\n".join(entry.text for entry in others.rendered))
    return refer(papers, draft, lookup, today, (*held, *made))


def _uncitable(entry: BibEntry, arxiv_id: str, cited_as: str | None, *, biber: bool) -> Finding:
    program = "Biber" if unfit_for_cite(entry.key) is None else "LaTeX"
    why = unfit_for_cite(entry.key, biber=biber)
    then = "is left out" if cited_as is None else f"is cited as {cited_as}, with an entry that citeplug wrote"
    return Finding(
        "key_not_citable",
        "warning",
        f"{program} cannot cite an entry with the key {entry.key}: {why}; {shown_id(arxiv_id)} {then}",
        entry.span.file,
        entry.span.line,
        fix="give the entry another key, and run 'citeplug related' again",
    )


def shelve(
    references: SectionReferences, shelf: Shelf, cited: set[str], draft: Draft, lookup: Lookup, today: date
) -> tuple[SectionReferences, MergedBib]:
    """Merge the new entries into the file, and check those entries of the result that are `cited` (keys).

    The references come back with the checks of all entries that the section relies on, and of those refused.
    """
    elsewhere = frozenset(entry.key for entry in draft.citable)
    merged = merge_entries(shelf, HEADER, references.rendered, frozenset(cited), elsewhere)
    ours = {base.key for base in merged.bases}
    as_rendered = {entry.key: collapsed(entry.text) for entry in references.rendered}
    checked = {entry.check.key: entry for entry in references.entries}
    refused = {check.key for check in references.refused().values()}
    there = {e.key: e for e in parse_bib(merged.text, shelf.file) if e.key in cited and e.key not in elsewhere}
    other = [
        entry
        for entry in there.values()
        if as_rendered.get(entry.key) != collapsed(merged.text[entry.span.start : entry.span.end])
    ]
    anew = {
        check.key: EntryResult(check, "generated" if check.key in ours else "author", shelf.file)
        for check in check_entries(other, lookup, today=today)
    }
    own = [e for e in references.entries if e.origin == "author" and e.check.key in cited and e.check.key not in there]
    relied = [anew.get(key) or checked[key] for key in there if key in anew or key in checked]
    gone = [entry for entry in references.entries if entry.check.key in refused - cited]
    return replace(references, entries=(*relied, *own, *gone)), merged


def undefined(tex: str, bib: str, draft: Draft) -> list[Finding]:
    """A finding for each key that the section cites and nothing defines."""
    defined = {entry.key for entry in (*draft.citable, *parse_bib(bib))} | {"*"}
    return [
        Finding(
            "undefined_citation",
            "warning",
            f"the section cites {key}, which neither the draft's bibliography nor the section's own defines",
            fix="define it, or remove the citation",
        )
        for key in sorted(cited_keys(tex) - defined)
    ]


# Keys, entries and checks of papers, beside those that there are already.
Refer = Callable[[Sequence[Paper], SectionReferences], SectionReferences]


@dataclass(frozen=True, slots=True)
class Verified:
    """Papers that may be cited, by arXiv id, and the references of all that were looked at, refused ones too.

    `shortlist` are those of them that retrieval chose, best first; `refused` are the arXiv ids that must not be cited.
    `passages` are those of the papers' full texts that the section may be made from too, by arXiv id.
    """

    shortlist: tuple[Shortlisted, ...]
    papers: dict[str, Paper]
    references: SectionReferences
    passages: Mapping[str, tuple[Passage, ...]] = field(default_factory=dict)

    @property
    def refused(self) -> frozenset[str]:
        return self.references.not_citable()

    def findings(self) -> list[Finding]:
        """`entry_refused` for each paper that is refused."""
        refused = self.references.refused()
        return [_refusal(check.key, arxiv_id, check.message) for arxiv_id, check in refused.items()]


def verify_shortlist(ranked: Sequence[Shortlisted], count: int, refer: Refer) -> Verified:
    """The first `count` papers of the ranking that may be cited: the next takes the place of one that is refused."""
    references = SectionReferences({}, (), ())
    rest = iter(ranked)
    shortlist: list[Shortlisted] = []
    while batch := list(islice(rest, count - len(shortlist))):
        references += refer([item.paper for item in batch], references)
        refused = references.not_citable()
        shortlist += [item for item in batch if item.paper.id.value not in refused]
    return Verified(tuple(shortlist), {item.paper.id.value: item.paper for item in shortlist}, references)


def verify_planned(verified: Verified, planned: Sequence[Paper], refer: Refer) -> Verified:
    """`verified`, with those papers of the author's plans that may be cited."""
    references = verified.references
    more = [paper for paper in planned if paper.id.value not in verified.papers]
    if more:
        references += refer(more, references)
    refused = references.not_citable()
    papers = {paper.id.value: paper for paper in more if paper.id.value not in refused}
    return Verified(verified.shortlist, {**verified.papers, **papers}, references)


def _refusal(key: str, arxiv_id: str, message: str) -> Finding:
    return Finding(
        "entry_refused",
        "warning",
        f"{shown_id(arxiv_id)} ({key}) is not cited: {message}",
        fix=(
            f"look at https://arxiv.org/abs/{arxiv_id} and cite it yourself if it is right"
            if ArxivId(arxiv_id).on_arxiv
            else "correct the entry in your library's file, then run 'citeplug library add' on it again"
        ),
    )
