"""What is known of a bibliography before any record is looked at."""

from pathlib import Path

import pytest

from citeplug.bib.entries_to_check import EntriesToCheck, read_bibliography
from citeplug.bibtex.entries import MOST_ENTRIES
from citeplug.errors import UnreadableInput

MAIN = r"""\documentclass{article}PREAMBLE\begin{document}\cite{a}
\bibliographystyle{STYLE}\bibliography{refs}\end{document}
"""
RIGHT = "@article{a, author = {Müller, É.}, title = {T}, journal = {J}, year = 2000}\n"


def draft(folder: Path, bib: bytes, style: str = "plain", preamble: str = "", main: str = MAIN) -> EntriesToCheck:
    (folder / "refs.bib").write_bytes(bib)
    file = folder / "main.tex"
    file.write_bytes(main.replace("STYLE", style).replace("PREAMBLE", preamble).encode())
    return read_bibliography([file])


def codes(found: EntriesToCheck, least: tuple[str, ...] = ("error", "warning")) -> list[tuple[str, str]]:
    notes = [finding for number in sorted(found.notes) for finding in found.notes[number]]
    return [(finding.code, finding.severity) for finding in notes if finding.severity in least]


@pytest.mark.parametrize(
    ("encoding", "preamble", "expected"),
    [
        ("utf-8", "", []),
        ("utf-8-sig", "", []),
        ("cp1252", "", [("not_utf8", "error")]),
        ("cp1252", r"\usepackage[latin1]{inputenc}% \xe9", []),
        ("utf-16", "", [("not_utf8", "error")]),
    ],
)
def test_an_encoding_is_wrong_if_the_draft_has_another(
    tmp_path: Path, encoding: str, preamble: str, expected: list[tuple[str, str]]
) -> None:
    found = draft(tmp_path, RIGHT.encode(encoding), preamble=preamble)
    if "inputenc" in preamble:
        main = (tmp_path / "main.tex").read_text("utf-8").replace(r"\xe9", "é")
        (tmp_path / "main.tex").write_bytes(main.encode("latin-1"))
        found = read_bibliography([tmp_path / "main.tex"])
    assert codes(found) == expected


def test_a_file_by_itself_in_another_encoding_is_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "refs.bib"
    file.write_bytes(RIGHT.encode("cp1252"))
    assert codes(read_bibliography([file])) == [("not_utf8", "warning")]


def test_the_style_of_the_draft_decides_on_letters_that_are_cut(tmp_path: Path) -> None:
    assert codes(draft(tmp_path, RIGHT.encode(), "plain")) == []
    assert codes(draft(tmp_path, RIGHT.encode(), "abbrv")) == [("name_cut", "error")]


def test_biber_takes_comments_within_an_entry(tmp_path: Path) -> None:
    commented = RIGHT.replace("title", "\n% no = {x},\n title").encode()
    biber = MAIN.replace("PREAMBLE", r"\usepackage{biblatex}\addbibresource{refs.bib}")
    biber = biber.replace(r"\bibliographystyle{STYLE}\bibliography{refs}", r"\printbibliography")
    assert codes(draft(tmp_path, commented, main=biber)) == []
    assert codes(draft(tmp_path, commented)) == [("percent_comment", "error")]


def test_the_parent_of_a_cited_entry_counts_as_cited(tmp_path: Path) -> None:
    bib = RIGHT.replace("year = 2000", "year = 2000, crossref = {p}") + "@book{p, title = {P & Q}}\n@book{q, title={&}}"
    found = draft(tmp_path, bib.encode())
    assert [found.entries[number].key for number in found.unused] == ["q"]
    assert ("raw_special", "error") in codes(found)


def test_macros_and_keys_of_the_other_files_of_a_draft_are_known(tmp_path: Path) -> None:
    (tmp_path / "names.bib").write_text("@string{jml = {J}}\n@article{a, title = {T}}\n", "utf-8")
    bib = RIGHT.replace("{J}", "JML")
    found = draft(tmp_path, bib.encode(), main=MAIN.replace("{refs}", "{names,refs}"))
    assert [code for code, _ in codes(found) if code != "missing_field"] == ["duplicate_key"]


def test_a_file_of_too_many_entries_is_reported_once(tmp_path: Path) -> None:
    entries = [f"@misc{{k{number}, title = {{T}}}}\n" for number in range(MOST_ENTRIES + 1)]
    found = draft(tmp_path, (RIGHT + "".join(entries)).encode())
    notes = [finding for notes in found.notes.values() for finding in notes]
    everywhere = [*found.findings, *notes, *(finding for each in found.others for finding in each.findings)]
    assert [finding.code for finding in everywhere].count("bibliography_too_large") == 1


def test_a_file_that_is_a_folder_is_unreadable(tmp_path: Path) -> None:
    folder = tmp_path / "refs.bib"
    folder.mkdir()
    with pytest.raises(UnreadableInput, match=r"refs\.bib"):
        read_bibliography([folder])


@pytest.mark.shared_data
def test_every_real_draft_is_read(shared_data: Path) -> None:
    roots = [path for path in sorted((shared_data / "latex").iterdir()) if path.is_dir()]
    read = 0
    for folder in roots:
        mains = [path for path in sorted(folder.rglob("*.tex")) if b"\\begin{document}" in path.read_bytes()]
        for main in mains[:3]:
            found = read_bibliography([main])
            read += len(found.entries)
            places = {(report.file, report.line) for report in found.others}
            assert len(places) <= len(found.others)
            assert all(finding.fix for notes in found.notes.values() for finding in notes)
    assert read > 1000
