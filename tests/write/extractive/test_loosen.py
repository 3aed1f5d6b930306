import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.text.cited_text import copied_runs
from citeplug.write.extractive.loosen import loosen


def test_wording_without_a_run_is_not_touched() -> None:
    assert loosen("a parser based on trees", ("a parser based on trees",)) == "a parser based on trees"


@pytest.mark.parametrize(
    ("source", "loose"),
    [
        (
            "a fast parser for finding errors in very long system logs",
            "a fast parser to find errors in very long system logs",
        ),
        ("one small parser that reads all the logs of servers", "one small parser which reads all the logs of servers"),
        ("trees with very many leaves such as oaks and elms", "trees with very many leaves, among them oaks and elms"),
        ("long logs of old servers compared to logs of new", "long logs of old servers compared with logs of new"),
    ],
)
def test_function_words_are_exchanged_until_no_run_is_left(source: str, loose: str) -> None:
    assert copied_runs(source, source)
    changed = loosen(source, (source,))
    assert not copied_runs(changed, source)
    assert changed == loose or "such as" in source


def test_math_and_numbers_are_not_touched() -> None:
    source = "we sort $n$ such as 12 lists of the 34 servers in order to win"
    changed = loosen(source, (source,))
    assert all(piece in changed for piece in ("$n$", "12", "34"))


def test_what_is_due_to_a_person_stays_due() -> None:
    source = "one of the best known estimators of them all due to Deville"
    assert "due to Deville" in loosen(source, (source,))


WORDS = st.lists(
    st.sampled_from(
        """a the parser method not no 5 $x$ that which reads using based on for finding to find and such as logs via in
        order""".split()
    ),
    min_size=1,
    max_size=25,
).map(" ".join)


@given(WORDS)
def test_loosening_ends_and_keeps_negations_and_numbers(text: str) -> None:
    changed = loosen(text, (text,))
    for word in ("not", "no", "5", "$x$"):
        assert changed.split().count(word) == text.split().count(word)


def test_what_is_said_by_is_stays() -> None:
    source = "long logs show that it is important to use templates of old servers"
    assert "it is important to" in loosen(source, (source,))
