from citeplug.records.section import Sentence
from citeplug.write.extractive.closing import DraftVoice, relate_to_draft
from tests.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY, draft, paper

NOTHING = frozenset[str]()
COOKING = paper("We study the cooking of soup.", "Soup", arxiv_id="2001.00009")


def close(abstract: str, times: int = 1, title: str = "Reading logs") -> list[Sentence | None]:
    voice = DraftVoice.of(draft(abstract, title), ())
    return [relate_to_draft(voice, [COOKING], NOTHING) for _ in range(times)]


def test_the_draft_speaks_of_itself_in_the_third_person_and_present() -> None:
    (sentence,) = close("We proposed a detector that finds faults in our logs.")
    assert sentence is not None
    assert (
        sentence.text == "Against this background, the present paper proposes a detector that finds faults in its logs."
    )
    assert sentence.kind == "draft"
    assert sentence.cites == ()


def test_its_source_is_a_stretch_of_the_drafts_abstract() -> None:
    voice = DraftVoice.of(DRAFT, ())
    sentence = relate_to_draft(voice, [PARSER, SURVEY], NOTHING)
    assert sentence is not None
    for source in sentence.sources:
        assert source.arxiv_id is None
        assert DRAFT.abstract[source.start : source.end] == source.text


def test_a_subject_that_every_paper_shares_is_said_to_be_shared() -> None:
    sentence = relate_to_draft(DraftVoice.of(DRAFT, ()), [PARSER, SURVEY], NOTHING)
    assert sentence is not None
    assert "system logs" in sentence.text


def test_a_subject_that_one_paper_lacks_is_not() -> None:
    sentence = relate_to_draft(DraftVoice.of(DRAFT, ()), [PARSER, COOKING], NOTHING)
    assert sentence is not None
    assert "shares" not in sentence.text


def test_each_paragraph_closes_with_another_statement_while_there_is_one() -> None:
    first, second = close("We propose a detector of log faults. We show that templates help slow detectors.", 2)
    assert first is not None
    assert second is not None
    assert first.sources != second.sources
    assert first.text.split()[:3] != second.text.split()[:3]


def test_when_all_contributions_are_told_the_drafts_premise_is() -> None:
    told = close("Servers write very long logs every single day. We propose a detector of faults in servers.", 3)
    assert any(s is not None and "the observation that servers write very long logs" in s.text for s in told)


def test_a_draft_that_says_nothing_of_itself_gives_none() -> None:
    assert close("") == [None]
    assert close("Logs.") == [None]


def test_what_the_plan_line_asks_for_decides() -> None:
    voice = DraftVoice.of(draft("We propose a detector of log faults. We prove a bound on template errors."), ())
    sentence = relate_to_draft(voice, [EMBEDDING], frozenset({"bound", "template", "errors"}))
    assert sentence is not None
    assert "bound" in sentence.text


def test_commands_in_the_drafts_abstract_do_not_survive() -> None:
    for sentence in close(r"We propose a detector \input{x} of faults {{cite:1}} in logs of servers.", 2):
        assert sentence is None or not set(sentence.text) & set("\\{}")


def test_a_stipulation_is_no_premise() -> None:
    first, second = close("We propose a detector of log faults. Let L be a long and very old log of a server.", 2)
    assert first is not None
    assert second is None or "Let L" not in second.text


def test_what_the_draft_does_in_the_passive_is_no_premise() -> None:
    text = "We propose a detector of log faults. Long templates of servers are used to study the faults of logs."
    assert all(
        "observation" not in sentence.text and "premise" not in sentence.text for sentence in close(text, 3) if sentence
    )


def test_what_the_draft_says_of_its_own_system_is_no_premise() -> None:
    text = "We propose Logread, a detector of faults. Logread reads all the logs of many old servers."
    said = " ".join(sentence.text for sentence in close(text, 3, title="Logread: faults in logs") if sentence)
    assert "many old servers" not in said


def test_what_is_shared_is_said_before_a_statement_is_said_again() -> None:
    voice = DraftVoice.of(draft("We propose a detector of faults in system logs.", "Faults in system logs"), ())
    both = [relate_to_draft(voice, [PARSER, SURVEY], NOTHING) for _ in range(2)]
    assert both[0] is not None
    assert both[1] is not None
    assert "detector" in both[0].text
    assert "detector" not in both[1].text


def test_a_measure_is_no_subject() -> None:
    fast = paper("We propose parsers that are ten times faster.", arxiv_id="2001.00007")
    voice = DraftVoice.of(draft("We propose a detector that is three times faster.", "Reading"), ())
    said = [relate_to_draft(voice, [fast], NOTHING) for _ in range(2)]
    assert all("times faster" not in sentence.text.split("three")[0] for sentence in said if sentence)
