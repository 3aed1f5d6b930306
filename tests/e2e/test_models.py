"""Models that the user names: in place of the built-in one, and beside it for the first papers."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import citeplug.demo
from tests.corpus.vectors.small_model import make_model
from tests.e2e.conftest import LIBRARY, Run

QUESTION = "graph attention networks for molecules"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a real sentence-transformers model, with the words of the demo's library."""
    text = LIBRARY.read_text(encoding="utf-8")
    return make_model(tmp_path_factory.mktemp("models") / "small", [text, QUESTION])


def ids(results: Sequence[dict[str, Any]]) -> list[str]:
    return [paper["id"] for paper in results]


def test_a_second_model_orders_the_first_papers_again_and_its_vectors_are_kept(
    run: Run, own_home: Path, model: Path
) -> None:
    ask = ("search", QUESTION, "-k", "200", "--wait", "--json")
    alone = run(*ask)
    together = run(*ask, "--rescorer", model)
    assert together.code == 0, together.err
    assert set(ids(together.json)) == set(ids(alone.json))
    assert ids(together.json) != ids(alone.json)
    scores = [paper["score"] for paper in together.json]
    assert scores == sorted(scores, reverse=True)
    vectors = run("index", "info", "--json").json["vectors"]
    assert vectors[str(model.resolve())] == len(together.json)
    assert ids(run(*ask, "--rescorer", model).json) == ids(together.json)
    assert run("index", "info", "--json").json["vectors"] == vectors
    assert ids(run(*ask).json) == ids(alone.json)  # it is asked only when it is named
    assert run("index", "verify", "--no-repair").code == 0


def test_what_the_second_model_had_no_time_for_is_said(
    run: Run, own_home: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_at_leisure = "citeplug.corpus.vectors.text_vectors.TextVectors._next_chunk"
    monkeypatch.setattr(only_at_leisure, lambda self, deadline: 16 if deadline is None else 0)
    hurried = run("search", QUESTION, "-k", "200", "--rescorer", model, "--json")
    assert ids(hurried.json) == ids(run("search", QUESTION, "-k", "200", "--json").json)
    assert "no time for" in hurried.err
    assert "--wait" in hurried.err
    waited = run("search", QUESTION, "--rescorer", model, "--wait", "--json")
    assert "no time" not in waited.err


def test_a_section_is_written_with_a_second_model_from_the_environment(
    run: Run, own_home: Path, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(Path(citeplug.demo.__file__).parent / "example", tmp_path / "paper")
    monkeypatch.setenv("CITEPLUG_RESCORER", str(model))
    done = run("related", tmp_path / "paper" / "main.tex", "--offline", "--json")
    assert done.code == 0, done.err
    assert len(done.json["shortlist"]) == 20
    assert run("index", "info", "--json").json["vectors"][str(model.resolve())] > 50


def test_a_model_in_place_of_the_built_in_one_has_a_collection_of_its_own(
    run: Run, own_home: Path, model: Path
) -> None:
    done = run("index", "embed", "--embedder", model, "--device", "cpu", "--json")
    assert (done.code, done.json["left"]) == (0, 0), done.err
    found = run("search", QUESTION, "--embedder", model, "--device", "cpu", "--json")
    assert found.code == 0, found.err
    assert len(found.json) == 20
    vectors = run("index", "info", "--json").json["vectors"]
    assert vectors[str(model.resolve())] == done.json["embedded"]
    assert run("index", "verify", "--no-repair").code == 0


@pytest.mark.parametrize("command", ["search", "related", "plan"])
def test_a_model_that_is_not_there_is_said_before_any_work(
    run: Run, own_home: Path, tmp_path: Path, command: str
) -> None:
    before = run("index", "info", "--json").json["vectors"]
    shutil.copytree(Path(citeplug.demo.__file__).parent / "example", tmp_path / "paper")
    what = QUESTION if command == "search" else tmp_path / "paper" / "main.tex"
    for option in ("--rescorer", "--embedder"):
        done = run(command, what, option, tmp_path / "none")
        assert done.code == 3
        assert re.search(r"none is not on this machine", done.err.replace("\n", " "))
    assert run("index", "info", "--json").json["vectors"] == before
    assert not (tmp_path / "paper" / "related.tex").exists()


def test_a_device_that_is_not_there_is_said_before_any_work(
    run: Run, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for command in (("search", QUESTION), ("index", "embed")):
        done = run(*command, "--device", "cuda:99")
        assert done.code == 3
        assert "cuda:99" in done.err
    assert run("search", QUESTION, "--device", "gpu").code == 2
    monkeypatch.setenv("CITEPLUG_DEVICE", "tpu")
    done = run("search", QUESTION)
    assert done.code == 2
    assert "CITEPLUG_DEVICE" in done.err


def test_the_vectors_of_a_model_in_use_are_not_pruned(
    run: Run, own_home: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("search", QUESTION, "--rescorer", model).code == 0
    monkeypatch.setenv("CITEPLUG_RESCORER", str(model))
    done = run("index", "prune", "--model", model.resolve())
    assert done.code == 2
    assert "CITEPLUG_RESCORER" in done.err
    monkeypatch.delenv("CITEPLUG_RESCORER")
    assert run("index", "prune", "--model", model.resolve()).code == 0
