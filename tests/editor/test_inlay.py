"""Words beside the text: the papers of a plan."""

import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from citeplug.editor.lenses import papers_in_plans
from tests.editor.editor import Editor, start


def named(text: str) -> list[str]:
    return [text[each.start : each.end] for each in papers_in_plans(text, 0, len(text))]


def test_a_plan_names_the_papers_at_the_ends_of_its_lines() -> None:
    text = "% citeplug:begin p1\n% citeplug:1 weigh [a, b] of it [1710.10903, kipf2017semi]\nText [1706.02216].\n"
    assert named(text) == ["1710.10903", "kipf2017semi"]


def test_a_plan_in_the_draft_names_papers_too() -> None:
    text = "\\begin{citeplugplan}\nheading: Graphs\nname [1706.02216; hamilton]\n\\end{citeplugplan}\n[1810.00826]"
    assert named(text) == ["1706.02216", "hamilton"]


def test_a_bracket_of_words_names_no_paper() -> None:
    assert named("% citeplug:1 what is done [in two steps]\n") == []


@given(st.text(alphabet="%citeplug: 12[],;\n\\{}begin", max_size=80))
def test_what_is_named_stands_where_it_is_said(text: str) -> None:
    for each in papers_in_plans(text, 0, len(text)):
        assert text[each.start : each.end] == each.name and not set("[],; \n") & set(each.name)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def hinted(tmp_path_factory: pytest.TempPathFactory, library: Path) -> AsyncIterator[Editor]:
    options = {"inlayHints": {"enabled": True}}
    async with start(tmp_path_factory.mktemp("hinted"), library, options=options) as editor:
        yield editor


async def labels(editor: Editor, path: Path, first: int = 0, last: int = 10_000) -> dict[str, lsp.Position]:
    params = lsp.InlayHintParams(
        text_document=lsp.TextDocumentIdentifier(uri=path.as_uri()),
        range=lsp.Range(start=lsp.Position(first, 0), end=lsp.Position(last, 0)),
    )
    found = await editor.client.text_document_inlay_hint_async(params) or ()
    assert all(isinstance(hint.label, str) for hint in found)
    return {str(hint.label): hint.position for hint in found}


@pytest.mark.asyncio(loop_scope="module")
async def test_a_plan_says_its_papers(hinted: Editor, written: Path) -> None:
    folder = hinted.folder / "project"
    shutil.copytree(written, folder)
    related = folder / "related.tex"
    text = related.read_text("utf-8")
    hinted.open(related, text)
    lines = text.splitlines()

    planned = await labels(hinted, related)
    assert planned and all(re.fullmatch(r"[\w-]+(?: et al\.| and [\w-]+)? \d{4}", label) for label in planned)
    assert all(lines[place.line][place.character] in ",]" for place in planned.values())
    begin = min(place.line for place in planned.values())
    assert set(await labels(hinted, related, begin, begin + 1)) < set(planned)


@pytest.mark.asyncio(loop_scope="module")
async def test_there_are_no_words_beside_the_text_unless_they_are_wished_for(editor: Editor, written: Path) -> None:
    folder = editor.folder / "unhinted"
    shutil.copytree(written, folder)
    editor.open(folder / "related.tex", (folder / "related.tex").read_text("utf-8"))
    assert await labels(editor, folder / "related.tex") == {}


@pytest.mark.asyncio(loop_scope="module")
async def test_the_editor_is_told_to_ask_again_when_sentences_are_accepted(editor: Editor, written: Path) -> None:
    asked: list[str] = []

    @editor.client.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)  # type: ignore[untyped-decorator]
    def lenses(*_: object) -> None:
        asked.append("lenses")

    folder = editor.folder / "accepting"
    shutil.copytree(written, folder)
    related = folder / "related.tex"
    editor.open(related, related.read_text("utf-8"))
    # The check makes it ask too; that is waited for first.
    await editor.until(lambda: "lenses" in asked)
    asked.clear()
    argument = {"uri": related.as_uri(), "place": "p1:1"}
    params = lsp.ExecuteCommandParams(command="citeplug.server.accept", arguments=[argument])
    result: Any = await editor.client.workspace_execute_command_async(params)
    assert result["changed"] == 1
    await editor.until(lambda: "lenses" in asked)


@pytest.mark.asyncio(loop_scope="module")
async def test_an_accepted_sentence_carries_a_mark(hinted: Editor, written: Path) -> None:
    folder = hinted.folder / "accepted"
    shutil.copytree(written, folder)
    related = folder / "related.tex"
    lines = related.read_text("utf-8").splitlines()
    hinted.open(related, related.read_text("utf-8"))
    assert "✓" not in await labels(hinted, related)
    number = next(n for n, line in enumerate(lines) if line and not line.startswith(("%", "\\paragraph")))
    accept = lsp.ExecuteCommandParams("citeplug.server.accept", [{"uri": related.as_uri(), "place": "p1:1"}])
    await hinted.client.workspace_execute_command_async(accept)
    assert (await labels(hinted, related))["✓"] == lsp.Position(number, 0)
