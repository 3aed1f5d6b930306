r"""Stability: what the author accepted, edited or left alone is the same, byte for byte, after any later run.

Only the paper, the plan line or the source of a sentence may change it. CITEPLUG_LONG is the number of examples of a
long run.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import open_corpus
from citeplug.corpus.stores import settings as user_settings
from citeplug.corpus.vectors.background import EmbedRequest
from citeplug.project.find_project import Project, find_project
from citeplug.project.provenance import read_provenance
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options
from citeplug.records.plan import PlanLine
from citeplug.related.job import write_related
from citeplug.related.section.accept import Recorded, accept, recorded_sentences
from citeplug.related.section.edit_section import edit_section, reject
from citeplug.related.tools import Job
from citeplug.section_file import edit
from citeplug.section_file.grammar import read_related
from citeplug.settings.environment import Settings

EXAMPLES = int(os.environ.get("CITEPLUG_LONG") or 5)

DRAFT = r"""\documentclass{article}
\usepackage{natbib}
\title{Neighbour Sampling and Graph Attention on Large Graphs}
\begin{document}
\maketitle
\begin{abstract}
Graph attention is hard to scale to large graphs. We propose a graph neural network with graph attention that samples
neighbours by their degree.
\end{abstract}
\section{Neighbour sampling}
Neighbour sampling makes training on large graphs cheap.
\section{Graph attention}
Graph attention weighs the neighbours of a node.
\section{Graph pooling}
Graph pooling gives representations of whole graphs.
\bibliography{references}
\end{document}
"""
THEMES = ("Neighbour Sampling", "Graph Attention", "Graph Pooling")
PLACES = ("Road Maps", "Molecules", "Social Networks", "Point Clouds", "Power Grids", "Citation Networks", "Meshes")
SURNAMES = "Abel Brun Cobb Dahl Eder Funk Gray Hale Iwan Jung Kerr Lund Marx Nash Ohno Pohl Quin Rast Sand Toth".split()
FINDINGS_ON_PLANS = {"plan_impossible", "plan_unknown_paper", "plan_no_source", "plan_excluded", "paragraph_left"}


def paper(number: int) -> dict[str, object]:
    """The paper with this number: every other states no contribution, so that it is only named, or in a group."""
    theme, place = THEMES[number % 3], PLACES[number % 7]
    method = ("Trees", "Caches", "Walks", "Hashes", "Queues")[number % 5]
    said = (
        f"We propose a {method.lower()[:-1]} method of {theme.lower()} for {place.lower()} that needs {number + 3}"
        " passes over the nodes. Experiments show that it is fast."
        if number % 2
        else f"Graphs are everywhere. The nature of {theme.lower()} on {place.lower()} has a long history."
    )
    author = f"{SURNAMES[number % 20]}{chr(97 + number // 20)}"
    return {
        "id": f"17{1 + number % 12:02}.{10001 + number}",
        "authors": f"Ann {author}, Bob Roe, Cy Doe",
        "title": f"{theme} for {place} with {method}",
        "categories": "cs.LG",
        "abstract": said,
        "versions": [{"version": "v1", "created": str(appeared(number))}],
        "update_date": str(appeared(number)),
    }


def appeared(number: int) -> date:
    """The day on which a paper appears; all but the last ten are there from the beginning."""
    return date(2018, 1, 1) + timedelta(max(0, number - FIRST + 1))


FIRST = 20
PAPERS = [paper(number) for number in range(30)]
IDS = [str(each["id"]) for each in PAPERS]


@dataclass(frozen=True)
class Catalogue:
    corpus: Corpus
    chosen: Settings


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalogue]:
    home = tmp_path_factory.mktemp("catalogue")
    chosen = replace(user_settings(offline=True), home=home)
    file = home / "papers.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in PAPERS), "utf-8")
    with open_corpus(chosen) as corpus:
        corpus.add([file])
        corpus.embed_rest(EmbedRequest())  # else a run would depend on what the ones before happened to embed
        yield Catalogue(corpus, chosen)


@dataclass
class Author:
    """A project, and its author, who reviews the section, pins, excludes, changes plans, and has it written again."""

    folder: Path
    catalogue: Catalogue
    options: Options = field(default_factory=lambda: Options(breadth=12, before=date(2018, 1, 2)))
    touched: set[str] = field(default_factory=set)  # ids whose plan lines the author changed since the last run
    rejected: set[str] = field(default_factory=set)
    planned: bool = False  # the author has changed the plan
    steps: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.main = self.folder / "main.tex"
        self.main.write_text(DRAFT, "utf-8")
        (self.folder / "references.bib").write_text("", "utf-8")
        self.home = self.catalogue.chosen.home
        self.write()

    @property
    def project(self) -> Project:
        return find_project(self.main)

    @property
    def text(self) -> str:
        return self.project.where.tex.read_text("utf-8")

    def sentences(self) -> list[Recorded]:
        record = read_provenance(self.project.where.provenance)
        return [each for each in recorded_sentences(record, read_related(self.text)) if each.stands]

    def lines(self) -> list[tuple[str, int, PlanLine]]:
        blocks = read_related(self.text).blocks
        return [(block.id, n, line) for block in blocks for n, line in enumerate(block.plan.lines, 1)]

    def write(self) -> tuple[Finding, ...]:
        done = write_related(
            Job(self.main, self.options, embed_seconds=0.0),
            self.catalogue.chosen,
            online=False,
            report=lambda stage, number, total: None,
            corpus=self.catalogue.corpus,
        )
        return done.outcome.findings

    def accept(self, number: int) -> None:
        sentence = self.sentence(number)
        if sentence is not None:
            accept(self.project, [sentence.place], self.home, everything=False)

    def sentence(self, number: int) -> Recorded | None:
        standing = self.sentences()
        return standing[number % len(standing)] if standing else None

    def edit(self, number: int) -> None:
        sentence = self.sentence(number)
        if sentence is not None:
            words = f"{sentence.text[:-1]}, as we see it ({number})."
            edit_section(
                self.project, self.home, lambda t: edit.set_sentence(t, sentence.paragraph, sentence.text, words)
            )

    def reject(self, number: int) -> None:
        sentence = self.sentence(number)
        if sentence is not None:
            reject(self.project, self.home, [sentence.place])
            self.rejected.add(sentence.text)

    def pin(self, number: int) -> None:
        name = IDS[number % FIRST]
        if name not in self.options.exclude:
            self.options = replace(self.options, pin=tuple(dict.fromkeys((*self.options.pin, name))))

    def exclude(self, number: int) -> None:
        cited = sorted({cite for _, _, line in self.lines() for cite in line.cites} - {*self.options.pin})
        if cited:
            name = cited[number % len(cited)]
            self.options = replace(self.options, exclude=tuple(dict.fromkeys((*self.options.exclude, name))))

    def appear(self, number: int) -> None:
        """Let one more paper appear."""
        day = self.options.before or date.max
        self.options = replace(self.options, before=min(day + timedelta(1), date(2018, 2, 1)))

    def include(self, number: int) -> None:
        left = self.options.exclude[: number % 3]
        # A line of the author's that still names one of the others has one paper more than its sentences.
        self.touched |= {*self.options.exclude} - {*left}
        self.options = replace(self.options, exclude=left)

    def change_plan(self, number: int, how: str) -> None:
        lines = self.lines()
        if not lines:
            return
        name, at, line = lines[number % len(lines)]
        own = [each for each in lines if each[0] == name]
        self.planned = True
        left = (each for each in self.sentences() if how == "gain" and each.status == "accepted")
        accepted = {cite for each in left for cite in each.cites}
        others = {cite for each in self.sentences() if each.status != "accepted" for cite in each.cites}
        self.touched |= {*line.cites, *([] if line.cites else ["draft"])} - (accepted - others)
        cites = f" [{', '.join(line.cites)}]" if line.cites else ""
        if how == "intent":
            self.changed(lambda t: edit.set_line(t, name, at, f"say how fast it is{cites}"))
        elif how == "delete" and len(own) > 1:
            self.changed(lambda t: edit.delete_line(t, name, at))
        elif how == "move" and at > 1:
            self.touched |= {*own[at - 2][2].cites}
            self.changed(lambda t: edit.move_line(t, name, at, -1))
        elif how == "gain":
            other = IDS[number % FIRST]
            self.touched.add(other)
            self.changed(lambda t: edit.set_line(t, name, at, f"{line.intent} [{', '.join((*line.cites, other))}]"))
        elif how == "add":
            other = IDS[number % FIRST]
            self.touched.add(other)
            self.changed(lambda t: edit.add_line(t, name, f"describe this too [{other}]"))

    def changed(self, change: Callable[[str], str]) -> None:
        edit_section(self.project, self.home, change)

    def run(self) -> None:
        """Write the section again, and compare."""
        before, kept = self.sentences(), self.mine()
        findings = self.write()
        text = self.text
        gone = {*self.touched, *self.options.exclude}
        for sentence in before:
            due = gone & {*sentence.cites} or (sentence.kind == "draft" and "draft" in self.touched)
            assert due or sentence.text in text, (sentence, self.steps)
        for line in kept:
            assert line in text, (line, self.steps)
        for words in self.rejected:
            assert words not in text, (words, self.steps)
        standing = [each.text for each in self.sentences()]
        twice = [each for each in standing if standing.count(each) > 1]
        assert not twice, (twice, self.steps)
        cited = {cite for each in self.sentences() for cite in each.cites}
        assert not cited & {*self.options.exclude}, self.steps
        own = [f for f in findings if f.code in FINDINGS_ON_PLANS]
        assert self.planned or not own, (own, self.steps)
        self.write()
        assert self.text == text, self.steps
        self.touched.clear()

    def mine(self) -> list[str]:
        """The sentences that the author edited."""
        return [line for line in self.text.splitlines() if ", as we see it (" in line and not line.startswith("%")]


def test_one_run_is_enough_after_rejections_and_exclusions(catalogue: Catalogue, tmp_path: Path) -> None:
    """The plan's comments lose the papers with the text, and no run fills their places where the author rejected."""
    author = Author(tmp_path, catalogue)
    author.reject(21)
    author.exclude(18)
    author.exclude(41)
    author.reject(5)
    excluded = {*author.options.exclude}
    assert excluded & {cite for _, _, line in author.lines() for cite in line.cites}
    author.run()
    assert not excluded & {cite for _, _, line in author.lines() for cite in line.cites}


