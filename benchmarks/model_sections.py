"""Sections by a language model, the whole path from draft to files: what they cost, what is refused, what is left.

    python -m benchmarks.model_sections                     replies written by hand, for three drafts of ours
    python -m benchmarks.model_sections --llm anthropic     the same drafts by an endpoint
    python -m benchmarks.model_sections --llm anthropic --home DIR [--breadth 15] [--before DATE] DRAFT.tex ...
    python -m benchmarks.model_sections --adversaries 1000  sections by models that spoil every answer

The endpoint is that of the environment (ANTHROPIC_BASE_URL, OPENAI_BASE_URL, and a key). DIR is a data folder whose
catalogue is asked; without it, the demo's library. Each draft is copied before it is written to. For each section:
requests and round trips by stage; what became of the sentences at first asking, by rule, and of the rest; dollars, at
the prices of the models that answered; how much of the plan and of the shortlist is cited, and how many sentences hold
eight words of a source.

Exits with 1 if a section cites a paper outside its shortlist, holds a quotation that is not in its source, or lacks a
planned paper without a finding.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any
from unittest import mock

from benchmarks.adversarial_sections import LIBRARY, adversarial, adversaries_table, papers_to_write_on
from citeplug.corpus.stores import open_corpus, settings
from citeplug.errors import CiteplugError
from citeplug.llm.chosen_model import Wanted, language_model
from citeplug.llm.guarded import CarefulModel
from citeplug.llm.known_models import KNOWN, Usage, price_of
from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Heard, Reply, Request
from citeplug.records.outcome import Options, Outcome
from citeplug.related.attribute.checks import CheckedSentence, check_sentence
from citeplug.related.attribute.judge import read_verdicts
from citeplug.related.job import write_related
from citeplug.related.plan.planned import Resolver
from citeplug.related.tools import Job
from citeplug.related.write.by_model import follow_plan
from citeplug.settings.environment import Settings
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.replayed_model import BREADTH, DRAFTS, Replay
from tests.harness.scripted_models import is_revision

_DROPS = ("sentence_dropped", "claim_unsupported", "sentence_replaced", "polish_refused", "paper_left_out")


@dataclass
class Watched:
    """A language model that counts what passes through it, and what becomes of the sentences it writes.

    `trips` are the stages of the calls that waited for one another; `first` those until the first whole section.
    `refused` are reasons at first asking by class and rule, `proposed` the sentences then; `again` those asked again.
    """

    model: LanguageModel
    trips: list[list[str]] = field(default_factory=list)
    requests: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    proposed: int = 0
    stopped: int = 0
    again: int = 0
    cost: float = 0.0
    judged: bool = False

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def first(self) -> int:
        """Round trips to the first whole section."""
        return next((n for n, stages in enumerate(self.trips, start=1) if "prose" in stages), 0)

    def complete(self, request: Request, on_text: Callable[[Heard], None] | None = None) -> Reply:
        reply = self.model.complete(request, on_text)
        self._count([request], [reply])
        return reply

    def complete_all(
        self, requests: Sequence[Request], on_text: Callable[[Heard], None] | None = None
    ) -> list[Reply | CiteplugError]:
        replies = self.model.complete_all(requests, on_text)
        self._count(requests, replies)
        return replies

    def check(self, *arguments: Any) -> CheckedSentence:
        """`check_sentence`, counted until the judge is asked."""
        checked = check_sentence(*arguments)
        if not self.judged:
            self.proposed += 1
            self.stopped += bool(checked.refusals)
            for kind, doubts in (("hard", checked.hard), ("form", checked.form)):
                self.refused.update({f"{kind}: {doubt.code}" for doubt in doubts})
        return checked

    def _count(self, requests: Sequence[Request], replies: Sequence[Reply | CiteplugError]) -> None:
        self.trips.append([request.stage for request in requests])
        for request, reply in zip(requests, replies, strict=True):
            self.requests[request.stage] += 1
            if is_revision(request):
                self.again += sum(line.startswith("line ") for line in request.prompt.splitlines())
            if isinstance(reply, Reply):
                self.cost += reply.cost or _price(reply)
                if request.stage == "judge" and not self.judged:
                    verdicts = read_verdicts(reply, 1_000).values()
                    refuted = sum(verdict != "entailed" for verdict, _ in verdicts)
                    self.stopped += refuted
                    self.refused["judge"] += refuted
        self.judged = self.judged or any(request.stage == "judge" for request in requests)


def _price(reply: Reply) -> float:
    """Dollars of a reply by an endpoint without prices, as the service of the same model would ask; 0 if unknown."""
    known = KNOWN.get(reply.model.partition(":")[2])
    price = price_of(known.prices, reply.tokens_in) if known is not None else None
    return 0.0 if price is None else price.of(Usage(reply.tokens_in, reply.tokens_out, reply.tokens_kept))


@dataclass(frozen=True, slots=True)
class Measured:
    """A section, and what was counted on the way. Shares are 0 to 1."""

    name: str
    watched: Watched
    outcome: Outcome

    @property
    def sentences(self) -> list[Any]:
        return [sentence for paragraph in self.outcome.section.paragraphs for sentence in paragraph.sentences]

    @property
    def planned(self) -> list[tuple[str, str]]:
        """Paragraph and arXiv id of each paper that a plan line names."""
        resolver = Resolver(self.outcome.papers, self.outcome.draft)
        plan = self.outcome.plan.paragraphs
        return [(p.id, value) for p in plan for line in p.lines for value in resolver.resolve(line)[0]]

    @property
    def adherence(self) -> float:
        """Share of the planned papers that are cited in the paragraph that they are planned for."""
        cited = {(p.id, c) for p in self.outcome.section.paragraphs for s in p.sentences for c in s.cites}
        wanted = set(self.planned)
        return len(wanted & cited) / max(1, len(wanted))

    @property
    def coverage(self) -> float:
        """Share of the shortlist that is cited."""
        cited = {cite for sentence in self.sentences for cite in sentence.cites}
        return len(cited) / max(1, len(self.outcome.shortlist))

    @property
    def faults(self) -> list[str]:
        """What must never be: citations outside the shortlist, quotations that are not there, papers that vanish."""
        shortlist = {item.paper.id.value for item in self.outcome.shortlist}
        texts: dict[str | None, str] = {None: " ".join(self.outcome.draft.abstract.split())}
        texts |= {value: paper.abstract for value, paper in self.outcome.papers.items()}
        titles = {value: paper.title for value, paper in self.outcome.papers.items()}
        cited = {cite for sentence in self.sentences for cite in sentence.cites}
        said = " ".join(finding.message for finding in self.outcome.findings)
        found = [f"{cite} is cited and not in the shortlist" for cite in sorted(cited - shortlist)]
        for source in (source for sentence in self.sentences for source in sentence.sources):
            text = titles.get(source.arxiv_id or "", "") if source.of == "title" else texts.get(source.arxiv_id, "")
            if text[source.start : source.end] != source.text:
                found.append(f"a quotation is not there: {source.text[:80]}")
        lost = [value for value in sorted(shortlist - cited) if value not in said]
        return found + [f"{value} is planned, and is neither cited nor reported" for value in lost]


def measure(name: str, job: Job, wanted: Wanted, chosen: Settings) -> Measured:
    """Write the section of `job` by the model that is `wanted`."""
    with language_model(wanted, chosen, lambda notice: None) as model:
        assert isinstance(model, CarefulModel)
        watched = Watched(model)
        with mock.patch.object(follow_plan, "check_sentence", watched.check):
            written = write_related(job, chosen, online=False, report=lambda *_: None, model=watched)
    return Measured(name, watched, written.outcome)


def table(measured: Measured) -> Iterator[str]:
    watched, outcome = measured.watched, measured.outcome
    findings = Counter(finding.code for finding in outcome.findings)
    first = watched.proposed - watched.stopped
    yield f"{measured.name}: {len(outcome.papers)} papers, {len(measured.sentences)} sentences"
    yield f"  requests      {_listed(watched.requests)} ({watched.requests.total()} in all)"
    yield f"  round trips   {watched.first} to the first whole section, {len(watched.trips)} in all: " + ", ".join(
        "+".join(dict.fromkeys(stages)) for stages in watched.trips
    )
    yield f"  first asking  {first} of {watched.proposed} sentences pass; refused: {_listed(watched.refused)}"
    yield f"  then          {watched.again} asked again; {_listed({c: findings[c] for c in _DROPS if findings[c]})}"
    yield f"  cost          ${watched.cost:.3f}"
    yield f"  plan          {measured.adherence:.0%} of the planned papers cited in their paragraphs"
    yield f"  shortlist     {measured.coverage:.0%} cited"
    yield f"  copied        {sum(s.quoted for s in measured.sentences)} sentences with eight words of a source"
    yield from (f"  FAULT         {fault}" for fault in measured.faults)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"


@contextmanager
def library_home() -> Iterator[Settings]:
    """Settings of a data folder that holds the demo's library and is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"CITEPLUG_HOME": folder}):
        chosen = settings(offline=True)
        with open_corpus(chosen) as corpus:
            corpus.add([LIBRARY], complete=False)
        yield chosen


