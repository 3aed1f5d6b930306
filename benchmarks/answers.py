"""Answers without a model: which questions are answered, which refused, and how fast.

    python -m benchmarks.answers [--questions FILE.jsonl] [--fit]      claims of SciFact, and questions to abstracts
    python -m benchmarks.answers --documents 50 [--words 15000]        documents of 30 pages, given on the spot

A claim of ../shared/data/claims/scifact_dev.jsonl is asked of its own abstract, which decides it, and of all other
claims' abstracts, which do not. FILE has a line {id, question, papers[], answerable, bearing[]} for each question, the
papers being of ../shared/data/arxiv_sample.jsonl.gz. Halves are by the last bit of the SHA-256 of the id. `--fit`
prints constants fitted on each half, with what they give on the other one, and those fitted on both, for
`citeplug/ask/extractive.py`. Documents are replicas of real papers, as in benchmarks/fulltext.py.
"""

import argparse
import gzip
import hashlib
import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.fulltext import QUERIES, originals, replica_tex
from citeplug.ask import extractive
from citeplug.ask.late_interaction import PieceCache
from citeplug.ask.retrieval import EmbeddedPassage, EmbeddedQuery, choose_passages
from citeplug.ask.session import AskSession
from citeplug.ask.texts import Selection
from citeplug.corpus.stores import settings
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.protocols import Vectors
from citeplug.records.answer import Answer, AskedPassage, AskedText
from citeplug.text.cleaning import plain

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
FALSE_ANSWERS = 0.1  # of the unanswerable questions
_TURNS = 60  # of Newton's method
_PULL = 1.0  # of the weights to 0, beside features of mean 0 and variance 1
_NEAR = 4  # other abstracts, the nearest, that stand for all in fitting

Rows = NDArray[np.float64]


@dataclass
class Case:
    """A question to texts. `bearing`: ids of the texts that bear an answer out; none if it has no answer in them."""

    id: str
    question: str
    texts: list[tuple[str, str, str]]  # id, title, abstract
    bearing: frozenset[str]

    @property
    def odd(self) -> bool:
        return hashlib.sha256(self.id.encode()).digest()[-1] % 2 == 1


class Asker:
    """Asks abstracts through retrieval, score and answer; each text is embedded once."""

    def __init__(self) -> None:
        self._model = open_embedder(None)
        self._split = PieceCache()
        self._known: dict[str, Vectors] = {}
        self.seconds: list[float] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(missing, self._model.embed(missing), strict=True))
        return np.stack([self._known[text] for text in texts])

    def scored(self, case: Case) -> tuple[Answer, list[tuple[str, tuple[float, ...]]]]:
        """The answer, and text id and features of each passage that was found."""
        texts = [AskedText(name, title, "abstract", "") for name, title, _ in case.texts]
        passages = [AskedPassage(name, 0, abstract) for name, _, abstract in case.texts]
        vectors = self.embed([passage.text for passage in passages])
        candidates = [EmbeddedPassage(p, vector) for p, vector in zip(passages, vectors, strict=True)]
        question = EmbeddedQuery(case.question, self._model.embed_queries([case.question])[0])
        nearest = choose_passages(candidates, texts, question, None)
        began = time.perf_counter()
        answer = extractive.answer_extractively(question, texts, nearest, self.embed, self._split)
        self.seconds.append(time.perf_counter() - began)
        scored = extractive.score_passages(question, texts, nearest, self.embed, self._split)
        return answer, [(each.passage.text_id, each.features) for each in scored]


def claims() -> list[Case]:
    """Each claim twice: to its own abstract, and to all others."""
    lines = [json.loads(line) for line in (SHARED / "claims" / "scifact_dev.jsonl").read_text("utf-8").splitlines()]
    texts = {plain(each["source"][0]["text"]): plain(each["source"][0]["title"]) for each in lines}
    numbered = {abstract: (f"a{n}", title, abstract) for n, (abstract, title) in enumerate(texts.items())}
    cases = []
    for each in lines:
        own = numbered[plain(each["source"][0]["text"])]
        cases.append(Case(each["id"], each["claim"], [own], frozenset([own[0]])))
        cases.append(Case(each["id"], each["claim"], [text for text in numbered.values() if text != own], frozenset()))
    return cases