def test_a_paragraph_of_which_all_papers_are_excluded_loses_what_was_written_of_them_and_keeps_its_plan(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    author = Author(tmp_path, catalogue)
    name = next(block.id for block in read_related(author.text).blocks if len(block.plan.lines) > 2)
    first, *lines = (line for paragraph, _, line in author.lines() if paragraph == name)
    author.changed(lambda text: edit.delete_line(text, name, 1))
    author.planned, author.touched = True, {*first.cites}
    author.options = replace(author.options, exclude=tuple(sorted({cite for line in lines for cite in line.cites})))
    author.run()
    assert [line for paragraph, _, line in author.lines() if paragraph == name] == lines


def test_a_pinned_paper_whose_plan_line_was_deleted_comes_back_in_the_same_run(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    author = Author(tmp_path, catalogue)
    cited = {cite for _, _, line in author.lines() for cite in line.cites}
    pinned = next(name for name in IDS[:FIRST] if name not in cited)
    author.options = replace(author.options, pin=(pinned,))
    author.run()
    name, at = next((name, at) for name, at, line in author.lines() if pinned in line.cites)
    author.changed(lambda text: edit.delete_line(text, name, at))
    author.planned, author.touched = True, {pinned}
    author.run()
    assert any(pinned in sentence.cites for sentence in author.sentences())


def test_an_accepted_sentence_stays_when_its_plan_line_gains_a_paper_which_has_a_sentence_after_it(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    author = Author(tmp_path, catalogue)
    cited = {cite for _, _, line in author.lines() for cite in line.cites}
    other = next(name for name in IDS[1:FIRST:2] if name not in cited)
    sentence = next(each for each in author.sentences() if each.kind == "paper" and len(each.cites) == 1)
    name, at, line = next(each for each in author.lines() if each[2].cites == sentence.cites)
    accept(author.project, [sentence.place], author.home, everything=False)
    author.planned, author.touched = True, {other}
    author.changed(lambda text: edit.set_line(text, name, at, f"{line.intent} [{', '.join((*line.cites, other))}]"))
    author.run()
    texts = [each for each in author.sentences() if each.paragraph == name]
    place = next(number for number, each in enumerate(texts) if each.text == sentence.text)
    assert texts[place].status == "accepted" and other in texts[place + 1].cites


@pytest.mark.parametrize(
    "steps",
    [
        # A pin whose line went with others has its place among the papers counted: it takes no other's.
        "pin 44, exclude 20, plan delete 28",
        # What was rejected of a paper does not come back in other words for another line on it.
        "reject 20, plan delete 34, run, reject 17, plan add 9, reject 55, reject 53",
    ],
)
def test_a_second_run_changes_nothing(catalogue: Catalogue, tmp_path: Path, steps: str) -> None:
    author = Author(tmp_path, catalogue)
    for step in steps.split(", "):
        match step.split():
            case ["plan", how, number]:
                author.change_plan(int(number), how)
            case [what, number]:
                getattr(author, what)(int(number))
            case _:
                author.run()
    author.run()


class Stability(RuleBasedStateMachine):
    catalogue: Catalogue

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.author = Author(self.folder, self.catalogue)

    @rule(
        what=st.sampled_from(["accept", "edit", "reject", "pin", "exclude", "include", "appear"]),
        number=st.integers(0, 60),
    )
    def act(self, what: str, number: int) -> None:
        self.author.steps.append(f"{what} {number}")
        getattr(self.author, what)(number)

    @rule(number=st.integers(0, 60), how=st.sampled_from(["intent", "delete", "move", "gain", "add"]))
    def plan(self, number: int, how: str) -> None:
        self.author.steps.append(f"plan {how} {number}")
        self.author.change_plan(number, how)

    @rule()
    def run(self) -> None:
        self.author.steps.append("run")
        self.author.run()

    def teardown(self) -> None:
        try:
            self.author.run()
        finally:
            shutil.rmtree(self.folder)


def test_what_was_accepted_edited_or_left_alone_is_the_same_after_any_run(catalogue: Catalogue) -> None:
    Stability.catalogue = catalogue
    few = settings(
        max_examples=EXAMPLES,
        stateful_step_count=12,
        deadline=None,
        phases=[Phase.reuse, Phase.generate],  # a failure says its steps; to shrink them takes minutes
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
    run_state_machine_as_test(Stability, settings=few)
