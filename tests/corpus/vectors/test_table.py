"""Vectors kept by the digest of their text."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.database import Database
from citeplug.corpus.record_rows import text_digest
from citeplug.corpus.vectors.table import VectorTable
from citeplug.errors import ModelUnavailable
from citeplug.protocols import Vectors
from tests.corpus.records import make_paper


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "catalogue.sqlite3")
    yield opened
    opened.close()


def unit_rows(count: int, dimensions: int = 8) -> Vectors:
    rows = np.random.default_rng(count).standard_normal((count, dimensions)).astype(np.float32)
    unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def test_half_precision_moves_a_cosine_by_less_than_one_in_ten_thousand(database: Database) -> None:
    table, rows = VectorTable(database, "model"), unit_rows(200, 384)
    keys = [number.to_bytes(16, "big") for number in range(200)]
    table.put(keys, rows)
    kept = table.by_text(keys)
    assert np.allclose([np.linalg.norm(kept[key]) for key in keys], 1, atol=1e-6)
    assert max(abs(1 - float(kept[key] @ row)) for key, row in zip(keys, rows, strict=True)) < 1e-4


def test_models_do_not_see_each_others_vectors(database: Database) -> None:
    VectorTable(database, "one").put([b"a"], unit_rows(1))
    assert VectorTable(database, "two").by_text([b"a"]) == {}
    assert Catalogue(database).models() == ["one", "two"]


def test_another_model_under_the_same_name_is_refused(database: Database) -> None:
    VectorTable(database, "model").put([b"a"], unit_rows(1, 8))
    with pytest.raises(ModelUnavailable, match="8 dimensions") as caught:
        VectorTable(database, "model").put([b"b"], unit_rows(1, 9))
    assert caught.value.hint


def test_a_vector_belongs_to_the_text_and_not_to_the_paper(database: Database) -> None:
    catalogue, table = Catalogue(database), VectorTable(database, "model")
    catalogue.put([make_paper()])
    table.put([text_digest(make_paper())], unit_rows(1))
    catalogue.put([make_paper(doi="10.1/x")])
    assert set(table.by_id(["1706.03762"])) == {"1706.03762"}
    catalogue.put([make_paper(title="Another Title", doi="10.1/x")])
    assert table.by_id(["1706.03762"]) == {}
    catalogue.put([make_paper(comment="the old title again")])
    assert set(table.by_id(["1706.03762"])) == {"1706.03762"}


def test_changed_rows_come_in_whole_writes_and_none_is_missed(database: Database) -> None:
    catalogue, table = Catalogue(database), VectorTable(database, "model")
    papers = [make_paper(f"1801.{number:05d}", title=f"Title {number}") for number in range(50)]
    catalogue.put(papers)
    for start in range(0, 50, 10):
        table.put([text_digest(paper) for paper in papers[start : start + 10]], unit_rows(10))
    catalogue.put([make_paper("1801.00003", title="Title 3", comment="touched after it was embedded")])
    chunks, since = [], 0
    while rows := table.changed(since, 12):
        chunks.append({row[0] for row in rows})
        since = rows[-1][2]
    assert [len(chunk) for chunk in chunks] == [19, 20, 11]
    assert set.union(*chunks) == {paper.id.value for paper in papers}


def test_a_matrix_holds_the_texts_asked_for(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    table, rows = VectorTable(database, "model"), unit_rows(5)
    keys = [bytes([number]) * 16 for number in range(5)]
    table.put(keys, rows)
    for few in (20_000, 0):
        monkeypatch.setattr("citeplug.corpus.vectors.table._FEW", few)
        found, matrix = table.matrix([keys[3], keys[1], b"unknown"])
        assert set(found) == {keys[1], keys[3]}
        assert np.allclose(matrix[found.index(keys[3])], rows[3], atol=1e-3)
    assert table.matrix([])[0] == []
