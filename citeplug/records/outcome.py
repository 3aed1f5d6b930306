"""Options and outcome of a run of the pipeline: contents to write, how they were made, and what citations gave."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal

from citeplug.records.draft import Draft
from citeplug.records.entry_check import EntryCheck
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper, Shortlisted
from citeplug.records.plan import Plan
from citeplug.records.section import Generated, GeneratedEntry, Section


@dataclass(frozen=True, slots=True)
class OutsideWork:
    """A work that several of a draft's citations cite and that no record of arXiv is known of.

    `title` is as one of their lists prints it; `cited_by` are those citations, by arXiv id.
    """

    title: str
    year: int | None
    doi: str | None
    cited_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GraphUse:
    """Use of citations in the scores of a run. Of `seeds` papers the lists of references of `known` are known.

    `wanted` is the user's word; None: it was left to the graph.
    """

    wanted: bool | None
    used: bool
    seeds: int
    known: int
    not_on_arxiv: tuple[OutsideWork, ...] = ()

    @property
    def in_words(self) -> str:
        known = f"the reference lists of {self.known} of {self.seeds} papers are known"
        return f"Citations were followed: {known}." if self.used else f"Citations were not followed: {known}."


# Strategies of writing with a language model (`related/write/by_model/`), and of choosing from the longlist: by
# retrieval alone, or by a model (`related/rank/__init__.py`). The names are here, so that checking one imports nothing.
STRATEGIES = ("plan", "prompted-plan", "per-cite", "sentence-by-sentence", "zero-shot")
# Those by which a model chooses the papers and the paragraphs: new paragraphs are written together or not at all.
CHOOSING = ("prompted-plan", "zero-shot")
RANKINGS = ("hybrid", "permutation", "debate")
# Which vectors are consulted: of all papers that have one by now, which depends on what was done before; or of the
# papers that the query's own words bring up, so that the same question has the same answer always.
Dense = Literal["whole", "candidates"]


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a run. Citegeist's three parameters come first (its section 3.1).

    `breadth`: papers in the section at most, 1 to 100; `depth`: passages of each full text that are read, 0 or more;
    `diversity`: 0 (relevance alone) to 1 (diversity alone). `categories` as in `Filter`, `topics` as in
    `protocols.TopicSource`.
    `replan`: make a new plan even if the author edited the old one. `plan_text` is a plan in words, followed
    instead of any other. `strategy` is one of `STRATEGIES`, `rank` one of `RANKINGS`; None: by permutation with a
    model, else by retrieval. `summaries`: a model
    summarises each paper before it writes; None: where that takes no round trip of its own. `polish`: it smooths the
    written section in a last request. `words`: length of the
    section, citations left out; None: as its sentences need. `before`: papers whose first version is of that day or
    later stay out. `pin` and `exclude` are arXiv ids, ids of the library or keys of the draft: papers that must be
    discussed, and that must not. `as_published`: choose papers as Citegeist prints it, by the cosine alone.
    `whole_draft`: every
    section of the draft asks for papers. `deep`: let the citation graph count (`related.retrieve.deep_research`); None:
    where it knows enough lists. `quotes`: without
    a model, eight words or more of a source stand in quotation marks. `pinpoint`: citations name the section or page
    of a full text. `plan` is a plan written in the document.
    `configured` has the settings of the project's own files, as JSON, so that a later run can see what changed there.
    """

    breadth: int = 20
    depth: int = 0
    diversity: float = 0.3
    categories: tuple[str, ...] = ()
    replan: bool = False
    plan_text: str | None = None
    strategy: str = "prompted-plan"
    summaries: bool | None = None
    polish: bool = True
    rank: str | None = None
    words: int | None = None
    before: date | None = None
    pin: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    as_published: bool = False
    whole_draft: bool = False
    deep: bool | None = None
    quotes: bool = True
    pinpoint: bool = False
    plan: Plan | None = None
    configured: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a run: wall-clock `seconds`, `calls` to a service or model, `cost` in US dollars."""

    name: str
    seconds: float
    calls: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class EntryResult:
    """A bibliography entry that the section cites. `file` is None for one that will be written."""

    check: EntryCheck
    origin: Literal["author", "generated"]
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run; nothing has been written yet.

    `keys` maps arXiv ids (and the author's own keys) to citation keys. `papers` holds every paper cited. `summaries`
    are a model's, by arXiv id. `bases` and `entry_bases` are what the next run merges with. `model` is the name of the
    language model that was asked, None for none.
    `graph` says how citations counted; None: nothing was searched for. `dense` is as in `related.retrieve.candidates`.
    `left_out` are papers of the shortlist that fit the draft too little to be discussed.
    """

    draft: Draft
    plan: Plan
    section: Section
    tex_content: str
    bib_content: str
    keys: dict[str, str]
    papers: dict[str, Paper]
    entries: tuple[EntryResult, ...]
    shortlist: tuple[Shortlisted, ...]
    findings: tuple[Finding, ...]
    stages: tuple[Stage, ...]
    summaries: Mapping[str, str] = field(default_factory=dict)
    options: Options = Options()
    bases: tuple[Generated, ...] = ()
    entry_bases: tuple[GeneratedEntry, ...] = ()
    model: str | None = None
    graph: GraphUse | None = None
    dense: str = "candidates"
    left_out: tuple[Shortlisted, ...] = ()
