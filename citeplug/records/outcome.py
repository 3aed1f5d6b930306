"""Options and outcome of a run of the pipeline: contents to write, how they were made, and what citations gave."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal

from citeplug.records.debate import Debate
from citeplug.records.draft import Draft
from citeplug.records.entry_check import EntryCheck
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper, Query, Shortlisted
from citeplug.records.plan import Plan
from citeplug.records.section import Generated, GeneratedEntry, Section
from citeplug.records.setting import setting


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

    `wanted` is the user's word; None: it was left to the graph. `fetched` lists were asked for in the run, `left` were
    not, for want of time or after an outage.
    """

    wanted: bool | None
    used: bool
    seeds: int
    known: int
    not_on_arxiv: tuple[OutsideWork, ...] = ()
    fetched: int = 0
    left: int = 0

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
# papers that the query's own words bring up, the first of them or all, so that the same question has the same answer
# always.
Dense = Literal["whole", "candidates", "all-candidates"]


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a run. Citegeist's three parameters come first (its section 3.1).

    The settings are described where they are declared, for the user; they are read by `settings/known_settings.py`.
    `categories` are as in `Filter`, `topics` as in `protocols.TopicSource`, `pin` and `exclude` arXiv ids, ids of the
    library or keys of the draft. `rank` None: by permutation with a model, else by retrieval. `deep` None: where the
    graph knows enough lists.
    `replan`: make a new plan even if the author edited the old one. `plan_text` is a plan in words, followed
    instead of any other. `summaries`: a model summarises each paper before it plans. `polish`: it smooths the written
    section in its last request for prose. `as_published`: choose papers as
    Citegeist prints it, by the cosine alone. `plan` is a plan written in the document.
    `configured` has the settings of the project's own files, as JSON, so that a later run can see what changed there.
    """

    breadth: int = setting(20, "whole", "Number of papers. [default: 20; with a model, 25]", between=(1, 100))
    depth: int = setting(0, "whole", "Full-text passages to read per paper. [default: 0]", between=(0, 1000))
    diversity: float = setting(0.3, "number", "0: relevance alone; 1: diversity alone. [default: 0.3]", between=(0, 1))
    words: int | None = setting(None, "whole", "Length in words; without a model, an upper bound.", between=(30, 5000))
    before: date | None = setting(None, "day", "Only papers posted before DATE: 2020-01-31, or 2020.")
    first_day: date | None = setting(
        None,
        "day",
        "Only papers posted on DATE or later.",
        option="--from",
        document="from",
        toml="related.from",
    )
    strategy: str = setting(  # the document and citeplug.toml call it `style`
        "prompted-plan",
        "one",
        "How a model writes: prompted-plan (default), plan, per-cite, sentence-by-sentence, zero-shot.",
        among=STRATEGIES,
        document="style",
        toml="related.style",
    )
    rank: str | None = setting(
        None,
        "one",
        "Ranking: hybrid, or by a model: permutation, debate.",
        among=RANKINGS,
    )
    categories: tuple[str, ...] = setting(
        (), "names", "Only this category, such as cs.LG, or cs for all of it.", option="--category"
    )
    pin: tuple[str, ...] = setting(
        (), "papers", "Always cite this paper: a key, an arXiv id, or a title.", document="\\citeplugpin"
    )
    exclude: tuple[str, ...] = setting(
        (),
        "papers",
        "Never cite this paper: a key, an arXiv id, or a title.",
        document="\\citeplugexclude",
    )
    topics: tuple[str, ...] = setting(  # another machine has other topics: no file may name them
        (),
        "topics",
        "Only this topic, as 'citeplug index info' lists it.",
        option="--topic",
        document=None,
        toml=None,
    )
    model_queries: int = setting(
        10,
        "whole",
        "At most N search queries by the model. [default: 10]",
        between=(1, 10),
        document=None,
    )
    whole_draft: bool = setting(False, "switch", "Search with every section of the draft.", document=None)
    deep: bool | None = setting(
        None,
        "switch",
        "Follow citations too. Default: if 'citeplug graph' can.",
    )
    quotes: bool = setting(
        True,
        "switch",
        "Put quoted text in quotation marks. [default: quotes]",
    )
    pinpoint: bool = setting(
        False,
        "switch",
        "With --depth, cite the place: \\cite[Sec.~3.2]{key}.",
    )
    replan: bool = False
    plan_text: str | None = None
    summaries: bool = False
    polish: bool = True
    as_published: bool = False
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
    `left_out` are papers of the shortlist that fit the draft too little to be discussed. `debates` are a model's on the
    candidates, shortlisted or not, by arXiv id. `queries` are those that papers were searched by, with the services
    that these went to.
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
    debates: Mapping[str, Debate] = field(default_factory=dict)
    queries: tuple[Query, ...] = ()
