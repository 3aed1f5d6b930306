"""Reading a project whose files are open in an editor."""

from pathlib import Path

from citeplug.bibtex.entries import Bibliography, read_bib
from citeplug.files.decode import Decoded
from citeplug.latex.folders import Disk
from citeplug.latex.project import find_root, read_draft


class Buffers(Disk):
    """The disk with texts in front of it."""

    def __init__(self, texts: dict[Path, str]) -> None:
        self.texts = texts

    def is_file(self, path: Path) -> bool:
        return path in self.texts or super().is_file(path)

    def read(self, path: Path) -> Decoded:
        return Decoded(self.texts[path], "utf-8") if path in self.texts else super().read(path)

    def bibliography(self, path: Path, strings: dict[str, str]) -> Bibliography:
        if path in self.texts:
            return read_bib(self.texts[path], path, strings=strings)
        return super().bibliography(path, strings)


MAIN = "\\documentclass{article}\\usepackage{mine}\\begin{document}\\input{part}\\bibliography{refs}\\end{document}"


def test_what_is_open_is_read_in_place_of_what_is_saved(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(MAIN, encoding="utf-8")
    (tmp_path / "part.tex").write_text("\\cite{old}", encoding="utf-8")
    (tmp_path / "refs.bib").write_text("@misc{old,title={Old}}", encoding="utf-8")
    files = Buffers({tmp_path / "part.tex": "\\cite{new}", tmp_path / "refs.bib": "@misc{new,title={New}}"})
    draft = read_draft(tmp_path / "main.tex", files=files)
    assert [cite.keys for cite in draft.cites] == [("new",)]
    assert [entry.key for entry in draft.entries] == ["new"]


def test_files_that_were_never_saved_are_there(tmp_path: Path) -> None:
    names = {"main.tex": MAIN, "part.tex": "\\mine{new}", "refs.bib": "@misc{new,title={New}}"}
    files = Buffers({tmp_path / name: text for name, text in names.items()})
    files.texts[tmp_path / "mine.sty"] = "\\newcommand{\\mine}[1]{\\cite{#1}}"
    assert find_root(tmp_path / "main.tex", files) == tmp_path / "main.tex"
    draft = read_draft(tmp_path / "main.tex", files=files)
    assert [cite.keys for cite in draft.cites] == [("new",)]
    assert not [finding for finding in draft.findings if finding.code.startswith("missing")]


def test_without_prose_the_facts_are_the_same(tmp_path: Path) -> None:
    text = MAIN.replace(
        "\\input{part}",
        "\\begin{abstract}We tell how it was done.\\end{abstract}\\section{Related Work}Text \\cite{a}.",
    )
    (tmp_path / "main.tex").write_text(text, encoding="utf-8")
    whole, facts = read_draft(tmp_path / "main.tex"), read_draft(tmp_path / "main.tex", prose=False)
    assert facts.cites == whole.cites and facts.related_work is not None
    assert [(s.title, s.span, s.text) for s in facts.sections] == [("Related Work", whole.sections[0].span, "")]
    assert [finding.code for finding in facts.findings] == [finding.code for finding in whole.findings]
