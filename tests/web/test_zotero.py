"""Saving a paper of the list to Zotero, by the page's form."""

from dataclasses import replace
from pathlib import Path

import pytest

from citeplug.bib.zotero_sync import sync_zotero
from citeplug.corpus.stores import settings
from tests.harness.zotero_server import ZoteroServer
from tests.web.browser import reviewed


def test_a_paper_of_the_list_is_saved_to_the_chosen_collection(
    written: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ZoteroServer().serve() as zotero:
        zotero.collection("COLL2222", "Thesis")
        monkeypatch.setenv("CITEPLUG_ZOTERO_URL", zotero.url)
        with reviewed(written, offline=False) as browser:
            browser.start()
            assert "Save to Zotero" not in browser.open("/papers")
            sync_zotero(replace(settings(), zotero_url=zotero.url), lambda *_: None)
            assert "<option>Thesis</option>" in browser.open("/papers")
            page = browser.send("/zotero", id="1710.10903", collection="Thesis").text
            assert "arXiv:1710.10903 is in Zotero in Thesis." in page
            (item,) = zotero.objects["items"].values()
            assert (item["archiveID"], item["collections"]) == ("arXiv:1710.10903", ["COLL2222"])
            zotero.answer = "deny"
            zotero.keys.clear()
            page = browser.send("/zotero", id="1907.10903", collection="").text
            assert "you declined in Zotero" in page
            assert len(zotero.objects["items"]) == 1
