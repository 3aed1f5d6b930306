"""The audit in the editor: when it is asked for, as diagnostics that move with their lines."""

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from tests.editor.editor import Editor, after
from tests.editor.test_commands import actions, run
from tests.editor.test_diagnostics import BIB
from tests.editor.test_previews import ask

pytestmark = pytest.mark.asyncio(loop_scope="module")

RONG = "Rong et al. 2019 (“DropEdge: Towards the Very Deep Graph ...”)"
MAIN = r"""\documentclass{article}
\title{Very deep graph convolutional networks for node classification}
\begin{document}
\begin{abstract}Deep graph convolutional networks over-fit and over-smooth nodes. We drop edges.\end{abstract}
\section{Experiments}
We sample neighbours, and compare all of it with DropEdge in the end.
\bibliographystyle{plain}\bibliography{refs}
\end{document}
"""


def named(editor: Editor, main: Path) -> list[lsp.Diagnostic]:
    """The diagnostics on works that are named and not cited."""
    found = editor.client.diagnostics.get(main.as_uri(), [])
    return [each for each in found if each.code == "uncited_name"]


async def titles(editor: Editor, main: Path) -> list[str]:
    params = lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri=main.as_uri()))
    found: Any = await editor.client.text_document_code_lens_async(params)
    return [lens.command.title for lens in found or () if lens.command]


async def test_an_audit_is_made_when_it_is_asked_for_and_its_findings_move_with_their_lines(editor: Editor) -> None:
    folder = editor.project(main=MAIN, refs_bib="")
    main = folder / "main.tex"
    editor.open(main, MAIN)
    await editor.diagnostics(main)
    assert "Audit the draft" in await titles(editor, main)
    result = await ask(editor, "audit", folder)
    assert result["done"] is True and "whether the works say what the draft says of them" in result["not_looked_at"]
    assert "uncited_name" in [each["code"] for each in result["findings"]]
    assert {each["file"] for each in result["findings"] if each["file"]} == {str(main)}
    assert f"Audit: {len(result['findings'])} findings" in await titles(editor, main)
    await editor.until(lambda: len(named(editor, main)) == 1)
    (found,) = named(editor, main)
    assert found.range.start.line == 5 and found.severity == lsp.DiagnosticSeverity.Warning
    place = found.range.start
    offered = await actions(editor, main, place)
    cite: Any = offered[f"Cite {RONG} here"]
    # From the list of problems the cursor is at the beginning of the line: the citation goes to the name.
    assert cite.arguments[0]["character"] == MAIN.splitlines()[5].index(" in the end")
    assert {f"Pin {RONG} to the section", f"Exclude {RONG} from the section"} <= set(offered)
    editor.type(main, "% a line more\n", (1, 0))
    await editor.until(lambda: [each.range.start.line for each in named(editor, main)] == [6])
    editor.type(main, "Now ", (6, 0))
    await editor.until(lambda: not named(editor, main))


async def test_what_an_audit_says_of_a_paper_is_taken_back_once_it_is_cited_or_excluded(editor: Editor) -> None:
    for title in (f"Cite {RONG} here", f"Exclude {RONG} from the section"):
        folder = editor.project(main=MAIN, refs_bib="")
        main = folder / "main.tex"
        editor.open(main, MAIN)
        await ask(editor, "audit", folder)
        await editor.until(lambda main=main: len(named(editor, main)) == 1)  # type: ignore[misc]
        offered = await actions(editor, main, named(editor, main)[0].range.start)
        assert (await run(editor, offered[title]))["done"] is True
        written = {name: after(editor.applied[-1], folder / name, "") for name in ("citeplug.toml", "refs.bib")}
        if title.startswith("Cite"):
            assert "DropEdge~\\cite{rong2019dropedge} in the end." in after(editor.applied[-1], main, MAIN)
            assert "@misc{rong2019dropedge," in written["refs.bib"]
        else:
            assert 'exclude = ["1907.10903"]' in written["citeplug.toml"]
        await editor.until(lambda main=main: not named(editor, main))  # type: ignore[misc]


async def test_an_audit_of_a_draft_without_text_says_what_was_not_looked_at(editor: Editor) -> None:
    folder = editor.project(main="", refs_bib=BIB)
    editor.open(folder / "main.tex", "")
    result = await ask(editor, "audit", folder)
    assert result["done"] is True and not result["findings"] and not result["missing"]
    assert any("introduction first" in line for line in result["not_looked_at"])
