"""What the cache of replies drops when it is to be smaller."""

from pathlib import Path

from citeplug.sources.json_cache import FOR_EVER, JsonCache
from tests.harness.arxiv_server import FastClock


def test_the_oldest_replies_of_every_source_go_first(tmp_path: Path, clock: FastClock) -> None:
    file = tmp_path / "replies.sqlite3"
    for name in ("a", "b", "c"):
        JsonCache(file, f"http://{name}", clock).write({name: (FOR_EVER, "x" * 98)})
        clock.sleep(10)
    cache = JsonCache(file, "", clock)
    assert cache.shrink(1000, dry_run=False) == (0, 0)
    assert cache.shrink(250, dry_run=True) == (1, 100)
    assert cache.shrink(250, dry_run=False) == (1, 100)
    left = [name for name in "abc" if JsonCache(file, f"http://{name}", clock).read([name], lambda _, body: body)]
    assert left == ["b", "c"]


def test_a_cache_that_is_not_there_stays_away(tmp_path: Path) -> None:
    assert JsonCache(tmp_path / "none.sqlite3", "").shrink(0, dry_run=False) == (0, 0)
    assert not (tmp_path / "none.sqlite3").exists()
