"""The core of it with what other editors say that they can do."""

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.editor.editor import Editor, bare, start

pytestmark = pytest.mark.asyncio(loop_scope="module")

BIB = "@misc{one, title={One and Only}, author={Author, A.}, year=2001}\n"
MAIN = "\\documentclass{article}\n\\begin{document}\n\\cite{%s}\n\\bibliography{refs}\n\\end{document}\n"


async def core(editor: Editor) -> None:
    marked = MAIN % "only|,nobody"
    folder = editor.project(main=bare(marked), refs_bib=BIB)
    editor.open(folder / "main.tex", bare(marked))
    (item,) = await editor.complete(folder / "main.tex", marked)
    assert item.label == "one"
    shown = await editor.hover(folder / "main.tex", MAIN % "only,nobody|")
    assert shown is None
    found = await editor.diagnostics(folder / "main.tex", "undefined_key", "undefined_key")
    assert {each.severity for each in found} == {lsp.DiagnosticSeverity.Error}


@pytest.mark.parametrize("profile", ["neovim@v0.7.0", "neovim@v0.11.0", "emacs"])
async def test_keys_are_completed_and_undefined_ones_told(tmp_path: Path, profile: str) -> None:
    async with start(tmp_path, tmp_path / "home", profile=profile) as editor:
        await core(editor)


async def test_the_root_that_the_user_names_counts(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.tex").write_text(MAIN.replace("refs", name) % "x", "utf-8")
        (tmp_path / f"{name}.bib").write_text(BIB.replace("one", f"of{name}", 1), "utf-8")
    part = tmp_path / "part.tex"
    async with start(tmp_path, tmp_path / "home", options={"rootFile": "two.tex"}) as editor:
        editor.open(part, "\\cite{}")
        assert [item.label for item in await editor.complete(part, "\\cite{|}")] == ["oftwo"]


async def test_what_is_switched_off_is_silent(tmp_path: Path) -> None:
    options = {"completion.enabled": False, "diagnostics": {"enabled": False}}
    async with start(tmp_path, tmp_path / "home", options=options) as editor:
        marked = MAIN % "only|,nobody"
        folder = editor.project(main=bare(marked), refs_bib=BIB)
        editor.open(folder / "main.tex", bare(marked))
        assert await editor.complete(folder / "main.tex", marked) == []
        assert await editor.hover(folder / "main.tex", marked) is None
        assert not any(editor.client.diagnostics.values())
