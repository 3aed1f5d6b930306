import pytest

from citeplug.write.extractive.abstracts import contribution_statements, find_statements
from citeplug.write.extractive.statement import SLOT, Statement
from tests.write.examples import PARSER, SURVEY, paper


def first(abstract: str, title: str = "Log parsing") -> Statement:
    return contribution_statements(abstract, title)[0]


@pytest.mark.parametrize(
    ("abstract", "kind", "verb", "text"),
    [
        ("We propose a parser for system logs.", "object", "propose", "a parser for system logs"),
        ("In this letter, we first present a parser for logs.", "object", "present", "a parser for logs"),
        ("This paper introduces a parser for system logs.", "object", "introduce", "a parser for system logs"),
        ("The authors study the parsing of system logs.", "object", "study", "the parsing of system logs"),
        ("In this work, a parser for system logs is presented.", "object", "present", "a parser for system logs"),
        ("The aim of this paper is to study long logs.", "object", "aim to study", "long logs"),
        ("We focus our attention on the parsing of logs.", "object", "focus on", "the parsing of logs"),
        ("We show that every log can be parsed quickly.", "claim", "show", "every log can be parsed quickly"),
        ("It is shown that every log can be parsed.", "claim", "show", "every log can be parsed"),
        ("We investigate whether logs can be parsed.", "question", "investigate", "whether logs can be parsed"),
        ("We have recently developed a parser for logs.", "object", "develop", "a parser for logs"),
        ("To this end, we use a tree of templates.", "object", "use", "a tree of templates"),
        ("Our parser reads the whole log in one pass.", "method", "parser", "reads the whole log in one pass"),
    ],
)
def test_what_a_sentence_says_of_its_paper_is_understood(abstract: str, kind: str, verb: str, text: str) -> None:
    found = first(abstract)
    assert (found.kind, found.verb, found.text) == (kind, verb, text)


def test_a_name_in_the_title_is_a_subject() -> None:
    found = first("LogVec is an embedding of log lines.", "LogVec: embedding log lines")
    assert (found.kind, found.verb, found.text) == ("named", "LogVec", "an embedding of log lines")


def test_an_adverbial_before_the_subject_is_kept_if_it_can_stand_alone() -> None:
    assert first("Using a tree of templates, we build a parser for logs.").front == "Using a tree of templates"
    assert first("Using this idea, we build a parser for logs.").front == ""


def test_a_condition_is_not_torn_from_a_result() -> None:
    assert contribution_statements("If logs are short and clean, we prove that the parser halts.", "Logs") == []


@pytest.mark.parametrize(
    "abstract",
    [
        "Logs are long, and they are hard to read.",
        "Log parsing has been studied widely in recent years.",
        "Templates were proposed by Miller for the parsing of logs.",
        "In an earlier paper, we proposed a parser for system logs.",
        "Nous proposons une méthode pour les journaux et nous la testons.",
        "",
    ],
)
def test_what_is_not_the_papers_own_gives_nothing(abstract: str) -> None:
    assert contribution_statements(abstract, "Log parsing") == []


def test_further_verbs_of_the_authors_are_marked_for_agreement() -> None:
    found = first("We propose a parser for logs and prove that the parser halts.")
    assert SLOT.findall(found.text) == ["prove"]


def test_a_verb_inside_a_clause_is_not_the_authors() -> None:
    found = first("This paper presents a parser that reads logs and shows errors.")
    assert SLOT.findall(found.text) == []
    assert "shows" not in found.text


def test_the_place_of_a_statement_is_its_sentence() -> None:
    for found in find_statements(PARSER):
        assert PARSER.abstract[found.start : found.end] == found.source


def test_it_after_a_sentence_on_the_paper_means_the_paper() -> None:
    assert "compare" in [found.verb for found in find_statements(SURVEY)]


def test_what_tells_most_of_the_contribution_comes_first() -> None:
    abstract = "We run some experiments. We propose a parser for system logs. We release code."
    assert first(abstract, "A parser for system logs").verb == "propose"


def test_what_is_proposed_on_the_way_to_a_goal_is_the_contribution() -> None:
    text = "The goal of our work is to balance the two, by proposing a template parser for long logs."
    first = find_statements(paper(text))[0]
    assert (first.verb, first.text) == ("propose", "a template parser for long logs")


def test_that_a_method_beats_others_tells_less_than_what_it_is() -> None:
    text = "This work studies template parsers. Tests show that our method outperforms all old parsers on long logs."
    assert find_statements(paper(text))[0].verb == "study"


def test_a_pair_behind_an_equals_sign_is_no_aside() -> None:
    found = find_statements(paper("We review the logs of servers with N = (2,2) templates."))
    assert "N = (2,2) templates" in found[0].text


def test_the_label_of_a_part_of_the_abstract_is_no_word_of_it() -> None:
    found = find_statements(paper("Results: We propose a template parser for long logs."))
    assert found[0].text == "a template parser for long logs"
