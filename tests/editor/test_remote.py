"""Projects whose files exist only in the editor, as those of Overleaf Workshop: the server asks the client for them."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types as lsp

from citeplug.editor import remote as server_side
from tests.editor.editor import Editor, bare, position, start

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOST = "overleaf-workshop://www.overleaf.com/"
QUERY = "?user%3D1%26project%3D2"
MAIN = (
    "\\documentclass{article}\n\\usepackage{mystyle}\n\\begin{document}\n\\input{sections/intro}\n"
    "\\cite{one,nobody}\n\\bibliographystyle{plain}\\bibliography{bib/refs}\n\\end{document}\n"
)
INTRO = "As in \\cite{one} and \\cite{|}.\n"
BIB = "@misc{one, title={One and Only}, author={Author, A.}, year=2001}\n"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    """An editor that has files of its own."""
    folder = tmp_path_factory.mktemp("workspace")
    async with start(folder, folder / "home", files={}) as editor:
        yield editor


class Remote:
    """A project whose files the client alone has."""

    _numbers = itertools.count()

    def __init__(self, editor: Editor, **files: str) -> None:
        self.editor = editor
        self.home = f"{HOST}A%20Paper%20{next(self._numbers)}/"
        for name, text in files.items():
            self.write(name, text)
        editor.asked_for.clear()

    def uri(self, name: str) -> str:
        return f"{self.home}{name}{QUERY}"

    def write(self, name: str, text: str) -> None:
        self.editor.files[self.uri(name)] = text

    def open(self, name: str, text: str) -> None:
        item = lsp.TextDocumentItem(uri=self.uri(name), language_id="latex", version=1, text=text)
        self.editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))

    def close(self, name: str) -> None:
        document = lsp.TextDocumentIdentifier(uri=self.uri(name))
        self.editor.client.text_document_did_close(lsp.DidCloseTextDocumentParams(text_document=document))

    def changed(self, name: str) -> None:
        change = lsp.FileEvent(uri=self.uri(name), type=lsp.FileChangeType.Changed)
        self.editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(changes=[change]))

    async def labels(self, name: str, marked: str) -> list[str]:
        found = await self.editor.client.text_document_completion_async(
            lsp.CompletionParams(lsp.TextDocumentIdentifier(self.uri(name)), position(marked))
        )
        assert isinstance(found, lsp.CompletionList)
        return [item.label for item in found.items]

    async def title(self, name: str, marked: str) -> str:
        found = await self.editor.client.text_document_hover_async(
            lsp.HoverParams(lsp.TextDocumentIdentifier(self.uri(name)), position(marked))
        )
        if found is None:
            return ""
        assert isinstance(found.contents, lsp.MarkupContent)
        return next(line for line in found.contents.value.splitlines() if line.startswith("**"))


def paper(editor: Editor, **more: str) -> Remote:
    return Remote(editor, **{"main.tex": MAIN, "sections/intro.tex": bare(INTRO), "bib/refs.bib": BIB, **more})


async def test_the_project_of_a_part_is_found_and_its_keys_are_offered(client: Editor) -> None:
    its = paper(client)
    its.open("sections/intro.tex", bare(INTRO))
    assert await its.labels("sections/intro.tex", INTRO) == ["one"]
    there = INTRO.replace("|", "").replace("{one", "{o|ne")
    assert await its.title("sections/intro.tex", there) == "**One and Only**"
    place = lsp.DefinitionParams(lsp.TextDocumentIdentifier(its.uri("sections/intro.tex")), position(there))
    found = await its.editor.client.text_document_definition_async(place)
    assert isinstance(found, list) and [each.uri for each in found if isinstance(each, lsp.Location)] == [
        its.uri("bib/refs.bib")
    ]


async def test_only_what_is_defined_in_no_file_of_the_client_is_undefined(client: Editor) -> None:
    its = paper(client)
    its.open("main.tex", MAIN)
    told = its.editor.client.diagnostics
    await its.editor.until(lambda: bool(told.get(its.uri("main.tex"))))
    (found,) = told[its.uri("main.tex")]
    assert (found.code, found.severity) == ("undefined_key", lsp.DiagnosticSeverity.Error)
    assert found.range.start == lsp.Position(4, 10)
    assert all(name.startswith(its.home) for name in its.editor.asked_for)
    assert len(set(its.editor.asked_for)) == len(its.editor.asked_for), "each file is asked for once"


async def test_a_file_that_others_change_is_asked_for_again(client: Editor) -> None:
    its = paper(client)
    its.open("main.tex", MAIN)
    marked = MAIN.replace("{one", "{o|ne")
    assert await its.title("main.tex", marked) == "**One and Only**"
    its.write("bib/refs.bib", BIB.replace("One and Only", "Another"))
    its.changed("bib/refs.bib")
    assert await its.title("main.tex", marked) == "**Another**"
    its.write("bib/refs.bib", BIB.replace("One and Only", "A Third"))
    its.close("main.tex")
    its.open("main.tex", MAIN)
    assert await its.title("main.tex", marked) == "**A Third**"


async def test_a_file_that_is_new_is_found(client: Editor) -> None:
    its = Remote(client, **{"main.tex": MAIN, "sections/intro.tex": bare(INTRO)})
    its.open("main.tex", MAIN)
    marked = MAIN.replace("{one", "{o|ne")
    assert await its.title("main.tex", marked) == ""
    its.write("bib/refs.bib", BIB)
    its.changed("bib/refs.bib")
    assert await its.title("main.tex", marked) == "**One and Only**"


async def test_what_is_open_counts_and_not_what_the_client_would_read(client: Editor) -> None:
    its = paper(client)
    its.open("bib/refs.bib", BIB.replace("One and Only", "Typed"))
    its.open("main.tex", MAIN)
    assert await its.title("main.tex", MAIN.replace("{one", "{o|ne")) == "**Typed**"
    assert its.uri("bib/refs.bib") not in its.editor.asked_for


async def test_a_root_that_is_named_counts(client: Editor) -> None:
    other = MAIN.replace("bib/refs", "other")
    its = paper(client, **{"other.tex": other, "other.bib": BIB.replace("{one", "{its")})
    marked = "% !TEX root = ../other.tex\n\\cite{|}\n"
    its.open("sections/part.tex", bare(marked))
    assert await its.labels("sections/part.tex", marked) == ["its"]


async def test_no_file_of_another_project_is_asked_for(client: Editor) -> None:
    text = MAIN.replace("sections/intro", "../Other/secret").replace("bib/refs", "../../Other/refs")
    its = paper(client)
    its.open("main.tex", text)
    assert await its.title("main.tex", text.replace("{one", "{o|ne")) == ""
    assert its.editor.asked_for and not [name for name in its.editor.asked_for if "Other" in name]


async def test_an_answer_that_comes_late_is_told_of_and_a_client_that_fails_has_no_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server_side, "_SECONDS", 0.01)
    answers: dict[str, asyncio.Future[str | None]] = {name: asyncio.Future() for name in ("slow.bib", "broken.bib")}
    late: list[Path] = []
    files = server_side.Remote(lambda path: answers[path.name], late.append)
    slow, broken = (Path("/x:/host/project", name) for name in answers)
    answers["broken.bib"].set_exception(ValueError("no"))
    await files.fetch([slow, broken])
    assert files.known() == {slow: None, broken: None} and late == []
    answers["slow.bib"].set_result(BIB)
    while not late:
        await asyncio.sleep(0)
    assert late == [slow]
    found = files.known()[slow]
    assert found is not None and found.text == BIB


async def test_a_file_that_changes_while_it_is_asked_for_is_not_taken_for_a_missing_one() -> None:
    answers = [asyncio.Future[str | None]() for _ in range(2)]
    asked = iter(answers)
    files = server_side.Remote(lambda _: next(asked), lambda _: None)
    section = Path("/x:/host/project/related.tex")
    reading = asyncio.ensure_future(files.fetch([section]))
    await asyncio.sleep(0)
    files.forget(section)
    answers[0].set_result("before")
    await reading
    assert section not in files.known(), "the next round asks for it again"
    answers[1].set_result("after")
    await files.fetch([section])
    found = files.known()[section]
    assert found is not None and found.text == "after"


async def test_a_client_that_has_no_such_files_is_asked_nothing(tmp_path: Path) -> None:
    async with start(tmp_path, tmp_path / "home") as editor:
        its = Remote(editor)
        its.open("main.tex", MAIN)
        its.open("bib/refs.bib", BIB)
        assert await its.title("main.tex", MAIN.replace("{one", "{o|ne")) == "**One and Only**"
        assert editor.asked_for == []
