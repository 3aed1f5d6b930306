"""Zotero from the command line."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import Run
from tests.harness.pdf_files import paper_pdf
from tests.harness.zotero_server import ZoteroServer

TEXT = (
    "Every basket in this valley is woven from willow that was cut in winter. The weavers soak the willow for nine "
    "days, because dry willow breaks. A basket that is woven dry lasts one summer only. "
)


@pytest.fixture
def zotero(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ZoteroServer]:
    with ZoteroServer().serve() as server:
        monkeypatch.setenv("CITEPLUG_ZOTERO_URL", server.url)
        pdf = tmp_path / "storage" / "PDF22222" / "Berg - 1998 - Weaving.pdf"
        pdf.parent.mkdir(parents=True)
        pdf.write_bytes(paper_pdf("The Weaving of Willow Baskets", [("Introduction", TEXT * 3), ("Results", TEXT)]))
        server.add(
            "BERG2222", "book", authors=("Berg, Eva",), title="The Weaving of Willow Baskets", date="1998",
            citationKey="berg_weaving",
        )  # fmt: skip
        server.attach("PDF22222", "BERG2222", pdf)
        yield server


def test_a_pdf_in_zoteros_storage_is_searched_and_asked_as_a_full_text(run: Run, zotero: ZoteroServer) -> None:
    assert run("library", "sync", "zotero", "--json").json["added"] == 2
    assert run("library", "list").out.startswith("berg_weaving: The Weaving of Willow Baskets")
    assert run("fetch", "--library", "--json").code == 0
    (first, *_) = run("search", "--passages", "soak the willow", "--json").json
    assert first["id"] == "lib:berg_weaving" and "nine" in first["text"]
    answer = run("ask", "How long do the weavers soak the willow?", "--library", "--json").json
    assert "nine days" in str(answer)


def test_a_zotero_that_is_off_or_not_to_be_asked_ends_with_3_and_the_way_out(run: Run, zotero: ZoteroServer) -> None:
    zotero.enabled = False
    done = run("library", "sync", "zotero")
    assert done.code == 3 and "under Advanced" in done.err
    assert run("library", "sync", "zotero", "--offline").code == 3
    assert len(zotero.asked) == 1


def test_what_a_source_does_not_take_is_wrong_usage(run: Run, zotero: ZoteroServer, tmp_path: Path) -> None:
    assert run("library", "sync", "zotero", tmp_path).code == 2
    assert run("library", "sync", "jabref").code == 2
    assert not zotero.asked
