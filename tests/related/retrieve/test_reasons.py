"""Reasons why papers are near a draft."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from citeplug.protocols import Vectors
from citeplug.records.paper import Paper, Query, Reason
from citeplug.related.reasons import CatalogueWords, explain
from tests.harness.papers import paper

ABSTRACT = Query(
    "Sampling of sparse graphs. We sample neighbours of sparse graphs, and sampling is cheap. Trees matter once.",
    "abstract",
)
METHOD = Query(
    "Attention weighs neighbours. Attention heads are many, and attention is learned.", "section:method", 0.2
)


def at(*place: float) -> Vectors:
    vector = np.array([*place, *([0.0] * (4 - len(place)))], dtype=np.float32)
    return vector / np.linalg.norm(vector)


def about(number: int, title: str, abstract: str) -> Paper:
    return replace(paper(f"1700.{number:05}", title=title), abstract=abstract)


SAMPLER = about(1, "Cheap Sampling", "Sparse graphs are hard. Our sampling of nodes scales, and trees are trees.")
HEADS = about(2, "Attention Heads", "Attention heads attend to words, and attention is all.")
OTHER = about(3, "Proteins", "Proteins fold.")
PAPERS = [SAMPLER, HEADS, OTHER]
VECTORS = {"1700.00001": at(1), "1700.00002": at(0, 1), "1700.00003": at(0, 0, 1)}
QUERIES = [(ABSTRACT, at(1)), (METHOD, at(0, 1))]
COMMON = ("cheap", "tree", "matter", "neighbour", "many", "learn")


def records_with(texts: Sequence[str]) -> dict[str, int]:
    """As a catalogue of 90,000 records in which all but the common words are rare."""
    return {text: 900 if text.startswith(COMMON) else 0 if text == "of" else 20 for text in texts}


def reasons(
    papers: list[Paper] = PAPERS,
    vectors: dict[str, Vectors] = VECTORS,
    queries: list[tuple[Query, Vectors]] = QUERIES,
    cited: tuple[tuple[str, Vectors], ...] = (),
    own: dict[str, str] | None = None,
) -> dict[str, tuple[Reason, ...]]:
    return explain(papers, vectors, queries, CatalogueWords(90_000, records_with), cited, own)


def test_a_paper_is_explained_by_the_part_of_the_draft_that_says_most_for_it() -> None:
    found = reasons()
    (sampler,), (heads,) = found["1700.00001"], found["1700.00002"]
    assert (sampler.kind, sampler.of) == ("words", "abstract")
    assert sampler.words == ("sparse graphs", "Sampling")
    assert sampler.text == "shares with your abstract: “sparse graphs” and “Sampling”"
    assert (heads.of, heads.words) == ("method", ("Attention heads",))


def test_a_word_that_many_records_have_is_no_reason() -> None:
    tree = about(4, "Cheap Trees", "Trees are trees.")
    (found,) = reasons([tree, OTHER], {**VECTORS, "1700.00004": at(1)})["1700.00004"]
    assert (found.kind, found.words) == ("meaning", ())


def test_in_a_small_catalogue_single_words_are_no_reason() -> None:
    catalogue = CatalogueWords(150, lambda texts: dict.fromkeys(texts, 2))
    found = explain(PAPERS, VECTORS, QUERIES, catalogue)
    assert found["1700.00001"][0].words == ("sparse graphs",)
    assert found["1700.00003"][0].kind == "meaning"


def test_words_of_grammar_inside_a_phrase_are_no_reason_by_themselves() -> None:
    odd = about(4, "Of Proteins", "Of folds, of proteins.")
    draft = [(Query("The quality-of-experience is what counts.", "abstract"), at(1))]
    (found,) = reasons([odd], {"1700.00004": at(1)}, draft)["1700.00004"]
    assert (found.kind, found.text) == ("meaning", "near your abstract in meaning")


def test_an_address_is_no_phrase_and_a_hyphen_stays_in_one() -> None:
    paper = about(4, "Layers", "The transport layer, see broadinstitute.org.")
    draft = [(Query("Our transport-layer code is at broadinstitute.org now.", "introduction"), at(1))]
    (found,) = reasons([paper], {"1700.00004": at(1)}, draft)["1700.00004"]
    assert found.words == ("transport-layer",)


def test_without_a_specific_phrase_the_sentence_is_quoted_that_has_most_of_the_drafts_rare_words() -> None:
    paper = about(4, "Heads", "Proteins fold. Sampling needs attention to \x1b[31mneighbours. All is well.")
    draft = [(Query("Neighbours get attention. Our sampling is learned.", "method"), at(1))]
    catalogue = CatalogueWords(90_000, lambda texts: dict.fromkeys(texts, 300))
    (found,) = explain([paper], {}, draft, catalogue)["1700.00004"]
    assert (found.kind, found.of) == ("meaning", "method")
    assert found.text == "near your method; this paper says “Sampling needs attention to neighbours.”"
    assert found.says == "Sampling needs attention to neighbours."


def test_a_paper_without_a_vector_and_without_common_words_has_no_reason() -> None:
    assert reasons(vectors={})["1700.00003"] == ()
    assert reasons(vectors={})["1700.00001"][0].kind == "words"


def test_a_citation_is_named_for_the_papers_nearest_to_it_and_not_for_itself() -> None:
    cited = (("graphs2016", at(1, 0.2)), ("far1999", at(0, 0, 0, 1)))
    found = reasons(cited=cited)
    assert found["1700.00001"][-1] == Reason(
        "citation", "similar to graphs2016, which you cite", "citations", keys=("graphs2016",)
    )
    assert not any(reason.kind == "citation" for reason in (*found["1700.00002"], *found["1700.00003"]))
    itself = reasons(cited=cited, own={"1700.00001": "graphs2016"})
    assert not any(reason.kind == "citation" for reason in itself["1700.00001"])


def test_a_citation_that_is_near_all_papers_is_named_for_few() -> None:
    many = [about(n, f"Sampling {n}", "Sampling.") for n in range(10, 22)]
    vectors = {each.id.value: at(1, n / 100) for n, each in enumerate(many)}
    found = reasons(many, vectors, cited=(("graphs2016", at(1)),))
    named = [value for value, each in found.items() if any(reason.kind == "citation" for reason in each)]
    assert named == ["1700.00010", "1700.00011", "1700.00012"]


def test_a_draft_with_nothing_but_a_title_is_compared_by_it() -> None:
    found = reasons(queries=[(Query("Attention heads", "title"), at(0, 1))])
    assert found["1700.00002"][0].text == "shares with your title: “Attention heads”"


def test_nothing_asked_and_nothing_found_is_no_failure() -> None:
    assert explain([], {}, [], CatalogueWords(0, records_with)) == {}
    assert reasons(queries=[]) == dict.fromkeys(VECTORS, ())


def test_text_of_other_alphabets_math_and_rubbish_are_read() -> None:
    odd = about(30, "Графы $\\mathcal{G}$ \x1b[31m", "注意 \\cite{x} " + "{" * 5000)
    found = reasons(
        [odd, *PAPERS], {**VECTORS, "1700.00030": at(1)}, [(Query("Графы. Графы графы", "abstract"), at(1))]
    )
    assert [reason.text for reason in found["1700.00030"]] == ["shares with your abstract: “Графы”"]
