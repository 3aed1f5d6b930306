import pytest

from citeplug.text.inflection import gerund, participle, past, third_person


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
