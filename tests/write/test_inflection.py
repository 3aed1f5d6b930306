import pytest

from citeplug.write.inflection import BASE_OF_THIRD, base_of_third, gerund, number_of, participle, past, third_person
from citeplug.write.lexicon import VERBS


@pytest.mark.parametrize(
    ("verb", "third", "done", "did", "doing"),
    [
        ("propose", "proposes", "proposed", "proposed", "proposing"),
        ("study", "studies", "studied", "studied", "studying"),
        ("show", "shows", "shown", "showed", "showing"),
        ("give", "gives", "given", "gave", "giving"),
        ("address", "addresses", "addressed", "addressed", "addressing"),
        ("put forward", "puts forward", "put forward", "put forward", "putting forward"),
        ("map", "maps", "mapped", "mapped", "mapping"),
        ("focus on", "focuses on", "focused on", "focused on", "focusing on"),
    ],
)
def test_verbs_are_inflected(verb: str, third: str, done: str, did: str, doing: str) -> None:
    assert (third_person(verb), participle(verb), past(verb), gerund(verb)) == (third, done, did, doing)


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_the_base_of_a_third_person_is_the_verb(verb: str) -> None:
    assert BASE_OF_THIRD[third_person(verb)] == verb
    assert base_of_third(third_person(verb)) == verb


@pytest.mark.parametrize(
    ("phrase", "number"),
    [
        ("a parser of logs", "one"),
        ("the parsers of a log", "many"),
        ("two parsers", "many"),
        ("the analysis of logs", None),
        ("logs and templates", None),
        ("a series of logs", None),
        ("information", None),
    ],
)
def test_the_number_of_a_noun_phrase_is_told_only_where_it_is_plain(phrase: str, number: str | None) -> None:
    assert number_of(phrase) == number
