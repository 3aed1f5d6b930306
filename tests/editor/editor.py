"""An editor for tests: pytest-lsp's client, with the real server in a process of its own, over its two pipes."""

import asyncio
import functools
import itertools
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal, TypeGuard
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from tests.harness.waiting import SECONDS, soon

VSCODE = "visual-studio-code"
CURSOR = "|"
LATE = 0.15  # seconds that Neovim waits with what was changed

Manner = Literal["records", "buffer", "saves", "opens", "late"]


class Editor:
    """`folder` is the workspace; each project of a test lies in a folder of its own there.

    `manner` is what becomes of an edit: `records` it and does nothing, holds it in a `buffer` that the server is never
    told of, `saves` it to the disk, `opens` the file and tells of the change, or tells of that `late`.
    """

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self._numbers = itertools.count()
        self._versions: dict[str, int] = {}
        self.applied: list[lsp.WorkspaceEdit] = []
        self.refuses = False
        self.manner: Manner = "records"
        self.buffers: dict[Path, str] = {}
        self.asked_for: list[str] = []
        self.files: dict[str, str] = {}
        self.home = folder

    def project(self, **files: str) -> Path:
        """A new project on the disk; `main` is main.tex, `refs_bib` is refs.bib."""
        folder = self.folder / f"project{next(self._numbers)}"
        folder.mkdir()
        for name, text in files.items():
            (folder / file_name(name)).write_text(text, encoding="utf-8", newline="")
        return folder

    def open(self, path: Path, text: str) -> None:
        uri = path.as_uri()
        self._versions[uri] = 1
        item = lsp.TextDocumentItem(uri=uri, language_id="latex", version=1, text=text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))

    def type(self, path: Path, text: str, start: tuple[int, int], end: tuple[int, int] | None = None) -> None:
        place = lsp.Range(start=lsp.Position(*start), end=lsp.Position(*(end or start)))
        self._change(path, lsp.TextDocumentContentChangePartial(range=place, text=text))

    def replace(self, path: Path, text: str) -> None:
        self._change(path, lsp.TextDocumentContentChangeWholeDocument(text=text))

    def make(self, edit: lsp.WorkspaceEdit) -> None:
        """Make an edit in the manner of this editor."""
        self.applied.append(edit)
        if self.manner == "records":
            return
        for change in edit.document_changes or ():
            if isinstance(change, lsp.CreateFile):
                path_of(change.uri).touch()
        for path in [path_of(each.text_document.uri) for each in edit.document_changes or () if is_text(each)]:
            before = self.buffers.get(path, path.read_text("utf-8") if path.is_file() else "")
            self.buffers[path] = after(edit, path, before)
            if self.manner == "saves":
                self.save(path)
            if self.manner in ("opens", "late"):
                if path.as_uri() not in self._versions:
                    self.open(path, before)
                tell = functools.partial(self.replace, path, self.buffers[path])
                asyncio.get_running_loop().call_later(LATE if self.manner == "late" else 0, tell)

    def save(self, path: Path) -> None:
        """Write what a buffer holds to the disk, and tell nobody."""
        path.write_text(self.buffers[path], encoding="utf-8", newline="")

    def _change(self, path: Path, change: lsp.TextDocumentContentChangeEvent) -> None:
        uri = path.as_uri()
        self._versions[uri] += 1
        document = lsp.VersionedTextDocumentIdentifier(uri=uri, version=self._versions[uri])
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(text_document=document, content_changes=[change])
        )

    def close(self, path: Path) -> None:
        document = lsp.TextDocumentIdentifier(uri=path.as_uri())
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(text_document=document))

    def at(self, path: Path, marked: str) -> dict[str, Any]:
        """The document and the position of the cursor in a marked text."""
        return {"text_document": lsp.TextDocumentIdentifier(uri=path.as_uri()), "position": position(marked)}

    async def complete(self, path: Path, marked: str) -> list[lsp.CompletionItem]:
        found = await self.client.text_document_completion_async(lsp.CompletionParams(**self.at(path, marked)))
        assert isinstance(found, lsp.CompletionList) and found.is_incomplete
        return list(found.items)

    async def diagnostics(self, path: Path, *codes: str) -> list[lsp.Diagnostic]:
        """Those that the server pushed for a file, once just these codes are there."""
        found: list[lsp.Diagnostic] = []
        if not codes and path.as_uri() not in self.client.diagnostics:
            await self.hover(path, CURSOR)  # else nothing is there before anything was read

        def there() -> bool:
            found[:] = self.client.diagnostics.get(path.as_uri(), ())
            return sorted(str(each.code) for each in found) == sorted(codes)

        await self.until(there, lambda: str([(each.code, each.message) for each in found]))
        return found

    async def until(self, there: Callable[[], bool], what: Callable[[], str] = lambda: "it did not happen") -> None:
        async def is_there() -> bool:
            return there()

        await soon(is_there, what)

    async def hover(self, path: Path, marked: str) -> lsp.Hover | None:
        return await self.client.text_document_hover_async(lsp.HoverParams(**self.at(path, marked)))


