"""Papers of the catalogue by the words that are typed: in a citation, and by a command."""

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from tests.editor.editor import Editor, bare

pytestmark = pytest.mark.asyncio(loop_scope="module")

BIB = """@article{skip,
  title = {Don't Walk, Skip! Online Learning of Multi-scale Network Embeddings},
  author = {Perozzi, Bryan and Kulkarni, Vivek and Chen, Haochen and Skiena, Steven},
  year = 2016, eprint = {1605.02115}, archiveprefix = {arXiv}
}
@book{shelf, title = {Walks along the Tidal Coast}, author = {Perozzi, Carla}, year = 1987}
"""
MAIN = (
    "\\documentclass{article}\n\\begin{document}\n"
    "Tides of harbours. \\cite{%s}\n\\bibliography{refs}\n\\end{document}\n"
)


def opened(editor: Editor, typed: str) -> tuple[Path, str]:
    text = MAIN % typed
    path = editor.project(main=bare(text), refs_bib=BIB) / "main.tex"
    editor.open(path, bare(text))
    return path, text


async def found(editor: Editor, typed: str, wanted: str) -> lsp.CompletionItem:
    """The item that cites a paper, as soon as the catalogue has answered."""
    path, text = opened(editor, typed)
    items: list[lsp.CompletionItem] = []

    for _ in range(100):
        items = await editor.complete(path, text)
        for item in items:
            if isinstance(item.data, dict) and item.data.get("arxiv_id") == wanted:
                return item
    raise AssertionError([item.label for item in items])


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("semantic role lab|", "1703.04826"),  # its title, the last word in part
        ("titov 2017|", "1703.04826"),  # an author and the year
        ("community detection|", "1611.03028"),  # its topic, far from that of the sentence
    ],
)
async def test_words_in_a_citation_search_the_whole_catalogue(editor: Editor, typed: str, wanted: str) -> None:
    item = await found(editor, typed, wanted)
    assert item.detail == f"+ arXiv:{wanted}, added to the bibliography when you choose it"
    assert item.command is not None and item.command.command == "citeplug.server.addEntry"
    card = (await editor.client.completion_item_resolve_async(item)).documentation
    assert isinstance(card, lsp.MarkupContent) and len(card.value) > 200


async def test_a_paper_that_has_an_entry_is_found_by_its_abstract_and_keeps_its_key(editor: Editor) -> None:
    item = await found(editor, "random walks multilabel|", "1605.02115")
    assert isinstance(item.text_edit, lsp.TextEdit) and item.text_edit.new_text == "skip"
    assert item.detail == "★ arXiv:1605.02115, in the bibliography"
    assert item.command is None


async def test_an_own_entry_is_found_by_words_of_its_title_once(editor: Editor) -> None:
    path, text = opened(editor, "multi-scale online|")
    items = await editor.complete(path, text)
    assert items[0].label == "skip"
    keys = [item.text_edit.new_text for item in items if isinstance(item.text_edit, lsp.TextEdit)]
    assert keys.count("skip") == 1


async def test_a_search_gives_papers_with_their_keys(editor: Editor) -> None:
    path, _ = opened(editor, "skip|")

    async def search(text: str) -> Any:
        arguments = [{"uri": path.as_uri(), "text": text}]
        params = lsp.ExecuteCommandParams(command="citeplug.server.search", arguments=arguments)
        return await editor.client.workspace_execute_command_async(params)

    first = (await search("perozzi walk"))["papers"][0]
    assert [first[name] for name in ("arxiv_id", "key", "cited", "year")] == ["1605.02115", "skip", True, 2016]
    own = (await search("perozzi"))["papers"]
    assert [row["key"] for row in own][:2] == ["skip", "shelf"]  # cited, and what no catalogue has
    assert [own[1][name] for name in ("arxiv_id", "title", "year", "cited")] == [
        "lib:shelf",
        "Walks along the Tidal Coast",
        1987,
        False,
    ]
    argument = {"uri": path.as_uri(), "arxiv_id": "lib:shelf", "line": 2, "character": 18}
    params = lsp.ExecuteCommandParams(command="citeplug.server.insertCitation", arguments=[argument])
    cited: Any = await editor.client.workspace_execute_command_async(params)
    assert (cited["status"], cited["key"]) == ("exists", "shelf")
    other = (await search("grover node2vec"))["papers"][0]
    assert [other[name] for name in ("arxiv_id", "key", "cited")] == ["1607.00653", None, False]
    assert other["abstract"]
    assert (await search(" . "))["papers"] == []
    assert not (await search(""))["done"]
