"""Citations of one work where the draft speaks of another."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from citeplug.audit.cited_claims import CitedWork, Claim, cited_work
from citeplug.audit.cited_claims import read_claims as claims_of
from citeplug.audit.misattribution import fits_other, fittings, named_otherwise, year_differs
from citeplug.latex.project import read_draft
from citeplug.latex.prose import read_prose
from citeplug.protocols import Vectors
from tests.audit.drafts import write_draft

WALKS = "We learn embeddings of nodes from random walks. The walks explore neighbourhoods of a network."
SAMPLES = "We sample the neighbours of nodes and aggregate their features. Unseen nodes get embeddings by induction."
WORKS: Mapping[str, CitedWork] = {
    work.key.lower(): work
    for work in (
        cited_work("Grover", "node2vec: Scalable Learning", ("Aditya Grover", "Jure Leskovec"), WALKS, years={2016}),
        cited_work("sage", "Inductive Learning on Graphs", ("Hamilton, Will", "Ying, Rex"), SAMPLES, years={2017}),
        cited_work("pool", "DiffPool: Pooling of Graphs", ("Rex Ying", "Jiaxuan You"), years={2018}),
        cited_work("book", "A Book"),
    )
}


def read(folder: Path, text: str) -> list[Claim]:
    return claims_of(read_prose(read_draft(write_draft(folder, text))), WORKS)


def named(folder: Path, text: str, title: str = "") -> list[str]:
    return [doubt.reason for claim in read(folder, text) for doubt in named_otherwise(claim, WORKS, title)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (r"Grover and Leskovec \cite{sage} learn the embeddings of nodes.", "Grover and Leskovec"),
        (r"As was shown by Grover et al.~\cite{sage}, walks are enough for that.", "Grover et al."),
        (r"As was shown by Grover et al. (2016) \citep{sage}, walks are enough.", "Grover et al. (2016)"),
        (r"Many people use node2vec~\cite{sage} for the embeddings of nodes.", "node2vec"),
    ],
)
def test_people_and_names_of_another_reference_are_found(tmp_path: Path, text: str, name: str) -> None:
    (doubt,) = [doubt for claim in read(tmp_path, text) for doubt in named_otherwise(claim, WORKS)]
    assert doubt.reason == f"{name} is of another of your references, Grover, and not of sage"
    assert (doubt.source.key, doubt.fits and doubt.fits.key, doubt.line) == ("sage", "Grover", 4)


@pytest.mark.parametrize(
    "text",
    [
        r"Hamilton et al. \cite{sage} sample the neighbours of the nodes.",
        r"Nobody and Else \cite{sage} are the names of people of no reference.",
        r"Leskovec et al. \cite{sage} would begin with a second author of a work.",
        r"Ying et al. \cite{grover} may be one of two works, or of none at all.",
        r"Grover et al. \cite{book} may have written a book without known authors.",
        r"Grover et al. \cite{sage,grover} are cited with others in one place.",
        r"Grover et al. showed it first, and the neighbours are sampled \cite{sage}.",
        r"It is faster than node2vec, as sampling has shown \cite{sage} since.",
        r"Grover et al. \cite{unknown} have an entry nowhere in the draft, nor has it \cite{sage}.",
    ],
)
def test_what_is_not_plainly_another_reference_s_is_left_alone(tmp_path: Path, text: str) -> None:
    assert [reason for reason in named(tmp_path, text) if "Ying" not in reason] == []


def test_the_draft_s_own_name_is_nobody_else_s(tmp_path: Path) -> None:
    assert named(tmp_path, r"We use node2vec~\cite{sage} for all of it.", "node2vec and its uses") == []


def test_another_year_than_record_and_entry_have_is_found_and_a_year_beside_is_not(tmp_path: Path) -> None:
    text = r"Hamilton et al. (2011) \cite{sage} sample the neighbours. Hamilton et al. (2018) \cite{sage} sample them."
    found = [doubt for claim in read(tmp_path, text) for doubt in year_differs(claim, WORKS)]
    assert [doubt.reason for doubt in found] == ["it names the year 2011; sage is from 2017"]


def bag_of_words(texts: Sequence[str]) -> Vectors:
    """Unit vectors of word counts: an embedder that a test can follow."""
    rows = np.zeros((len(texts), 512), np.float32)
    for row, text in enumerate(texts):
        for word in text.lower().split():
            rows[row, sum(map(ord, word)) % 512] += 1
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return rows


def test_a_sentence_that_fits_another_reference_much_better_is_found_with_both_passages(tmp_path: Path) -> None:
    text = r"Random walks explore the neighbourhoods of a network, from which embeddings of nodes are learnt \cite{%s}."
    claims = read(tmp_path, text % "sage")
    (fitting,) = fittings(claims, WORKS, bag_of_words)
    assert (fitting.key, fitting.other) == ("sage", "grover") and 0 <= fitting.cited < fitting.best <= 1
    doubt = fits_other(fitting, WORKS)
    assert doubt is not None and doubt.fits is not None
    assert (doubt.source.text in SAMPLES, doubt.fits.text in WALKS) == (True, True)
    (right,) = fittings(read(tmp_path, text % "grover"), WORKS, bag_of_words)
    assert fits_other(right, WORKS) is None


def test_a_work_without_an_abstract_a_short_sentence_and_a_row_of_works_are_not_compared(tmp_path: Path) -> None:
    text = r"""Pooling of graphs is done by clusters of nodes \cite{pool}.

Others sample too, and so on \cite{sage}.

All of these learn embeddings of the nodes of networks \cite{grover,sage,pool,book}."""
    assert list(fittings(read(tmp_path, text), WORKS, bag_of_words)) == []


def test_a_second_entry_of_the_same_work_is_no_better_one(tmp_path: Path) -> None:
    twin = cited_work("twin", WORKS["sage"].title, (), WALKS)
    (fitting,) = fittings(
        read(tmp_path, r"Random walks explore the neighbourhoods of a network of nodes \cite{sage}."),
        {"sage": WORKS["sage"], "twin": twin},
        bag_of_words,
    )
    assert fitting.best > fitting.cited and fits_other(fitting, {"sage": WORKS["sage"], "twin": twin}) is None
