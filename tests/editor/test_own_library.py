"""Works of the author's library that are not on arXiv, in the editor."""

import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types as lsp

from tests.editor.editor import Editor, after, bare, environment, position, start
from tests.editor.test_commands import BIB, MAIN, WRONG, actions, run
from tests.harness.zotero_server import ZoteroServer

pytestmark = pytest.mark.asyncio(loop_scope="module")

ENTRY = """@book{tutte1984graph,
  author    = {W. T. Tutte},
  title     = {Graph Theory},
  publisher = {Addison-Wesley},
  year      = 1984,
}"""
ABSTRACT = "  abstract = {A theory of graphs: matchings, colourings, connectivity, planarity, removal of edges.},\n"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def editor(tmp_path_factory: pytest.TempPathFactory, library: Path) -> AsyncIterator[Editor]:
    home = tmp_path_factory.mktemp("home") / "own"
    shutil.copytree(library, home, symlinks=True)
    mine = tmp_path_factory.mktemp("mine") / "mine.bib"
    mine.write_text(ENTRY.replace("  year", ABSTRACT + "  year"), "utf-8")
    subprocess.run(
        [sys.executable, "-m", "citeplug", "library", "add", str(mine), "-q"], env=environment(home), check=True
    )
    async with start(tmp_path_factory.mktemp("workspace"), home) as editor:
        yield editor


async def offered(editor: Editor, main: Path, marked: str) -> list[lsp.CompletionItem]:
    """Papers of the catalogue and works of the library."""
    for _ in range(100):  # the model is loaded while the author types on
        found = [item for item in await editor.complete(main, marked) if item.command]
        if found:
            return found
    raise AssertionError("nothing was offered")


async def test_a_work_of_the_library_is_offered_under_its_key_and_choosing_it_adds_the_authors_entry(
    editor: Editor,
) -> None:
    marked = MAIN % "The removal of edges from graphs is an old theme of graph theory \\cite{|}."
    folder = editor.project(main=bare(marked), refs_bib=BIB)
    main = folder / "main.tex"
    editor.open(main, bare(marked))
    editor.open(folder / "refs.bib", BIB)
    mine = next(item for item in await offered(editor, main, marked) if item.label == "tutte1984graph")
    assert mine.detail == "+ tutte1984graph of your library, added to the bibliography when you choose it"
    assert isinstance(mine.text_edit, lsp.TextEdit) and mine.text_edit.new_text == "tutte1984graph"
    resolved = await editor.client.completion_item_resolve_async(mine)
    assert isinstance(resolved.documentation, lsp.MarkupContent)
    assert "Tutte" in resolved.documentation.value and "arxiv.org" not in resolved.documentation.value
    place = position(marked)
    editor.type(main, "tutte1984graph", (place.line, place.character))
    assert mine.command is not None
    result = await run(editor, mine.command)
    assert result["done"], result
    assert (result["done"], result["status"], result["key"]) == (True, "new", "tutte1984graph")
    written = after(editor.applied[-1], folder / "refs.bib", BIB)
    assert written.startswith(BIB) and ENTRY in written


async def test_a_work_that_the_bibliography_has_is_not_offered_again(editor: Editor) -> None:
    marked = MAIN % "The removal of edges from graphs is an old theme of graph theory \\cite{|}."
    folder = editor.project(main=bare(marked), refs_bib=BIB + "\n" + ENTRY + "\n")
    editor.open(folder / "main.tex", bare(marked))
    papers = [item for item in await offered(editor, folder / "main.tex", marked) if item.command]
    assert not any("Graph Theory" in str(item.label_details) for item in papers)


