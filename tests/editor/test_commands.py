"""What the server does when it is asked: entries added and corrected, sentences accepted, the section put in."""

import ast
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from tests.editor.editor import Editor, after, bare, position
from tests.harness.waiting import soon

pytestmark = pytest.mark.asyncio(loop_scope="module")

BIB = "@article{smith2001graphs,\n  title  = {Graphs},\n  author = {Smith, A.},\n  year   = {2001}\n}\n"
MAIN = (
    "\\documentclass{article}\n\\begin{document}\n%s\n\\bibliographystyle{plain}\\bibliography{refs}\n\\end{document}\n"
)
WRONG = (
    "\n@misc{drop,\n  title = {Walks in small harbours},\n"
    "  author = {Rong, Yu and Huang, Wenbing and Xu, Tingyang and Huang, Junzhou},\n"
    "  year = 2019,\n  eprint = {1907.10903}\n}\n"
)
SENTENCE = "Removing random edges from the graph eases the training of deep graph convolutional networks \\cite{|}."


async def run(editor: Editor, command: lsp.Command) -> Any:
    params = lsp.ExecuteCommandParams(command=command.command, arguments=command.arguments)
    return await editor.client.workspace_execute_command_async(params)


async def actions(editor: Editor, path: Path, place: lsp.Position) -> dict[str, lsp.Command]:
    """The commands of the code actions at a place, by their titles."""
    params = lsp.CodeActionParams(
        text_document=lsp.TextDocumentIdentifier(uri=path.as_uri()),
        range=lsp.Range(start=place, end=place),
        context=lsp.CodeActionContext(diagnostics=[]),
    )
    found: dict[str, lsp.Command] = {}
    for each in await editor.client.text_document_code_action_async(params) or ():
        # lsprotocol takes a code action with a command for a bare command, and prints the command into it.
        whole = ast.literal_eval(each.command) if isinstance(each, lsp.Command) else None
        command = lsp.Command(**whole) if whole else each.command
        if isinstance(command, lsp.Command):
            found[each.title] = command
    return found


async def test_a_paper_on_the_sentence_is_offered_and_choosing_it_adds_its_entry(editor: Editor) -> None:
    marked = MAIN % SENTENCE
    folder = editor.project(main=bare(marked), refs_bib=BIB)
    editor.open(folder / "main.tex", bare(marked))
    editor.open(folder / "refs.bib", BIB)
    papers: list[lsp.CompletionItem] = []
    for _ in range(100):  # the model is loaded while the author types on
        found = await editor.complete(folder / "main.tex", marked)
        papers = [item for item in found if item.command]
        if papers:
            break
    drop = next(item for item in papers if item.label == "rong2019dropedge")
    assert drop is papers[0] and drop in sorted(found, key=lambda item: item.sort_text or "")[:3]
    assert drop.label_details is not None
    assert str(drop.label_details.detail).startswith("  + DropEdge: Towards the Very Deep")
    resolved = await editor.client.completion_item_resolve_async(drop)
    assert isinstance(resolved.documentation, lsp.MarkupContent) and "DropEdge" in resolved.documentation.value
    place = position(marked)
    editor.type(folder / "main.tex", "rong2019dropedge", (place.line, place.character))
    assert drop.command is not None
    result = await run(editor, drop.command)
    assert (result["done"], result["status"], result["key"]) == (True, "new", "rong2019dropedge")
    edit = editor.applied[-1]
    written = after(edit, folder / "refs.bib", BIB)
    assert written.startswith(BIB) and "@misc{rong2019dropedge,\n  title" in written and "1907.10903" in written
    (change,) = edit.document_changes or ()
    assert isinstance(change, lsp.TextDocumentEdit) and change.text_document.version == 1


async def test_an_id_that_is_cited_as_a_key_gets_its_entry(editor: Editor) -> None:
    marked = MAIN % "\\cite{1907.|10903}"
    folder = editor.project(main=bare(marked), refs_bib=BIB)
    editor.open(folder / "main.tex", bare(marked))
    found = await actions(editor, folder / "main.tex", position(marked))
    result = await run(editor, found["Add an entry for arXiv:1907.10903"])
    assert result["key"] == "1907.10903"
    assert "@misc{1907.10903," in after(editor.applied[-1], folder / "refs.bib", BIB)


