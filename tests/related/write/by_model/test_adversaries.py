"""A few dozen sections by adversarial models; a thousand, with the misses counted, in benchmarks/model_sections.py."""

import pytest

from benchmarks.adversarial_sections import LIBRARY, adversarial
from citeplug.sources.snapshot import SnapshotReader
from tests.harness.adversaries import DISORDERS, FALSIFIERS

pytestmark = pytest.mark.slow


def test_adversarial_models_cite_nothing_else_and_leave_no_quotation_that_is_not_real() -> None:
    papers = [paper for paper in SnapshotReader(LIBRARY) if len(paper.abstract) > 200]
    tally = adversarial(papers, 2 * (len(FALSIFIERS) + len(DISORDERS) + 1), seed=7)
    assert (tally.outside, tally.missing, tally.unquoted) == (0, 0, 0)
    assert tally.proposed.total() >= 20
    assert tally.kept.total() <= 0.05 * tally.proposed.total()
