"""What an abstract says of the thing that its authors made, and which of its sentences tells most."""

from dataclasses import replace

import pytest

from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.related.write.extractive.choice import telling
from citeplug.related.write.extractive.contributions import find_contributions
from citeplug.related.write.extractive.section import write_section
from citeplug.related.write.extractive.things import find_mechanisms
from tests.related.write.examples import DRAFT, paper

MADE = "We propose a parser of system logs."


@pytest.mark.parametrize(
    ("abstract", "title", "thing", "said"),
    [
        (f"{MADE} The parser clusters lines by their longest common words.", "Logs", "parser", "clusters"),
        (f"{MADE} It is based on a tree of the longest common words.", "Logs", "parser", "is"),
        ("Our novel approach maps lines to vectors of their longest words.", "Logs", "approach", "maps"),
        ("LogRead maps lines to vectors of their longest words.", "LogRead: parsing logs", "LogRead", "maps"),
        ("We present LogRead, a parser. LogRead maps lines to sorted trees.", "Logs", "LogRead", "maps"),
    ],
)
def test_what_authors_made_is_told_of_the_thing(abstract: str, title: str, thing: str, said: str) -> None:
    (told,) = find_mechanisms(paper(abstract, title))
    assert (told.thing, told.verb) == (thing, said)


@pytest.mark.parametrize(
    "abstract",
    [
        "The parser clusters lines by their longest common words.",
        "LogRead maps lines to vectors of their longest words.",
        f"{MADE} The parser outperforms all parsers on logs of four systems.",
        f"{MADE} The parser is evaluated on logs of four large systems.",
        f"{MADE} The parser is $200\\times$ faster than the parsers of four large systems.",
        f"{MADE} It is a challenging task due to the length of logs.",
        f"{MADE} The parser reads these lines by their longest common words.",
        f"{MADE} The catalog of logs includes lines with their longest common words.",
    ],
)
def test_nothing_is_told_of_what_is_not_theirs_or_of_how_it_was_tried(abstract: str) -> None:
    assert not find_mechanisms(paper(abstract, "Logs of large systems"))


def write(abstract: str, title: str) -> str:
    cited = paper(abstract, title)
    plan = Plan((PlanParagraph("p1", "", (PlanLine("describe it", (cited.id.value,)),), 25),))
    section, _ = write_section(plan, replace(DRAFT, title="", abstract=""), {cited.id.value: cited})
    (sentence,) = section.paragraphs[0].sentences
    assert all(source.text in cited.abstract for source in sentence.sources)
    return sentence.text


def test_behind_what_was_made_stands_how_it_works() -> None:
    made = "We propose LogRead, a parser of system logs for routers."
    text = write(f"{made} The parser clusters lines by their longest common words.", "Parsing system logs")
    assert text.endswith("for routers”; the parser clusters “lines by their longest common words”.")


def test_where_nothing_made_is_stated_the_thing_is_the_subject() -> None:
    text = write("Our parser of logs maps lines to vectors of words. Our method maps logs to trees of words.", "Logs")
    assert text.startswith("The method of {{author:"), text


def test_how_and_what_was_found_tell_more_than_the_task() -> None:
    task = "We study the problem of parsing system logs."
    how = "We propose a parser that clusters lines by their longest words using trees."
    cited = paper(f"{task} {how}", "Parsing system logs")
    told = max(find_contributions(cited), key=lambda one: telling(one, cited))
    assert "clusters" in told.said


def test_an_acronym_is_spelled_out_by_the_abstract_once() -> None:
    text = write(
        "Issue tracking systems (ITSs) hold reports. We propose a parser that reads the reports of various ITSs alone.",
        "Parsing reports",
    )
    assert "ITSs [issue tracking systems]" in text.replace("Issue", "issue") or "(Issue tracking systems)" in text