@pytest.mark.parametrize(
    ("cited", "offered"),
    [
        ("smith2001graph|", "Cite smith2001graphs instead of smith2001graph"),  # a letter is missing
        ("Smith2001Graphs|", "Cite smith2001graphs instead of Smith2001Graphs"),  # the case
        ("again|", "Cite smith2001graphs instead of again"),  # the same paper under another key
    ],
)
async def test_another_key_is_cited_in_place_of_a_wrong_one_wherever_it_stands(
    editor: Editor, cited: str, offered: str
) -> None:
    marked = MAIN % f"\\cite{{{cited}}} and \\cite{{{bare(cited)},smith2001graphs}}."
    folder = editor.project(main=bare(marked), refs_bib=BIB + BIB.replace("smith2001graphs", "again"))
    path = folder / "main.tex"
    editor.open(path, bare(marked))

    async def offer() -> lsp.Command | None:
        return (await actions(editor, path, position(marked))).get(offered)

    command = await soon(offer)
    assert command is not None and (await run(editor, command))["done"]
    assert after(editor.applied[-1], path, bare(marked)).count("smith2001graphs") == 3


async def test_an_entry_of_a_wrong_title_takes_the_one_of_its_record_when_the_author_says_so(editor: Editor) -> None:
    authors = "Rong, Yu and Huang, Wenbing and Xu, Tingyang and Huang, Junzhou"
    bib = (
        "@misc{drop,\n  title = {Walks in small harbours},\n"
        f"  author = {{{authors}}},\n  year = 2019,\n  eprint = {{1907.10903}}\n}}\n"
    )
    marked = MAIN % "\\cite{dr|op}"
    folder = editor.project(main=bare(marked), refs_bib=bib)
    editor.open(folder / "main.tex", bare(marked))
    await editor.diagnostics(folder / "refs.bib", "title_differs")
    found = await actions(editor, folder / "main.tex", position(marked))
    assert (
        await run(editor, next(found[title] for title in found if title.startswith("Use the record's title: DropEdge")))
    )["done"]
    written = after(editor.applied[-1], folder / "refs.bib", bib)
    assert "DropEdge" in written and "Walks" not in written and f"author = {{{authors}}}" in written


async def test_an_entry_is_corrected_right_after_its_file_was_opened(editor: Editor) -> None:
    folder = editor.project(main=MAIN % "\\cite{drop}", refs_bib=WRONG)
    editor.open(folder / "refs.bib", WRONG)
    line = next(number for number, text in enumerate(WRONG.splitlines()) if "title" in text)
    place = lsp.Position(line=line, character=WRONG.splitlines()[line].index("{") + 3)
    params = lsp.CodeActionParams(
        text_document=lsp.TextDocumentIdentifier(uri=(folder / "refs.bib").as_uri()),
        range=lsp.Range(start=place, end=place),
        context=lsp.CodeActionContext(diagnostics=[]),
    )
    titles = [each.title for each in await editor.client.text_document_code_action_async(params) or ()]
    assert any(each.startswith(("Use the record's title", "Correct drop")) for each in titles), titles
    assert "Ignore this difference" in titles


@pytest.mark.parametrize(
    ("name", "text", "code", "line", "title"),
    [
        ("main.tex", MAIN % "One.\n  \\cite{nobody}", "undefined_key", 3, "Ignore undefined key here"),
        ("refs.bib", WRONG, "title_differs", 1, "Ignore this difference"),
    ],
)
async def test_a_finding_is_ignored_by_a_comment_above_it(
    editor: Editor, name: str, text: str, code: str, line: int, title: str
) -> None:
    files = {"main": MAIN % "\\cite{drop}", "refs_bib": WRONG}
    folder = editor.project(**{**files, name.replace(".tex", "").replace(".", "_"): text})
    editor.open(folder / "main.tex", (folder / "main.tex").read_text("utf-8"))
    editor.open(folder / "refs.bib", WRONG)
    await editor.until(
        lambda: code in [each.code for each in editor.client.diagnostics.get((folder / name).as_uri(), ())]
    )
    (found,) = [each for each in editor.client.diagnostics[(folder / name).as_uri()] if each.code == code]
    params = lsp.CodeActionParams(
        text_document=lsp.TextDocumentIdentifier(uri=(folder / name).as_uri()),
        range=found.range,
        context=lsp.CodeActionContext(diagnostics=[found]),
    )
    offered = await editor.client.text_document_code_action_async(params) or ()
    (action,) = [each for each in offered if each.title == title]
    assert isinstance(action, lsp.CodeAction) and action.edit is not None
    changed = after(action.edit, folder / name, text)
    assert changed.splitlines()[line] == f"% citeplug: ignore {code}"
    params.context.diagnostics = [found, found]
    titles = [each.title for each in await editor.client.text_document_code_action_async(params) or ()]
    assert [each for each in titles if each.startswith("Ignore ")] == [f"{title} (2 findings)"]
    editor.replace(folder / name, changed)
    await editor.diagnostics(folder / name)


