import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.records.section import Section, SectionParagraph, Sentence, Source
from citeplug.related.attribute.attribution import attribute, rouge1_precision
from citeplug.text.cited_text import copied_runs, words
from tests.harness.papers import paper

TEXT = st.lists(st.sampled_from(["a", "parser", "reads", "logs", "the", "$x$", "{{cite:1}}", "state-of-the-art"])).map(
    " ".join
)


def test_precision_is_the_share_of_the_sentences_words_that_the_source_has() -> None:
    assert rouge1_precision("a parser reads logs", "the parser reads all logs") == 0.75


def test_a_word_counts_only_as_often_as_the_source_has_it() -> None:
    assert rouge1_precision("logs logs logs logs", "logs and logs") == 0.5


def test_citation_markers_are_no_words() -> None:
    assert words("{{author:2001.00001}} read Logs {{cite:hep-th/9201001}}.") == ["read", "logs"]
    assert rouge1_precision("{{author:2001.00001}} reads", "reads") == 1.0


def test_a_sentence_without_words_has_no_support() -> None:
    assert rouge1_precision("{{cite:1}}", "logs") == 0.0


@given(TEXT, TEXT)
def test_precision_lies_between_nothing_and_one(sentence: str, source: str) -> None:
    assert 0.0 <= rouge1_precision(sentence, source) <= 1.0


def test_eight_words_in_a_row_are_a_run_and_seven_are_not() -> None:
    source = "one two three four five six seven eight nine"
    assert copied_runs("zero one two three four five six seven, eight", source) == [(5, 45)]
    assert copied_runs("zero one two three four five six seven", source) == []


def test_case_and_punctuation_do_not_break_a_run_but_a_citation_does() -> None:
    source = "one two three four five six seven eight"
    assert copied_runs("One two, three: four five six seven EIGHT", source)
    assert not copied_runs("one two three four {{author:1}} five six seven eight", source)


@pytest.mark.parametrize("n", [1, 2, 5])
@given(sentence=TEXT, source=TEXT)
def test_a_run_stands_word_for_word_in_the_source(n: int, sentence: str, source: str) -> None:
    given_words = words(source)
    last = 0
    for start, end in copied_runs(sentence, source, n):
        said = words(sentence[start:end])
        assert start >= last
        assert len(said) >= n
        assert any(given_words[i : i + len(said)] == said for i in range(len(given_words)))
        last = end


def test_the_shape_of_an_apostrophe_makes_no_other_word() -> None:
    assert rouge1_precision("Turing’s machine doesn’t halt", "Turing's machine doesn't halt") == 1.0


SOURCE = "We present graph attention networks, which operate on graphs."


def score(text: str, *, by_model: bool = False) -> float | None:
    sentence = Sentence(text, "paper", ("1710.10903",), (Source("1710.10903", 1, SOURCE, 0, 61),), by_model=by_model)
    known = {"1710.10903": paper("1710.10903", "Graph Attention Networks: A New Layer")}
    section, _ = attribute(Section((SectionParagraph("p1", "", (sentence,)),)), known)
    return section.paragraphs[0].sentences[0].attribution


def test_a_verbatim_quotation_is_wholly_its_source_s_whatever_title_and_verb_stand_before_it() -> None:
    said = "In “Graph Attention Networks: A New Layer”, {{author:1710.10903}} “present graph attention networks”."
    assert score(said) == 1.0
    assert score(said.replace("present", "bury")) == 0.75


def test_of_a_model_s_sentence_all_words_but_the_title_count() -> None:
    assert score("Graph Attention Networks: A New Layer cures “graph attention networks”", by_model=True) == 0.75


def test_a_sentence_that_is_a_title_alone_is_compared_as_it_stands() -> None:
    assert score("“Graph Attention Networks: A New Layer”") == 0.5
