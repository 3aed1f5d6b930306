import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from citeplug.bib.bib_file import read_bib_file
from citeplug.bib.fix_bibliography import fix_bibliography
from citeplug.bib.fixed import FixRequest, FixResult
from citeplug.corpus.index import Corpus
from citeplug.errors import CannotWrite, UnreadableInput, WouldOverwrite
from citeplug.records.paper import Paper
from citeplug.settings.environment import Settings
from tests.bib.bib_texts import bib_texts
from tests.corpus.stores import MemoryStore, WordModel
from tests.harness.papers import paper

RIGHT = "author = {Vaswani, A. and Shazeer, N. and Parmar, N.},\n  eprint = {1706.03762},\n  year = {2017}"
WRONG = "@misc{a,\n  title = {Attenton Is All You Need},\n  " + RIGHT + "\n}\n"
MENDED = WRONG.replace("Attenton", "Attention")
PUBLISHED = paper(
    "1001.0001",
    "Strings on a Sphere",
    ("Ann Berg", "Carl Dahl"),
    date(2010, 1, 4),
    journal_ref="Phys. Rev. D 54, 1234-1240 (2011)",
    doi="10.1103/PhysRevD.54.1234",
)
PREPRINT = """@misc{berg,
  title = {{Strings on a Sphere}},
  author = {A. Berg and C. Dahl},
  journal = {arXiv preprint arXiv:1001.0001},
  eprint = {1001.0001},
  note = {arXiv:1001.0001 [hep-th]},
  keywords = {mine},
  year = {2010},
}
"""


@contextmanager
def catalogue(home: Path, *papers: Paper) -> Iterator[Settings]:
    corpus = Corpus(home, embedder=WordModel, store=lambda _: MemoryStore())
    corpus.add_papers(papers)
    corpus.close()
    yield Settings(home, offline=True)


@pytest.fixture
def chosen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    with catalogue(tmp_path_factory.mktemp("catalogue"), paper(), PUBLISHED) as found:
        yield found


def mend(path: Path, chosen: Settings, request: FixRequest | None = None) -> FixResult:
    """Check and mend, in memory."""
    return fix_bibliography([path], chosen, request or FixRequest(), report=lambda *_: None, today=date(2026, 1, 15))


def fix(folder: Path, data: bytes, chosen: Settings, request: FixRequest | None = None) -> tuple[bytes, FixResult]:
    """The bytes of a file after it was mended and written."""
    path = folder / "refs.bib"
    path.write_bytes(data)
    done = mend(path, chosen, request)
    done.write(chosen.home)
    return path.read_bytes(), done


def test_a_certain_correction_is_written_and_named(tmp_path: Path, chosen: Settings) -> None:
    data, done = fix(tmp_path, WRONG.encode(), chosen)
    assert data == MENDED.encode()
    assert [(each.key, each.line, each.code) for each in done.fixed] == [("a", 1, "title_differs")]
    assert not [finding for finding in done.remaining if finding.severity in ("warning", "error")]


def test_fixing_twice_is_fixing_once(tmp_path: Path, chosen: Settings) -> None:
    data, _ = fix(tmp_path, WRONG.encode(), chosen)
    again, done = fix(tmp_path, data, chosen)
    assert again == data
    assert not done.fixed


@pytest.mark.parametrize(
    "data",
    [
        WRONG.encode(),
        b"\xef\xbb\xbf" + WRONG.encode(),
        b"\xef\xbb\xbf% M\xfcller\n" + WRONG.encode(),
        b"% M\xfcller and \x81\n" + WRONG.encode("cp1252"),
        "% Müller in UTF-8".encode() + b", and \xff not\n" + WRONG.encode(),
        WRONG.replace("\n", "\r\n").encode(),
        WRONG.replace("\n", "\r").encode(),
        ("% one\r\n% two\n% three\r" + WRONG).encode(),
        ("@string{x = {y}}\n@comment{ @misc{no, year=1} }\n" + WRONG + "\n\n\n% the end without a line end").encode(),
        WRONG.encode("utf-16-le"),
    ],
    ids="utf8 bom bom-and-rubbish latin1 mixed crlf cr all-line-ends around utf16".split(),
)  # fmt: skip
def test_no_byte_beyond_the_value_changes(tmp_path: Path, chosen: Settings, data: bytes) -> None:
    width = 2 if b"\0" in data else 1
    wrong, right = ("Attenton".encode("utf-16-le"), "Attention".encode("utf-16-le")) if width == 2 else (
        b"Attenton", b"Attention")  # fmt: skip
    assert fix(tmp_path, data, chosen)[0] == data.replace(wrong, right)