async def test_the_entry_of_a_key_and_of_a_paper_is_given_to_be_copied(editor: Editor) -> None:
    folder = editor.project(main=MAIN % "", refs_bib=BIB)
    editor.open(folder / "main.tex", MAIN % "")
    argument = {"uri": (folder / "main.tex").as_uri()}
    for what, key, begins in (
        ({"key": "smith2001graphs"}, "smith2001graphs", BIB),
        ({"arxiv_id": "1907.10903"}, "rong2019dropedge", "@misc{rong2019dropedge,\n  title "),
    ):
        command = lsp.Command(title="", command="citeplug.server.bibtex", arguments=[{**argument, **what}])
        result = await run(editor, command)
        assert result["key"] == key and result["bibtex"].startswith(begins)
    assert not (await run(editor, lsp.Command("", "citeplug.server.bibtex", arguments=[{**argument, "key": "x"}])))[
        "done"
    ]


async def test_writing_the_section_is_not_offered_for_a_finding(editor: Editor) -> None:
    marked = MAIN % "\\cite{no|body}"
    folder = editor.project(main=bare(marked), refs_bib=BIB)
    path = folder / "main.tex"
    editor.open(path, bare(marked))
    found = await editor.diagnostics(path, "undefined_key")
    titles = {}
    for name, diagnostics in (("finding", found), ("nothing", [])):
        params = lsp.CodeActionParams(
            text_document=lsp.TextDocumentIdentifier(uri=path.as_uri()),
            range=found[0].range,
            context=lsp.CodeActionContext(diagnostics=diagnostics),
        )
        titles[name] = [each.title for each in await editor.client.text_document_code_action_async(params) or ()]
    assert "Write the related work" in titles["nothing"]
    assert "Write the related work" not in titles["finding"]


@pytest.mark.parametrize(
    ("marked", "cited"),
    [
        ("Edges are dropped|.", "Edges are dropped~\\cite{rong2019dropedge}."),
        ("Edges are dropped |.", "Edges are dropped \\cite{rong2019dropedge}."),
        ("Edges \\cite{smith2001graphs|}.", "Edges \\cite{smith2001graphs, rong2019dropedge}."),
        ("Edges \\cite{smith2001graphs, dro|}.", "Edges \\cite{smith2001graphs, rong2019dropedge}."),
        ("😀 edges \\cite{|}.", "😀 edges \\cite{rong2019dropedge}."),
    ],
)
async def test_a_paper_is_cited_at_the_cursor_with_its_entry(editor: Editor, marked: str, cited: str) -> None:
    text = MAIN % marked
    folder = editor.project(main=bare(text), refs_bib=BIB)
    main = folder / "main.tex"
    editor.open(main, bare(text))
    place = position(text)
    argument = {"uri": main.as_uri(), "arxiv_id": "1907.10903", "line": place.line, "character": place.character}
    result = await run(editor, lsp.Command(title="", command="citeplug.server.insertCitation", arguments=[argument]))
    assert (result["done"], result["status"]) == (True, "new"), result
    assert "@misc{rong2019dropedge," in after(editor.applied[-1], folder / "refs.bib", BIB)
    astral = bare(text).replace("😀", "xx")  # two code units of UTF-16
    assert after(editor.applied[-1], main, astral) == (MAIN % cited).replace("😀", "xx")


