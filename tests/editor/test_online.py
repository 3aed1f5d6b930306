"""arXiv asked by the server: only where the user allowed it."""

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from citeplug.sources.snapshot import SnapshotReader
from tests.editor.conftest import DEMO
from tests.editor.editor import Editor, start
from tests.harness.arxiv_server import ArxivServer, Fault

pytestmark = pytest.mark.asyncio(loop_scope="module")

BIB = """@article{dropedge,
  title = {DropEdge: Towards the Very Deep Graph Convolutional Networks for Node Classification},
  author = {Rong, Yu and Huang, Wenbing and Xu, Tingyang and Huang, Junzhou},
  journal = {CoRR}, year = 2019, eprint = {1907.10903}, archiveprefix = {arXiv}
}
"""
MAIN = (
    "\\documentclass{article}\n\\begin{document}\n\\cite{dropedge}\n\\bibliographystyle{plain}\\bibliography{refs}\n"
    "\\end{document}\n"
)
ALLOWED = {"diagnostics": {"network": True}}


@pytest.fixture
def arxiv(arxiv_server: ArxivServer, monkeypatch: pytest.MonkeyPatch) -> ArxivServer:
    """A server that gives the paper another title than the catalogue does."""
    arxiv_server.add(*(paper for paper in SnapshotReader(DEMO / "library.jsonl") if paper.id.value == "1907.10903"))
    arxiv_server.lie("1907.10903", "The Chess of Small Quanta")
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    monkeypatch.setenv("CITEPLUG_ARXIV_DELAY", "0")
    return arxiv_server


def open_project(editor: Editor) -> Path:
    folder = editor.project(main=MAIN, refs_bib=BIB)
    editor.open(folder / "main.tex", MAIN)
    editor.open(folder / "refs.bib", BIB)
    return folder


async def verification(editor: Editor, folder: Path) -> str:
    found = await editor.hover(folder / "main.tex", MAIN.replace("{drop", "{dr|op"))
    assert found is not None and isinstance(found.contents, lsp.MarkupContent)
    return found.contents.value


async def test_where_the_user_allowed_it_arxiv_says_what_the_catalogue_does_not(
    tmp_path: Path, library: Path, arxiv: ArxivServer
) -> None:
    async with start(tmp_path, library, options=ALLOWED) as editor:
        folder = open_project(editor)
        (found,) = await editor.diagnostics(folder / "refs.bib", "title_differs")
        assert "Chess" in found.message and "checked against arXiv" in await verification(editor, folder)
        assert arxiv.asked_ids() == [["1907.10903"]]


async def test_what_is_sent_later_cannot_allow_it(tmp_path: Path, library: Path, arxiv: ArxivServer) -> None:
    async with start(tmp_path, library) as editor:
        editor.client.set_configuration({"citeplug": ALLOWED})
        settings = lsp.DidChangeConfigurationParams(settings={"citeplug": ALLOWED})
        editor.client.workspace_did_change_configuration(settings)
        folder = open_project(editor)
        params = lsp.ExecuteCommandParams(
            command="citeplug.server.checkBibliography", arguments=[{"uri": (folder / "main.tex").as_uri()}]
        )
        assert await editor.client.workspace_execute_command_async(params)
        assert "checked against your catalogue" in await verification(editor, folder)
        assert arxiv.requests == []


async def test_an_outage_is_no_verdict(tmp_path: Path, library: Path, arxiv: ArxivServer) -> None:
    arxiv.fail_always(Fault.too_fast(retry_after="86400"))
    async with start(tmp_path, library, options=ALLOWED) as editor:
        folder = open_project(editor)
        await editor.until(lambda: any("arXiv" in each.message for each in editor.client.log_messages))
        assert "checked against your catalogue" in await verification(editor, folder)
        assert not editor.client.diagnostics.get((folder / "refs.bib").as_uri())
