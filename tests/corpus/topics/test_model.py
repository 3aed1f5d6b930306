"""Topics found in a sample, and told by words."""

from collections import Counter

import pytest

from citeplug.corpus.topics.model import TopicModel, fit, topics_for
from citeplug.errors import CorpusEmpty
from tests.corpus.stores import WordModel
from tests.corpus.topical import SUBJECTS, make_papers

PAPERS = make_papers()
TEXTS = [f"{paper.title}. {paper.abstract}" for paper in PAPERS]


def shares(topics: list[int | None]) -> list[float]:
    """Of each subject, the share of its papers that is in its largest topic."""
    found: dict[str, list[int | None]] = {subject: [] for subject in SUBJECTS}
    for paper, topic in zip(PAPERS, topics, strict=True):
        found[paper.categories[0]].append(topic)
    return [Counter(each).most_common(1)[0][1] / len(each) for each in found.values()]


def test_papers_of_a_subject_are_put_together_by_their_words() -> None:
    fitted = fit(TEXTS, len(SUBJECTS))
    assert (fitted.method, fitted.model.topics) == ("words", len(SUBJECTS))
    assert min(shares(fitted.model.assigner()(TEXTS))) > 0.95


def test_papers_of_a_subject_are_put_together_by_vectors_of_a_part_of_them() -> None:
    fitted = fit(TEXTS, len(SUBJECTS), WordModel().embed(TEXTS[:100]))
    assert fitted.method == "vectors"
    assert min(shares(fitted.model.assigner()(TEXTS))) > 0.95


def test_the_same_sample_gives_the_same_topics() -> None:
    first, second = fit(TEXTS, 7), fit(TEXTS, 7)
    assert first.names == second.names
    assert first.model.to_bytes() == second.model.to_bytes()


def test_the_largest_topic_comes_first() -> None:
    fitted = fit(TEXTS[:90] + TEXTS[90::4], len(SUBJECTS))
    sizes = Counter(fitted.model.assigner()(TEXTS[:90] + TEXTS[90::4]))
    assert [sizes[number] for number in range(fitted.model.topics)] == sorted(sizes.values(), reverse=True)


def test_a_text_without_a_known_word_has_no_topic() -> None:
    assign = fit(TEXTS, 4).model.assigner()
    assert assign(["", "xyzzy plugh", TEXTS[0], "$gauge$"])[:2] == [None, None]
    assert assign(["", TEXTS[0]]) == [None, *assign([TEXTS[0]])]
    assert assign([]) == []


def test_a_model_is_the_same_after_it_was_written() -> None:
    model = fit(TEXTS, 4).model
    again = TopicModel.from_bytes(model.to_bytes())
    assert again.terms == model.terms
    assert again.assigner()(TEXTS) == model.assigner()(TEXTS)


@pytest.mark.parametrize("data", [b"", b"PK", b"no model at all"])
def test_what_is_no_model_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        TopicModel.from_bytes(data)


def test_a_model_that_was_cut_or_altered_is_refused_or_has_its_shape() -> None:
    data = fit(TEXTS, 4).model.to_bytes()
    for end in range(0, len(data), max(1, len(data) // 40)):
        with pytest.raises(ValueError):
            TopicModel.from_bytes(data[:end])


@pytest.mark.parametrize("texts", [[], [""], ["a b c"], ["one text alone about nothing else"]])
def test_too_little_to_find_topics_in_is_told(texts: list[str]) -> None:
    with pytest.raises(CorpusEmpty):
        fit(texts, 5)


def test_texts_that_are_all_the_same_make_one_topic() -> None:
    fitted = fit(["quark gluon hadron boson"] * 4 + ["quark gluon"] * 30, 5)
    assert fitted.model.topics >= 1
    assert None not in fitted.model.assigner()(["quark gluon hadron"])


def test_the_number_of_topics_grows_with_the_records_up_to_a_bound() -> None:
    counts = [topics_for(records) for records in (1, 100, 10_000, 90_000, 3_000_000)]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (2, 300)
