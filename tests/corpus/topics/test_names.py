"""Names that set topics apart."""

import re

from hypothesis import given
from hypothesis import strategies as st

from citeplug.corpus.topics.names import topic_names, words_of
from tests.corpus.topical import SUBJECTS, make_papers


def test_a_name_is_made_of_the_words_that_are_the_topics_own() -> None:
    papers = make_papers()
    subjects = list(SUBJECTS)
    named = topic_names(
        [words_of(f"{paper.title}. {paper.abstract}") for paper in papers],
        [subjects.index(paper.categories[0]) for paper in papers],
        len(subjects),
    )
    for subject, (name, words) in zip(subjects, named, strict=True):
        assert set(re.findall(r"\w+", name)) <= set(SUBJECTS[subject])
        assert name.split(", ") == list(words[: len(name.split(", "))])


def test_a_word_is_not_said_twice_in_another_form() -> None:
    documents = [["graphs", ".", "graph", ".", "graphing", ".", "vertex"]] * 10 + [["quark", "field", "theory"]] * 10
    (name, _), (other, _) = topic_names(documents, [0] * 10 + [1] * 10, 2)
    assert len({"graph", "graphs", "graphing"} & set(re.findall(r"\w+", name))) == 1
    assert "field theory" in other


def test_topics_without_words_have_names_too() -> None:
    names = [name for name, _ in topic_names([[], []], [0, 1], 3)]
    assert len(set(names)) == 3 and all(names)


@given(st.lists(st.tuples(st.text("ab. ", max_size=20), st.integers(0, 3) | st.none()), max_size=30))
def test_no_two_topics_have_one_name(said: list[tuple[str, int | None]]) -> None:
    named = topic_names([words_of(text) for text, _ in said], [topic for _, topic in said], 4)
    assert len({name for name, _ in named}) == 4
