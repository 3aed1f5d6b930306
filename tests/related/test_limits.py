"""Sentences that state a limit, and whose."""

import pytest

from citeplug.records.passage import PaperText, TextSection
from citeplug.related.limits import is_limit_of_cited, limits_in_text, limits_of_own

OPENING = "We present a sampler of edges for deep graph networks. "


def own(abstract: str) -> list[str]:
    return [abstract[start:end] for start, end in limits_of_own(abstract)]


@pytest.mark.parametrize(
    "limit",
    [
        "Our method does not handle graphs whose edges change over time.",
        "Sampling on directed graphs is left for future work by the community.",
        "The proposed sampler is limited to graphs with less than a million nodes.",
        "Convergence of the sampler is proven under a strong convexity assumption.",
        "Whether the bound is tight for sparse graphs remains an open question.",
        "The sampler is faster, at the cost of a second pass over all edges.",
    ],
)
def test_a_limit_that_authors_state_of_their_own_work_is_found(limit: str) -> None:
    assert own(OPENING + limit) == [limit]


@pytest.mark.parametrize(
    "sentence",
    [
        "However, existing methods do not handle graphs whose edges change over time.",
        "Our method does not require any labels of nodes or edges for its training.",
        "The sampler converges under suitable conditions on the degrees of the nodes.",
        "Finally, we discuss several promising directions for future research on this.",
        "This is limited to graphs with less than a million nodes and their edges.",
        "Our method can not only sample edges but also the nodes of large graphs.",
    ],
)
def test_what_others_lack_what_is_praise_and_what_leans_on_another_sentence_is_none(sentence: str) -> None:
    assert own(OPENING + sentence) == []


def test_before_authors_speak_of_their_work_what_is_open_is_the_field_s() -> None:
    assert own("How deep graph networks learn from edges remains unclear in theory. " + OPENING) == []


def test_a_section_on_limits_comes_before_the_conclusion_and_related_work_is_not_read() -> None:
    texts = {
        "Related Work": "Our method does not handle graphs whose edges change over time.",
        "Conclusion": "Sampling on directed graphs is left for future work by us.",
        "Limitations": "Our graphs have only one kind of edge in all experiments. To mitigate that, none is left.",
    }
    sections = tuple(TextSection(1, title, text, len(text)) for title, text in texts.items())
    text = PaperText("1801.00001", 1, "eprint", "T", sections)
    found = [sections[at].text[start:end] for at, start, end in limits_in_text(text)]
    assert found == ["Our graphs have only one kind of edge in all experiments.", texts["Conclusion"]]


@pytest.mark.parametrize(
    ("sentence", "short"),
    [
        ("Random samplers [*] are fast, but do not learn from labels of nodes.", True),
        ("However, [*] only considers undirected graphs.", True),
        ("These methods [*] cannot be used on graphs that change over time.", True),
        ("These methods cannot be used on graphs that change over time [*].", False),
        ("Lee et al. [*] show that deep networks do not learn from random edges.", False),
        ("Sampling [*] does not require labels of nodes.", False),
        ("In a graph [*] in which the edges are not known, nodes are sampled.", False),
        ("We do not compare with the sampler of edges [*].", False),
    ],
)
def test_a_sentence_is_on_the_lack_of_a_work_only_if_the_work_is_its_subject(sentence: str, short: bool) -> None:
    assert is_limit_of_cited(sentence) == short