def position(marked: str) -> lsp.Position:
    """The position of the mark, in UTF-16."""
    lines = marked[: marked.index(CURSOR)].replace("\r\n", "\n").split("\n")
    return lsp.Position(line=len(lines) - 1, character=len(lines[-1].encode("utf-16-le")) // 2)


def bare(marked: str) -> str:
    """The text without the mark."""
    return marked.replace(CURSOR, "", 1)


def after(edit: lsp.WorkspaceEdit, path: Path, text: str) -> str:
    """A text after the edits of it."""
    for change in edit.document_changes or ():
        if isinstance(change, lsp.TextDocumentEdit) and change.text_document.uri == path.as_uri():
            lines = text.splitlines(keepends=True)
            for each in reversed(change.edits):
                assert isinstance(each, lsp.TextEdit)
                start, end = (
                    sum(map(len, lines[: place.line])) + place.character for place in (each.range.start, each.range.end)
                )
                text = text[:start] + each.new_text + text[end:]
    return text


def is_text(change: Any) -> TypeGuard[lsp.TextDocumentEdit]:
    return isinstance(change, lsp.TextDocumentEdit)


def path_of(uri: str) -> Path:
    return Path(unquote(urlsplit(uri).path))


def file_name(name: str) -> str:
    return f"{name}.tex" if "_" not in name else name.replace("_", ".")


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "CITEPLUG_HOME": str(home)}


@asynccontextmanager
async def start(
    folder: Path,
    home: Path,
    *,
    profile: str = VSCODE,
    options: dict[str, Any] | None = None,
    pull: bool = False,
    change: Callable[[lsp.ClientCapabilities], None] | None = None,
    files: dict[str, str] | None = None,
) -> AsyncIterator[Editor]:
    """A server that may reach nothing but loopback, its session begun; ended as editors do.

    `change` is made to the capabilities of the profile; `files` are texts by URI that only the client has.
    """
    command = [sys.executable, "-m", "tests.harness.only_loopback", "lsp"]
    client = await ClientServerConfig(command, server_env=environment(home)).start()
    assert isinstance(client, LanguageClient)
    editor = Editor(client, folder)
    editor.home = home

    @client.feature(lsp.WORKSPACE_APPLY_EDIT)  # type: ignore[untyped-decorator]
    def apply(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        if editor.refuses:
            return lsp.ApplyWorkspaceEditResult(applied=False, failure_reason="the author discards it")
        editor.make(params.edit)
        return lsp.ApplyWorkspaceEditResult(applied=True)

    @client.feature(lsp.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
    def register(params: lsp.RegistrationParams) -> None:
        return None

    if files is not None:
        editor.files = files

        @client.feature("citeplug/readFile")  # type: ignore[untyped-decorator]
        def read_file(params: Any) -> dict[str, str] | None:
            editor.asked_for.append(params.uri)
            return {"text": files[params.uri]} if params.uri in files else None

    capabilities = client_capabilities(profile)
    if files is not None:
        capabilities.experimental = {"citeplug": {"readFile": True}}
    if change is not None:
        change(capabilities)
    if pull:
        assert capabilities.text_document is not None and capabilities.workspace is not None
        capabilities.text_document.diagnostic = lsp.DiagnosticClientCapabilities()
        capabilities.workspace.diagnostics = lsp.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    params = lsp.InitializeParams(capabilities=capabilities, root_uri=folder.as_uri(), initialization_options=options)
    await client.initialize_session(params)
    try:
        yield editor
        await asyncio.wait_for(client.shutdown_session(), SECONDS)
        assert client._server is not None
        await asyncio.wait_for(client._server.wait(), SECONDS)
    finally:
        # The client would wait for it for ever, and a test that failed would never say so.
        if client._server is not None and client._server.returncode is None:
            client._server.kill()
        await client.stop()  # type: ignore[no-untyped-call]
