"""Papers saved to Zotero: with the user's leave, and never twice."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from citeplug.bib.collect_library import add
from citeplug.bib.zotero_save import SavedPaper, save_papers
from citeplug.bib.zotero_sync import read_state
from citeplug.corpus.stores import open_corpus, settings
from citeplug.errors import SourceUnavailable, UsageError
from citeplug.sources.zotero import Denied
from tests.corpus.records import make_record, write_snapshot
from tests.harness.pdf_files import paper_pdf
from tests.harness.zotero_server import ZoteroServer

ID = "1801.00003"


@pytest.fixture
def zotero(tmp_path: Path) -> Iterator[ZoteroServer]:
    with open_corpus(settings()) as corpus:
        corpus.add([write_snapshot(tmp_path / "s.jsonl", [make_record(number) for number in range(60)])])
    with ZoteroServer().serve() as server:
        server.collection("COLL2222", "Thesis")
        server.collection("COLL3333", "Methods", "COLL2222")
        yield server


def save(
    server: ZoteroServer, *ids: str, collection: str | None = "Thesis/Methods", tags: Sequence[str] = ()
) -> list[SavedPaper]:
    return save_papers(replace(settings(), zotero_url=server.url), ids or (ID,), collection, tags, lambda *_: None)


def works(server: ZoteroServer) -> list[dict[str, object]]:
    return [item for item in server.objects["items"].values() if item["itemType"] != "attachment"]


def test_a_paper_is_saved_to_the_collection_with_its_tags_and_is_in_the_library_then(zotero: ZoteroServer) -> None:
    (saved,) = save(zotero, tags=("read",))
    (item,) = works(zotero)
    assert (saved.status, saved.item) == ("saved", item["key"])
    assert (item["archiveID"], item["collections"], item["tags"]) == (f"arXiv:{ID}", ["COLL3333"], [{"tag": "read"}])
    with open_corpus(settings()) as corpus:
        assert corpus.library.entries([ID])[ID].collections == ("Thesis/Methods",)


def test_a_paper_that_zotero_has_is_only_put_into_the_collection(zotero: ZoteroServer) -> None:
    save(zotero, collection=None)
    assert [saved.status for saved in save(zotero, collection="thesis")] == ["filed"]
    assert [saved.status for saved in save(zotero, collection="thesis")] == ["there"]
    assert [item["collections"] for item in works(zotero)] == [["COLL2222"]]


def test_a_save_that_was_cut_off_is_not_repeated_and_makes_nothing_twice(zotero: ZoteroServer) -> None:
    zotero.fail_after_write = True
    with pytest.raises(SourceUnavailable, match="perhaps not all") as caught:
        save(zotero)
    assert sum(request == "POST /api/users/0/items" for request in zotero.asked) == 1
    assert "looks first" in (caught.value.hint or "")
    assert [saved.status for saved in save(zotero)] == ["there"]
    assert len(works(zotero)) == 1


def test_leave_for_good_is_asked_for_once(zotero: ZoteroServer) -> None:
    save(zotero)
    save(zotero, "1801.00004")
    assert zotero.authorizations == 1
    assert read_state(settings().home).key in zotero.keys


def test_leave_that_was_taken_back_is_asked_for_again(zotero: ZoteroServer) -> None:
    save(zotero)
    zotero.keys.clear()
    save(zotero, "1801.00004")
    assert (zotero.authorizations, len(works(zotero))) == (2, 2)


def test_nothing_is_saved_if_the_user_declines(zotero: ZoteroServer) -> None:
    zotero.answer = "deny"
    with pytest.raises(Denied, match="declined"):
        save(zotero)
    assert not works(zotero)


def test_too_many_requests_for_leave_are_said_with_the_time_to_wait(zotero: ZoteroServer) -> None:
    zotero.authorizations = 5
    with pytest.raises(Denied) as caught:
        save(zotero)
    assert "42 s" in (caught.value.hint or "")


def test_many_papers_are_written_in_batches_that_zotero_takes(zotero: ZoteroServer) -> None:
    saved = save(zotero, *(f"1801.{number:05}" for number in range(60)))
    assert {one.status for one in saved} == {"saved"}
    assert len(works(zotero)) == 60


@pytest.mark.parametrize(("answer", "files"), [("always", 1), ("allow", 0)])
def test_its_pdf_comes_along_where_leave_holds_for_more_than_one_write(
    zotero: ZoteroServer, tmp_path: Path, answer: str, files: int
) -> None:
    pdf = tmp_path / f"{ID}.pdf"
    pdf.write_bytes(paper_pdf("On problem number 3", [("Introduction", "Text of the paper.")]))
    add(settings(), [pdf], lambda *_: None)
    zotero.answer = answer  # type: ignore[assignment]
    (saved,) = save(zotero)
    assert (saved.status, saved.pdf, len(zotero.files)) == ("saved", bool(files), files)
    assert all(content == pdf.read_bytes() for _, content in zotero.files.values())


def test_a_paper_in_zoteros_bin_is_said_and_not_brought_back(zotero: ZoteroServer) -> None:
    (saved,) = save(zotero)
    binned = zotero.objects["items"][saved.item or ""]
    zotero.remove(saved.item or "")
    zotero.binned[saved.item or ""] = binned
    (again,) = save(zotero)
    assert again.status == "failed" and "version" in again.message


@pytest.mark.parametrize(("name", "message"), [("Thesiss", "no collection"), ("Methods", "2 collections")])
def test_a_collection_that_is_unknown_or_one_of_several_is_refused(
    zotero: ZoteroServer, name: str, message: str
) -> None:
    zotero.collection("COLL4444", "Paper")
    zotero.collection("COLL5555", "Methods", "COLL4444")
    with pytest.raises(UsageError, match=message):
        save(zotero, collection=name)


def test_a_zotero_that_cannot_be_written_to_is_said() -> None:
    with ZoteroServer(version=7).serve() as old, pytest.raises(Denied, match="cannot be written"):
        save(old)
