import pytest

from citeplug.text.inflection import gerund, number_of, participle, past, third_person


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
