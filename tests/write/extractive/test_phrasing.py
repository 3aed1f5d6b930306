from dataclasses import replace

from citeplug.records.paper import Paper
from citeplug.write.extractive.abstracts import find_statements
from citeplug.write.extractive.phrasing import Phrase, phrases
from tests.write.examples import paper


def said(record: Paper, construction: str) -> list[str]:
    statement = find_statements(record)[0]
    found: list[Phrase] = list(phrases(statement, record))
    return [phrase.text.replace(record.id.value, "A") for phrase in found if phrase.construction == construction]


def test_the_verb_agrees_with_one_author_and_with_several() -> None:
    text = "We study logs and show that templates help."
    assert said(paper(text, authors=1), "active")[0] == ("{{author:A}} studies logs and shows that templates help")
    assert said(paper(text), "active")[0] == "{{author:A}} study logs and show that templates help"


def test_a_collaboration_is_one() -> None:
    record = paper("We study the parsing of logs.")
    atlas = replace(record, authors=("ATLAS Collaboration", "G. Aad"))
    assert said(atlas, "active")[0].startswith("{{author:A}} studies")


def test_a_past_stays_a_past() -> None:
    assert said(paper("We measured the length of logs."), "active")[0] == "{{author:A}} measured the length of logs"


def test_a_purpose_may_come_first() -> None:
    assert "to read long logs, {{author:A}} propose a template parser" in said(
        paper("We propose a template parser for reading long logs."), "fronted"
    )


def test_a_passive_agrees_with_its_subject() -> None:
    assert "a template parser is proposed by {{author:A}}" in said(paper("We propose a template parser."), "passive")
    assert "two template parsers are proposed by {{author:A}}" in said(
        paper("We propose two template parsers."), "passive"
    )


def test_what_takes_two_objects_is_not_made_passive() -> None:
    assert said(paper("We compare the template parser with old tools."), "passive") == []


def test_a_product_may_be_named_by_its_authors() -> None:
    assert "the template parser of {{author:A}} reads logs backwards" in said(
        paper("We propose a template parser that reads logs backwards."), "product of"
    )


def test_the_authors_may_stand_inside_a_claim() -> None:
    assert said(paper("We show that long logs can be parsed."), "inserted") == [
        "long logs, {{author:A}} show, can be parsed"
    ]


def test_the_problem_of_doing_becomes_how_to_do() -> None:
    assert "{{author:A}} study how to parse long logs" in said(
        paper("We study the problem of parsing long logs."), "question"
    )


def test_circumstances_go_first_only_where_the_rest_says_something() -> None:
    assert not said(paper("We describe results for parsing long logs of old servers."), "fronted")


def test_a_place_that_only_the_rest_explains_stays_behind() -> None:
    text = "We describe the sorted structure of long logs in the store that the servers keep."
    assert all("in the store," not in phrase for phrase in said(paper(text), "fronted"))


def test_a_relative_clause_parts_from_its_noun_only_if_the_subject_could_have_it() -> None:
    assert not said(paper("We define a large space of kernel structures which are built of trees."), "extraposed")
    assert said(paper("We define a large space of kernel structures which is built of trees."), "extraposed")
