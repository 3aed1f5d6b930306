from pathlib import Path

import pytest

from citeplug.latex.project import read_draft
from citeplug.project.insert import insertion_edits
from citeplug.project.take_back import TakenBack, readers_of_entries, readers_of_section, take_back

HEAD = "\\documentclass{article}\n\\title{T}\n"
BODY = "\\begin{document}\n\\section{Introduction}\nWe begin.\n% of methods\n\\section{Method}\nWe act.\n"
END = "\\end{document}"
REFS = "\\bibliography{refs}\n"
LIST = "\\begin{thebibliography}{9}\\bibitem{a} A.\\end{thebibliography}"
RELATED = "\\section{Related Work}\nThey act. % so\n\n\\section{End}\n"
BIBLATEX = HEAD + "\\usepackage{biblatex}\n"
DRAFTS = {
    "list": HEAD + BODY + "\\bibliographystyle{plain}\n" + REFS + END + "\n",
    "list_with_comma": HEAD + BODY + "\\bibliography{refs,}\n" + END + "\n",
    "two_lists": HEAD + BODY + "\\bibliography{a}\n\\bibliography{b}\n" + END + "\n",
    "empty_list": HEAD + BODY + "\\bibliography{}\n" + END,
    "no_list": HEAD + BODY + END,
    "nothing_but_a_text": HEAD + "\\begin{document}\nText." + END,
    "biblatex": BIBLATEX + "\\addbibresource{refs.bib}% mine\n" + BODY + "\\printbibliography\n" + END,
    "biblatex_without_resource": BIBLATEX + BODY + END + "\n",
    "by_hand": HEAD + BODY + LIST + "% end\n" + END + "\n",
    "by_hand_on_one_line": HEAD + BODY + LIST + " " + END + "\n",
    "related_work": HEAD + BODY + RELATED + REFS + END,
    "related_work_at_the_end": HEAD + "\\begin{document}\n\\section{Related Work}They act." + END,
    "same_words_in_a_comment": HEAD + "%\\input{related}\n" + BODY + "% ,related\n" + REFS + END + "\n",
    "appendix": HEAD + BODY.replace("% of methods", "\\appendix\n") + REFS + END,
}


class Project:
    """A draft in a folder, with edits made in memory."""

    def __init__(self, folder: Path, text: str) -> None:
        self.main = folder / "main.tex"
        self.main.write_bytes(text.encode())
        self.inserted: list[tuple[Path, str]] = []

    @property
    def text(self) -> str:
        return self.main.read_bytes().decode()

    def insert(self) -> None:
        draft = read_draft(self.main)
        edits = insertion_edits(draft, {self.main: self.text}, "related.tex", "related.bib")
        assert edits
        self.inserted = [(edit.file, edit.new_text) for edit in edits]
        text = self.text
        for edit in reversed(edits):
            text = text[: edit.start] + edit.new_text + text[edit.end :]
        self.main.write_bytes(text.encode())

    def change(self, old: str, new: str) -> None:
        assert old in self.text
        self.main.write_bytes(self.text.replace(old, new).encode())

    def found(self) -> TakenBack:
        return take_back(self.inserted, {self.main: self.text}, "related.tex", "related.bib")

    def take_back(self) -> str:
        text = self.text
        found = self.found()
        for edit in sorted((*found.section, *found.entries), key=lambda edit: -edit.start):
            text = text[: edit.start] + edit.new_text + text[edit.end :]
        return text


@pytest.mark.parametrize("name", DRAFTS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_was_inserted_is_taken_out_to_the_byte(tmp_path: Path, name: str, end: str) -> None:
    before = DRAFTS[name].replace("\n", end)
    project = Project(tmp_path, before)
    project.insert()
    assert project.text != before
    assert project.take_back() == before


def test_other_line_ends_since_then_are_no_obstacle(tmp_path: Path) -> None:
    project = Project(tmp_path, DRAFTS["list"])
    project.insert()
    project.change("\n", "\r\n")
    assert project.take_back() == DRAFTS["list"].replace("\n", "\r\n")


def test_what_is_not_recorded_is_not_taken_out(tmp_path: Path) -> None:
    project = Project(tmp_path, DRAFTS["list"])
    project.insert()
    project.inserted = []
    assert project.take_back() == project.text


def test_what_no_insertion_writes_is_not_taken_out_though_it_is_recorded(tmp_path: Path) -> None:
    project = Project(tmp_path, DRAFTS["list"])
    project.inserted = [
        (project.main, "We act.\n"),
        (project.main, "\\bibliographystyle{plain}\n"),
        (project.main, "refs"),
    ]
    assert project.take_back() == DRAFTS["list"]


def test_of_two_lines_alike_neither_is_taken_out(tmp_path: Path) -> None:
    project = Project(tmp_path, DRAFTS["related_work"])
    project.insert()
    project.change("We act.", "\n\n\\input{related}\nWe act.")
    assert project.found().section == ()


def test_words_of_the_authors_behind_the_section_keep_its_heading(tmp_path: Path) -> None:
    project = Project(tmp_path, DRAFTS["list"])
    project.insert()
    project.change("\\input{related}\n\n", "\\input{related}\n\nWe differ.\n\n")
    after = project.take_back()
    assert "\\section{Related Work}\n\nWe differ." in after
    assert "\\input" not in after


def test_a_heading_that_the_author_changed_stays(tmp_path: Path) -> None:
    project = Project(tmp_path, DRAFTS["list"])
    project.insert()
    project.change("{Related Work}", "{Related Work and Background}")
    assert "\\section{Related Work and Background}\n\n" in project.take_back()
    assert "\\input" not in project.take_back()


def test_files_that_the_author_added_to_the_list_stay(tmp_path: Path) -> None:
    project = Project(tmp_path, DRAFTS["no_list"])
    project.insert()
    project.change("\\bibliography{related}", "\\bibliography{related,mine}")
    assert "\\bibliographystyle{plain}\n\\bibliography{mine}\n" in project.take_back()


def test_a_name_that_was_moved_in_the_list_is_taken_out(tmp_path: Path) -> None:
    project = Project(tmp_path, DRAFTS["list"])
    project.insert()
    project.change("\\bibliography{refs,related}", "\\bibliography{related, refs, more}")
    assert "\\bibliography{ refs, more}" in project.take_back()


def test_a_name_that_only_begins_alike_stays(tmp_path: Path) -> None:
    project = Project(tmp_path, DRAFTS["list"])
    project.insert()
    project.change("refs,related", "refs,related-old,related")
    assert "\\bibliography{refs,related-old}" in project.take_back()


def test_the_command_that_prints_the_authors_own_entries_by_now_stays(tmp_path: Path) -> None:
    project = Project(tmp_path, DRAFTS["biblatex_without_resource"])
    project.insert()
    project.change("\\addbibresource{related.bib}\n", "\\addbibresource{related.bib}\n\\addbibresource{mine.bib}\n")
    after = project.take_back()
    assert "\\addbibresource{mine.bib}" in after
    assert "\\printbibliography" in after
    assert "related.bib" not in after


def test_who_reads_the_files_is_told_by_file_and_line(tmp_path: Path) -> None:
    project = Project(tmp_path, DRAFTS["list"])
    project.insert()
    texts = {project.main: project.text}
    lines = project.text.split("\n")
    assert readers_of_section(texts, "related.tex") == [(project.main, lines.index("\\input{related}") + 1)]
    assert readers_of_entries(texts, "related.bib") == [(project.main, lines.index("\\bibliography{refs,related}") + 1)]
