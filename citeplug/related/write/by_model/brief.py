"""A section to be written with a language model, and the section written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper
from citeplug.records.passage import Passage
from citeplug.records.plan import Plan
from citeplug.records.section import Section
from citeplug.related.write.by_model.prose import shared_part
from citeplug.text.material import quotable_draft


@dataclass(frozen=True, slots=True)
class Brief:
    """Order for a section. `plan` is the author's if `authored`, else the extractive planner's.

    `papers` are records by arXiv id without version; `voice` tells the model how the draft is written. `summaries`
    says whether the model summarises each paper first; None: where that takes no round trip of its own. `language` is
    that of the section. `words`: the length of a section whose plan is not followed as it is; None: as it needs.
    `roles` say by arXiv id what the draft cites a paper for; papers in `pinned` must be discussed.
    `polish`: it is smoothed as a whole in the end. `whole` is the plan with the paragraphs that are not to be written
    now, None if there are none. `free`: the plan's one line has all papers, and the model may leave some out.
    `passages` of full texts, by arXiv id, may be quoted beside the abstracts.
    """

    plan: Plan
    draft: Draft
    papers: Mapping[str, Paper]
    authored: bool = False
    voice: str = ""
    summaries: bool | None = None
    language: str = "English"
    words: int | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    pinned: frozenset[str] = frozenset()
    polish: bool = True
    whole: Plan | None = None
    free: bool = False
    passages: Mapping[str, Sequence[Passage]] = field(default_factory=dict)

    @property
    def shared(self) -> str:
        return shared_part(quotable_draft(self.draft), self.voice)

    @property
    def outlined(self) -> Plan:
        return self.whole or self.plan


@dataclass(frozen=True, slots=True)
class Composed:
    """The section, and the plan that it follows.

    `refused` counts the reasons for which sentences were refused. `summaries` are the model's, by arXiv id.
    """

    plan: Plan
    section: Section
    findings: tuple[Finding, ...]
    refused: Mapping[str, int]
    summaries: Mapping[str, str] = field(default_factory=dict)
