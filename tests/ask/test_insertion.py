"""A sentence of an answer in the draft: one line more, its entry, its provenance, and nothing else of the author's."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from citeplug.ask.insertion import InsertionPoint, insert_sentence, keep_record, read_point, take_out
from citeplug.corpus.index import Corpus
from citeplug.errors import ChangedMeanwhile, CiteplugError, StoreBusy, UsageError
from citeplug.project.author_files import one_at_a_time
from citeplug.project.provenance import read_provenance
from citeplug.records.answer import Answer, AnswerCitation, AnswerSentence, AnswerStatus, AskedText
from citeplug.records.provenance import RecordedSentence
from citeplug.settings.environment import Settings
from tests.corpus.stores import MemoryStore, WordModel
from tests.harness.papers import paper

BIB = "@article{mine,\n  title = {My Own},\n  author = {Doe, Jo},\n  year = 2001\n}\n"
MAIN = r"""\documentclass{article}
% a comment
\begin{document}
\section{Method}
  We build on attention. % for good reasons
We sample.

\begin{verbatim}
code
\end{verbatim}
\iffalse
old
\fi
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
"""
ATTENTION = AnswerCitation("1706.03762", 0, 5, 30, "based solely on attention")


@pytest.fixture(scope="module")
def chosen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    home = tmp_path_factory.mktemp("catalogue")
    corpus = Corpus(home, embedder=WordModel, store=lambda _: MemoryStore())
    corpus.add_papers([paper(), paper("2001.00001", "Slow Networks", ("Ann Lee",)), paper("2002.00002", "Bare", ())])
    corpus.close()
    yield Settings(home, offline=True)


@pytest.fixture
def main(tmp_path: Path) -> Path:
    (tmp_path / "refs.bib").write_bytes(BIB.encode())
    (tmp_path / "main.tex").write_bytes(MAIN.encode())
    return tmp_path / "main.tex"


def answer(
    text: str = "The Transformer rests on 100% attention.",
    status: AnswerStatus = "supported",
    citations: tuple[AnswerCitation, ...] = (ATTENTION,),
) -> Answer:
    texts = tuple(
        AskedText(name, "A title", "document" if name.endswith(".md") else "abstract", "x", 1)
        for name in dict.fromkeys(each.paper for each in citations)
    )
    sentence = AnswerSentence(text, citations, 0.75, status)
    return Answer("Why?", False, (sentence,), (), texts, "test:model")


def insert(asked: Answer, file: Path, line: int, chosen: Settings) -> str:
    return insert_sentence(asked, asked.sentences[0], InsertionPoint(file, line), chosen).tex


def test_one_line_is_added_with_the_indentation_of_the_line_before(main: Path, chosen: Settings) -> None:
    tex = insert(answer(), main, 5, chosen)
    assert tex == r"The Transformer rests on 100\% attention~\cite{vaswani2017attention}."
    lines = MAIN.splitlines(keepends=True)
    assert main.read_text() == "".join([*lines[:5], f"  {tex}\n", *lines[5:]])
    bib = (main.parent / "refs.bib").read_text()
    assert bib.startswith(BIB) and "vaswani2017attention" in bib[len(BIB) :]


@pytest.mark.parametrize(
    ("text", "status", "printed"),
    [
        ("We propose attention.", "quoted", r"``We propose attention''~\cite{vaswani2017attention}."),
        ("“It rests on attention”.", "quoted", r"``It rests on attention''~\cite{vaswani2017attention}."),
        ("It “dispenses” & more", "weak", r"It ``dispenses'' \& more~\cite{vaswani2017attention}."),
        (r"It \input{x} {{cite:2001.00001}}.", "weak", None),
    ],
)  # fmt: skip
def test_what_is_verbatim_stands_in_quotation_marks_and_nothing_acts(
    main: Path, chosen: Settings, text: str, status: AnswerStatus, printed: str | None
) -> None:
    tex = insert(answer(text, status), main, 5, chosen)
    assert printed is None or tex == printed
    assert r"\input{" not in tex and "ann" not in tex


@pytest.mark.parametrize("status", ["quoted", "weak", "conflict"])
def test_a_sources_own_words_are_in_quotation_marks_whatever_their_status(
    main: Path, chosen: Settings, status: AnswerStatus
) -> None:
    own = "It calls this “full” attention."
    tex = insert(answer(own, status, (AnswerCitation("1706.03762", 0, 0, len(own), own),)), main, 5, chosen)
    assert tex == r"``It calls this `full' attention''~\cite{vaswani2017attention}."


def test_what_authors_say_of_themselves_is_reported_of_them(main: Path, chosen: Settings) -> None:
    quote = "In this paper, we propose a parser that reads long system logs without any templates."
    asked = answer(quote, "quoted", (AnswerCitation("2001.00001", 0, 40, 40 + len(quote), quote),))
    assert insert(asked, main, 5, chosen) == (
        r"Lee~\cite{lee2017slow} proposes a parser ``that reads long system logs without any templates''."
    )


def test_a_dry_run_says_what_would_change_and_changes_nothing(main: Path, chosen: Settings) -> None:
    asked = answer()
    said = insert_sentence(asked, asked.sentences[0], InsertionPoint(main, 5), chosen, dry_run=True)
    assert (main.read_text(), (main.parent / "refs.bib").read_text()) == (MAIN, BIB)
    assert not (main.parent / ".citeplug").exists()
    assert f"\n+  {said.tex}\n" in said.diff and "\n+@" in said.diff and "\n-" not in said.diff.replace("\n---", "")
    assert insert(asked, main, 5, chosen) == said.tex


def test_what_was_inserted_is_taken_out_to_the_byte_and_what_was_changed_since_stays(
    main: Path, chosen: Settings
) -> None:
    asked = answer()
    done = insert_sentence(asked, asked.sentences[0], InsertionPoint(main, 5), chosen)
    take_out(done, chosen.home)
    assert (main.read_text(), (main.parent / "refs.bib").read_text()) == (MAIN, BIB)
    done = insert_sentence(asked, asked.sentences[0], InsertionPoint(main, 5), chosen)
    main.write_text(main.read_text().replace("We sample.", r"We sample \cite{vaswani2017attention}."))
    take_out(done, chosen.home)  # the entry is cited elsewhere now
    assert "rests on" not in main.read_text() and "vaswani2017attention" in (main.parent / "refs.bib").read_text()
    done = insert_sentence(asked, asked.sentences[0], InsertionPoint(main, 5), chosen)
    main.write_text(main.read_text().replace("rests on", "stands on"))
    with pytest.raises(ChangedMeanwhile):
        take_out(done, chosen.home)


def test_its_source_is_in_the_record_and_stays_there(main: Path, chosen: Settings) -> None:
    tex = insert(answer(), main, 5, chosen)
    record = read_provenance(main.parent / ".citeplug" / "provenance.json")
    (said,) = record.asked
    assert (said.tex, said.by, said.attribution, said.cites) == (tex, "test:model", 0.75, ("1706.03762",))
    assert said.others == {"file": "main.tex", "question": "Why?"}
    assert [(each.arxiv_id, each.quote, each.start) for each in said.sources] == [
        ("1706.03762", "based solely on attention", 5)
    ]
    insert(answer("Recurrence is not needed."), main, 6, chosen)
    assert len(read_provenance(main.parent / ".citeplug" / "provenance.json").asked) == 2
    assert set(json.loads((main.parent / ".citeplug" / "provenance.json").read_text())) == {"asked", "history"}


def sentences(main: Path) -> list[str | None]:
    return [each.tex for each in read_provenance(main.parent / ".citeplug" / "provenance.json").asked]


def test_a_record_waits_for_the_process_that_is_writing_the_project(
    main: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.ask.insertion._WAIT", 0)
    said = RecordedSentence("", "S.", "one", others={"file": "main.tex"})
    with one_at_a_time(tmp_path / "home", main), pytest.raises(StoreBusy):
        keep_record(main, said, tmp_path / "home")
    assert sentences(main) == []
    keep_record(main, said, tmp_path / "home")
    assert sentences(main) == ["one"]


def test_what_takes_a_record_back_leaves_those_that_came_since(main: Path, tmp_path: Path) -> None:
    first, second, again = (
        RecordedSentence("", text, tex, others={"file": "main.tex"})
        for text, tex in (("A.", "one"), ("B.", "two"), ("C.", "one"))
    )
    take_first_back = keep_record(main, first, tmp_path / "home")
    keep_record(main, second, tmp_path / "home")
    take_first_back()
    assert sentences(main) == ["two"]
    keep_record(main, first, tmp_path / "home")
    take_again_back = keep_record(main, again, tmp_path / "home")
    keep_record(main, replace(second, tex="three"), tmp_path / "home")
    take_again_back()
    kept = read_provenance(main.parent / ".citeplug" / "provenance.json").asked
    assert {(each.tex, each.text) for each in kept} == {("one", "A."), ("two", "B."), ("three", "B.")}


def test_a_paper_that_has_an_entry_gets_no_second_one(main: Path, chosen: Settings) -> None:
    insert(answer(), main, 5, chosen)
    before = (main.parent / "refs.bib").read_bytes()
    insert(answer("Recurrence is not needed."), main, 6, chosen)
    assert (main.parent / "refs.bib").read_bytes() == before


def test_several_papers_are_cited_together(main: Path, chosen: Settings) -> None:
    other = AnswerCitation("2001.00001", 0, 0, 4, "slow")
    tex = insert(answer(citations=(ATTENTION, other)), main, 5, chosen)
    assert tex.endswith(r"attention~\cite{vaswani2017attention,lee2017slow}.")


@pytest.mark.parametrize("line", [0, 1, 2, 3, 8, 9, 11, 12, 16, 99])
def test_a_place_that_is_not_printed_is_refused(main: Path, chosen: Settings, line: int) -> None:
    if line == 3:  # \begin{document} itself ends there
        insert(answer(), main, line, chosen)
        return
    with pytest.raises(UsageError):
        insert(answer(), main, line, chosen)
    assert main.read_text() == MAIN and (main.parent / "refs.bib").read_text() == BIB
    assert not (main.parent / ".citeplug").exists()


@pytest.mark.parametrize(
    ("cited", "why"), [("notes.md", "is a file"), ("2002.00002", "incomplete|author"), ("2399.99999", "2399.99999")]
)
def test_what_cannot_be_cited_is_refused_and_changes_nothing(
    main: Path, chosen: Settings, cited: str, why: str
) -> None:
    with pytest.raises(CiteplugError, match=why):
        insert(answer(citations=(AnswerCitation(cited, 0, 0, 3, "abc"),)), main, 5, chosen)
    assert main.read_text() == MAIN and (main.parent / "refs.bib").read_text() == BIB


def test_line_ends_and_encoding_of_the_file_stay(main: Path, chosen: Settings) -> None:
    before = MAIN.replace("\n", "\r\n").replace("We sample", "Wé sample").encode("latin-1")
    main.write_bytes(before)
    tex = insert(answer(), main, 6, chosen)
    after = main.read_bytes()
    assert after.replace(f"\r\n{tex}".encode(), b"", 1) == before


def test_a_file_that_no_draft_reads_is_refused(main: Path, chosen: Settings, tmp_path: Path) -> None:
    stray = main.parent / "stray.tex"
    stray.write_text("One.\nTwo.\n")
    with pytest.raises(UsageError, match="not a file of the draft"):
        insert(answer(), stray, 1, chosen)
    assert stray.read_text() == "One.\nTwo.\n"


def test_a_place_is_a_file_and_a_line(tmp_path: Path) -> None:
    assert read_point(f"{tmp_path}/a:b.tex:12") == InsertionPoint(tmp_path / "a:b.tex", 12)
    for wrong in ("main.tex", "main.tex:", ":3", "main.tex:x", ""):
        with pytest.raises(UsageError, match="not a place"):
            read_point(wrong)


@pytest.mark.parametrize(
    "block",
    ["\\begin{tabular}{l}\n|a\n\\end{tabular}", "\\[\n|x\n\\]", "\\begin{figure}\n\\caption{\n|C\n}\\end{figure}"],
)
def test_a_place_that_is_no_paragraph_is_refused(main: Path, chosen: Settings, block: str) -> None:
    text = MAIN.replace("We sample.", f"We sample.\n{block.replace('|', '')}")
    main.write_text(text)
    line = MAIN[: MAIN.index("We sample.")].count("\n") + 1 + block[: block.index("|")].count("\n")
    with pytest.raises(UsageError, match="where no sentence can be put"):
        insert(answer(), main, line, chosen)
    assert main.read_text() == text and not (main.parent / ".citeplug").exists()
