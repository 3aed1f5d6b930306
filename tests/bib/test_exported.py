"""Files that Better BibTeX exports again after each change in Zotero."""

from pathlib import Path
from urllib.parse import quote

import pytest

from citeplug.bib.bib_file import read_bib_file
from citeplug.bib.cite import find_bib_file
from citeplug.bib.exported import is_exported
from citeplug.corpus.stores import settings
from citeplug.errors import UsageError


@pytest.fixture
def exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "draft (two)" / "my library.bib"
    file.parent.mkdir()
    file.write_text("@misc{a, title={On Weaving}}\n", "utf-8")
    profile = tmp_path / "home" / ".zotero" / "zotero" / "abc.default"
    profile.mkdir(parents=True)
    name = quote(str(file), safe="").replace(".", "%2e").replace("(", "%28").replace(")", "%29")
    branch = "extensions.zotero.translators.better-bibtex.autoExport."
    setting = f'user_pref("{branch}{name}", "{{\\"enabled\\":true}}");\n'
    (profile / "prefs.js").write_text('user_pref("app.update.auto", true);\n' + setting, "utf-8")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("APPDATA", raising=False)
    return file


def test_such_a_file_is_never_written_to(exported: Path) -> None:
    before = exported.read_bytes()
    file = read_bib_file(exported)
    with pytest.raises(UsageError, match="exported from Zotero") as caught:
        file.write(file.text + "@misc{b, title={Other}}\n", settings().home)
    assert "library save" in (caught.value.hint or "")
    assert exported.read_bytes() == before


def test_new_entries_go_to_the_other_file(exported: Path) -> None:
    other = exported.parent / "own.bib"
    other.write_text("", "utf-8")
    assert find_bib_file(exported.parent) == other
    assert is_exported(exported) and not is_exported(other)
