"""Answers by a writer who errs in a fifth of the sentences, and a judge who errs in few, are better than either."""

from pathlib import Path

import citeplug.demo
from citeplug.ask.by_model.write import write_answer
from citeplug.records.answer import AskedPassage, AskedText
from citeplug.sources.snapshot import SnapshotReader
from tests.ask.by_model.stated_quality import Adept, Counted, Quality

PAPERS = list(SnapshotReader(Path(citeplug.demo.__file__).parent / "library.jsonl"))


def counted(adept: Adept, rounds: int = 120) -> Counted:
    """Each question to six papers, of which one bears an answer out, or none."""
    found = Counted()
    for number in range(2 * rounds):
        papers = [PAPERS[(number * 7 + step) % len(PAPERS)] for step in range(6)]
        texts = [AskedText(p.id.value, p.title, "abstract", "") for p in papers]
        passages = [AskedPassage(p.id.value, 0, " ".join(p.abstract.split())) for p in papers]
        adept.bearing = [passages[number % 6].text] if number % 2 else []
        found.add(write_answer(f"What is done in number {number}?", (), passages, texts, adept.model), adept)
    return found


def test_citations_are_as_precise_as_gpt_4s_and_refusals_in_bounds() -> None:
    adept = Adept()
    found = counted(adept)
    assert found.precision >= 0.928
    assert found.refusal_recall >= 0.99
    assert found.over_refusal <= 0.10
    assert found.true >= 0.9 * adept.written


def test_without_a_judge_that_can_tell_they_are_as_good_as_the_checks_in_code() -> None:
    blind = counted(Adept(Quality(judges=0.5)), 40)
    right = counted(Adept(Quality(judges=1.0)), 40)
    assert blind.precision < right.precision == 1.0
    assert right.refusal_recall == 1.0