def together() -> list[Case]:
    """Each claim to all abstracts at once, of which its own decides it."""
    cases = claims()
    texts = list({text[0]: text for case in cases for text in case.texts}.values())
    return [Case(case.id, case.question, texts, case.bearing) for case in cases if case.bearing]


def questions(file: Path) -> list[Case]:
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    wanted = {paper for each in lines for paper in each["papers"]}
    records: dict[str, tuple[str, str, str]] = {}
    with gzip.open(SHARED / "arxiv_sample.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            record: dict[str, Any] = json.loads(line)
            if record["id"] in wanted:
                records[record["id"]] = (record["id"], plain(record["title"]), plain(record["abstract"]))
    return [
        Case(
            each["id"],
            each["question"],
            [records[paper] for paper in each["papers"] if paper in records],
            frozenset(each.get("bearing") or each["papers"]) if each["answerable"] else frozenset(),
        )
        for each in lines
    ]


Found = list[tuple[Case, Answer, list[tuple[str, tuple[float, ...]]]]]


def best(found: Found, weights: Rows) -> Rows:
    """The best score of each case's passages; `weights` end with the constant."""
    return np.array([max((_score(values, weights) for _, values in each), default=-99.0) for _, _, each in found])


def _score(values: Sequence[float], weights: Rows) -> float:
    return float(np.append(values, 1.0) @ weights)


def curve(found: Found, weights: Rows) -> tuple[float, float]:
    """Area under the curve, and the share answered at `FALSE_ANSWERS`."""
    scores = best(found, weights)
    yes = scores[[bool(case.bearing) for case, _, _ in found]]
    no = scores[[not case.bearing for case, _, _ in found]]
    area = float((yes[:, None] > no[None]).mean() + (yes[:, None] == no[None]).mean() / 2)
    return area, float((yes > np.quantile(no, 1 - FALSE_ANSWERS)).mean())


def fit(found: Iterable[Found]) -> Rows:
    """Weights and constant of a logistic regression, each set counting as much as another."""
    rows, truth, weight = [], [], []
    for one in found:
        for case, _, each in one:
            near = [values for name, values in each if not case.bearing or name in case.bearing]
            near = sorted(near, key=lambda values: -values[0])[:_NEAR]
            rows += near
            truth += [float(bool(case.bearing))] * len(near)
            weight += [1 / (len(near) * len(one))] * len(near)
    x, y, w = np.array(rows), np.array(truth), np.array(weight) * 300
    middle, spread = x.mean(axis=0), x.std(axis=0) + 1e-9
    z = np.column_stack([(x - middle) / spread, np.ones(len(x))])
    pull = np.array([_PULL] * x.shape[1] + [1e-6])
    beta = np.zeros(z.shape[1])
    for _ in range(_TURNS):
        p = 1 / (1 + np.exp(-z @ beta))
        hessian = (z * (w * p * (1 - p))[:, None]).T @ z + np.diag(pull)
        beta -= np.linalg.solve(hessian, z.T @ (w * (p - y)) + pull * beta)
    plain_weights = beta[:-1] / spread
    return np.append(plain_weights, beta[-1] - plain_weights @ middle)


def report(name: str, found: Found) -> None:
    yes = [answer for case, answer, _ in found if case.bearing]
    no = [answer for case, answer, _ in found if not case.bearing]
    weights = np.array([*extractive.WEIGHTS, extractive.CONSTANT])
    area, answered = curve(found, weights)
    texts = {(case.id, name): text for case, _, _ in found for name, _, text in case.texts}
    citations = [(case, c) for case, answer, _ in found for s in answer.sentences for c in s.citations]
    verbatim = sum(texts[case.id, c.paper][c.start : c.end] == c.quote for case, c in citations)
    right = sum(
        any(c.paper in case.bearing for s in answer.sentences for c in s.citations)
        for case, answer, _ in found
        if case.bearing and not answer.refused
    )
    print(
        f"{name:22} {len(yes):4} {len(no):4}   AUC {area:.3f}   answered at {FALSE_ANSWERS:.0%} false {answered:5.1%}"
        f"   as shipped: answered {sum(not a.refused for a in yes) / len(yes):5.1%}"
        f" (with a bearing text {right / len(yes):5.1%}), over-refused {sum(a.refused for a in yes) / len(yes):5.1%},"
        f" refused of unanswerable {sum(a.refused for a in no) / len(no):5.1%}, verbatim {verbatim}/{len(citations)}"
    )


def report_together(asker: Asker) -> None:
    """How often the abstract that decides a claim is quoted, and how often others are."""
    answered = [(case, answer) for case in together() if not (answer := asker.scored(case)[0]).refused]
    quoted = [[c.paper in case.bearing for s in answer.sentences for c in s.citations] for case, answer in answered]
    right, every = sum(map(sum, quoted)), sum(map(len, quoted))
    print(
        f"asked of all abstracts together: {len(answered)} answered, {sum(q[0] for q in quoted)} with a sentence of the"
        f" right abstract first, {sum(map(any, quoted))} anywhere; {every - right} of {every} sentences of others"
    )


def measure(file: Path | None, *, fitted: bool) -> None:
    asker = Asker()
    sets = {"SciFact": claims()} | ({file.name: questions(file)} if file is not None else {})
    found = {name: [(case, *asker.scored(case)) for case in cases] for name, cases in sets.items()}
    halves = {odd: {n: [each for each in f if each[0].odd is odd] for n, f in found.items()} for odd in (False, True)}
    for name, all_of in found.items():
        report(name, all_of)
        for odd, label in ((False, "even half"), (True, "odd half")):
            report(f"  {label}", halves[odd][name])
    report_together(asker)
    print(f"score and answer: {statistics.median(asker.seconds) * 1e3:.0f} ms median, texts embedded before or then")
    if fitted:
        for odd in (False, True):
            weights = fit(halves[odd].values())
            print(f"fitted on the {'odd' if odd else 'even'} half: {weights.round(2).tolist()}; on the other one:")
            for name, each in halves[not odd].items():
                area, answered = curve(each, weights)
                print(f"  {name:20} AUC {area:.3f}, answered at {FALSE_ANSWERS:.0%} false {answered:.1%}")
        weights = fit(found.values())
        print(f"fitted on both: {weights.round(2).tolist()}")
        for name, each in found.items():
            scores = best([row for row in each if not row[0].bearing], weights)
            level = 1 / (1 + np.exp(-np.quantile(scores, 1 - FALSE_ANSWERS)))
            print(f"  {name:20} {FALSE_ANSWERS:.0%} false answers at probability {level:.3f}")


def measure_documents(count: int, words: int) -> None:
    real = originals()
    with tempfile.TemporaryDirectory() as name:
        os.environ["CITEPLUG_HOME"] = str(Path(name, "home"))
        files = []
        for number in range(count):
            files.append(Path(name, f"paper{number:02}.tex"))
            files[-1].write_bytes(replica_tex(real[number % len(real)], number, words))
        chosen, selection = settings(offline=True), Selection(files=tuple(files))
        for label in ("the first time", "the second time"):
            began, worked = time.perf_counter(), sum(os.times()[:4])
            with closing(AskSession(chosen)) as session:
                texts = session.open(selection, lambda *_: None).texts
                ready = time.perf_counter() - began
                cpu = sum(os.times()[:4]) - worked
                print(f"{len(texts)} documents of {words:,} words ready {label}: {ready:.1f} s, CPU {cpu:.1f} s")
                spent = []
                for query in QUERIES:
                    began, worked = time.perf_counter(), time.process_time()
                    session.ask(query)
                    spent.append(((time.perf_counter() - began) * 1e3, (time.process_time() - worked) * 1e3))
                clock, cpus = zip(*spent, strict=True)
                print(
                    f"  a question: {statistics.median(clock):.0f} ms, {max(clock):.0f} at most;"
                    f" CPU {statistics.median(cpus):.0f}, {max(cpus):.0f} at most; the first {clock[0]:.0f}"
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--documents", type=int)
    parser.add_argument("--words", type=int, default=15_000)
    asked = parser.parse_args()
    if asked.documents:
        measure_documents(asked.documents, asked.words)
    else:
        measure(asked.questions, fitted=asked.fit)


if __name__ == "__main__":
    main()
