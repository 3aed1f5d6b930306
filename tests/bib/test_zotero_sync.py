"""The author's library, kept like that of Zotero."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from citeplug.bib.collect_library import ListedWork, listed, remove
from citeplug.bib.zotero_sync import read_state, sync_zotero
from citeplug.corpus.stores import open_corpus, settings
from citeplug.errors import SourceUnavailable, UsageError
from citeplug.records.work import Holding
from citeplug.settings.environment import Settings, read_settings
from tests.harness.zotero_server import ZoteroServer


@pytest.fixture
def zotero() -> Iterator[ZoteroServer]:
    with ZoteroServer().serve() as server:
        server.collection("COLL2222", "Thesis")
        server.collection("COLL3333", "Graphs", "COLL2222")
        server.add(
            "TUTTE222", "book", authors=("Tutte, W. T.",), title="Graph Theory", date="1984",
            publisher="Addison-Wesley", abstractNote="A theory of graphs.", collections=["COLL3333"],
        )  # fmt: skip
        server.add(
            "PAPER222", "journalArticle", authors=("Candès, Emmanuel J.", "Tao, Terence"), title="Decoding by LP",
            date="2005-12", publicationTitle="IEEE Trans. Inf. Theory", volume="51", issue="12", pages="4203-4215",
            DOI="10.1109/TIT.2005.858979", extra="Citation Key: candes2005",
        )  # fmt: skip
        server.put("items", "NOTE2222", {"itemType": "note", "parentItem": "PAPER222", "note": "<p>mine</p>"})
        yield server


def chosen(server: ZoteroServer) -> Settings:
    return replace(settings(), zotero_url=server.url)


def sync(server: ZoteroServer) -> tuple[int, int, int]:
    done = sync_zotero(chosen(server), lambda *_: None)
    return done.added, done.unchanged, done.gone


def works() -> dict[str, ListedWork]:
    return {work.key or "": work for work in listed(settings())}


def entries() -> dict[str, Holding]:
    with open_corpus(settings()) as corpus:
        return {holding.key: holding for _, holding in corpus.library.holdings() if holding.key}


def test_works_come_with_their_entries_keys_abstracts_and_collections(zotero: ZoteroServer) -> None:
    assert sync(zotero) == (2, 0, 0)
    book, paper = entries()["tutte1984graph"], entries()["candes2005"]
    assert (book.collections, book.abstract) == (("Thesis/Graphs",), "A theory of graphs.")
    assert paper.entry == (
        "@article{candes2005,\n"
        "  title   = {Decoding by {LP}},\n"
        "  author  = {Cand{\\`{e}}s, Emmanuel J. and Tao, Terence},\n"
        "  journal = {IEEE Trans. Inf. Theory},\n"
        "  volume  = {51},\n"
        "  number  = {12},\n"
        "  pages   = {4203--4215},\n"
        "  year    = {2005},\n"
        "  doi     = {10.1109/tit.2005.858979},\n"
        "}\n"
    )
    assert works()["candes2005"].citable


def test_only_what_changed_is_read_again(zotero: ZoteroServer) -> None:
    sync(zotero)
    zotero.asked.clear()
    assert sync(zotero) == (0, 2, 0)
    assert not any("since=" in request for request in zotero.asked)
    zotero.add("NEW22222", "report", authors=("Berg, Eva",), title="On Baskets", date="1998")
    zotero.remove("TUTTE222")
    assert sync(zotero) == (1, 1, 1)
    assert set(works()) == {"candes2005", "berg1998baskets"}


def test_a_key_that_was_made_stays_when_the_title_changes(zotero: ZoteroServer) -> None:
    sync(zotero)
    zotero.put("items", "TUTTE222", {**zotero.objects["items"]["TUTTE222"], "title": "A Theory of Graphs"})
    assert sync(zotero) == (1, 1, 1)
    assert works()["tutte1984graph"].title == "A Theory of Graphs"


def test_a_collection_that_is_renamed_is_renamed_for_items_that_did_not_change(zotero: ZoteroServer) -> None:
    sync(zotero)
    zotero.collection("COLL2222", "Dissertation")
    sync(zotero)
    assert entries()["tutte1984graph"].collections == ("Dissertation/Graphs",)


def test_the_keys_of_better_bibtex_are_the_keys(zotero: ZoteroServer) -> None:
    zotero.better_bibtex = True
    zotero.citation_keys = {"TUTTE222": "Tutte_GT", "PAPER222": "not asked for"}
    sync(zotero)
    assert set(works()) == {"Tutte_GT", "candes2005"}


def test_a_switched_off_api_is_said_with_how_to_switch_it_on(zotero: ZoteroServer) -> None:
    zotero.enabled = False
    with pytest.raises(SourceUnavailable, match="switched off") as caught:
        sync(zotero)
    assert "under Advanced" in (caught.value.hint or "")


def test_a_zotero_that_does_not_run_is_said() -> None:
    with pytest.raises(SourceUnavailable, match="does not answer") as caught:
        sync_zotero(settings(), lambda *_: None)
    assert "start Zotero" in (caught.value.hint or "")


@pytest.mark.parametrize("fault", ["cut", "half"])
def test_an_outage_in_the_middle_leaves_the_library_as_it_was(zotero: ZoteroServer, fault: str) -> None:
    sync(zotero)
    zotero.add("NEW22222", "report", authors=("Berg, Eva",), title="On Baskets", date="1998")
    zotero.between = lambda: zotero.fail(fault)  # type: ignore[arg-type]
    with pytest.raises(SourceUnavailable):
        sync(zotero)
    assert len(works()) == 2
    zotero.between = None
    assert sync(zotero) == (1, 2, 0)


def test_a_library_that_changes_while_it_is_read_is_read_again(zotero: ZoteroServer) -> None:
    def change() -> None:
        zotero.between = None
        zotero.add("NEW22222", "report", authors=("Berg, Eva",), title="On Baskets", date="1998")

    zotero.between = change
    assert sync(zotero) == (3, 0, 0)
    assert sync(zotero) == (0, 3, 0)


def test_a_database_put_back_from_a_copy_has_a_lower_version_and_is_read_whole(zotero: ZoteroServer) -> None:
    sync(zotero)
    zotero.version = 3
    del zotero.objects["items"]["PAPER222"]
    zotero.objects["items"]["TUTTE222"] |= {"title": "Graph Theory, as it was", "version": 2}
    assert sync(zotero) == (1, 0, 2)
    assert [work.title for work in works().values()] == ["Graph Theory, as it was"]


def test_another_database_replaces_the_first(zotero: ZoteroServer) -> None:
    sync(zotero)
    zotero.server_id = "other1234567"
    zotero.objects["items"] = {}
    zotero.add("OTHER222", "book", authors=("Knuth, Donald",), title="Concrete Mathematics", date="1989")
    assert sync(zotero) == (1, 0, 2)
    assert read_state(settings().home).server == "other1234567"


def test_a_zotero_that_does_not_count_local_changes_is_read_whole_each_time() -> None:
    with ZoteroServer(version=7).serve() as old:
        old.add("TUTTE222", "book", authors=("Tutte, W. T.",), title="Graph Theory", date="1984")
        sync(old)
        old.objects["items"]["TUTTE222"]["title"] = "Graph Theory, revised"
        assert sync(old) == (1, 0, 1)


def test_a_pdf_in_zoteros_storage_is_the_text_of_its_work(zotero: ZoteroServer, tmp_path: Path) -> None:
    pdf = tmp_path / "Tutte - 1984 - Graph Theory.pdf"
    pdf.write_bytes(b"%PDF-1.4")
    zotero.attach("PDF22222", "TUTTE222", pdf)
    zotero.attach("PDF33333", "PAPER222", tmp_path / "not-downloaded.pdf")
    sync(zotero)
    with open_corpus(settings()) as corpus:
        assert corpus.library.pdfs(["lib:tutte1984graph"]) == {"lib:tutte1984graph": [pdf]}
        assert corpus.library.pdfs(["lib:candes2005"]) == {}
    zotero.remove("PDF22222")
    sync(zotero)
    with open_corpus(settings()) as corpus:
        assert corpus.library.pdfs(["lib:tutte1984graph"]) == {}


def test_files_that_were_added_by_hand_stay(zotero: ZoteroServer, tmp_path: Path) -> None:
    from citeplug.bib.collect_library import add

    file = tmp_path / "own.bib"
    file.write_text("@misc{mine, title={My own notes on weaving}, author={Berg, Eva}, year=1999}", "utf-8")
    add(settings(), [file], lambda *_: None)
    sync(zotero)
    zotero.remove("TUTTE222")
    sync(zotero)
    assert set(works()) == {"mine", "candes2005"}


@pytest.mark.parametrize(
    "data",
    [
        {"itemType": "book", "title": "A % of $ & {unbalanced \\input{x}"},
        {"itemType": "book", "title": None},
        {"itemType": "webpage", "title": "x", "creators": [{"creatorType": "author"}], "date": "soon", "extra": 3},
        {"itemType": "book", "title": "t", "citationKey": "a,b} @x{", "creators": [{"name": "The {ATLAS"}]},
        {"itemType": "attachment", "parentItem": "TUTTE222", "contentType": "application/pdf", "path": "attachments:x"},
        {"itemType": "telepathy", "title": "Of no known type", "collections": ["GONE2222"]},
    ],
)
def test_items_of_any_shape_are_taken_as_entries_that_can_be_read(
    zotero: ZoteroServer, data: dict[str, object]
) -> None:
    from citeplug.bibtex.entries import parse_bib

    zotero.put("items", "ODD22222", data)
    sync(zotero)
    for key, holding in entries().items():
        assert [entry.key for entry in parse_bib(holding.entry)] == [key]


def test_the_address_is_on_this_machine_alone() -> None:
    with pytest.raises(UsageError, match="not on this machine"):
        read_settings({"CITEPLUG_ZOTERO_URL": "http://zotero.example.org:23119"})


def test_the_state_is_readable_by_the_user_alone(zotero: ZoteroServer) -> None:
    sync(zotero)
    file = settings().home / "zotero.json"
    assert json.loads(file.read_text("utf-8"))["server"] == zotero.server_id
    assert file.stat().st_mode & 0o077 == 0


def test_zotero_is_taken_out_whole_and_comes_back_with_the_next_sync(zotero: ZoteroServer) -> None:
    sync(zotero)
    remove(settings(), ["zotero"])
    assert works() == {}
    assert sync(zotero) == (2, 0, 0)
