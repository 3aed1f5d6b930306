import pytest

from citeplug.write.extractive.abstracts import contribution_statements
from citeplug.write.extractive.shortening import may_end, shorter_forms


def forms(sentence: str, limit: int = 40) -> list[str]:
    return shorter_forms(contribution_statements(sentence, "Log parsing")[0], limit)


def test_what_only_adds_to_a_noun_phrase_may_go() -> None:
    found = forms("We propose a template parser for system logs, which runs in linear time.")
    assert found[0] == "a template parser for system logs, which runs in linear time"
    assert "a template parser for system logs" in found
    assert "a template parser" in found


def test_a_claim_keeps_its_conditions() -> None:
    assert forms("We show that the parser halts if the log is finite.") == ["the parser halts if the log is finite"]


def test_a_result_keeps_what_restricts_it() -> None:
    assert forms("We prove the existence of a parser under mild conditions on the log.") == [
        "the existence of a parser under mild conditions on the log"
    ]


def test_a_negation_is_never_cut_off() -> None:
    assert all("without" in form for form in forms("We propose a log parser that works without any templates."))


@pytest.mark.parametrize(
    ("sentence", "never"),
    [
        ("We study the relation between long logs and short templates in practice.", "the relation between long logs"),
        ("We propose a mapping from raw logs to clean templates.", "a mapping from raw logs"),
        ("We propose a parser that allows users to read logs.", "a parser that allows users"),
        ("We propose a log parser based on template trees.", "a log parser based"),
        ("We present a log parser which relies on template trees.", "a log parser which relies"),
    ],
)
def test_nothing_is_cut_in_two(sentence: str, never: str) -> None:
    assert never not in forms(sentence)


def test_forms_longer_than_the_limit_are_left_out() -> None:
    assert all(len(form.split()) <= 5 for form in forms("We propose a template parser for long system logs.", 5))


def test_what_points_outside_or_has_a_hole_is_cut_off_or_left_out() -> None:
    assert forms(r"We propose a template parser for \unknown logs.") == ["a template parser"]
    assert forms("We propose a template parser for this problem.") == ["a template parser"]


def test_a_noun_phrase_does_not_end_in_a_preposition() -> None:
    assert may_end("a template parser", "for logs")
    assert not may_end("a parser based", "on trees")


def test_a_verb_of_two_words_keeps_its_object() -> None:
    assert all(not form.endswith("rise") for form in forms("We study parsers of logs which give rise to templates."))


def test_a_bare_kind_is_no_form() -> None:
    assert "some new results" not in forms("We present some new results for the parsing of logs.")


def test_a_relative_clause_is_not_cut_before_its_verb() -> None:
    found = forms("We propose a parser for peer systems in which a right of every reader is for sale.")
    assert all(not form.endswith("right") for form in found)
