"""Records drawn from the catalogue."""

from pathlib import Path

import pytest

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.database import Database
from citeplug.corpus.topics import model
from citeplug.corpus.topics.model import all_ids, drawn_ids
from tests.corpus.topical import make_papers


@pytest.fixture
def database(tmp_path: Path) -> Database:
    made = Database(tmp_path / "catalogue.sqlite3")
    Catalogue(made).put(make_papers())
    return made


def test_every_id_comes_once_in_parts(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "_ROWS_AT_ONCE", 7)
    parts = list(all_ids(database))
    assert max(map(len, parts)) == 7
    assert [value for part in parts for value in part] == sorted(paper.id.value for paper in make_papers())


def test_a_smaller_draw_begins_a_larger_one_and_takes_from_everywhere(database: Database) -> None:
    ids = drawn_ids(database, 1000)
    assert len(ids) == len(set(ids)) == 160
    assert drawn_ids(database, 40) == ids[:40]
    assert {value[:4] for value in ids[:40]} == {"1801", "1802", "1803", "1804"}


def test_nothing_is_drawn_from_nothing(tmp_path: Path) -> None:
    assert drawn_ids(Database(tmp_path / "empty.sqlite3"), 5) == []
