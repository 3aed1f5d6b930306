"""Rename and highlight of a citation key, and diagnostics of files that are not open, in the real server."""

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from tests.editor.editor import Editor, after, bare, start

Full = lsp.WorkspaceFullDocumentDiagnosticReport
pytestmark = pytest.mark.asyncio(loop_scope="module")

BIB = (
    "@inproceedings{old, title={One}, author={A, B}, crossref={Conf}}\n"
    "@proceedings{Conf, title={Conference}, year=2020}\n"
    "@misc{other, title={Two}, author={C, D}}\n"
)
MAIN = (
    "\\documentclass{article}\n\\begin{document}\nAs in \\citep[see][p. 3]{other, old|}, and \\citet{old}.\n"
    "\\input{related}\n\\bibliographystyle{plain}\\bibliography{refs}\n\\end{document}\n"
)
RELATED = (
    "% citeplug: 1\n% citeplug:begin p1 sentences=1 words=20\n% citeplug:heading Things\n"
    "% citeplug:1 describe one thing [old, 1706.02216]\n% citeplug:end p1\n"
)


async def rename(editor: Editor, path: Path, marked: str, new: str) -> lsp.WorkspaceEdit | None:
    return await editor.client.text_document_rename_async(lsp.RenameParams(new_name=new, **editor.at(path, marked)))


async def test_a_key_is_renamed_in_text_bibliography_and_plan(editor: Editor) -> None:
    folder = editor.project(main=bare(MAIN), refs_bib=BIB, related=RELATED)
    main, refs, related = folder / "main.tex", folder / "refs.bib", folder / "related.tex"
    editor.open(main, bare(MAIN))
    there = await editor.client.text_document_prepare_rename_async(lsp.PrepareRenameParams(**editor.at(main, MAIN)))
    assert isinstance(there, lsp.PrepareRenamePlaceholder) and there.placeholder == "old"
    edit = await rename(editor, main, MAIN, "new:2020")
    assert edit is not None
    assert after(edit, main, bare(MAIN)) == bare(MAIN).replace("old", "new:2020")
    assert after(edit, refs, BIB) == BIB.replace("{old,", "{new:2020,")
    assert after(edit, related, RELATED) == RELATED.replace("[old,", "[new:2020,")


async def test_a_parent_is_renamed_in_the_entries_that_inherit_from_it(editor: Editor) -> None:
    marked = BIB.replace("@proceedings{Conf", "@proceedings{Co|nf")
    folder = editor.project(main=bare(MAIN), refs_bib=BIB, related=RELATED)
    editor.open(folder / "main.tex", bare(MAIN))
    editor.open(folder / "refs.bib", BIB)
    edit = await rename(editor, folder / "refs.bib", marked, "venue")
    assert edit is not None and after(edit, folder / "refs.bib", BIB) == BIB.replace("Conf}", "venue}").replace(
        "{Conf,", "{venue,"
    )


@pytest.mark.parametrize("new", ["two words", "a,b", "a}b", "other", "OTHER", ""])
async def test_a_name_that_is_no_key_or_taken_is_refused(editor: Editor, new: str) -> None:
    folder = editor.project(main=bare(MAIN), refs_bib=BIB, related=RELATED)
    editor.open(folder / "main.tex", bare(MAIN))
    with pytest.raises(JsonRpcException):
        await rename(editor, folder / "main.tex", MAIN, new)


async def test_a_key_that_is_cited_through_a_macro_or_defined_nowhere_is_left(editor: Editor) -> None:
    through = MAIN.replace("\\citet{old}", "\\newcommand{\\own}{ol}\\citet{\\own d}")
    folder = editor.project(main=bare(through), refs_bib=BIB.replace("@misc{other", "@misc{old2"), related=RELATED)
    editor.open(folder / "main.tex", bare(through))
    unknown = bare(through).replace("{other,", "{oth|er,")
    params = lsp.PrepareRenameParams(**editor.at(folder / "main.tex", unknown))
    assert await editor.client.text_document_prepare_rename_async(params) is None


async def test_the_places_of_a_key_are_highlighted(editor: Editor) -> None:
    folder = editor.project(main=bare(MAIN), refs_bib=BIB, related=RELATED)
    main = folder / "main.tex"
    editor.open(main, bare(MAIN))
    found = await editor.client.text_document_document_highlight_async(
        lsp.DocumentHighlightParams(**editor.at(main, MAIN))
    )
    assert found is not None and [each.kind for each in found] == [lsp.DocumentHighlightKind.Read] * 2


async def test_files_that_are_not_open_are_pulled_with_the_workspace(tmp_path: Path, library: Path) -> None:
    async with start(tmp_path, library, pull=True) as editor:
        broken = BIB.replace("title={Two}", "title={Two}, title={Two again}")
        folder = editor.project(main=bare(MAIN), refs_bib=broken, related=RELATED)
        editor.open(folder / "main.tex", bare(MAIN))
        refs, known = (folder / "refs.bib").as_uri(), dict[str, Full]()
        while not any(str(each.code) == "duplicate_field" for each in shown(known, refs)):
            known |= await news(editor, known)
        editor.open(folder / "refs.bib", BIB)
        while shown(known, refs):
            known |= await news(editor, known)


def shown(known: dict[str, Full], uri: str) -> list[lsp.Diagnostic]:
    return list(known[uri].items) if uri in known else []


async def news(editor: Editor, known: dict[str, Full]) -> dict[str, Full]:
    """What is other than known, waited for."""
    ids = [lsp.PreviousResultId(uri=uri, value=each.result_id or "") for uri, each in known.items()]
    params = lsp.WorkspaceDiagnosticParams(previous_result_ids=ids)
    report = await asyncio.wait_for(editor.client.workspace_diagnostic_async(params), 60)
    return {each.uri: each for each in report.items if isinstance(each, Full)}
