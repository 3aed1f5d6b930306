"""What editors can do differs: each is served with what it can."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from tests.editor.editor import Editor, start
from tests.editor.test_commands import run
from tests.harness.waiting import soon

pytestmark = pytest.mark.asyncio(loop_scope="module")

BIB = "@misc{one, title={One and Only}, author={Author, A.}, year=2001}\n"
MAIN = (
    "\\documentclass{article}\n\\begin{document}\n%s\n\\bibliographystyle{plain}\\bibliography{refs}\n\\end{document}\n"
)
BEFORE = "é😀 Zoë "  # letters of one, two and four bytes, and of one and two units of UTF-16
UNITS = {"utf-8": len(BEFORE.encode()), "utf-16": len(BEFORE.encode("utf-16-le")) // 2, "utf-32": len(BEFORE)}


def adding(uri: str) -> lsp.Command:
    argument = {"uri": uri, "arxiv_id": "1907.10903", "key": "1907.10903"}
    return lsp.Command(title="", command="citeplug.server.addEntry", arguments=[argument])


def encodings(*names: str) -> Callable[[lsp.ClientCapabilities], None]:
    def change(can: lsp.ClientCapabilities) -> None:
        can.general = lsp.GeneralClientCapabilities(position_encodings=list(names))

    return change


@pytest.mark.parametrize("encoding", UNITS)
async def test_everything_counts_in_the_encoding_that_was_agreed_on(
    tmp_path: Path, library: Path, encoding: str
) -> None:
    text = MAIN % f"{BEFORE}\\cite{{nobody}}\n{BEFORE}\\cite{{1907.10903}}\n{BEFORE}\\cite{{one}}"
    bib = BIB + f"{BEFORE}\n"
    async with start(tmp_path, library, change=encodings(encoding)) as editor:
        folder = editor.project(main=text, refs_bib=bib)
        main, refs = folder / "main.tex", folder / "refs.bib"
        editor.open(main, text)
        editor.open(refs, bib)
        start_of = UNITS[encoding] + len("\\cite{")
        first, second = await editor.diagnostics(main, "undefined_key", "undefined_key")
        assert first.range == lsp.Range(lsp.Position(2, start_of), lsp.Position(2, start_of + 6))
        assert second.range.start == lsp.Position(3, start_of)
        here: dict[str, Any] = {
            "text_document": lsp.TextDocumentIdentifier(uri=main.as_uri()),
            "position": lsp.Position(4, start_of + 1),
        }
        shown = await editor.client.text_document_hover_async(lsp.HoverParams(**here))
        assert shown is not None and shown.range is not None and shown.range.start.character == start_of
        found = await editor.client.text_document_completion_async(lsp.CompletionParams(**here))
        assert isinstance(found, lsp.CompletionList) and isinstance(found.items[0].text_edit, lsp.TextEdit)
        assert found.items[0].text_edit.range == lsp.Range(lsp.Position(4, start_of), lsp.Position(4, start_of + 3))
        editor.type(main, "two,", (4, start_of))  # undefined, and told of at once
        codes = ["undefined_key"] * 3
        assert (await editor.diagnostics(main, *codes))[-1].range.start == lsp.Position(4, start_of)
        assert (await run(editor, adding(main.as_uri())))["done"]
        (change,) = editor.applied[-1].document_changes or ()
        assert isinstance(change, lsp.TextDocumentEdit)
        (edit,) = change.edits
        assert edit.range.start.line in (1, 2) and edit.range.start.character in (0, UNITS[encoding])


async def test_an_editor_that_takes_no_edits_is_offered_none(tmp_path: Path, library: Path) -> None:
    def change(can: lsp.ClientCapabilities) -> None:
        assert can.workspace is not None
        can.workspace.apply_edit = None

    async with start(tmp_path, library, change=change) as editor:
        text = MAIN % "\\cite{1907.10903}"
        folder = editor.project(main=text, refs_bib=BIB)
        main = folder / "main.tex"
        editor.open(main, text)
        place = lsp.Position(2, 8)
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(main.as_uri()), lsp.Range(place, place), lsp.CodeActionContext([])
        )
        assert not await editor.client.text_document_code_action_async(params)
        refused = await run(editor, adding(main.as_uri()))
        assert not refused["done"] and "accepts no edits" in refused["message"]
        assert editor.applied == [] and (folder / "refs.bib").read_text("utf-8") == BIB
        assert await editor.diagnostics(main, "undefined_key")


async def test_an_editor_without_versions_gets_plain_edits(tmp_path: Path, library: Path) -> None:
    def change(can: lsp.ClientCapabilities) -> None:
        assert can.workspace is not None
        can.workspace.workspace_edit = lsp.WorkspaceEditClientCapabilities(document_changes=False)

    async with start(tmp_path, library, change=change) as editor:
        text = MAIN % "\\cite{1907.10903}"
        folder = editor.project(main=text, refs_bib=BIB)
        editor.open(folder / "main.tex", text)
        assert (await run(editor, adding((folder / "main.tex").as_uri())))["done"]
        edit = editor.applied[-1]
        assert edit.document_changes is None
        assert list(edit.changes or ()) == [(folder / "refs.bib").as_uri()]


@pytest.mark.parametrize("pull", [False, True])
async def test_an_undefined_key_goes_when_it_is_defined_pushed_or_asked_for(tmp_path: Path, pull: bool) -> None:
    async with start(tmp_path, tmp_path / "home", pull=pull) as editor:
        text = MAIN % "\\cite{nobody}"
        folder = editor.project(main=text, refs_bib=BIB)
        main, refs = folder / "main.tex", folder / "refs.bib"
        editor.open(main, text)
        editor.open(refs, BIB)
        await told(editor, main, pull, "undefined_key")
        editor.type(main, "one", (2, 6), (2, 12))
        await told(editor, main, pull)
        editor.type(main, "none", (2, 6), (2, 9))
        editor.type(main, "%\n", (4, 0))  # a key is no error while it is being typed
        await told(editor, main, pull, "undefined_key")
        editor.type(refs, "@misc{none, title={None}}\n", (0, 0))
        await told(editor, main, pull)


async def told(editor: Editor, path: Path, pull: bool, *codes: str) -> None:
    """Just these are told of a file at last: pushed, or answered."""
    if not pull:
        await editor.diagnostics(path, *codes)
        return
    found: list[object] = []

    async def there() -> bool:
        params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(path.as_uri()))
        report = await editor.client.text_document_diagnostic_async(params)
        assert isinstance(report, lsp.RelatedFullDocumentDiagnosticReport)
        found[:] = [each.code for each in report.items]
        return found == list(codes)

    await soon(there, lambda: str(found))
