"""Negations, opposites, roles, strength and support: what a quotation says, and what it must not become."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.attribute.claims import Evidence, doubts


def codes(segment: str, quote: str, context: str = "") -> set[str]:
    return {doubt.code for doubt in doubts(segment, Evidence((quote,), (context or quote,)))}


@pytest.mark.parametrize(
    ("segment", "quote"),
    [
        ("the detector needs no labels", "our detector works without any labels at all"),
        ("label-free detection of faults", "faults are found by a detection that needs no labels"),
        ("training on unlabeled images", "the training uses images that are not labeled"),
        ("not only parsers but also lexers are generated", "we generate parsers and lexers from one grammar"),
    ],
)
def test_a_denial_may_be_worded_in_another_way(segment: str, quote: str) -> None:
    assert codes(segment, quote) == set()


@pytest.mark.parametrize(
    ("segment", "quote"),
    [
        ("the detector needs labels", "the detector does not need any labels"),
        ("the detector needs no labels", "the detector needs many labels to work"),
        ("training with labels", "training of a model without any labels"),
        ("the parser fails on logs", "the parser works on long logs"),
        ("graphs are never sampled", "graphs are sampled by random walks"),
    ],
)
def test_a_denial_added_or_left_out_is_refused(segment: str, quote: str) -> None:
    assert codes(segment, quote) & {"negation"}


def test_a_quotation_cannot_be_cut_short_of_its_denial() -> None:
    whole = "It is not the case that attention explains what a model predicts."
    assert codes("attention explains predictions of a model", "attention explains what a model predicts", whole) == {
        "negation"
    }


@pytest.mark.parametrize(
    ("segment", "quote"),
    [
        ("sampling decreases accuracy", "sampling increases the accuracy of the model"),
        ("the method underperforms baselines", "the method outperforms baselines on graphs"),
        ("dropout degrades accuracy", "dropout improves the accuracy of networks"),
        ("fewer labels are needed by the network", "more labels are needed by the network"),
        ("supervised parsing of logs", "unsupervised parsing of system logs"),
        ("supervised learning of images", "a self-supervised learning of images"),
        ("the slower parser reads logs", "the faster parser reads long logs"),
        (
            "precision increases and recall decreases with depth",
            "recall increases and precision decreases with the depth",
        ),
        ("thinning cannot degrade efficiency", "thinning cannot improve the efficiency of sampling"),
        ("a prover for lower-order logic", "we introduce a prover for classical higher-order logic"),
        ("attention increases accuracy", "attention has an effect on the accuracy of networks"),
    ],
)
def test_an_opposite_is_refused(segment: str, quote: str) -> None:
    assert codes(segment, quote) & {"reversed", "unsupported"}


@pytest.mark.parametrize(
    ("segment", "quote"),
    [
        ("recurrent models outperform graph networks", "graph networks outperform recurrent models on trees"),
        ("graph networks are outperformed by tree kernels", "graph networks outperform tree kernels on molecules"),
        ("sampling methods instead of attention layers", "we use attention layers instead of sampling methods"),
        (
            "existing ones outperform the proposed algorithm",
            "the proposed algorithm outperforms existing ones",
        ),
        ("tree kernels are better than graph networks", "graph networks are better than tree kernels"),
    ],
)
def test_roles_cannot_be_swapped(segment: str, quote: str) -> None:
    assert "reversed" in codes(segment, quote)


@pytest.mark.parametrize(
    ("segment", "quote"),
    [
        ("their four outperforms approach past works", "our approach outperforms four past works"),
        ("a smaller number of than intermediaries individuals", "a smaller number of intermediaries than individuals"),
        ("state extends which tracking to a setting", "tracking, which extends state tracking to a setting"),
        ("sampling instead of attention is used", "attention instead of sampling is used"),
    ],
)  # fmt: skip
def test_a_word_beside_a_relation_does_not_change_its_side(segment: str, quote: str) -> None:
    assert "reversed" in codes(segment, quote)


@pytest.mark.parametrize(
    ("segment", "quote"),
    [
        ("jams are a problem in all cities", "jams are a problem in nearly all cities"),
        ("collections of dozens of components", "collections of up to dozens of components"),
        ("voting for k out of m candidates", "voting for up to k out of m candidates"),
        ("it only limits coding, and costs time", "it not only limits coding, it costs time"),
    ],
)
def test_a_bound_is_not_left_out(segment: str, quote: str) -> None:
    assert "inflated" in codes(segment, quote)


@pytest.mark.parametrize(
    ("segment", "quote"),
    [
        ("jams are a problem in almost all cities", "jams are a problem in nearly all cities"),
        ("no more than five labels are read", "at most five labels are read"),
        ("it not only limits coding", "it not only limits coding"),
        ("the problem of jams in cities", "jams are a problem in nearly all cities"),
    ],
)
def test_a_bound_may_be_worded_otherwise(segment: str, quote: str) -> None:
    assert "inflated" not in codes(segment, quote)


@pytest.mark.parametrize(
    ("segment", "quote"),
    [
        ("a task is extended by attention", "attention extends the task"),
        ("the stall, caused by the traditional scheme, is gone", "the traditional scheme caused the stall"),
        ("autonomous driving by deep learning", "methods for autonomous driving using deep learning"),
        ("attention rather than sampling is used", "attention rather than sampling was used"),
        ("a faster method than attention", "the method is faster than attention"),
    ],
)
def test_another_wording_keeps_its_roles(segment: str, quote: str) -> None:
    assert "reversed" not in codes(segment, quote)


def test_a_passive_keeps_its_roles() -> None:
    assert codes("tree kernels are outperformed by graph networks", "graph networks outperform tree kernels") == set()


@pytest.mark.parametrize(
    ("segment", "quote"),
    [
        ("sampling significantly improves accuracy", "sampling improves the accuracy of networks"),
        ("the first parser of logs", "we present a parser of system logs"),
        ("a state-of-the-art parser of logs", "we present a parser of system logs"),
        ("the parser always reads logs", "the parser reads logs of servers"),
        ("the parser reads all logs", "the parser reads logs of servers"),
        ("the parser is guaranteed to read logs", "the parser reads logs of servers"),
        ("sampling improves accuracy", "sampling may improve the accuracy of networks"),
        ("sampling improves accuracy", "results suggest that sampling improves the accuracy"),
        ("sampling improves accuracy", "we try to improve the accuracy by sampling"),
    ],
)
def test_a_claim_cannot_grow(segment: str, quote: str) -> None:
    assert codes(segment, quote) == {"inflated"}


def test_a_claim_of_the_source_may_be_repeated_as_strong_as_it_is() -> None:
    quote = "sampling significantly improves accuracy and may help the first learners"
    assert codes("sampling significantly improves accuracy", quote) == set()


def test_what_the_source_does_not_speak_of_is_refused() -> None:
    assert codes("proteins fold into stable structures within cells", "we parse the logs of servers") == {"unsupported"}


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_can_be_compared_with_any_other(segment: str, quote: str) -> None:
    assert all(doubt.code and doubt.reason for doubt in doubts(segment, Evidence((quote,), (quote,))))
