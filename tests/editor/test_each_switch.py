"""Each feature has its own switch, and nothing else goes with it."""

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types as lsp

from citeplug.editor.switches import Switches
from tests.editor.editor import Editor, position, start

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Asked:
    """A project with a generated section, and what the editor asks about it."""

    def __init__(self, editor: Editor, folder: Path) -> None:
        self.editor, self.folder = editor, folder
        self.client = editor.client
        self.texts = {
            name: (folder / name).read_text("utf-8") for name in ("main.tex", "references.bib", "related.tex")
        }
        main = self.texts["main.tex"]
        self.cite = main.index("\\cite{") + len("\\cite{")
        for name, text in self.texts.items():
            editor.open(folder / name, text)

    def document(self, name: str) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(uri=(self.folder / name).as_uri())

    def key(self) -> dict[str, Any]:
        main = self.texts["main.tex"]
        place = position(f"{main[: self.cite + 1]}|")
        return {"text_document": self.document("main.tex"), "position": place}

    async def completion(self) -> Any:
        found = await self.client.text_document_completion_async(lsp.CompletionParams(**self.key()))
        assert isinstance(found, lsp.CompletionList)
        return found.items

    async def hover(self) -> Any:
        return await self.client.text_document_hover_async(lsp.HoverParams(**self.key()))

    async def definition(self) -> Any:
        return await self.client.text_document_definition_async(lsp.DefinitionParams(**self.key()))

    async def references(self) -> Any:
        context = lsp.ReferenceContext(include_declaration=True)
        return await self.client.text_document_references_async(lsp.ReferenceParams(context=context, **self.key()))

    async def highlight(self) -> Any:
        params = lsp.DocumentHighlightParams(**self.key())
        return await self.client.text_document_document_highlight_async(params)

    async def rename(self) -> Any:
        return await self.client.text_document_prepare_rename_async(lsp.PrepareRenameParams(**self.key()))

    async def links(self) -> Any:
        return await self.client.text_document_document_link_async(lsp.DocumentLinkParams(self.document("main.tex")))

    async def symbols(self) -> Any:
        here = await self.client.text_document_document_symbol_async(
            lsp.DocumentSymbolParams(self.document("main.tex"))
        )
        everywhere = await self.client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query=""))
        assert bool(here) == bool(everywhere)
        return here

    async def folding(self) -> Any:
        params = lsp.FoldingRangeParams(self.document("related.tex"))
        return await self.client.text_document_folding_range_async(params)

    async def code_actions(self) -> Any:
        nowhere = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        params = lsp.CodeActionParams(self.document("main.tex"), nowhere, lsp.CodeActionContext([]))
        return await self.client.text_document_code_action_async(params)

    async def code_lens(self) -> Any:
        return await self.client.text_document_code_lens_async(lsp.CodeLensParams(self.document("related.tex")))


FEATURES: dict[str, Callable[[Asked], Awaitable[Any]]] = {
    "completion.enabled": Asked.completion,
    "hover.enabled": Asked.hover,
    "definition.enabled": Asked.definition,
    "references.enabled": Asked.references,
    "highlight.enabled": Asked.highlight,
    "rename.enabled": Asked.rename,
    "documentLinks.enabled": Asked.links,
    "symbols.enabled": Asked.symbols,
    "folding.enabled": Asked.folding,
    "codeActions.enabled": Asked.code_actions,
    "codeLens.enabled": Asked.code_lens,
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def asked(written: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Asked]:
    folder = tmp_path_factory.mktemp("switches")
    shutil.copytree(written, folder / "project")
    async with start(folder, folder / "home", options={"completion.arxiv": False}) as editor:
        yield Asked(editor, folder / "project")


def say(editor: Editor, **switches: object) -> None:
    """Change settings as the user does while the server runs."""
    settings = lsp.DidChangeConfigurationParams(settings={"citeplug": switches})
    editor.client.workspace_did_change_configuration(settings)


@pytest.mark.parametrize("name", FEATURES)
async def test_a_feature_that_is_switched_off_is_silent_and_the_others_answer(asked: Asked, name: str) -> None:
    say(asked.editor, **{name: False})
    silent = [each for each, ask in FEATURES.items() if not await ask(asked)]
    say(asked.editor, **{name: True})
    assert silent == [name]
    assert await FEATURES[name](asked)


async def test_diagnostics_go_and_come_with_their_switches(tmp_path: Path) -> None:
    text = "\\documentclass{article}\n\\begin{document}\n\\cite{nobody}\n\\bibliography{refs}\n\\end{document}\n"
    async with start(tmp_path, tmp_path / "home") as editor:
        folder = editor.project(main=text, refs_bib="")
        main = folder / "main.tex"
        editor.open(main, text)
        await editor.diagnostics(main, "undefined_key")
        say(editor, diagnostics={"enabled": False})
        await editor.diagnostics(main)
        say(editor, diagnostics={"enabled": True})
        await editor.diagnostics(main, "undefined_key")


async def test_no_switch_is_left_out() -> None:
    """All others have tests of their own: inlay hints, the network, little support, arXiv's papers, the root."""
    from citeplug.editor.switches import FLAGS

    others = {"completion.arxiv", "diagnostics.enabled", "inlayHints.enabled"}
    assert set(FLAGS) == set(FEATURES) | others
    assert set(Switches.__slots__) == {*FLAGS.values(), "network", "low_support", "root_file"}
