"""The author's word on papers, given quickly and in any editor; and a citeplug.toml that cannot be read."""

import asyncio
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from tests.editor.editor import Editor, Manner, start
from tests.editor.test_commands import BIB, MAIN, run
from tests.editor.test_generation import demo
from tests.editor.test_previews import ask

pytestmark = pytest.mark.asyncio(loop_scope="module")

PIN, EXCLUDED, THIRD = "1907.10903", "1706.02216", "1710.10903"
TWICE = f'[related]\npin = ["{PIN}"]\n\n[related]\nexclude = ["{EXCLUDED}"]\n'
CODE = "configuration_unreadable"


@pytest.fixture
def fresh(editor: Editor) -> Editor:
    """The editor, in which nothing is left of what it did in another test."""
    editor.manner, editor.refuses = "records", False
    for remembered in (editor.applied, editor.buffers, editor.client.messages):
        remembered.clear()
    return editor


def chosen(text: str) -> Any:
    return tomllib.loads(text)["related"]


@pytest.mark.parametrize("manner", ["buffer", "saves", "opens", "late"])
async def test_two_choices_at_once_are_both_kept_in_every_editor(fresh: Editor, manner: Manner) -> None:
    fresh.manner = manner
    folder = demo(fresh, f"quick-{manner}")
    said = await asyncio.gather(
        ask(fresh, "choose", folder, arxiv_id=PIN, choice="pin"),
        ask(fresh, "choose", folder, arxiv_id=EXCLUDED, choice="exclude"),
    )
    assert [each["changed"] for each in said] == [True, True], said
    third = await ask(fresh, "choose", folder, arxiv_id=THIRD, choice="pin")
    assert third["changed"] is True
    assert chosen(fresh.buffers[folder / "citeplug.toml"]) == {"pin": [PIN, THIRD], "exclude": [EXCLUDED]}


async def test_what_is_chosen_and_not_saved_counts_in_the_section(fresh: Editor) -> None:
    fresh.manner = "buffer"
    folder = demo(fresh, "counts")
    papers = (await ask(fresh, "shortlist", folder, breadth=3))["papers"]
    first, last = papers[0]["arxiv_id"], papers[-1]["arxiv_id"]
    for arxiv_id, choice in ((last, "pin"), (first, "exclude")):
        await ask(fresh, "choose", folder, arxiv_id=arxiv_id, choice=choice)
    shown = await ask(fresh, "generate", folder, breadth=3, preview=True)
    entries = next(each["after"] for each in shown["changes"] if each["uri"].endswith("related.bib"))
    assert last in entries and first not in entries


async def test_an_edit_that_is_refused_is_not_remembered(fresh: Editor) -> None:
    fresh.manner = "buffer"
    folder = demo(fresh, "refused")
    fresh.refuses = True
    refused = await ask(fresh, "choose", folder, arxiv_id=PIN, choice="pin")
    assert refused["done"] is False
    fresh.refuses = False
    await ask(fresh, "choose", folder, arxiv_id=EXCLUDED, choice="exclude")
    assert chosen(fresh.buffers[folder / "citeplug.toml"]) == {"exclude": [EXCLUDED]}


async def test_what_others_wrote_since_is_what_the_next_choice_is_made_on(fresh: Editor) -> None:
    fresh.manner = "buffer"
    folder = demo(fresh, "others")
    settings = folder / "citeplug.toml"
    await ask(fresh, "choose", folder, arxiv_id=PIN, choice="pin")
    settings.write_text("[related]\nbreadth = 4\n", "utf-8")
    del fresh.buffers[settings]  # as editors do that read again what was changed on the disk
    await ask(fresh, "choose", folder, arxiv_id=EXCLUDED, choice="exclude")
    assert chosen(fresh.buffers[settings]) == {"breadth": 4, "exclude": [EXCLUDED]}


async def test_what_is_closed_unsaved_is_forgotten(fresh: Editor) -> None:
    fresh.manner = "opens"
    folder = demo(fresh, "closed")
    settings = folder / "citeplug.toml"
    await ask(fresh, "choose", folder, arxiv_id=PIN, choice="pin")
    await asyncio.sleep(0.1)
    fresh.close(settings)
    del fresh.buffers[settings]
    fresh.manner = "buffer"
    await ask(fresh, "choose", folder, arxiv_id=EXCLUDED, choice="exclude")
    assert chosen(fresh.buffers[settings]) == {"exclude": [EXCLUDED]}


@pytest.mark.parametrize("manner", ["buffer", "late"])
async def test_two_entries_at_once_are_both_added_and_none_is_torn(fresh: Editor, manner: Manner) -> None:
    fresh.manner = manner
    folder = fresh.project(main=MAIN % "Text.", refs_bib=BIB)
    fresh.open(folder / "main.tex", MAIN % "Text.")
    said = await asyncio.gather(
        *(ask(fresh, "addEntry", folder, arxiv_id=each) for each in (PIN, "2001.00001", PIN)),
    )
    assert [each["status"] for each in said] == ["new", "new", "exists"]
    text = fresh.buffers[folder / "refs.bib"]
    assert text.startswith(BIB) and text.count("{") == text.count("}") and text.count("\n@") == 2
    assert all(f"{{{each['key']}," in text for each in said)


