"""What is told right after a keystroke, beside what a reading says."""

import asyncio
import random
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from citeplug.editor.diagnostics import diagnostics_of
from citeplug.editor.documents import Documents
from citeplug.editor.projects import Projects
from citeplug.editor.quick import at_once
from citeplug.editor.snapshot import Snapshot
from citeplug.editor.switches import Switches
from tests.editor.editor import position

HEAD = "\\documentclass{article}\\newcommand{\\mine}[2][]{\\citep[#1]{#2}}\n\\begin{document}\n"
TAIL = "\\bibliographystyle{plain}\\bibliography{refs}\n\\end{document}\n"
BIB = "@misc{one, title={One}, author={A. Author}, year=2001}\n@misc{two, title={Two}, author={B. Author}, year=2002}\n"


class Told:
    """A project that was read once, and its only document, which is typed in."""

    def __init__(self, folder: Path, body: str) -> None:
        self.main = folder / "main.tex"
        self.main.write_text(HEAD + body + TAIL, "utf-8")
        (folder / "refs.bib").write_text(BIB, "utf-8")
        self.documents = Documents()
        self.documents.open(self.main.as_uri(), 1, HEAD + body + TAIL)
        self.snapshot = self.read()
        self.known = self.slowly()

    def read(self) -> Snapshot:
        async def ignore(_: Snapshot) -> None:
            return None

        async def current() -> Snapshot | None:
            projects = Projects(self.documents, ignore, Path())
            projects.generation = 1
            try:
                return await projects.current(self.main)
            finally:
                projects.close()

        snapshot = asyncio.run(current())
        assert snapshot is not None
        return snapshot

    def slowly(self) -> list[lsp.Diagnostic]:
        found = diagnostics_of(self.read(), None, Switches(), self.documents).get(self.main, [])
        return sorted(found, key=lambda each: (each.range.start.line, each.range.start.character))

    def change(self, old: str, new: str) -> None:
        """Type `new` in place of the first `old`."""
        text = self.text
        start, end = text.index(old), text.index(old) + len(old)
        first, last = position(text[:start] + "|"), position(text[:end] + "|")
        change = lsp.TextDocumentContentChangePartial(range=lsp.Range(first, last), text=new)
        self.documents.change(self.main.as_uri(), 2, [change])

    @property
    def text(self) -> str:
        document = self.documents.get(self.main.as_uri())
        assert document is not None
        return document.lined.text

    def quickly(self) -> list[lsp.Diagnostic] | None:
        document = self.documents.get(self.main.as_uri())
        assert document is not None
        return at_once(self.snapshot, document, self.known, self.documents)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Text.", "Text. \\cite{nobody}"),
        ("Text.", "😀 \\citep[see][p.~3]{one, nobody,two}. More \\textcite{else}"),
        ("Text.", "\\mine[see]{nobody}"),
        ("{nobody0}", "{one}"),
        ("\\cite{nobody0}", ""),
        ("\\cite{nobody0} and", "and\n\nmore\n"),
        ("{nobody0}", "{nobody0,nobody0}"),
        ("one,\n", "one,\nnew,\n"),
        ("Text.", "\n😀 A line.\n"),
        ("Text.", "Text. % \\cite{nobody}"),
        ("Text.", "100\\% of \\cite{nobody}"),
        ("Text.", "\\nocite{*} \\cite{ONE}"),
        ("Text.", "\\textbf{nobody} and \\label{nobody}"),
    ],
)
def test_it_says_what_a_reading_says(tmp_path: Path, old: str, new: str) -> None:
    told = Told(tmp_path, "Text.\nWords \\cite{nobody0} and 😀 \\cite{nobody1}.\n\\cite{one,\n  nobody2}\n")
    told.change(old, new)
    assert told.quickly() == told.slowly()


def test_any_number_of_changes_is_one(tmp_path: Path) -> None:
    dice = random.Random(4)
    told = Told(tmp_path, "Text.\n" + "".join(f"Line {n} \\cite{{key{n}}} and \\cite{{two}}.\n" for n in range(20)))
    for _ in range(40):
        lines = [line for line in told.text.splitlines(keepends=True) if line.startswith("Line")]
        told.change(
            dice.choice(lines), dice.choice(["Line \\cite{new,one}.\n", "Line none.\n", "Line a\nLine b \\cite{x}\n"])
        )
    assert told.quickly() == told.slowly()


@pytest.mark.parametrize(
    "dead",
    [
        "\\begin{comment}\n\\cite{x} Here.\n\\end{comment}",
        "\\begin{verbatim}\nHere.\n\\end{verbatim}",
        "Words.\n\\iffalse\n\n\n\nHere.\n\\fi",
    ],
)
def test_where_the_text_is_switched_off_it_is_silent(tmp_path: Path, dead: str) -> None:
    told = Told(tmp_path, f"{dead}\n")
    told.change("Here.", "Here. \\cite{nobody}")
    assert told.quickly() is None


def test_of_a_file_that_is_no_part_of_the_draft_it_says_nothing(tmp_path: Path) -> None:
    told = Told(tmp_path, "Text.\n")
    other = told.documents.open((tmp_path / "other.tex").as_uri(), 1, "\\cite{nobody}")
    assert at_once(told.snapshot, other, [], told.documents) is None
