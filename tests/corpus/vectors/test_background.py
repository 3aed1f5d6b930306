"""Embedding while nobody waits."""

import os
import threading
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest

from citeplug.corpus.index import Corpus
from citeplug.corpus.locking import exclusive
from citeplug.corpus.vectors import background
from citeplug.corpus.vectors.background import EmbedReport, EmbedRequest
from citeplug.errors import StoreBusy
from tests.corpus.records import make_paper
from tests.corpus.stores import MemoryStore, WordModel
from tests.harness.waiting import SECONDS


@pytest.fixture
def model() -> WordModel:
    return WordModel()


@pytest.fixture
def corpus(tmp_path: Path, model: WordModel) -> Iterator[Corpus]:
    """Sixty papers: one in ten of math.CO, a third of the others of cs.CL, the rest of cs.LG; later ones are newer."""
    opened = Corpus(tmp_path, lambda: model, lambda name: MemoryStore())
    opened.add_papers(
        [
            make_paper(
                f"18{number // 5 + 1:02d}.{number:05d}",
                title=f"word{number}",
                published=date(2018, number // 5 + 1, number % 5 + 1),
                categories=("math.CO",) if number % 10 == 0 else ("cs.CL", "cs.LG") if number % 3 == 0 else ("cs.LG",),
            )
            for number in range(60)
        ]
    )
    yield opened
    opened.close()


def titles(model: WordModel) -> list[int]:
    """The numbers of the papers embedded, in their order."""
    return [int(text.split("word")[1].split()[0].strip(".")) for text in model.texts]


def test_everything_gets_a_vector_once_and_nothing_is_left(corpus: Corpus, model: WordModel) -> None:
    told: list[tuple[int, int]] = []
    done = corpus.embed_rest(EmbedRequest(), lambda now, total: told.append((now, total)))
    assert (done.embedded, done.left) == (60, 0)
    assert told[-1] == (60, 60)
    assert len(model.texts) == len(set(model.texts)) == 60
    assert corpus.embed_rest(EmbedRequest()).embedded == 0
    assert len(model.texts) == 60


def test_the_newest_come_first_and_a_later_run_goes_on(
    corpus: Corpus, model: WordModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "SLICE", 5)
    first = corpus.embed_rest(EmbedRequest(most=12))
    assert (first.embedded, first.left) == (12, 48)
    assert set(titles(model)) == set(range(48, 60))
    second = corpus.embed_rest(EmbedRequest(most=8))
    assert (second.embedded, second.left) == (8, 40)
    # Number 40 is of another category than most that have a vector by now.
    assert set(titles(model)) == set(range(39, 60)) - {40}


def test_the_categories_of_what_searches_found_come_before_newer_papers(
    corpus: Corpus, model: WordModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "REST", 0.0)
    combinatorics = [f"18{number // 5 + 1:02d}.{number:05d}" for number in (0, 10)]
    corpus.vectors(combinatorics)
    model.texts.clear()
    done = corpus.embed_rest(EmbedRequest(most=6))
    assert done.first == ("math.CO",)
    assert set(titles(model)[:4]) == {20, 30, 40, 50}
    assert set(titles(model)[4:]) == {58, 59}


@pytest.mark.parametrize(("wanted", "count"), [(("cs.CL",), 18), (("cs",), 54), (("math", "cs.CL"), 24), (("c",), 0)])
def test_only_the_categories_that_were_asked_for_are_embedded(
    corpus: Corpus, wanted: tuple[str, ...], count: int
) -> None:
    done = corpus.embed_rest(EmbedRequest(wanted))
    assert (done.embedded, done.left) == (count, 0)


def test_who_waits_goes_first(
    corpus: Corpus, model: WordModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests = threading.Event()

    def sleep(seconds: float) -> None:
        rests.set()
        time.sleep(0.01)

    clock = SimpleNamespace(time=time.time, monotonic=time.monotonic, sleep=sleep)
    monkeypatch.setattr(background, "time", clock)
    monkeypatch.setattr(background, "REST", 3600.0)
    corpus.embed(["somebody searches"])
    reports: list[EmbedReport] = []
    running = threading.Thread(target=lambda: reports.append(corpus.embed_rest(EmbedRequest())))
    running.start()
    assert rests.wait(SECONDS)
    assert not model.texts
    (sign,) = tmp_path.rglob("foreground")
    os.utime(sign, (0, 0))  # that was long ago
    running.join(SECONDS)
    assert len(model.texts) == 60 and reports[0].rested > 0


def test_a_time_that_is_up_ends_it(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "REST", 3600.0)
    assert corpus.embed_rest(EmbedRequest(seconds=0.0)).embedded == 0
    corpus.embed(["somebody searches"])
    assert corpus.embed_rest(EmbedRequest(seconds=0.3)).embedded == 0


def test_a_second_one_is_told_of_the_first(corpus: Corpus, tmp_path: Path) -> None:
    with (
        exclusive(tmp_path / "corpus" / "embed.lock"),
        pytest.raises(StoreBusy, match="the embedding has to wait: another citeplug process is embedding papers"),
    ):
        corpus.embed_rest(EmbedRequest())


def test_new_vectors_are_searched_at_once(corpus: Corpus) -> None:
    corpus.embed_rest(EmbedRequest())
    from citeplug.records.paper import Filter

    vector = corpus.embed(["word17"])[0]
    assert corpus.nearest(vector, 1, Filter())[0][0] == "1804.00017"