async def test_nothing_is_cited_before_the_text_begins(editor: Editor) -> None:
    text = "% \\begin{document}\n" + MAIN % "Edges are dropped."
    folder = editor.project(main=text, refs_bib=BIB)
    main = folder / "main.tex"
    editor.open(main, text)
    edits = len(editor.applied)
    for line in (0, 1):
        argument = {"uri": main.as_uri(), "arxiv_id": "1907.10903", "line": line, "character": 0}
        command = lsp.Command(title="", command="citeplug.server.insertCitation", arguments=[argument])
        result = await run(editor, command)
        assert not result["done"] and "before \\begin{document}" in result["message"]
    assert len(editor.applied) == edits


async def test_a_certain_correction_changes_its_field_and_nothing_else(editor: Editor) -> None:
    bib = BIB + (
        "@misc{dropedge,\n  title = {DropEdge: Towards the Very Deep Graph Convolutional Networks for Node"
        " Classification},\n  author = {Rong, Yu and Huang, Wenbing and Xu, Tingyang and Huang, Junzhou},\n"
        "  YEAR   =  {2012} ,\n  eprint = {1907.10903}, archiveprefix = {arXiv}\n}\n"
    )
    text = MAIN % "\\cite{dropedge}"
    folder = editor.project(main=text, refs_bib=bib)
    editor.open(folder / "main.tex", text)
    editor.open(folder / "refs.bib", bib)
    await editor.until(lambda: bool(editor.client.diagnostics.get((folder / "refs.bib").as_uri())))
    found = await actions(editor, folder / "refs.bib", lsp.Position(line=8, character=4))
    (title,) = [each for each in found if each.startswith("Correct dropedge")]
    assert (await run(editor, found[title]))["done"]
    assert after(editor.applied[-1], folder / "refs.bib", bib) == bib.replace("{2012}", "{2019}")


async def test_a_preprint_is_replaced_by_its_published_version(editor: Editor) -> None:
    bib = BIB + (
        "@misc{tides,\n  title = {Tides in Small Harbours of the Northern Seas},\n"
        "  author = {Author, Ada and Writer, Bo},\n"
        "  keywords = {mine}, year = {2020},\n  eprint = {2001.00001}, archiveprefix = {arXiv}\n}\n"
    )
    text = MAIN % "\\cite{tides}"
    folder = editor.project(main=text, refs_bib=bib)
    editor.open(folder / "main.tex", text)
    editor.open(folder / "refs.bib", bib)
    (told,) = await editor.diagnostics(folder / "refs.bib", "published_version")
    assert "10.1016/j.jcp.2019.109020" in told.message
    context = lsp.CodeActionContext(diagnostics=[told], only=[lsp.CodeActionKind.QuickFix])
    uri = lsp.TextDocumentIdentifier(uri=(folder / "refs.bib").as_uri())
    asked = lsp.CodeActionParams(text_document=uri, range=told.range, context=context)
    offered = [each.title for each in await editor.client.text_document_code_action_async(asked) or ()]
    assert "Replace tides with its published version" in offered
    found = await actions(editor, folder / "refs.bib", told.range.start)
    assert (await run(editor, found["Replace tides with its published version"]))["done"]
    written = after(editor.applied[-1], folder / "refs.bib", bib)
    assert written.startswith(BIB + "@article{tides,")
    for field in ("Comput", "401", "109020", "10.1016/j.jcp.2019.109020", "keywords = {mine}"):
        assert field in written, written
    editor.replace(folder / "refs.bib", written)
    await editor.diagnostics(folder / "refs.bib")


async def test_a_sentence_is_accepted_and_the_section_tells(editor: Editor, written: Path) -> None:
    folder = editor.folder / "accepted"
    shutil.copytree(written, folder)
    related = folder / "related.tex"
    text = related.read_text("utf-8")
    editor.open(related, text)
    lines = text.splitlines()
    number = next(n for n, line in enumerate(lines) if line and not line.startswith(("%", "\\paragraph")))
    found = await actions(editor, related, lsp.Position(line=number, character=3))
    assert (await run(editor, found["Accept this sentence"]))["changed"] == 1
    record = json.loads((folder / ".citeplug" / "provenance.json").read_text("utf-8"))
    assert record["sentences"][0]["status"] == "accepted"
    hover = await editor.client.text_document_hover_async(
        lsp.HoverParams(
            text_document=lsp.TextDocumentIdentifier(uri=related.as_uri()), position=lsp.Position(number, 3)
        )
    )
    assert hover is not None and isinstance(hover.contents, lsp.MarkupContent)
    assert "accepted" in hover.contents.value and " · summary" in hover.contents.value
    params = lsp.CodeLensParams(text_document=lsp.TextDocumentIdentifier(uri=related.as_uri()))
    titles = [
        lens.command.title for lens in await editor.client.text_document_code_lens_async(params) or () if lens.command
    ]
    assert any(title.startswith("Accept ") for title in titles)
    assert "Reject" not in titles, "what is decided of a sentence is on its hover and its quick actions"
    folds = await editor.client.text_document_folding_range_async(
        lsp.FoldingRangeParams(text_document=lsp.TextDocumentIdentifier(uri=related.as_uri()))
    )
    begins = [n for n, line in enumerate(lines) if line.startswith("% citeplug:begin")]
    assert [(each.start_line, each.kind) for each in folds or ()] == [
        (at, lsp.FoldingRangeKind.Comment) for at in begins
    ]


