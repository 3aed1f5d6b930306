"""A section for a draft whose files the client alone has: nothing of it is written to this machine's folders."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types as lsp

from citeplug.section_file.grammar import read_related
from tests.editor.conftest import DEMO
from tests.editor.editor import Editor, start
from tests.editor.test_commands import run

pytestmark = pytest.mark.asyncio(loop_scope="module")

PROJECT = "overleaf-workshop://www.overleaf.com/Paper/"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory, library: Path) -> AsyncIterator[Editor]:
    home = tmp_path_factory.mktemp("home") / "own"
    shutil.copytree(library, home, symlinks=True)
    async with start(tmp_path_factory.mktemp("workspace"), home, files={}) as editor:
        for path in (DEMO / "example").iterdir():
            editor.files[PROJECT + path.name] = path.read_text("utf-8")
        yield editor


async def ask(client: Editor, command: str, **more: Any) -> Any:
    argument = {"uri": PROJECT + "main.tex", **more}
    return await run(client, lsp.Command(title="", command=f"citeplug.server.{command}", arguments=[argument]))


def on_the_disk() -> list[Path]:
    """What lies where the path of a remote document would be, if it were one."""
    return sorted(Path("/overleaf-workshop:").rglob("*"))


def save(client: Editor, changes: list[dict[str, Any]]) -> None:
    """Do as an editor that makes an edit and saves all."""
    for change in changes:
        client.files[change["uri"]] = change["after"]
        event = lsp.FileEvent(uri=change["uri"], type=lsp.FileChangeType.Changed)
        client.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(changes=[event]))


async def test_a_section_is_written_and_goes_on_from_its_record(client: Editor) -> None:
    before = on_the_disk()
    text = client.files[PROJECT + "main.tex"]
    item = lsp.TextDocumentItem(uri=PROJECT + "main.tex", language_id="latex", version=1, text=text)
    client.client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))
    shown = await ask(client, "generate", breadth=4, preview=True)
    assert {each["uri"].removeprefix(PROJECT) for each in shown["changes"]} == {"related.tex", "related.bib"}
    done = await ask(client, "applyPreview", preview=shown["preview"])
    assert done["done"] is True, done
    uris = {
        each.text_document.uri
        for each in client.applied[-1].document_changes or ()
        if isinstance(each, lsp.TextDocumentEdit)
    }
    assert uris == {each["uri"] for each in shown["changes"]}
    save(client, shown["changes"])

    section = client.files[PROJECT + "related.tex"]
    block = read_related(section).blocks[0]
    mine = "This is mine, and it stays."
    edited = section.replace("% citeplug:end", f"{mine}\n% citeplug:end", 1)
    save(client, [{"uri": PROJECT + "related.tex", "after": edited}])
    again = await ask(client, "refreshParagraph", place=block.id, preview=True)
    assert again["done"] is True, again
    assert not [each for each in again["findings"] if each["code"] == "paragraph_left"], "its base was found"
    assert all(mine in each["after"] for each in again["changes"] if each["uri"].endswith(".tex"))

    params = lsp.CodeLensParams(text_document=lsp.TextDocumentIdentifier(uri=PROJECT + "main.tex"))
    await client.client.text_document_code_lens_async(params)
    assert on_the_disk() == before


async def test_a_sentence_is_accepted_in_the_record_and_rejected_in_the_clients_file(client: Editor) -> None:
    before = on_the_disk()
    first, second = (await ask(client, "showProvenance"))["sentences"][:2]
    assert (await ask(client, "accept", place=first["place"]))["changed"] == 1
    edits = len(client.applied)
    assert (await ask(client, "reject", place=second["place"]))["changed"] == 1
    assert len(client.applied) == edits + 1
    (change,) = [c for c in client.applied[-1].document_changes or () if isinstance(c, lsp.TextDocumentEdit)]
    assert change.text_document.uri == PROJECT + "related.tex"
    statuses = [each["status"] for each in (await ask(client, "showProvenance"))["sentences"][:2]]
    # The editor of the tests saves nothing by itself, and a sentence that stands is not read yet.
    assert statuses == ["accepted", "unreviewed"]
    assert (await ask(client, "accept", place=first["place"], undo=True))["changed"] == 1
    assert on_the_disk() == before


async def test_the_sentences_are_shown_as_in_print_with_the_words_and_the_place_that_they_rest_on(
    client: Editor,
) -> None:
    shown = (await ask(client, "showProvenance"))["sentences"]
    assert shown and not [each for each in shown if "\\" in each["shown"]]
    sources = [source for each in shown for source in each["sources"]]
    assert sources and all(source["name"] and source["place"] and source["quote"] for source in sources)


async def test_a_question_is_answered_from_the_papers_of_a_draft_that_is_not_on_this_machine(client: Editor) -> None:
    before = on_the_disk()
    answer = await ask(client, "ask", question="Which edges does DropEdge remove?")
    assert answer["done"] is True, answer
    assert answer["looked_through"] and answer["sentences"]
    assert not [finding for finding in answer["findings"] if "editing" in finding["message"]]
    assert on_the_disk() == before


async def test_what_others_changed_meanwhile_is_not_overwritten(client: Editor) -> None:
    gone = PROJECT + "related.tex"
    del client.files[gone]
    event = lsp.FileEvent(uri=gone, type=lsp.FileChangeType.Deleted)
    client.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(changes=[event]))
    shown = await ask(client, "generate", breadth=3, preview=True)
    assert shown["changes"]
    section = next(each for each in shown["changes"] if each["uri"].endswith("related.tex"))
    client.files[section["uri"]] = section["before"] + "\n% a word of a coauthor\n"
    edits = len(client.applied)
    done = await ask(client, "applyPreview", preview=shown["preview"])
    assert (done["done"], "changed" in done["message"]) == (False, True)
    assert len(client.applied) == edits


async def test_a_choice_goes_into_the_clients_file(client: Editor) -> None:
    chosen = await ask(client, "choose", arxiv_id="1907.10903", choice="pin")
    assert chosen["changed"] is True
    (change,) = [c for c in client.applied[-1].document_changes or () if isinstance(c, lsp.TextDocumentEdit)]
    assert change.text_document.uri == PROJECT + "citeplug.toml"
