"""Quotations that the author typed, beside the full texts on this machine."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from citeplug.audit.compare_citations import ComparedCitations, finding_of
from citeplug.audit.quotations import compare_quotations
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in
from citeplug.corpus.vectors.chroma import ChromaStore
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.latex.project import read_draft
from citeplug.latex.prose import read_prose
from citeplug.records.passage import PaperText, TextSection
from citeplug.related.progress import Tools
from citeplug.related.texts_of_run import KeptTexts
from citeplug.settings.environment import Settings
from tests.audit.drafts import write_draft
from tests.related.retrieve.memory_index import paper

SAID = "graphs are sampled by walks of a fixed length"
OTHER = "Graphs are sampled by walks of a random \x1b[31mlength."
REST = "A sentence about other things that has some length. " * 200
BIB = (
    "@misc{a, title = {Work number one}, eprint = {1901.00001}}\n"
    "@misc{b, title = {Work number two}, eprint = {1901.00002v1}}\n"
    "@misc{c, title = {A Book}}\n"
)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    made = Corpus(tmp_path, lambda: open_embedder(None), lambda model: ChromaStore(tmp_path, model))
    made.add_papers(
        [
            paper("1901.00001", "Work number one", "We say that every graph is sampled by walks of some length."),
            paper("1901.00002", "Work number two"),
        ]
    )
    yield made
    made.close()


def compared(folder: Path, corpus: Corpus, text: str, texts: Sequence[tuple[str, int, str]] = ()) -> ComparedCitations:
    with closing(TextStore(folder)) as store:
        for value, version, said in texts:
            section = TextSection(1, "Method", said, len(said))
            store.put(PaperText(value, version, "eprint", "Work", (section,)), date(2020, 1, 1))
    draft = read_draft(write_draft(folder, text, BIB))
    with closing(KeptTexts(Settings(folder, offline=True), corpus, online=False)) as kept:
        return compare_quotations(draft, read_prose(draft), Tools(corpus, lookup_in(corpus), texts=kept))


def codes(done: ComparedCitations) -> list[str]:
    return [doubt.code for doubt in done.doubts]


def test_words_of_the_full_text_or_the_abstract_are_no_doubt(tmp_path: Path, corpus: Corpus) -> None:
    done = compared(tmp_path, corpus, rf"``{SAID}'' \cite{{a}}.", [("1901.00001", 1, f"{SAID}. {REST}")])
    assert (done.doubts, done.looked_at) == ((), ("1 quotation compared with the texts of what they cite",))
    done = compared(tmp_path, corpus, r"``every graph is sampled by walks of some length'' \cite{a,c}.")
    assert (done.doubts, len(done.looked_at), done.not_looked_at) == ((), 1, ())


def test_nearly_the_words_of_the_full_text_are_a_doubt_with_both_passages(tmp_path: Path, corpus: Corpus) -> None:
    done = compared(tmp_path, corpus, rf"It is ``{SAID}'' \cite{{a}}.", [("1901.00001", 1, f"{REST}{OTHER} {REST}")])
    (doubt,) = done.doubts
    assert (doubt.code, doubt.source.key, doubt.source.of) == ("quotation_differs", "a", "full text")
    message = finding_of(doubt).message
    assert SAID in message and "of a random" in message and "\x1b" not in message
    assert finding_of(doubt).severity == "warning"


def test_words_that_are_nowhere_near_are_information(tmp_path: Path, corpus: Corpus) -> None:
    done = compared(tmp_path, corpus, rf"It is ``{SAID}'' \cite{{a}}.", [("1901.00001", 1, REST)])
    (doubt,) = done.doubts
    assert (doubt.code, finding_of(doubt).severity) == ("quotation_not_found", "info")


@pytest.mark.parametrize(
    ("cited", "texts"),
    [
        ("a", []),
        ("a", [("1901.00001", 1, "A short text that is no whole paper.")]),
        ("a,c", [("1901.00001", 1, REST)]),
        ("c", [("1901.00001", 1, REST)]),
    ],
)
def test_where_a_full_text_is_missing_there_is_no_doubt(
    tmp_path: Path, corpus: Corpus, cited: str, texts: list[tuple[str, int, str]]
) -> None:
    done = compared(tmp_path, corpus, rf"It is ``{SAID}'' \cite{{{cited}}}.", texts)
    assert (done.doubts, done.looked_at) == ((), ())
    assert done.not_looked_at == ("1 quotation (no text here: citeplug fetch)",)


def test_words_that_only_an_older_version_has_are_of_that_version(tmp_path: Path, corpus: Corpus) -> None:
    texts = [("1901.00001", 1, f"{SAID}. {REST}"), ("1901.00001", 2, REST)]
    (doubt,) = compared(tmp_path, corpus, rf"``{SAID}'' \cite{{a}}.", texts).doubts
    assert doubt.code == "quotation_changed"
    assert doubt.reason == "version 1 of arXiv:1901.00001 has the quoted words; version 2 does not"


def test_an_entry_that_names_an_older_version_is_of_that_version(tmp_path: Path, corpus: Corpus) -> None:
    (doubt,) = compared(tmp_path, corpus, rf"``{SAID}'' \cite{{b}}.", [("1901.00002", 2, REST)]).doubts
    assert doubt.code == "quotation_changed" and "the entry names version 1" in doubt.reason
    # The text of the version that is named does not have the words either.
    texts = [("1901.00002", 1, REST), ("1901.00002", 2, REST)]
    assert codes(compared(tmp_path, corpus, rf"``{SAID}'' \cite{{b}}.", texts)) == ["quotation_not_found"]


def test_a_draft_without_quotations_says_nothing(tmp_path: Path, corpus: Corpus) -> None:
    assert compared(tmp_path, corpus, r"Graphs are sampled by them \cite{a}.") == ComparedCitations()
