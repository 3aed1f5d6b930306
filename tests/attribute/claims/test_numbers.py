import pytest

from citeplug.attribute.claims.evidence import Evidence
from citeplug.attribute.claims.numbers import numbers_of, unknown_numbers

QUOTE = (
    "The parser reads 1,200 logs in two passes, with 94.5% accuracy on three datasets and up to 12 times less memory"
)


def refused(segment: str, quote: str = QUOTE, papers: int = 1) -> bool:
    return any(unknown_numbers(segment, Evidence((quote,), papers=papers)))


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
        "it halves the memory",
        "it reads thousands of logs",
        "it reads a thousand logs",
        "it reads twenty-five logs",
    ],
)
def test_a_number_that_is_not_the_sources_is_refused(segment: str) -> None:
    assert refused(segment)


def test_a_share_is_not_a_count() -> None:
    assert refused("it reads 12 logs", "it reads 12% of the logs")
    assert refused("it reads 12% of the logs", "it reads 12 logs")


def test_a_number_of_other_things_is_refused() -> None:
    assert refused(
        "it reads three languages",
        "Languages differ in words, sounds, grammar, spelling and history; tests use three datasets",
    )


def test_up_to_cannot_be_left_out_or_added() -> None:
    assert refused("it needs 12 times less memory")
    assert refused("it needs at least 12 times less memory")


def test_a_speedup_is_a_number_with_its_bound() -> None:
    assert refused("an 18X speedup of the solver", "our solver has a speedup of up to 18X")
    assert not refused("a speedup of up to 18x", "our solver has a speedup of up to 18X")


def test_two_approaches_may_be_two_papers() -> None:
    assert not refused("two approaches parse logs", "we parse logs", papers=2)
    assert refused("two approaches parse logs", "we parse logs", papers=1)


def test_numbers_of_names_are_no_numbers() -> None:
    assert numbers_of("GPT-4 and ResNet50 in 3D beat a one-shot learner") == []


def test_compound_numbers_are_read_whole() -> None:
    assert [n.value for n in numbers_of("twenty-five logs, two hundred lines, 3 million words, 1.5 hours")] == [
        25,
        200,
        3e6,
        1.5,
    ]