async def test_an_edit_of_a_file_that_others_changed_on_the_disk_is_not_made(fresh: Editor) -> None:
    folder = demo(fresh, "disk")
    entries = folder / "references.bib"
    await fresh.hover(folder / "main.tex", "|")  # the project was read
    entries.write_text("% a word of a coauthor\n" + entries.read_text("utf-8"), "utf-8")
    fresh.manner = "buffer"
    said = await ask(fresh, "addEntry", folder, arxiv_id="2001.00001")
    text = fresh.buffers.get(entries, entries.read_text("utf-8"))
    assert text.startswith("% a word of a coauthor\n@") and (said["done"] is False or "2001.00001" in text)


async def test_sentences_of_a_section_that_is_not_saved_are_accepted(fresh: Editor, written: Path) -> None:
    folder = fresh.folder / "unsaved"
    shutil.copytree(written, folder)
    fresh.open(folder / "main.tex", (folder / "main.tex").read_text("utf-8"))
    related = folder / "related.tex"
    fresh.open(related, related.read_text("utf-8"))
    related.unlink()
    said = await ask(fresh, "accept", folder, place="p1")
    assert said["done"] is True and said["changed"] > 0, said


async def told(editor: Editor, path: Path, *lines: int) -> None:
    """Wait until just these lines of a citeplug.toml are marked, from 1."""

    def found() -> list[lsp.Diagnostic]:
        return list(editor.client.diagnostics.get(path.as_uri(), ()))

    await editor.until(lambda: [each.range.start.line + 1 for each in found()] == list(lines))
    assert all(each.code == CODE and each.source == "citeplug" for each in found())


def included(editor: Editor, settings: str | None) -> Path:
    """A project with a file that its main file reads; both are open."""
    main = MAIN % "\\input{part}"
    folder = editor.project(main=main, part="A word \\cite{smith2001graphs}.\n", refs_bib=BIB)
    if settings is not None:
        (folder / "citeplug.toml").write_text(settings, "utf-8")
    for name in ("main.tex", "part.tex"):
        editor.open(folder / name, (folder / name).read_text("utf-8"))
    return folder


@pytest.mark.parametrize("good", ["", '[related]\npin = ["1907.10903"]\n', None])
async def test_a_broken_file_is_marked_at_its_line_and_accuses_nothing_else(fresh: Editor, good: str | None) -> None:
    folder = included(fresh, good)
    settings = folder / "citeplug.toml"
    await fresh.hover(folder / "part.tex", "|")
    settings.write_text(TWICE, "utf-8")
    fresh.client.workspace_did_change_watched_files(
        lsp.DidChangeWatchedFilesParams([lsp.FileEvent(settings.as_uri(), lsp.FileChangeType.Changed)])
    )
    await told(fresh, settings, 4)
    fresh.type(folder / "part.tex", "More. ", (0, 0))
    await fresh.hover(folder / "part.tex", "|")
    fresh.type(folder / "part.tex", "\\cite{nobody}", (0, 0))
    await fresh.diagnostics(folder / "part.tex", "undefined_key")
    fresh.type(folder / "part.tex", "", (0, 0), (0, len("\\cite{nobody}")))
    await fresh.diagnostics(folder / "part.tex")
    settings.write_text(good or "", "utf-8")
    fresh.client.workspace_did_change_watched_files(
        lsp.DidChangeWatchedFilesParams([lsp.FileEvent(settings.as_uri(), lsp.FileChangeType.Changed)])
    )
    await told(fresh, settings)


async def test_a_broken_buffer_is_marked_and_repaired_in_the_buffer(fresh: Editor) -> None:
    folder = included(fresh, None)
    settings = folder / "citeplug.toml"
    fresh.open(settings, TWICE)
    await told(fresh, settings, 4)
    fresh.type(settings, "# a remark\n", (0, 0))
    await told(fresh, settings, 5)
    fresh.type(settings, "", (4, 0), (5, 0))
    await told(fresh, settings)
    fresh.replace(settings, "[related]\nbredth = 3\n")
    await told(fresh, settings, 2)
    fresh.close(settings)  # it was never saved
    await told(fresh, settings)


async def test_a_file_that_is_open_alone_is_marked_too(fresh: Editor) -> None:
    folder = fresh.project(main=MAIN % "Text.", refs_bib=BIB)
    settings = folder / "citeplug.toml"
    fresh.open(settings, TWICE)
    await told(fresh, settings, 4)
    fresh.replace(settings, "[related]\n")
    await told(fresh, settings)