async def test_a_sentence_is_rejected_by_a_quick_action_and_restored(editor: Editor, written: Path) -> None:
    folder = editor.folder / "rejected"
    shutil.copytree(written, folder)
    related = folder / "related.tex"
    before = related.read_text("utf-8")
    editor.open(related, before)

    lines = before.splitlines()
    number = next(n for n, line in enumerate(lines) if line and not line.startswith(("%", "\\paragraph")))
    reject = (await actions(editor, related, lsp.Position(line=number, character=3)))["Reject this sentence"]
    assert (await run(editor, reject))["changed"] == 1
    text = related.read_text("utf-8")
    assert len(text.splitlines()) == len(lines) - 1
    editor.replace(related, text)
    argument: Any = reject.arguments
    undo = lsp.Command("", "citeplug.server.reject", arguments=[{**argument[0], "undo": True}])
    assert (await run(editor, undo))["changed"] == 1
    assert related.read_text("utf-8") == before
    refused = await run(editor, reject)
    assert not refused["done"] and "unsaved changes" in refused["message"]


async def test_a_draft_without_a_related_work_has_the_way_to_one_above_it(editor: Editor) -> None:
    for text, line in ((MAIN % "Text.", 0), (MAIN % "\\section{Related Work}Text.", 2)):
        folder = editor.project(main=text, refs_bib=BIB)
        editor.open(folder / "main.tex", text)
        await editor.diagnostics(folder / "main.tex")
        params = lsp.CodeLensParams(text_document=lsp.TextDocumentIdentifier(uri=(folder / "main.tex").as_uri()))
        lenses = await editor.client.text_document_code_lens_async(params)
        found = [(each.range.start.line, each.command) for each in lenses or () if each.command]
        writing: Any = [(at, command.arguments) for at, command in found if command.title == "Write the related work"]
        assert [(at, [each["insert"] for each in arguments]) for at, arguments in writing] == [(line, [True])]


async def test_the_draft_is_made_to_read_its_section(editor: Editor, written: Path) -> None:
    folder = editor.folder / "inserted"
    shutil.copytree(written, folder)
    text = "\n".join(line for line in (folder / "main.tex").read_text("utf-8").splitlines() if "{related}" not in line)
    (folder / "main.tex").write_text(text, "utf-8")
    editor.open(folder / "main.tex", text)
    (told,) = await editor.diagnostics(folder / "related.tex", "section_not_inserted")
    editor.open(folder / "related.tex", (folder / "related.tex").read_text("utf-8"))
    for name, lens in (("main.tex", "Insert related.tex"), ("related.tex", "Insert into the draft")):
        found = await actions(editor, folder / name, told.range.start)
        assert (await run(editor, found["Insert the section into the draft"]))["done"]
        assert "\\input{related}" in after(editor.applied[-1], folder / "main.tex", text)
        params = lsp.CodeLensParams(text_document=lsp.TextDocumentIdentifier(uri=(folder / name).as_uri()))
        lenses = await editor.client.text_document_code_lens_async(params)
        assert lens in [each.command.title for each in lenses or () if each.command]
    editor.replace(folder / "main.tex", after(editor.applied[-1], folder / "main.tex", text))
    await editor.diagnostics(folder / "related.tex")


async def test_a_command_without_what_it_needs_says_so(editor: Editor) -> None:
    result = await run(editor, lsp.Command(title="", command="citeplug.server.accept", arguments=[{}]))
    assert result["done"] is False and "uri" in result["message"]
