import numpy as np
import pytest

from citeplug.records.paper import Paper
from citeplug.related.plan.themes import LARGEST, cluster
from tests.related.write.examples import paper


def papers(*titles: str) -> list[Paper]:
    return [paper(f"We study {t}.", t, arxiv_id=f"2001.{n:05d}") for n, t in enumerate(titles, 1)]


LOGS_AND_GRAPHS = papers(
    "parsing of system logs", "coloring of planar graphs", "templates for system logs", "cuts in planar graphs"
)


def test_papers_with_near_vectors_share_a_group() -> None:
    rows = np.array([[1, 0], [0, 1], [0.9, 0.1], [0.1, 0.9]], dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = {p.id.value: row for p, row in zip(LOGS_AND_GRAPHS, rows, strict=True)}
    assert cluster(LOGS_AND_GRAPHS, vectors, 2) == [[0, 2], [1, 3]]


def test_without_vectors_words_decide() -> None:
    assert cluster(LOGS_AND_GRAPHS, {}, 2) == [[0, 2], [1, 3]]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 10, 17, 60])
def test_every_paper_is_in_one_group_that_is_not_too_large(n: int) -> None:
    rows = np.random.default_rng(n).normal(size=(n, 8)).astype(np.float32)
    several = papers(*(f"title {i}" for i in range(n)))
    vectors = {p.id.value: row / np.linalg.norm(row) for p, row in zip(several, rows, strict=True)}
    groups = cluster(several, vectors, 1)
    assert sorted(row for group in groups for row in group) == list(range(n))
    assert all(1 <= len(group) <= LARGEST for group in groups)
    assert n < 4 or all(len(group) > 1 for group in groups)


def test_equal_vectors_still_make_groups() -> None:
    several = papers(*(f"title {i}" for i in range(12)))
    vectors = {p.id.value: np.ones(3, dtype=np.float32) for p in several}
    assert all(len(group) <= LARGEST for group in cluster(several, vectors, 1))
