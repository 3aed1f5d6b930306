"""Fits the weights by which the sentence that answers is chosen, and tells how right it is on papers not fitted to.

    python -m benchmarks.fit_answers [--qasper FILE.json]

The sentences of each question of `dev` and `new` (benchmarks/questions.py) are compared as `citeplug ask` does it;
those that have one of its facts are right. The weights maximise the probability of these among all (conditional
logistic regression). Papers are dealt into eight parts, and each part is asked with weights fitted to the others.

FILE.json has questions of QASPER (Dasigi and others 2021, CC BY 4.0) with paragraphs and sentences that answer them:
{id: {article_id, text, evidence[], highlighted_evidence[]}}, as `data/dev_question_dict.json` of the repository
lekhang4497/qasper-retriever-reader. The paragraphs that answer any question to a paper, five or more, are asked in its
place, since the whole papers are not in it.
"""

import argparse
import json
import os
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.questions import Question, questions, selections
from citeplug.ask.extractive import score_passages
from citeplug.ask.session import AskSession
from citeplug.ask.texts import GivenText, Selection
from citeplug.corpus.stores import settings
from citeplug.text.sentences import split_sentences

Numbers = NDArray[np.float64]
NAMES = ("word pieces", "passage", "words", "names a thing", "lacks a number", "is a definition", "is a question")
_PARTS = 8
_FEWEST = 5  # paragraphs of a paper
_PENALTY = 0.01  # of the squares of standardised weights
_MARK = re.compile(r"\b(?:BIB|FIG|TAB|SEC)REF\d+|\b(?:INLINE|DISPLAY)FORM\d+")


@dataclass(frozen=True)
class Asked:
    """The sentences of a question: `features` (n, d), and which of them are `right` (n,)."""

    half: str
    paper: str
    features: Numbers
    right: NDArray[np.bool_]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--qasper", type=Path, metavar="FILE.json")
    path = parser.parse_args().qasper
    texts = selections()
    chosen = [q for q in questions() if q.half in ("dev", "new") and q.facts and not q.summary]
    if path is not None:
        papers, more = read_qasper(json.loads(path.read_text("utf-8")))
        texts, chosen = {**texts, **papers}, [*chosen, *more]
    asked = ask(texts, chosen)
    rng = np.random.default_rng(0)
    papers_of = rng.permutation(sorted({one.paper for one in asked})).tolist()
    first: Counter[str] = Counter()
    for part in range(_PARTS):
        held = set(papers_of[part::_PARTS])
        weights = fit([one for one in asked if one.paper not in held])
        first.update(one.half for one in asked if one.paper in held and one.right[(one.features @ weights).argmax()])
    of = Counter(one.half for one in asked)
    print("answered by the first sentence, by weights fitted to other papers:")
    print("\n".join(f"  {half}: {first[half]} of {count}" for half, count in of.items()))
    print("weights fitted to all:")
    print("\n".join(f"  {weight:6.2f} {name}" for weight, name in zip(fit(asked), NAMES, strict=True)))


def ask(texts: dict[str, Selection] | Any, chosen: Sequence[Question]) -> list[Asked]:
    """The sentences of each question of which some and not all are right."""
    asked: list[Asked] = []
    with tempfile.TemporaryDirectory() as home:
        os.environ["CITEPLUG_HOME"] = home
        session = AskSession(settings())
        for name in dict.fromkeys(question.of for question in chosen):
            session.select(texts[name], lambda *_: None)
            for question in [question for question in chosen if question.of == name]:
                query = session.texts.query(question.question)
                _, passages = session.retrieve(query)
                scored = score_passages(query, session.texts.texts, passages, session.texts.embed, session.texts.split)
                sentences = [sentence for passage in scored for sentence in passage.sentences]
                right = np.array([question.is_answered_by(sentence.text) for sentence in sentences])
                if right.any() and not right.all():
                    features = np.array([sentence.features for sentence in sentences])
                    asked.append(Asked(question.half, name, features, right))
        session.close()
    return asked


def fit(asked: Sequence[Asked]) -> Numbers:
    """Weights (d,) of the features."""
    every = np.vstack([one.features for one in asked])
    scale = every.std(axis=0) + 1e-9
    scaled = [(one.features / scale, one.right) for one in asked]

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        total, slope = 0.0, np.zeros(len(weights))
        for features, right in scaled:
            odds = np.exp(features @ weights - (features @ weights).max())
            share, of_right = odds / odds.sum(), odds * right / (odds * right).sum()
            total -= float(np.log(share[right].sum()))
            slope += features.T @ (share - of_right)
        penalty = _PENALTY * float(weights @ weights)
        return total / len(scaled) + penalty, slope / len(scaled) + 2 * _PENALTY * weights

    fitted: Numbers = minimize(loss, np.zeros(every.shape[1]), jac=True, method="L-BFGS-B").x
    weights: Numbers = fitted / scale
    return weights


def read_qasper(lines: dict[str, Any]) -> tuple[dict[str, Selection], list[Question]]:
    """Paragraphs of each paper, and the questions to it with the sentences that answer as facts."""
    paragraphs: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for line in lines.values():
        paragraphs[line["article_id"]] |= dict.fromkeys(_plain(line["evidence"]))
    texts = {
        paper: Selection(texts=(GivenText(paper, "# Text\n\n" + "\n\n".join(own)),))
        for paper, own in paragraphs.items()
        if len(own) >= _FEWEST
    }
    chosen = []
    for number, line in lines.items():
        facts = [
            text[start:end].lower()
            for text in _plain(line["highlighted_evidence"])
            for start, end in split_sentences(text)
            if "&" not in text  # which joins the parts of a fact
        ]
        if line["article_id"] in texts and facts:
            chosen.append(Question(f"QASPER {number}", line["article_id"], line["text"], tuple(facts)))
    return texts, chosen


def _plain(paragraphs: Sequence[str]) -> list[str]:
    """The prose among them, without the data set's marks of references."""
    prose = [text for text in paragraphs if not text.startswith("FLOAT SELECTED")]
    return [re.sub(r" (?=[,.;)])", "", " ".join(_MARK.sub("", text).split())) for text in prose]


if __name__ == "__main__":
    main()
