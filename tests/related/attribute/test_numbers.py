import pytest

from citeplug.related.attribute.numbers import numbers_of, unknown_numbers

QUOTE = (
    "The parser reads 1,200 logs in two passes, with 94.5% accuracy on three datasets and up to 12 times less memory"
)


def refused(segment: str, quote: str = QUOTE, papers: int = 1) -> bool:
    return any(unknown_numbers(segment, (quote,), papers))


@pytest.mark.parametrize(
    "segment",
    [
        "the parser reads 1200 logs",
        "a parser of logs in 2 passes",
        "it has an accuracy of 94.5 percent",
        "measured on 3 datasets",
        "it needs up to twelve times less memory",
        "one parser reads logs",
    ],
)
def test_numbers_may_be_written_in_another_way(segment: str) -> None:
    assert not refused(segment)


@pytest.mark.parametrize(
    "segment",
    [
        "the parser reads 1300 logs",
        "a parser of logs in four passes",
        "it has an accuracy of 95%",
        "measured on five datasets",
        "it reads a thousand logs",
        "it reads twenty-five logs",
    ],
)
def test_a_number_that_is_not_the_sources_is_refused(segment: str) -> None:
    assert refused(segment)


def test_a_share_is_not_a_count() -> None:
    assert refused("it reads 12 logs", "it reads 12% of the logs")
    assert refused("it reads 12% of the logs", "it reads 12 logs")


def test_a_number_is_compared_with_that_of_the_same_thing() -> None:
    ranks = "It was placed 6th of 19 systems for concept hypernyms, and 12th of 18 systems for entity hypernyms."
    assert not refused(
        "it came 6th of 19 systems on concept hypernyms and 12th of 18 systems on entity hypernyms", ranks
    )
    assert refused("it came 12th of 19 systems on concept hypernyms and 6th of 18 systems on entity hypernyms", ranks)
    assert refused("3-dimensional 1-neighborhood automata", "1-dimensional 3-neighborhood automata")
    assert not refused(
        "of 5 to 10% on average in graph classification", "benchmarks of graph classification by 5-10% on average"
    )


def test_parts_of_a_list_may_be_counted_but_no_others_given() -> None:
    assert not refused("three models are studied", "GCN, GAT and LoopyNet are studied")
    assert not refused(
        "two of the models are studied", "of GCN, GAT and LoopyNet, three of them on Cora, two models fail"
    )
    assert refused("four models are studied", "three models are studied")
    assert refused("40 models are studied", "GCN, GAT and LoopyNet are studied")


def test_a_number_may_be_rounded() -> None:
    vertices = "a dataset with 492.90 million vertices, of which 427 are blue"
    assert not refused("nearly 493 million vertices", vertices)
    assert not refused("about 430 vertices are blue", vertices)
    assert refused("430 vertices are blue", vertices)
    assert refused("428 vertices are blue", vertices)
    assert refused("nearly 480 million vertices", vertices)


def test_dimensions_and_thousands_may_be_spelled_out() -> None:
    assert not refused("data in three dimensions", "a 3D view of data")
    assert not refused("108,000 sentences", "we collect 108K sentences")
    assert refused("109,000 sentences", "we collect 108K sentences")


def test_two_approaches_may_be_two_papers() -> None:
    assert not refused("two approaches parse logs", "we parse logs", papers=2)
    assert refused("two approaches parse logs", "three approaches parse logs", papers=1)


def test_numbers_of_names_are_no_numbers() -> None:
    assert numbers_of("GPT-4 and ResNet50 in 3D beat a one-shot learner") == []


def test_compound_numbers_are_read_whole() -> None:
    assert [n.value for n in numbers_of("twenty-five logs, two hundred lines, 3 million words, 1.5 hours")] == [
        25,
        200,
        3e6,
        1.5,
    ]
