"""What authors state of their work, sentence by sentence."""

from pathlib import Path

import pytest

from citeplug.prepare.statements import claims_of_draft, own_sentences
from citeplug.records.draft import Draft, DraftSection, Span

ROOT = Path("main.tex").resolve()


def own(abstract: str) -> list[str]:
    return [abstract[start:end] for start, end in own_sentences(abstract)]


def test_only_sentences_in_which_authors_speak_of_their_work_are_statements() -> None:
    said = "We sample the edges of a graph at each training epoch."
    assert own(f"Graphs are everywhere in the natural sciences today. {said}") == [said]


@pytest.mark.parametrize(
    "sentence",
    [
        "We show that our method outperforms all earlier samplers of edges.",  # any paper says so
        "Experiments demonstrate the effectiveness of the sampler that we propose here.",
        "We use these results to study the bound of the sampler.",  # leans on what stands before
        "We sample.",
        "Method: we sample the edges.Results: we find that it is good.",
        "We sample " + "many edges " * 40,
    ],
)
def test_what_any_paper_says_or_what_leans_on_other_sentences_is_none(sentence: str) -> None:
    assert own(sentence) == []


def draft(abstract: str, *sections: DraftSection) -> Draft:
    return Draft(ROOT, (ROOT,), "Sampling of edges in deep graph networks", abstract, sections)


def test_a_draft_claims_what_its_abstract_and_introduction_state() -> None:
    stated = "In this paper, we present an efficient algorithm for the sampling of edges in deep graph networks."
    introduction = DraftSection(1, "Introduction", f"Graphs are many. {stated}", Span(ROOT, 0, 9, 7))
    elsewhere = DraftSection(1, "Method", stated, Span(ROOT, 10, 19, 12))
    (found,) = claims_of_draft(draft("Graphs are everywhere.", introduction, elsewhere))
    assert found == stated


def test_a_draft_that_states_nothing_plainly_claims_its_own_sentences_and_a_silent_one_nothing() -> None:
    said = "Our library spans the sampling of nodes, edges and layers of large graphs."
    (found,) = claims_of_draft(draft(f"Graphs are everywhere today. {said}"))
    assert found == said
    assert claims_of_draft(draft("Graphs are everywhere today.")) == []
    assert claims_of_draft(draft("")) == []
