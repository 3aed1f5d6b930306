"""`citeplug related project.zip -o out.zip`."""

import zipfile
from pathlib import Path

import pytest

from tests.e2e.conftest import DRAFT, Run


def zipped(path: Path, folder: str = "", **more: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr(f"{folder}main.tex", DRAFT)
        out.writestr(f"{folder}refs.bib", "@misc{other,\n  title = {Something Else},\n  year = 2001\n}\n")
        for name, data in more.items():
            out.writestr(folder + name.replace("__", "/").replace("_", "."), data)
    return path


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


@pytest.mark.parametrize("folder", ["", "paper/"])
def test_the_two_files_and_the_record_are_added_and_all_else_stays(
    run: Run, home: Path, tmp_path: Path, folder: str
) -> None:
    source, out = zipped(tmp_path / "a.zip", folder, figures__one_png=b"\x89PNG"), tmp_path / "out.zip"
    done = run("related", source, "-o", out, "--offline")
    assert done.code == 0, done.err
    before, after = contents(source), contents(out)
    assert {name: after[name] for name in before} == before
    added = [name.removeprefix(folder) for name in after if name not in before]
    assert all(name in ("related.tex", "related.bib") or name.startswith(".citeplug/") for name in added)
    assert "related.tex" in added
    assert ".citeplug/provenance.json" in added
    assert str(out) in done.out
    assert "/tmp" not in done.out.replace(str(out), "")


def test_what_macos_adds_to_an_archive_is_no_part_of_the_project(run: Run, home: Path, tmp_path: Path) -> None:
    source, out = zipped(tmp_path / "a.zip"), tmp_path / "out.zip"
    with zipfile.ZipFile(source, "a") as more:
        more.writestr("__MACOSX/._main.tex", b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X")
    done = run("related", source, "-o", out, "--offline")
    assert done.code == 0, done.err
    assert {"related.tex", "__MACOSX/._main.tex"} <= set(contents(out))


def test_the_result_can_be_the_next_source_and_the_authors_words_stay(run: Run, home: Path, tmp_path: Path) -> None:
    source, out, again = zipped(tmp_path / "a.zip"), tmp_path / "out.zip", tmp_path / "again.zip"
    assert run("related", source, "-o", out, "--offline", "--insert").code == 0
    files = contents(out)
    assert rb"\input{related}" in files["main.tex"]
    with zipfile.ZipFile(source, "w") as changed:
        for name, data in files.items():
            changed.writestr(name, data.replace(b"% citeplug:end p1", b"A sentence of mine.\n% citeplug:end p1"))
    done = run("related", source, "-o", again, "--offline", "--json")
    assert done.code == 0, done.err
    assert done.json["tex"] == "related.tex"
    assert b"A sentence of mine." in contents(again)["related.tex"]


def test_changed_only_has_what_must_be_uploaded_and_says_so(run: Run, home: Path, tmp_path: Path) -> None:
    source, out = zipped(tmp_path / "a.zip", figures__one_png=b"\x89PNG"), tmp_path / "out.zip"
    done = run("related", source, "-o", out, "--offline", "--insert", "--changed-only")
    assert done.code == 0, done.err
    plain = {name for name in contents(out) if not name.startswith(".citeplug/")}
    assert plain == {"main.tex", "related.tex", "related.bib"}
    assert "replace these files with the new ones: main.tex, related.bib, related.tex" in done.out
    assert run("related", "main.tex", "--changed-only").code == 2


def test_a_zip_that_is_there_is_not_written_over(run: Run, home: Path, tmp_path: Path) -> None:
    source, out = zipped(tmp_path / "a.zip"), tmp_path / "out.zip"
    out.write_bytes(b"mine")
    done = run("related", source, "-o", out, "--offline")
    assert done.code == 1
    assert out.read_bytes() == b"mine"
    assert run("related", source, "-o", out, "--offline", "--force").code == 0
    assert zipfile.is_zipfile(out)


def test_dry_run_and_diff_write_nothing(run: Run, home: Path, tmp_path: Path) -> None:
    source = zipped(tmp_path / "a.zip")
    for option in ("--dry-run", "--diff"):
        done = run("related", source, "--offline", option)
        assert done.code == 0, done.err
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.zip"]
    assert "+++ " in done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("a.zip",), "-o out.zip"),
        (("a.zip", "-o", "related.tex"), "-o out.zip"),
        (("a.zip", "-o", "a.zip", "--force"), "another"),
        (("main.tex", "-o", "out.zip"), "zip"),
        (("a.zip", "-o", "out.zip", "--bib", "../refs.bib"), "outside"),
        (("missing.zip", "-o", "out.zip"), "does not exist"),
    ],
)
def test_a_wrong_use_is_told_with_the_right_one(
    run: Run, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(project.parent)
    zipped(Path("a.zip"))
    before = sorted(Path().iterdir())
    done = run("related", *words, "--offline")
    assert done.code == 2
    assert said in done.err
    assert sorted(Path().iterdir()) == before


def test_a_hostile_archive_writes_nothing_anywhere(run: Run, home: Path, tmp_path: Path) -> None:
    source = zipped(tmp_path / "a.zip")
    with zipfile.ZipFile(source, "a") as out:
        out.writestr("../evil.tex", "x")
    done = run("related", source, "-o", tmp_path / "out.zip", "--offline")
    assert done.code == 2
    assert "evil" in done.err
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.zip"]


def test_an_archive_that_lost_its_record_on_the_way_is_merged_all_the_same(
    run: Run, home: Path, tmp_path: Path
) -> None:
    source, out, again = zipped(tmp_path / "a.zip"), tmp_path / "out.zip", tmp_path / "again.zip"
    assert run("related", source, "-o", out, "--offline").code == 0
    with zipfile.ZipFile(source, "w") as changed:
        for name, data in contents(out).items():
            if not name.startswith("."):  # as an upload does
                data = data.replace(b"% citeplug:end p1", b"A sentence of mine.\n% citeplug:end p1")
                changed.writestr(name, data.replace(b"by attention.", b"by gates and walks."))
    done = run("related", source, "-o", again, "--offline", "--json")
    assert done.code == 0, done.err
    assert "paragraph_left" not in [finding["code"] for finding in done.json["findings"]]
    assert b"A sentence of mine." in contents(again)["related.tex"]
