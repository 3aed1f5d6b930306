"""The first papers, from the editor: near the draft, once the author has seen what is sent."""

import asyncio
from pathlib import Path

import pytest

from citeplug.sources.snapshot import SnapshotReader
from tests.editor.conftest import DEMO
from tests.editor.editor import start
from tests.editor.test_generation import demo
from tests.editor.test_previews import ask
from tests.harness.arxiv_server import ArxivServer, Fault

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_papers_near_the_draft_come_when_the_author_agrees(
    tmp_path: Path, arxiv_server: ArxivServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    arxiv_server.add(*list(SnapshotReader(DEMO / "library.jsonl"))[:12])
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    (tmp_path / "workspace").mkdir()
    async with start(tmp_path / "workspace", tmp_path / "home") as editor:
        folder = demo(editor, "paper")
        shown = await ask(editor, "nearPapers", folder)
        assert shown["done"] is True and shown["searches"] and not arxiv_server.requests
        got = await ask(editor, "nearPapers", folder, online=True)
        assert got["done"] is True and got["added"] == got["records"] > 0
        assert {query for query in arxiv_server.asked_queries() if query} <= set(shown["searches"])


async def test_an_outage_is_no_empty_answer(
    tmp_path: Path, arxiv_server: ArxivServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    arxiv_server.fail_always(Fault.http(404))
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    (tmp_path / "workspace").mkdir()
    async with start(tmp_path / "workspace", tmp_path / "home") as editor:
        failed = await ask(editor, "nearPapers", demo(editor, "paper"), online=True)
        assert failed["done"] is False and "arXiv" in failed["message"]


async def test_what_is_asked_while_papers_are_listed_waits_its_turn(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    async with start(tmp_path / "workspace", tmp_path / "home") as editor:
        folder = demo(editor, "paper")
        listed, shown = await asyncio.gather(ask(editor, "shortlist", folder), ask(editor, "nearPapers", folder))
        assert shown["done"] is True and shown["searches"]
        assert "being written" not in str(listed)