def replayed(name: str, chosen: Settings, llm: str | None = None) -> Measured:
    """The section of one of our drafts, by its replies, or by the endpoint of the environment."""
    model = Replay(name)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        job = Job(model.write_draft(folder), Options(), given={"breadth": BREADTH})
        if llm is None:
            server = stack.enter_context(AnthropicServer(model).serve())
            stack.enter_context(mock.patch.dict(os.environ, server.environment()))
            chosen = replace(chosen, anthropic_url=server.root)
        return measure(name, job, Wanted(llm or "anthropic", afresh=llm is None), chosen)


def own_draft(main: Path, given: Mapping[str, Any], llm: str, chosen: Settings) -> Measured:
    """The section of a draft, written into a copy of its folder."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(main.parent, Path(folder) / "draft"))
        job = Job(copy / main.name, Options(), given=dict(given))
        done = measure(main.name, job, Wanted(llm), chosen)
        print(done.outcome.tex_content)
        return done


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("drafts", nargs="*", type=Path)
    parser.add_argument("--llm", help="a service, as for citeplug; without it, the replies written by hand")
    parser.add_argument("--home", type=Path, help="a data folder with a catalogue")
    parser.add_argument("--breadth", type=int, default=15)
    parser.add_argument("--before", type=date.fromisoformat)
    parser.add_argument("--adversaries", type=int, metavar="SECTIONS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="print so many of the false sentences that stand")
    asked = parser.parse_args(arguments)
    if asked.adversaries is not None:
        tally = adversarial(papers_to_write_on(asked.seed), asked.adversaries, asked.seed)
        print(*adversaries_table(tally), *tally.examples[: asked.show], sep="\n")
        return int(bool(tally.outside or tally.missing or tally.unquoted))
    if asked.drafts and asked.llm is None:
        parser.error("drafts of your own need --llm")
    with ExitStack() as stack:
        chosen = settings(offline=True)
        chosen = replace(chosen, home=asked.home) if asked.home else stack.enter_context(library_home())
        given = {"breadth": asked.breadth} | ({"before": asked.before} if asked.before else {})
        if asked.drafts:
            found = [own_draft(draft, given, asked.llm, chosen) for draft in asked.drafts]
        else:
            found = [replayed(name, chosen, asked.llm) for name in DRAFTS]
    for each in found:
        print(*table(each), sep="\n")
    return int(any(each.faults for each in found))


if __name__ == "__main__":
    sys.exit(main())