def test_a_file_in_an_old_encoding_gets_accents_as_commands(tmp_path: Path) -> None:
    record = paper(title="Über die Quantenmechanik", authors=("Max Born",))
    with catalogue(tmp_path / "home", record) as chosen:
        text = "@misc{a, title={Übr die Quantenmechanik}, author={Born, Max}, eprint={1706.03762}, year={2017}}"
        data, _ = fix(tmp_path, text.encode("cp1252"), chosen)
        assert rb"title={{\"{U}}ber die Quantenmechanik}" in data
        data, _ = fix(tmp_path, text.encode(), chosen)
        assert "title={Über die Quantenmechanik}".encode() in data


def test_a_file_with_nothing_to_fix_is_not_even_touched(tmp_path: Path, chosen: Settings) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(MENDED.encode())
    os.utime(path, (1, 1))
    before = path.stat()
    done = mend(path, chosen)
    done.write(chosen.home)
    assert (path.stat().st_mtime, path.stat().st_ino) == (before.st_mtime, before.st_ino)
    assert not done.files[0].diff()


def test_a_field_that_the_author_changes_during_the_check_is_not_written_over(tmp_path: Path, chosen: Settings) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(WRONG.encode())
    typed = WRONG.replace("Attenton", "Attention, Again")

    def type_meanwhile(stage: str, done: int, total: int | None) -> None:
        path.write_bytes(typed.encode())

    with pytest.raises(WouldOverwrite, match=r"refs\.bib was changed while it was checked"):
        fix_bibliography([path], chosen, FixRequest(), report=type_meanwhile)
    assert path.read_bytes() == typed.encode()


def test_a_line_added_above_an_entry_during_the_check_keeps_nothing_from_being_corrected(
    tmp_path: Path, chosen: Settings
) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(WRONG.encode())

    def type_meanwhile(stage: str, done: int, total: int | None) -> None:
        path.write_bytes(b"% mine\n" + WRONG.encode())

    fix_bibliography([path], chosen, FixRequest(), report=type_meanwhile).write(chosen.home)
    assert path.read_bytes() == b"% mine\n" + MENDED.encode()


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path, chosen: Settings) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(WRONG.encode())
    done = mend(path, chosen)
    path.write_bytes(b"% the author saved\n")
    with pytest.raises(WouldOverwrite, match="in the meantime"):
        done.write(chosen.home)
    assert path.read_bytes() == b"% the author saved\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such bits")
def test_the_mode_of_the_file_stays_and_a_read_only_file_is_refused(tmp_path: Path, chosen: Settings) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(WRONG.encode())
    path.chmod(0o640)
    mend(path, chosen).write(chosen.home)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.write_bytes(WRONG.encode())
    path.chmod(0o440)
    with pytest.raises(CannotWrite):
        mend(path, chosen).write(chosen.home)
    assert path.read_bytes() == WRONG.encode()


def test_bytes_that_fit_no_encoding_are_refused(tmp_path: Path, chosen: Settings) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(WRONG.encode("utf-16"))
    if read_bib_file(path).data != WRONG.encode("utf-16"):
        raise AssertionError
    path.write_bytes(b"\xff\xfe" + WRONG.encode("utf-16-le") + b"x")
    with pytest.raises(UnreadableInput):
        read_bib_file(path)


def test_only_the_named_codes_are_mended(tmp_path: Path, chosen: Settings) -> None:
    both = WRONG + WRONG.replace("{a,", "{b,").replace("Attenton", "Attention").replace("{2017}", "{2003}")
    data, done = fix(tmp_path, both.encode(), chosen, FixRequest(frozenset(["year_differs"])))
    assert b"Attenton" in data
    assert {each.code for each in done.fixed} == {"year_differs"}
    assert "title_differs" in {finding.code for finding in done.remaining}


@pytest.mark.parametrize(
    ("title", "authors", "taken"),
    [
        ("Attention Is Really All You Need", "Vaswani", True),
        ("Attention Is Really All You Need", "Nobody", False),  # who wrote it is in doubt too
        ("A Wholly Different Matter of Strings", "Vaswani", False),  # the id may be wrong
    ],
)
def test_a_title_that_differs_a_little_is_taken_from_the_record_where_it_is_named(
    tmp_path: Path, title: str, authors: str, taken: bool
) -> None:
    text = WRONG.replace("Attenton Is All You Need", title).replace("Vaswani", authors)
    # An earlier version may have had this title, so the correction is not certain.
    with catalogue(tmp_path / "home", paper(updated=date(2023, 8, 2))) as later:
        assert fix(tmp_path, text.encode(), later)[0] == text.encode()
        data, done = fix(tmp_path, text.encode(), later, FixRequest(frozenset(["title_differs"])))
    assert data.decode() == (text.replace(title, "Attention Is All You Need") if taken else text)
    assert ("title_differs" in {finding.code for finding in done.remaining}) is not taken


