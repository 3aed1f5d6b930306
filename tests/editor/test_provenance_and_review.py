"""Where sentences come from, and the author's word on them, by the commands as docs/lsp-reference.md gives them."""

from pathlib import Path
from typing import Any

import pytest

from tests.editor.editor import Editor, start
from tests.editor.test_previews import ask, copied

pytestmark = pytest.mark.asyncio(loop_scope="module")

# By docs/lsp-reference.md.
SENTENCE = {"place", "text", "kind", "cites", "sources", "attribution", "status", "stands"}


async def test_each_sentence_says_where_it_comes_from(own: Editor, written: Path) -> None:
    folder = copied(own, written, "from")
    related = folder / "related.tex"
    text = related.read_text("utf-8")
    every = (await ask(own, "showProvenance", folder))["sentences"]
    assert every and all(each.keys() >= SENTENCE for each in every)
    assert all(each["stands"] and each["status"] == "unreviewed" and each["text"] in text for each in every)
    line = text[: text.index(every[0]["text"])].count("\n")
    here = (await ask(own, "showProvenance", folder, uri=related.as_uri(), line=line))["done"]
    assert here is False  # a document that is not open
    own.open(related, text)
    (one,) = (await ask(own, "showProvenance", folder, uri=related.as_uri(), line=line))["sentences"]
    assert one == every[0] and one["place"] == "p1:1"


async def test_what_the_section_cites_is_listed_without_a_search(own: Editor, written: Path) -> None:
    folder = copied(own, written, "listed")
    cites = {cite for each in (await ask(own, "showProvenance", folder))["sentences"] for cite in each["cites"]}
    papers = (await ask(own, "shortlist", folder, written=True))["papers"]
    assert papers and {paper["arxiv_id"] for paper in papers} <= cites
    assert all(paper["in_section"] and paper["title"] and paper["key"] for paper in papers)


async def test_without_records_it_is_listed_by_its_entries(own: Editor, written: Path, tmp_path: Path) -> None:
    records = (await ask(own, "shortlist", copied(own, written, "elsewhere"), written=True))["papers"]
    (workspace := tmp_path / "workspace").mkdir()
    async with start(workspace, tmp_path / "no-records") as editor:
        entries = (await ask(editor, "shortlist", copied(editor, written, "listed"), written=True))["papers"]
    for field in ("arxiv_id", "key", "cited_as", "year"):
        assert [paper[field] for paper in entries] == [paper[field] for paper in records]
    assert all(paper["title"] and paper["authors"] for paper in entries)


async def test_a_sentence_is_accepted_and_taken_back(own: Editor, written: Path) -> None:
    folder = copied(own, written, "taken-back")

    async def accepted() -> list[str]:
        told = (await ask(own, "showProvenance", folder))["sentences"]
        return [each["place"] for each in told if each["status"] == "accepted"]

    assert (await ask(own, "accept", folder, place="p1:1"))["changed"] == 1
    assert await accepted() == ["p1:1"]
    assert (await ask(own, "accept", folder, place="p1:1", undo=True))["changed"] == 1
    assert await accepted() == []
    assert (await ask(own, "accept", folder, place="p99"))["done"] is False


async def test_an_editor_is_told_where_sentences_begin_and_what_is_to_be_done_about_them(
    own: Editor, written: Path
) -> None:
    folder = copied(own, written, "told")
    related = folder / "related.tex"
    lines = related.read_text("utf-8").splitlines()

    async def told() -> Any:
        asked = {"uri": (folder / "main.tex").as_uri()}
        return await own.client.protocol.send_request_async("citeplug/sentences", asked)  # type: ignore[no-untyped-call]

    await ask(own, "accept", folder, place="p1:1")
    section = await told()
    assert section.uri == related.as_uri()
    first, *others = section.sentences
    assert first.verdict == "accepted" and {each.verdict for each in others} <= {"review", "doubtful"} and others
    assert all(
        lines[each.line][each.character :] and not lines[each.line].startswith("%") for each in section.sentences
    )
    places = [(each.line, each.character) for each in section.sentences]
    assert places == sorted(places)


async def test_a_draft_that_reads_its_section_has_nothing_to_put_in(own: Editor, written: Path) -> None:
    folder = copied(own, written, "read-already")
    edits = len(own.applied)
    assert await ask(own, "insertSection", folder) == {"done": False, "edited": [], "unsaved": []}
    assert len(own.applied) == edits


async def test_entries_from_another_machine_are_not_checked_whatever_the_record_in_the_project_claims(
    written: Path, tmp_path: Path
) -> None:
    async with start(tmp_path / "work", tmp_path / "home") as elsewhere:
        folder = copied(elsewhere, written, "moved")
        entries = folder / "related.bib"
        elsewhere.open(entries, entries.read_text("utf-8"))
        assert "verified" not in (await ask(elsewhere, "checkBibliography", folder))["verdicts"]
        lacking = await elsewhere.diagnostics(entries, "entry_unchecked")
        assert len(lacking) == 1  # one line for all of them


async def test_a_paper_that_the_section_cites_is_told_apart_in_the_list(own: Editor, written: Path) -> None:
    folder = copied(own, written, "told-apart")
    papers = (await ask(own, "shortlist", folder))["papers"]
    (dropedge,) = [paper for paper in papers if paper["arxiv_id"] == "1907.10903"]
    assert dropedge["in_section"] is True and not all(paper["in_section"] for paper in papers)
