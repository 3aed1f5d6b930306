"""Answers by a language model: how precise its citations are, and what it refuses.

    python -m benchmarks.answers_by_model                        a scripted writer and judge of stated quality
    python -m benchmarks.answers_by_model --llm anthropic --most 20 [--max-cost 1.00] [--model M]     a real endpoint

Both answer the claims of ../shared/data/claims/scifact_dev.jsonl, each asked of its own abstract among eleven others,
and of twelve others; with `--questions FILE.jsonl` those of benchmarks/answers.py. Of a scripted model it is known
which of its sentences are true: citation precision is the share of the sentences shown that are, recall that of the
true ones written that are shown. Of a real one it is known which abstract bears an answer out, so the sentences
that cite it are counted.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.answers import Asker, Case, claims, questions
from citeplug.ask.by_model.write import write_answer
from citeplug.ask.retrieval import PASSAGES
from citeplug.corpus.stores import settings
from citeplug.llm.chosen_model import Wanted, language_model
from citeplug.protocols import LanguageModel
from citeplug.records.answer import Answer, AskedPassage, AskedText
from tests.ask.by_model.stated_quality import Adept, Counted, Quality

_QUALITIES = (Quality(judges=0.99), Quality(), Quality(judges=0.95), Quality(true=0.6), Quality(judges=0.5))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llm")
    parser.add_argument("--model", action="append", default=[])
    parser.add_argument("--max-cost", type=float)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--most", type=int, default=1_000, help="cases at most")
    given = parser.parse_args()
    cases = questions(given.questions) if given.questions else list(among_others(claims()))
    cases = cases[: given.most]
    if given.llm is None:
        _scripted(cases)
        return
    wanted = Wanted(given.llm, tuple(given.model), given.max_cost)
    with language_model(wanted, settings(), lambda notice: print(f"asking {notice.place}, {notice.model}")) as model:
        assert model is not None
        _real(cases, model)
        print(f"cost: ${getattr(model, 'cost', 0):.2f}")


def among_others(cases: Sequence[Case]) -> Iterator[Case]:
    """The cases with no more texts than a request shows: those that bear an answer out, and others by chance."""
    chance = random.Random(1)
    every = {text[0]: text for case in cases for text in case.texts}
    for case in cases:
        own = [text for text in case.texts if text[0] in case.bearing]
        others = [text for name, text in sorted(every.items()) if text not in own and (own or text in case.texts)]
        texts = [*own, *chance.sample(others, PASSAGES - len(own))]
        chance.shuffle(texts)
        yield Case(case.id, case.question, texts, case.bearing)


def _answered(case: Case, model: LanguageModel) -> Answer:
    texts = [AskedText(name, title, "abstract", "") for name, title, _ in case.texts]
    passages = [AskedPassage(name, 0, abstract) for name, _, abstract in case.texts]
    return write_answer(case.question, (), passages, texts, model)


def _scripted(cases: Sequence[Case]) -> None:
    print(f"{len(cases)} questions\n\ndecides refuses writes judges | shown precision recall refusal over-refusal")
    for quality in _QUALITIES:
        adept, found = Adept(quality), Counted()
        for case in cases:
            adept.bearing = [abstract for name, _, abstract in case.texts if name in case.bearing]
            found.add(_answered(case, adept.model), adept)
        said = (quality.answers, quality.refuses, quality.true, quality.judges)
        recall = found.true / max(1, adept.written)
        counts = (found.precision, recall, found.refusal_recall, found.over_refusal)
        print(" ".join(f"{each:6.2f}" for each in said), f" | {found.shown:5}", *(f"{each:8.3f}" for each in counts))


def _real(cases: Sequence[Case], model: LanguageModel) -> None:
    outcomes: Counter[str] = Counter()
    asker = Asker()
    for case in cases:
        written = _answered(case, model)
        kind = "answerable" if case.bearing else "unanswerable"
        outcomes[f"{kind}, {'refused' if written.refused else 'answered' if written.sentences else 'failed'}"] += 1
        plain, _ = asker.scored(case)
        outcomes[f"{kind}, {'refused' if plain.refused else 'answered'} without the model"] += 1
        for sentence in written.sentences:
            bears = any(citation.paper in case.bearing for citation in sentence.citations)
            outcomes[f"sentences, {sentence.status}, {'bearing' if bears else 'other'} abstract"] += 1
        outcomes.update(f"finding {finding.code}" for finding in written.findings)
    for name, count in sorted(outcomes.items()):
        print(f"{count:5}  {name}")


if __name__ == "__main__":
    main()