@pytest.mark.skipif(shutil.which("kpsewhich") is None, reason="TeX is not installed")
def test_a_draft_s_files_are_mended_and_those_beyond_it_are_not(tmp_path: Path, chosen: Settings, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip  # noqa: E501
    project, library = tmp_path / "project", tmp_path / "library"
    project.mkdir()
    library.mkdir()
    (project / "refs.bib").write_bytes(WRONG.encode())
    (library / "shared.bib").write_bytes(WRONG.replace("{a,", "{b,").encode())
    tex = r"\documentclass{article}\begin{document}\cite{a,b}\bibliography{refs,shared}\end{document}"
    (project / "main.tex").write_text(tex, encoding="utf-8")
    monkeypatch.setenv("BIBINPUTS", str(library))
    done = mend(project / "main.tex", chosen)
    assert [each.key for each in done.fixed] == ["a"]
    assert "title_differs" in {finding.code for finding in done.remaining}


def test_what_is_wrong_in_the_writing_is_mended_with_what_it_says(tmp_path: Path, chosen: Settings) -> None:
    text = WRONG.replace("Need}", "Need},\n  note = {50% of R&D}").replace("Attention", "Attenton")
    data, done = fix(tmp_path, text.encode(), chosen)
    assert data.decode() == text.replace("Attenton", "Attention").replace("50% of R&D", r"50\% of R\&D")
    assert {each.code for each in done.fixed} == {"title_differs", "raw_percent", "raw_special"}
    assert not {finding.code for finding in done.remaining} & {"raw_percent", "raw_special"}
    assert fix(tmp_path, data, chosen)[0] == data
    data, _ = fix(tmp_path, text.encode(), chosen, FixRequest(frozenset(["raw_percent"])))
    assert data.decode() == text.replace("50%", r"50\%")


def test_an_entry_without_a_comma_is_mended_and_then_corrected(tmp_path: Path, chosen: Settings) -> None:
    text = WRONG.replace("{Attenton Is All You Need},", "{Attenton Is All You Need}")
    data, _ = fix(tmp_path, text.encode(), chosen)
    assert data.decode() == MENDED


def test_the_published_version_takes_the_place_of_the_preprint(tmp_path: Path, chosen: Settings) -> None:
    data, done = fix(tmp_path, PREPRINT.encode(), chosen, FixRequest(published=True))
    assert (
        data.decode()
        == """@article{berg,
  title = {{Strings on a Sphere}},
  author = {A. Berg and C. Dahl},
  journal = {Phys. Rev. D},
  eprint = {1001.0001},
  keywords = {mine},
  year = {2011},
  volume = {54},
  pages = {1234--1240},
  doi = {10.1103/physrevd.54.1234},
}
"""
    )
    assert not [finding for finding in done.remaining if finding.severity == "warning"]


def test_a_reference_that_cannot_be_read_for_sure_replaces_nothing(tmp_path: Path) -> None:
    unclear = paper(
        "1001.0001", PUBLISHED.title, PUBLISHED.authors, PUBLISHED.published, journal_ref="Proc. of X, 2011"
    )
    with catalogue(tmp_path / "home", unclear) as chosen:
        data, done = fix(tmp_path, PREPRINT.encode(), chosen, FixRequest(published=True))
    assert data == PREPRINT.encode()
    assert "published_unclear" in {finding.code for finding in done.remaining}


def test_without_the_wish_a_preprint_stays_one(tmp_path: Path, chosen: Settings) -> None:
    assert fix(tmp_path, PREPRINT.encode(), chosen)[0] == PREPRINT.encode()


@pytest.mark.skipif(shutil.which("patch") is None, reason="patch is not installed")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_patch_applies_the_diff(tmp_path: Path, chosen: Settings, encoding: str) -> None:
    data = ("% Müller\n" + WRONG.rstrip("\n")).encode(encoding)
    after, done = fix(tmp_path, data, chosen)
    (tmp_path / "refs.bib").write_bytes(data)
    (tmp_path / "x.patch").write_bytes(done.files[0].diff_bytes())
    subprocess.run(["patch", "-s", "--binary", "refs.bib", "x.patch"], cwd=tmp_path, check=True)
    assert (tmp_path / "refs.bib").read_bytes() == after


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bib_texts(), st.sampled_from(["utf-8", "utf-8-sig", "latin-1"]), st.binary(max_size=4))
def test_any_file_without_a_fix_keeps_its_bytes(
    tmp_path: Path, chosen: Settings, text: str, encoding: str, junk: bytes
) -> None:
    data = text.encode(encoding, "replace") + b"\n% " + junk
    try:
        after, done = fix(tmp_path, data, chosen)
    except UnreadableInput:
        assume(False)
    if not done.fixed:
        assert after == data