async def test_a_paper_that_the_bibliography_has_without_its_id_is_not_offered_again(editor: Editor) -> None:
    marked = MAIN % "Convolutional networks in the spectrum of the graph Laplacian \\cite{|}."
    entry = """@inproceedings{bruna2014, title = {Spectral networks and locally connected networks on graphs},
  author = {Bruna, Joan and Szlam, Arthur and Zaremba, Wojciech and LeCun, Yann}, booktitle = {ICLR}, year = 2014}\n"""

    async def papers(bib: str) -> set[str]:
        folder = editor.project(main=bare(marked), refs_bib=bib)
        editor.open(folder / "main.tex", bare(marked))
        items = await offered(editor, folder / "main.tex", marked)
        return {item.data["arxiv_id"] for item in items if item.data is not None}

    assert "1312.6203" in await papers(BIB)
    assert "1312.6203" not in await papers(BIB + entry)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def with_zotero(
    tmp_path_factory: pytest.TempPathFactory, library: Path
) -> AsyncIterator[tuple[Editor, ZoteroServer]]:
    home = tmp_path_factory.mktemp("home") / "zotero"
    shutil.copytree(library, home, symlinks=True)
    with ZoteroServer().serve() as zotero:
        zotero.collection("COLL2222", "Thesis")
        zotero.collection("COLL3333", "Graphs", "COLL2222")
        zotero.add(
            "TUTTE222", "book", authors=("Tutte, W. T.",), title="Graph Theory", date="1984", collections=["COLL3333"],
            citationKey="TutteGT", abstractNote="A theory of graphs: matchings, colourings, removal of edges.",
        )  # fmt: skip
        zotero.add(
            "DRPEDGE2", "preprint", authors=("Rong, Yu",), date="2019", citationKey="Rong_DropEdge",
            title="DropEdge: Towards Deep Graph Convolutional Networks on Node Classification",
            url="https://arxiv.org/abs/1907.10903",
        )  # fmt: skip
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CITEPLUG_ZOTERO_URL", zotero.url)
            command = [sys.executable, "-m", "citeplug", "library", "sync", "zotero", "-q"]
            subprocess.run(command, env=environment(home), check=True)
            async with start(tmp_path_factory.mktemp("workspace"), home) as editor:
                yield editor, zotero


@pytest.mark.parametrize(
    ("typed", "key", "detail"),
    [
        ("tutteg", "TutteGT", "+ TutteGT of your library, added to the bibliography when you choose it, Thesis/Graphs"),
        (
            "DropEdge",
            "Rong_DropEdge",
            "+ arXiv:1907.10903, in your library, added to the bibliography when you choose it",
        ),
    ],
)
async def test_works_of_zotero_are_offered_under_their_keys_with_their_collections(
    with_zotero: tuple[Editor, ZoteroServer], typed: str, key: str, detail: str
) -> None:
    editor, _ = with_zotero
    marked = MAIN % f"Edges are removed \\cite{{{typed}|}}."
    folder = editor.project(main=bare(marked), refs_bib=BIB)
    editor.open(folder / "main.tex", bare(marked))
    editor.open(folder / "refs.bib", BIB)
    item = next(item for item in await offered(editor, folder / "main.tex", marked) if item.detail == detail)
    assert isinstance(item.text_edit, lsp.TextEdit) and item.text_edit.new_text == key
    assert item.command is not None
    result = await run(editor, item.command)
    assert (result["done"], result["key"]) == (True, key)


async def test_a_cited_paper_is_saved_to_the_collection_that_the_author_chooses(
    with_zotero: tuple[Editor, ZoteroServer],
) -> None:
    editor, zotero = with_zotero
    asked: list[str] = []

    @editor.client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)  # type: ignore[untyped-decorator]
    def choose(params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
        asked.extend([params.message, *(action.title for action in params.actions or ())])
        return lsp.MessageActionItem(title="Thesis/Graphs")

    marked = MAIN % "Edges are removed \\cite{dr|op}."
    folder = editor.project(main=bare(marked), refs_bib=BIB + WRONG)
    editor.open(folder / "main.tex", bare(marked))
    found = await actions(editor, folder / "main.tex", position(marked))
    result = await run(editor, found["Save arXiv:1907.10903 to Zotero"])
    assert (result["done"], result["status"], result["collection"]) == (True, "filed", "Thesis/Graphs")
    assert asked[1:] == ["Thesis", "Thesis/Graphs", "No collection"]
    assert zotero.objects["items"]["DRPEDGE2"]["collections"] == ["COLL3333"]
