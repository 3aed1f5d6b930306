"""The running text of a draft, with its places."""

from pathlib import Path

from citeplug.latex.project import read_draft
from citeplug.latex.prose import read_prose
from citeplug.records.prose import ProseParagraph

MAIN = r"""\documentclass{article}
\newcommand{\x}{These are words of a macro that is defined here.}
\begin{document}
\begin{abstract}
These are words of the abstract, which is no paragraph.
\end{abstract}
\section{First \emph{heading}}
One sentence of five or more words \cite{a}. Another sentence has
two lines~\citep[see][]{b,c} of words, and here is a display
% a comment in a line of its own
\begin{equation} e = mc^2 \end{equation}
that belongs to it. % a comment \cite{no}

\begin{figure}\caption{These are the words of a caption here.}\end{figure}
\begin{itemize}
\item An item with a couple of words of its own.
\end{itemize}
\input{second}
Too short.
\end{document}
These are words behind the end of the document.
"""


def read(folder: Path, main: str = MAIN) -> list[ProseParagraph]:
    (folder / "main.tex").write_text(main, "utf-8")
    (folder / "second.tex").write_bytes(b"\\section{Second}\r\n\r\nWords of the second file, some of them.\r\n")
    return read_prose(read_draft(folder / "main.tex"))


def test_paragraphs_have_their_sentences_with_lines_and_keys(tmp_path: Path) -> None:
    first, item, second = read(tmp_path)
    assert [(each.text, each.line, each.keys) for each in first.sentences] == [
        ("One sentence of five or more words.", 8, ("a",)),
        ("Another sentence has two lines of words, and here is a display that belongs to it.", 8, ("b", "c")),
    ]
    assert [(cite.keys, cite.before) for cite in first.sentences[1].cites] == [
        (("b", "c"), "Another sentence has two lines")
    ]
    assert (first.heading, first.keys, first.file) == ("First heading", ("a", "b", "c"), tmp_path / "main.tex")
    assert (item.text, item.line) == ("An item with a couple of words of its own.", 16)
    assert (second.heading, second.line, second.file) == ("Second", 3, tmp_path / "second.tex")


def test_what_is_never_closed_is_read_on(tmp_path: Path) -> None:
    text = MAIN.replace(r"\end{equation}", "").replace(r"\end{figure}", "")
    assert read(tmp_path, text)[0].line == 8


def test_a_file_that_is_gone_since_is_left_out(tmp_path: Path) -> None:
    read(tmp_path)
    draft = read_draft(tmp_path / "main.tex")
    (tmp_path / "second.tex").unlink()
    assert len(read_prose(draft)) == 2


def test_a_citation_behind_the_last_full_stop_belongs_to_the_last_sentence(tmp_path: Path) -> None:
    first, *_ = read(tmp_path, MAIN.replace("to it. %", "to it. \\cite{d}\n%"))
    assert [sentence.keys for sentence in first.sentences] == [("a",), ("b", "c", "d")]
