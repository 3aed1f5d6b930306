"""What an audit of a draft found, beside its bibliography's report."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from citeplug.records.paper import Paper, Reason
from citeplug.records.report import BibReport
from citeplug.records.section import SourceText


@dataclass(frozen=True, slots=True)
class MissingWork:
    """A paper that the draft does not cite, why it belongs there, and the sentence that it is nearest to.

    `near` are that sentence's first words; it is empty, and `file` and `line` are None, where the draft has no text.
    `newer` than the draft, without what citeplug wrote in it.
    """

    paper: Paper
    reasons: tuple[Reason, ...]
    file: Path | None = None
    line: int | None = None
    near: str = ""
    newer: bool = False


@dataclass(frozen=True, slots=True)
class CitedPassage:
    """A passage of the work that `key` stands for, and the work's `title`; `of` says of which text it is.

    A citation context is a sentence of another paper, in which `[*]` stands for the work.
    """

    key: str
    title: str
    text: str
    of: SourceText | Literal["citation context"] = "abstract"


@dataclass(frozen=True, slots=True)
class CitationDoubt:
    """A citation that the work may not support: the draft's sentence, and the nearest passage of the work.

    `fits` is the passage of another of the draft's references that fits better; `by` is the model that judged.
    """

    code: str
    reason: str
    sentence: str
    source: CitedPassage
    file: Path
    line: int
    fits: CitedPassage | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class EarlierWork:
    """A paper near a claim of novelty, and its `sentence` that comes closest, or its title.

    `nearness` is the mean of the claim's cosines to the whole abstract and to that.
    """

    paper: Paper
    sentence: str
    nearness: float


@dataclass(frozen=True, slots=True)
class NoveltyVerdict:
    """What a model, `by`, says of a claim: it `holds` as worded, or `quotation`, words of the `work`, refutes it.

    `wording` is a claim that would hold, empty where none is offered.
    """

    holds: bool
    by: str
    work: Paper
    quotation: str
    wording: str = ""


@dataclass(frozen=True, slots=True)
class NoveltyClaim:
    """A sentence of the draft's that claims to be first or new, and the earlier works closest to it, best first.

    They are those of `records` papers of before the day `before`. `line` is None where it is not known. `verdict` is
    None unless a model was asked, and showed what decides word for word.
    """

    sentence: str
    file: Path
    line: int | None
    works: tuple[EarlierWork, ...]
    records: int
    before: date
    verdict: NoveltyVerdict | None = None


@dataclass(frozen=True, slots=True)
class Balance:
    """Facts on what the draft cites, which are no findings.

    `works` are those that it cites; `years` the first, the middle and the last year of those that have one. `author`
    is the most frequent author of them, with the number of works, None if nobody has three. `paragraphs` cite
    something; `single` are the places of longer ones with one work alone. `venues` are the most frequent journals and
    proceedings as the entries name them, with the number of works. `unlinked` are keys of works that no paper near the
    draft cites, as far as the reference lists of such papers are known; None where too few are. `own` is the number of
    works that share an author with the draft, None if its authors or theirs are not known.
    """

    works: int
    years: tuple[int, int, int] | None
    author: tuple[str, int] | None
    paragraphs: int
    single: tuple[tuple[Path, int], ...]
    venues: tuple[tuple[str, int], ...] = ()
    unlinked: tuple[str, ...] | None = None
    own: int | None = None


@dataclass(frozen=True, slots=True)
class Audit:
    """`report` has all findings, those on the bibliography by entry, those of `doubts` too.

    `looked_at` and `not_looked_at` are sentences. `perhaps` are works that fit the draft, but not surely: no findings.
    `anonymity`: nothing else was looked at than what tells who wrote the draft. `lacking` are ids of papers without
    whose texts quotations could not be compared.
    """

    report: BibReport
    missing: tuple[MissingWork, ...]
    balance: Balance
    looked_at: tuple[str, ...]
    not_looked_at: tuple[str, ...]
    doubts: tuple[CitationDoubt, ...] = ()
    perhaps: tuple[MissingWork, ...] = ()
    novelty: tuple[NoveltyClaim, ...] = ()
    anonymity: bool = False
    lacking: tuple[str, ...] = ()
