"""Writing the section from the editor: one edit, undoable; and nothing at all once it is not wanted any more."""

import asyncio
import os
import random
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from citeplug.section_file.grammar import read_related
from tests.editor.conftest import DEMO
from tests.editor.editor import Editor, after
from tests.harness.waiting import SECONDS

pytestmark = pytest.mark.asyncio(loop_scope="module")

GENERATE = "citeplug.server.generate"
# A long run has as many cancelled runs of each kind as CITEPLUG_LONG says, up to five hundred.
CANCELS = min(int(os.environ.get("CITEPLUG_LONG") or 4), 500)
MOMENTS = 6


def demo(editor: Editor, name: str) -> Path:
    folder = editor.folder / name
    shutil.copytree(DEMO / "example", folder)
    editor.open(folder / "main.tex", (folder / "main.tex").read_text("utf-8"))
    return folder


def call(folder: Path, **more: Any) -> lsp.ExecuteCommandParams:
    argument = {"uri": (folder / "main.tex").as_uri(), "breadth": 3, **more}
    return lsp.ExecuteCommandParams(command=GENERATE, arguments=[argument])


def files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def begin(own: Editor, params: lsp.ExecuteCommandParams, identifier: str) -> "asyncio.Future[Any]":
    """Send the command now, under an id of its own."""
    return asyncio.wrap_future(
        own.client.protocol.send_request(lsp.WORKSPACE_EXECUTE_COMMAND, params, msg_id=identifier)
    )


async def test_a_section_is_written_as_one_edit_and_its_record_beside_it(own: Editor) -> None:
    folder = demo(own, "first")
    typed = "We study graph convolutional networks with many layers, which nobody saved.\n"
    own.type(folder / "main.tex", typed, (0, 0))
    own.client.progress_reports["mine"] = []
    params = call(folder, insert=True, token="mine")
    result: Any = await own.client.workspace_execute_command_async(params)
    assert result["done"] is True, result
    names = [Path(each).name for each in result["files"]]
    assert sorted(names) == ["main.tex", "related.bib", "related.tex"]
    section = after(own.applied[-1], folder / "related.tex", "")
    assert [block.edited for block in read_related(section).blocks] == [False] * len(read_related(section).blocks)
    main = after(own.applied[-1], folder / "main.tex", typed + (folder / "main.tex").read_text("utf-8"))
    assert main.startswith(typed) and "\\input{related}" in main
    assert (folder / ".citeplug" / "provenance.json").is_file()
    kinds = [type(each).__name__ for each in own.client.progress_reports["mine"]]
    assert kinds[0] == "WorkDoneProgressBegin" and kinds[-1] == "WorkDoneProgressEnd" and len(kinds) > 4
    assert not list((own.home / "editing").iterdir())


async def test_what_is_typed_meanwhile_is_merged(own: Editor, written: Path) -> None:
    folder = own.folder / "meanwhile"
    shutil.copytree(written, folder)
    related = folder / "related.tex"
    text = related.read_text("utf-8")
    for path in (folder / "main.tex", related):
        own.open(path, path.read_text("utf-8"))
    line = len(text.splitlines())
    own.type(folder / "main.tex", "% a wish\n", (0, 0))
    own.client.progress_reports["meanwhile"] = []
    params = call(folder, breadth=4, replan=True, token="meanwhile")
    run = asyncio.ensure_future(own.client.workspace_execute_command_async(params))
    await own.until(lambda: len(own.client.progress_reports["meanwhile"]) > 1)
    mine = "This is my own sentence, and it stays."
    own.type(related, mine + "\n", (line, 0))
    result: Any = await run
    now = text.splitlines(keepends=True)
    now.insert(line, mine + "\n")
    assert result["done"] is True, result
    assert mine in after(own.applied[-1], related, "".join(now))


@pytest.mark.parametrize("way", ["request", "progress"])
async def test_a_run_that_is_cancelled_leaves_nothing_behind(own: Editor, way: str) -> None:
    folder = demo(own, f"cancelled-{way}")
    before, edits = files(folder), len(own.applied)
    dice = random.Random(CANCELS)
    slowest = 0.0
    for number in range(CANCELS):
        token = f"{way}{number}"
        own.client.progress_reports[token] = []
        identifier = f"run-{way}-{number}"
        future = begin(own, call(folder, token=token), identifier)
        # After so many words of progress: before the process runs, while it loads, reads, searches or writes.
        moment = dice.randrange(MOMENTS)
        await own.until(lambda: len(own.client.progress_reports[token]) >= moment)
        await asyncio.sleep(dice.random() * 0.1)
        began = time.monotonic()
        if way == "request":
            own.client.protocol.notify(lsp.CANCEL_REQUEST, lsp.CancelParams(id=identifier))
        else:
            own.client.window_work_done_progress_cancel(lsp.WorkDoneProgressCancelParams(token=token))
        try:
            await asyncio.wait_for(future, SECONDS)
        except Exception as error:
            assert "cancel" in str(error).lower()
            slowest = max(slowest, time.monotonic() - began)
        else:  # on a fast machine it may be done by then
            edits += 1
            shutil.rmtree(folder / ".citeplug")
    print(f"{CANCELS} runs cancelled by {way}, the slowest in {1000 * slowest:.0f} ms")
    # What was cancelled is cleared away behind the answer.
    await own.until(lambda: not list((own.home / "editing").iterdir()))
    assert files(folder) == before and len(own.applied) == edits


async def test_a_cancellation_that_comes_with_the_edit_comes_too_late(own: Editor) -> None:
    folder = demo(own, "too-late")
    make, run = own.make, call(folder)

    def cancel_first(edit: lsp.WorkspaceEdit) -> None:
        own.client.protocol.notify(lsp.CANCEL_REQUEST, lsp.CancelParams(id="too-late"))
        make(edit)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own, "make", cancel_first)
        result = await begin(own, run, "too-late")
    assert result["done"] is True, result
    assert (folder / ".citeplug" / "provenance.json").is_file()


async def test_an_edit_that_is_refused_leaves_no_record_of_itself(own: Editor, written: Path) -> None:
    fresh, current = demo(own, "discarded"), own.folder / "kept"
    shutil.copytree(written, current)
    own.open(current / "main.tex", (current / "main.tex").read_text("utf-8"))
    own.type(current / "main.tex", "% a wish\n", (0, 0))
    own.refuses = True
    try:
        for folder in (fresh, current):
            before = files(folder)
            result: Any = await own.client.workspace_execute_command_async(call(folder, breadth=4, replan=True))
            assert (result["done"], "discards" in result["message"]) == (False, True)
            assert files(folder) == before
            assert (folder / ".citeplug").is_dir() == (folder is current)
    finally:
        own.refuses = False


async def test_a_second_run_of_a_project_is_refused(own: Editor) -> None:
    folder = demo(own, "twice")
    first = begin(own, call(folder), "first")
    second: Any = await own.client.workspace_execute_command_async(call(folder))
    assert second["done"] is False and "already" in second["message"]
    own.client.protocol.notify(lsp.CANCEL_REQUEST, lsp.CancelParams(id="first"))
    with pytest.raises(Exception, match="cancel"):
        await first
