"""Checks in code on sentences that are known to be true or false; benchmarks/claims.py prints the whole table."""

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.claims import SHARED
from tests.related.attribute.known_sentences import Known, own_sentences, sentences_of


def passing(sentences: list[Known], truth: bool) -> float:
    of = [known for known in sentences if known.truth == truth]
    return sum(known.check().sentence is not None for known in of) / len(of)


def test_the_set_has_its_kinds() -> None:
    kinds = Counter(known.kind for known in own_sentences())
    assert kinds.pop("true") >= 200
    assert len(kinds) == 4
    assert min(kinds.values()) >= 25


def test_of_true_paraphrases_98_in_100_pass_at_first_asking() -> None:
    assert passing(own_sentences(), truth=True) >= 0.98


@pytest.mark.shared_data
def test_sentences_of_strong_models_pass(shared_data: Path) -> None:
    refused, paraphrases = (sentences_of(path) for path in SHARED)
    assert passing(refused, truth=True) >= 0.98
    assert passing(paraphrases, truth=True) >= 0.98
    numbers = [known.check().sentence for known in paraphrases if known.kind == "changed numbers" and not known.truth]
    unsuspected = [sentence for sentence in numbers if sentence is not None and sentence.judgement is None]
    assert len(unsuspected) <= 0.5 * len(numbers)
