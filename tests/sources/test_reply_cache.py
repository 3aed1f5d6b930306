import multiprocessing
import sqlite3
from datetime import date
from pathlib import Path

import pytest

from citeplug.records.paper import ArxivId, Paper
from citeplug.sources.reply_cache import ReplyCache
from tests.harness.arxiv_server import FastClock, paper

SOURCE = "https://example.org/api"
LATEST = ArxivId("2004.04906")
WHOLE = paper(
    "2004.04906v3",
    "Dense Passage Retrieval",
    "We retrieve é passages.",
    doi="10.1000/x",
    journal_ref="EMNLP 2020",
    comment="9 pages",
    updated=date(2020, 9, 30),
    categories=("cs.CL", "cs.IR"),
)


@pytest.fixture
def cache(tmp_path: Path, clock: FastClock) -> ReplyCache:
    return ReplyCache(tmp_path / "replies.sqlite3", SOURCE, clock)


def keep(cache: ReplyCache, found: Paper = WHOLE) -> None:
    cache.keep_records([ArxivId(found.id.value)], {ArxivId(found.id.value): found})


def test_a_new_cache_knows_nothing(cache: ReplyCache) -> None:
    assert cache.records([LATEST]) == {}
    assert cache.search("rings") is None
    assert not cache.path.exists()


def test_a_record_comes_back_as_it_was(cache: ReplyCache) -> None:
    keep(cache)
    assert cache.records([LATEST, ArxivId(LATEST.value, 3), ArxivId("1001.0001")]) == {
        LATEST: WHOLE,
        ArxivId(LATEST.value, 3): WHOLE,
    }


def test_an_unversioned_record_lasts_a_day_and_a_version_for_good(cache: ReplyCache, clock: FastClock) -> None:
    keep(cache)
    clock.sleep(86_000)
    assert LATEST in cache.records([LATEST])
    clock.sleep(500)
    assert LATEST not in cache.records([LATEST])
    clock.sleep(10 * 365 * 86_400)
    keep(cache, paper("1001.0001v1", "Another"))  # old rows are swept at a write
    assert cache.records([ArxivId(LATEST.value, 3)]) == {ArxivId(LATEST.value, 3): WHOLE}


def test_that_there_is_none_lasts_an_hour(cache: ReplyCache, clock: FastClock) -> None:
    cache.keep_records([LATEST], {})
    assert cache.records([LATEST]) == {LATEST: None}
    clock.sleep(3700)
    assert cache.records([LATEST]) == {}


def test_a_search_lasts_a_day_and_an_empty_one_an_hour(cache: ReplyCache, clock: FastClock) -> None:
    cache.keep_search("rings", [WHOLE])
    cache.keep_search("fish", [])
    assert (cache.search("rings"), cache.search("fish")) == ([WHOLE], [])
    clock.sleep(3700)
    assert (cache.search("rings"), cache.search("fish")) == ([WHOLE], None)
    clock.sleep(86_400)
    assert cache.search("rings") is None


def test_a_clock_that_was_put_back_makes_answers_void(cache: ReplyCache, clock: FastClock) -> None:
    keep(cache)
    clock.sleep(-7200)
    assert cache.records([LATEST]) == {}


def test_sources_are_kept_apart(cache: ReplyCache, clock: FastClock) -> None:
    keep(cache)
    assert ReplyCache(cache.path, "http://127.0.0.1:1/api", clock).records([LATEST]) == {}


@pytest.mark.parametrize("damage", [b"", b"not a database at all, but long enough to be taken for one " * 40])
def test_a_file_that_is_no_cache_is_rebuilt(cache: ReplyCache, damage: bytes) -> None:
    cache.path.write_bytes(damage)
    assert cache.records([LATEST]) == {}
    keep(cache)
    assert cache.records([LATEST]) == {LATEST: WHOLE}


def test_a_damaged_file_is_begun_anew(cache: ReplyCache) -> None:
    many = {ArxivId(f"1501.{n:05}"): paper(f"1501.{n:05}v1", "Title " * 100) for n in range(1, 200)}
    cache.keep_records(list(many), many)
    data = bytearray(cache.path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    cache.path.write_bytes(bytes(data))
    keep(cache)
    assert cache.records([LATEST]) == {LATEST: WHOLE}


def test_a_damaged_row_is_as_if_it_were_not_there(cache: ReplyCache) -> None:
    keep(cache)
    cache.keep_search("rings", [WHOLE])
    for body in ("{", "[]", '{"id": 3}', "null", '"x"', "[3]", '[{"id": null}]'):
        with sqlite3.connect(cache.path) as database:
            database.execute("UPDATE reply SET body = ? WHERE key != 'id:2004.04906v3'", (body,))
        database.close()
        cache.records([LATEST])
        cache.search("rings")
    assert cache.records([ArxivId(LATEST.value, 3)]) == {ArxivId(LATEST.value, 3): WHOLE}


def test_a_place_that_cannot_be_used_is_as_if_there_were_no_cache(tmp_path: Path, clock: FastClock) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "folder.sqlite3").mkdir()
    for place in (tmp_path / "file" / "replies.sqlite3", tmp_path / "folder.sqlite3"):
        cache = ReplyCache(place, SOURCE, clock)
        keep(cache)
        assert cache.records([LATEST]) == {}


def _keep_many(path: Path, first: int) -> None:
    cache = ReplyCache(path, SOURCE)
    for number in range(first, first + 40):
        found = paper(f"1501.{number:05}v1", f"Paper {number}")
        cache.keep_records([ArxivId(found.id.value)], {ArxivId(found.id.value): found})


def test_two_processes_may_write_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    path = tmp_path / "replies.sqlite3"
    writers = [context.Process(target=_keep_many, args=(path, first)) for first in (1, 101)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    asked = [ArxivId(f"1501.{n:05}") for n in (*range(1, 41), *range(101, 141))]
    assert len(ReplyCache(path, SOURCE).records(asked)) == 80