@pytest.mark.parametrize("repair", ["mended", "deleted"])
async def test_a_repair_on_the_disk_is_seen_by_editors_that_watch_no_files(
    tmp_path: Path, library: Path, repair: str
) -> None:
    def watches_nothing(capabilities: lsp.ClientCapabilities) -> None:
        assert capabilities.workspace is not None
        capabilities.workspace.did_change_watched_files = None

    async with start(tmp_path, library, change=watches_nothing) as editor:
        folder = included(editor, TWICE)
        settings = folder / "citeplug.toml"
        await told(editor, settings, 4)
        if repair == "deleted":
            settings.unlink()
        else:
            settings.write_text("[related]\n", "utf-8")
        await told(editor, settings)
        await editor.diagnostics(folder / "part.tex")


@pytest.mark.parametrize(
    ("text", "line"),
    [('\nroot = "gone.tex"\n', 2), ("root = 3\n", 1), ('[related]\n\nout = "nowhere/x.tex"\n', 3), ("a = '''", 1)],
)
async def test_whatever_no_run_could_heed_is_marked(fresh: Editor, text: str, line: int) -> None:
    folder = included(fresh, text)
    await told(fresh, folder / "citeplug.toml", line)
    await fresh.diagnostics(folder / "part.tex")


async def test_editors_that_ask_for_diagnostics_are_told_of_it_as_well(tmp_path: Path, library: Path) -> None:
    async with start(tmp_path, library, pull=True) as editor:
        folder = included(editor, TWICE)
        settings = folder / "citeplug.toml"
        editor.open(settings, TWICE)
        params = lsp.DocumentDiagnosticParams(text_document=lsp.TextDocumentIdentifier(uri=settings.as_uri()))
        await editor.client.text_document_diagnostic_async(params)
        await told(editor, settings, 4)
        editor.replace(settings, "[related]\n")
        await told(editor, settings)


async def test_no_choice_is_made_in_a_file_that_cannot_be_read(fresh: Editor) -> None:
    folder = demo(fresh, "broken")
    (folder / "citeplug.toml").write_text(TWICE, "utf-8")
    said = await ask(fresh, "choose", folder, arxiv_id=THIRD, choice="pin")
    assert said["done"] is False and f"{folder / 'citeplug.toml'}:4" in said["message"]
    assert not fresh.applied


async def test_another_toml_is_no_business_of_citeplugs(fresh: Editor) -> None:
    folder = included(fresh, None)
    other = folder / "pyproject.toml"
    fresh.open(other, "[[[")
    assert await fresh.hover(other, "|") is None
    said = await run(
        fresh, lsp.Command(title="", command="citeplug.server.checkBibliography", arguments=[{"uri": other.as_uri()}])
    )
    assert said["done"] is False
    await fresh.diagnostics(other)


def said(editor: Editor) -> list[str]:
    return [each.message for each in editor.client.messages if "edited" in each.message]


async def test_files_that_were_edited_unseen_are_named_and_whether_they_are_saved(fresh: Editor) -> None:
    folder = demo(fresh, "named")
    fresh.manner = "buffer"
    chosen = await ask(fresh, "choose", folder, arxiv_id=PIN, choice="pin")
    assert chosen["edited"] == chosen["unsaved"] == [str(folder / "citeplug.toml")]
    await fresh.until(lambda: said(fresh)[-1:] == ["citeplug: edited citeplug.toml (not saved)"])
    fresh.save(folder / "citeplug.toml")
    fresh.manner = "saves"
    shown = await ask(fresh, "generate", folder, breadth=3, preview=True)
    done = await ask(fresh, "applyPreview", folder, preview=shown["preview"])
    assert sorted(Path(each).name for each in done["edited"]) == ["related.bib", "related.tex"]
    assert done["unsaved"] == []
    await fresh.until(lambda: said(fresh)[-1].startswith("citeplug: edited and saved related."))
    fresh.manner = "opens"
    read = await ask(fresh, "insertSection", folder)
    main, entries = str(folder / "main.tex"), str(folder / "references.bib")
    assert main in read["edited"] and read["unsaved"] == read["edited"] and entries not in read["edited"]


async def test_an_edit_of_the_document_in_front_alone_is_not_announced(fresh: Editor) -> None:
    fresh.manner = "opens"
    folder = demo(fresh, "front")
    shown = await ask(fresh, "generate", folder, breadth=3, preview=True)
    assert (await ask(fresh, "applyPreview", folder, preview=shown["preview"]))["done"] is True
    before = said(fresh)
    read = await ask(fresh, "insertSection", folder)
    assert read["edited"] == [str(folder / "main.tex")]
    assert (await ask(fresh, "insertSection", folder))["edited"] == []
    assert said(fresh) == before


async def test_an_editor_that_names_what_was_edited_is_left_to_do_so(tmp_path: Path, library: Path) -> None:
    def names(capabilities: lsp.ClientCapabilities) -> None:
        capabilities.experimental = {"citeplug": {"namesEdits": True}}

    async with start(tmp_path, library, change=names) as editor:
        folder = demo(editor, "itself")
        chosen = await ask(editor, "choose", folder, arxiv_id=PIN, choice="pin")
        assert chosen["edited"] == [str(folder / "citeplug.toml")]
        await ask(editor, "checkBibliography", folder)
        assert not said(editor)
