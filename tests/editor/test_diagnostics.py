"""What the server says is wrong, while the author types."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.editor.conftest import DEMO
from tests.editor.editor import Editor, start
from tests.harness.waiting import soon

pytestmark = pytest.mark.asyncio(loop_scope="module")

BIB = """@article{dropedge,
  title = {DropEdge: Towards the Very Deep Graph Convolutional Networks for Node Classification},
  author = {Rong, Yu and Huang, Wenbing and Xu, Tingyang and Huang, Junzhou},
  journal = {CoRR}, year = 2019, eprint = {1907.10903}, archiveprefix = {arXiv}
}
"""
OTHER = BIB.replace(BIB.splitlines()[1], "  title = {node2vec: Scalable Feature Learning for Networks},")
MAIN = (
    "\\documentclass{article}\n\\begin{document}\n%s\n\\bibliographystyle{plain}\\bibliography{refs}\n\\end{document}\n"
)

LACKING = (("one", "1701.00001"), ("two", "1702.00002"))


def _title(arxiv_id: str) -> str:
    records = map(json.loads, (DEMO / "library.jsonl").read_text("utf-8").splitlines())
    return next(str(record["title"]) for record in records if record["id"] == arxiv_id)


def at(line: int, start: int, end: int) -> lsp.Range:
    return lsp.Range(start=lsp.Position(line, start), end=lsp.Position(line, end))


async def test_every_citation_of_an_undefined_key_is_an_error_until_it_is_defined(editor: Editor) -> None:
    text = MAIN % "😀 \\cite{nobody} \\cite{dropedge,nobody}"
    folder = editor.project(main=text, refs_bib=BIB)
    editor.open(folder / "main.tex", text)
    found = await editor.diagnostics(folder / "main.tex", "undefined_key", "undefined_key")
    assert [each.range for each in found] == [at(2, 9, 15), at(2, 32, 38)]
    assert {each.severity for each in found} == {lsp.DiagnosticSeverity.Error}
    editor.open(folder / "refs.bib", BIB)
    editor.type(folder / "refs.bib", "@misc{nobody, title={No}, author={Body, A.}}\n", (0, 0))
    await editor.diagnostics(folder / "main.tex")


@pytest.mark.parametrize("leaves", ["types elsewhere", "moves", "saves"])
async def test_a_key_is_no_error_while_it_is_typed(editor: Editor, leaves: str) -> None:
    text = MAIN % "\\cite{} \\cite{gone}"
    folder = editor.project(main=text, refs_bib=BIB)
    main = folder / "main.tex"
    editor.open(main, text)
    await editor.diagnostics(main, "undefined_key")
    editor.type(main, "drop", (2, 6))
    await editor.until(lambda: [each.range for each in editor.client.diagnostics[main.as_uri()]] == [at(2, 18, 22)])
    if leaves == "types elsewhere":
        editor.type(main, "It.", (3, 0))
    elif leaves == "moves":
        for marked in ("\\cite{dr|op}", "\\cite{drop}|"):
            params = lsp.DocumentHighlightParams(**editor.at(main, MAIN % marked))
            await editor.client.text_document_document_highlight_async(params)
    else:
        editor.client.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(main.as_uri())))
    await editor.diagnostics(main, "undefined_key", "undefined_key")


async def test_a_missing_file_is_named_once_and_its_keys_are_not(editor: Editor) -> None:
    text = MAIN.replace("{refs}", "{refs,gone}") % "\\cite{nobody} \\cite{dropedge,noone}"
    folder = editor.project(main=text, refs_bib=BIB)
    editor.open(folder / "main.tex", text)
    (found,) = await editor.diagnostics(folder / "main.tex", "missing_bib")
    assert found.message.endswith("the file gone.bib does not exist: 2 cited keys are defined in no other file")
    editor.type(folder / "main.tex", "\\cite{nothing} ", (2, 0))
    await asyncio.sleep(0.2)
    (found,) = await editor.diagnostics(folder / "main.tex", "missing_bib")
    (folder / "gone.bib").write_text(BIB.replace("dropedge", "noone"), "utf-8")
    change = lsp.FileEvent(uri=(folder / "gone.bib").as_uri(), type=lsp.FileChangeType.Created)
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(changes=[change]))
    await editor.diagnostics(folder / "main.tex", "undefined_key", "undefined_key")


async def test_entries_without_a_record_are_one_line_of_a_file_and_counted_in_the_lens(editor: Editor) -> None:
    heading = "\\section{Related Work}\n"
    text = MAIN % (heading + "\\cite{dropedge,one,two,book}")
    lacking = [f"@misc{{{key}, title = {{T}}, year = 2017, eprint = {{{value}}}}}\n" for key, value in LACKING]
    bib = BIB + "".join(lacking) + "@book{book, title={B}, author={A. B}, year=1999, publisher={P}}\n"
    folder = editor.project(main=text, refs_bib=bib)
    editor.open(folder / "main.tex", text)
    (found,) = await editor.diagnostics(folder / "refs.bib", "entry_unchecked")
    assert "no record of 2 entries of this file" in found.message
    params = lsp.CodeLensParams(lsp.TextDocumentIdentifier((folder / "main.tex").as_uri()))
    lenses = await editor.client.text_document_code_lens_async(params)
    titles = [each.command.title for each in lenses or () if each.command is not None]
    assert "Check: 1 verified, 1 with no arXiv record, 2 not checked" in titles


async def test_an_entry_that_nothing_cites_is_checked_after_the_cited_ones(editor: Editor) -> None:
    text = MAIN % "\\section{Related Work}\n\\cite{dropedge}"
    lacking = f"@misc{{one, title = {{T}}, year = 2017, eprint = {{{LACKING[0][1]}}}}}\n"
    folder = editor.project(main=text, refs_bib=BIB + OTHER.replace("{dropedge", "{other") + lacking)
    editor.open(folder / "main.tex", text)
    (found,) = await editor.diagnostics(folder / "refs.bib", "title_differs")
    assert found.range.start.line == BIB.count("\n") + 1
    params = lsp.CodeLensParams(lsp.TextDocumentIdentifier((folder / "main.tex").as_uri()))
    lenses = await editor.client.text_document_code_lens_async(params)
    assert "Check: 1 verified" in [each.command.title for each in lenses or () if each.command is not None]


async def test_a_title_that_is_another_papers_is_an_error_and_a_syntax_error_a_warning(editor: Editor) -> None:
    text = MAIN % "\\cite{dropedge}"
    bib = OTHER.replace("year = 2019,", "year = 2019")
    folder = editor.project(main=text, refs_bib=bib)
    editor.open(folder / "main.tex", text)
    codes = ("missing_comma", "title_differs")
    by_code = {each.code: each for each in await editor.diagnostics(folder / "refs.bib", *codes)}
    assert by_code["title_differs"].severity == lsp.DiagnosticSeverity.Error
    # What is before the missing comma is no entry to BibTeX: without a place for the value the key is marked.
    assert by_code["title_differs"].range == at(0, 9, 17)
    assert by_code["missing_comma"].severity == lsp.DiagnosticSeverity.Warning


async def test_what_was_found_moves_with_its_entry(editor: Editor) -> None:
    text = MAIN % "\\cite{dropedge}"
    bib = OTHER
    folder = editor.project(main=text, refs_bib=bib)
    editor.open(folder / "main.tex", text)
    editor.open(folder / "refs.bib", bib)
    await editor.diagnostics(folder / "refs.bib", "title_differs")
    editor.type(folder / "refs.bib", "@misc{first, title={First}}\n\n", (0, 0))
    told = editor.client.diagnostics
    await editor.until(lambda: [each.range for each in told[(folder / "refs.bib").as_uri()]] == [at(3, 10, 60)])


async def test_a_bibliography_by_itself_is_checked(editor: Editor) -> None:
    bib = BIB.replace("Rong, Yu and Huang, Wenbing and Xu, Tingyang and Huang, Junzhou", "Nobody, A. and Else, B.")
    folder = editor.project(refs_bib=bib)
    editor.open(folder / "refs.bib", bib)
    (found,) = await editor.diagnostics(folder / "refs.bib", "authors_differ")
    assert found.severity == lsp.DiagnosticSeverity.Error


async def test_of_the_section_little_support_changed_sources_and_plans_are_told(editor: Editor, written: Path) -> None:
    folder = editor.folder / "section"
    shutil.copytree(written, folder)
    record = json.loads((folder / ".citeplug" / "provenance.json").read_text("utf-8"))
    sentences = [each for each in record["sentences"] if each["kind"] == "paper"]
    for each in sentences:
        each["attribution"] = 1.0  # one that only groups works has few words of its sources
    sentences[0]["attribution"] = 0.1
    sentences[1]["sources"][0]["quote"] = "words that the abstract does not have"
    # A group has no attribution, and may have a title for its source; a suspicion stays on the sentence.
    group = next(each for each in record["sentences"] if each not in sentences[:2])
    group |= {"kind": "group", "attribution": None, "judgement": {"verdict": None, "suspicion": "'all' is new"}}
    source = sentences[0]["sources"][0]
    group["sources"] = [{**source, "of": "title", "quote": _title(source["arxiv_id"])}]
    (folder / ".citeplug" / "provenance.json").write_text(json.dumps(record), "utf-8")
    related = folder / "related.tex"
    text = related.read_text("utf-8")
    editor.open(related, text)
    suspected, low, changed = sorted(
        await editor.diagnostics(related, "claim_suspected", "low_support", "source_changed"),
        key=lambda each: str(each.code),
    )
    lines = text.splitlines()
    assert lines[suspected.range.start.line] == group["tex"].splitlines()[-1]
    assert "'all' is new" in suspected.message
    assert lines[low.range.start.line] == sentences[0]["tex"].splitlines()[-1]
    assert lines[changed.range.start.line] == sentences[1]["tex"].splitlines()[-1]
    plan = next(number for number, line in enumerate(lines) if line.startswith("% citeplug:1"))
    editor.type(related, "% citeplug:1 say what nobody said yet\n", (plan, 0))
    codes = ("claim_suspected", "low_support", "source_changed", "plan_not_followed")
    found = await editor.diagnostics(related, *codes)
    (line,) = [each.range.start.line for each in found if each.code == "plan_not_followed"]
    assert line == plan


async def test_an_editor_that_asks_gets_diagnostics_and_is_told_when_there_are_more(
    tmp_path: Path, library: Path
) -> None:
    async with start(tmp_path, library, pull=True) as editor:
        text = MAIN % "\\cite{nobody,dropedge}"
        bib = OTHER
        folder = editor.project(main=text, refs_bib=bib)
        editor.open(folder / "main.tex", text)
        editor.open(folder / "refs.bib", bib)

        async def pull(name: str) -> list[object]:
            document = lsp.TextDocumentIdentifier(uri=(folder / name).as_uri())
            report = await editor.client.text_document_diagnostic_async(
                lsp.DocumentDiagnosticParams(text_document=document)
            )
            assert isinstance(report, lsp.RelatedFullDocumentDiagnosticReport)
            return [each.code for each in report.items]

        assert await pull("main.tex") == ["undefined_key"]
        await editor.until(lambda: editor.client.diagnostic_refresh_count > 0)

        async def checked() -> bool:
            return await pull("refs.bib") == ["title_differs"]

        await soon(checked)  # it may have been told of the reading before the check
        assert not any(editor.client.diagnostics.values())


async def test_what_a_comment_or_the_settings_ignore_is_not_shown(editor: Editor) -> None:
    text = MAIN % "\\cite{nobody} % citeplug: ignore undefined_key\n\\cite{dropedge} % citeplug: ignore no_such_thing"
    second = OTHER.replace("{dropedge", "{other")
    folder = editor.project(main=text, refs_bib="% citeplug: ignore title_differs\n" + OTHER + second)
    editor.open(folder / "main.tex", text)
    (found,) = await editor.diagnostics(folder / "main.tex", "unknown_code")
    assert found.range == at(3, 16, 48)
    editor.type(folder / "main.tex", "\\cite{noone}\n", (2, 0))
    await editor.diagnostics(folder / "main.tex", "undefined_key", "unknown_code")
    (folder / "citeplug.toml").write_text('ignore = ["undefined_key"]\n', "utf-8")
    change = lsp.FileEvent(uri=(folder / "citeplug.toml").as_uri(), type=lsp.FileChangeType.Created)
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(changes=[change]))
    await editor.diagnostics(folder / "main.tex", "unknown_code")
    (found,) = await editor.diagnostics(folder / "refs.bib", "title_differs")
    assert found.range.start.line == 2 + OTHER.count("\n")
