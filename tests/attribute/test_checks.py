import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.attribute.checks import Proposed, Wanted, check_sentence
from citeplug.attribute.claims import Doubt
from citeplug.records.section import Sentence
from citeplug.text.material import draft_material, material_of
from tests.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY

DESK = {
    0: draft_material(DRAFT.title, DRAFT.abstract),
    1: material_of(1, PARSER),
    2: material_of(2, SURVEY),
    3: material_of(3, EMBEDDING),
}
PARSES = "propose a novel parser that reads system logs without templates"
SURVEYS = "It compares nine methods on three datasets"
EMBEDS = "an embedding of log lines for anomaly detection"
DETECTS = "a detector that finds faults in system logs"


def check(
    text: str, *quotes: tuple[int, str], handles: tuple[int, ...] = (1,), about: str = "paper"
) -> Sentence | set[str]:
    result = check_sentence(Proposed(text, quotes, about), Wanted(handles), DESK)
    return result if isinstance(result, Sentence) else {doubt.code for doubt in result}


def test_a_sentence_that_keeps_every_promise_comes_with_its_source() -> None:
    sentence = check("System logs are read by a parser without templates [1].", (1, PARSES))
    assert isinstance(sentence, Sentence)
    assert sentence.text == "System logs are read by a parser without templates {{cite:2001.00001}}."
    assert (sentence.kind, sentence.cites) == ("paper", ("2001.00001",))
    (source,) = sentence.sources
    assert source.text == PARSES == PARSER.abstract[source.start : source.end]


def test_two_papers_each_have_their_quotation() -> None:
    sentence = check(
        "While [@1] read system logs without templates, [@3] embed log lines.", (1, PARSES), (3, EMBEDS), handles=(1, 3)
    )
    assert isinstance(sentence, Sentence)
    assert [source.arxiv_id for source in sentence.sources] == ["2001.00001", "2001.00003"]


def test_a_sentence_on_the_draft_has_the_drafts_words() -> None:
    sentence = check("Faults in system logs are found by our detector.", (0, DETECTS), handles=(), about="draft")
    assert isinstance(sentence, Sentence)
    assert (sentence.kind, sentence.cites) == ("draft", ())
    assert sentence.sources[0].arxiv_id is None
    assert sentence.sources[0].text == DETECTS


@pytest.mark.parametrize(
    ("text", "quotes", "code"),
    [
        ("System logs are read by a parser [9].", [(9, PARSES)], "handle"),
        ("System logs are read by a parser [1, 2].", [(1, PARSES)], "handle"),
        ("System logs are read by a parser.", [(1, PARSES)], "handle"),
        ("System logs are read by a parser [1].", [], "quote"),
        ("System logs are read by a parser [1].", [(2, SURVEYS)], "quote"),
        ("System logs are read by a parser [1].", [(1, "a parser that nobody ever wrote of")], "quote"),
        ("System logs are read by a parser [1].", [(1, "reads system logs")], "quote"),
        ("System logs are read by a parser [1].", [(1, EMBEDS)], "quote"),
        ("Our parser reads system logs [1].", [(1, PARSES)], "voice"),
        ("Log lines get an embedding for anomaly detection [1].", [(1, PARSES)], "unsupported"),
        ("[@1] propose a novel parser that reads system logs without templates.", [(1, PARSES)], "copied"),
        ("The “parser of the century” reads system logs [1].", [(1, PARSES)], "quote"),
        (r"A parser \cite{x} reads system logs [1].", [(1, PARSES)], "latex"),
        ("A parser reads system logs with templates [1].", [(1, PARSES)], "negation"),
    ],
)
def test_what_breaks_a_promise_is_refused(text: str, quotes: list[tuple[int, str]], code: str) -> None:
    assert code in check(text, *quotes)  # type: ignore[operator]


def test_claims_of_one_paper_are_not_the_other_papers() -> None:
    swapped = check(
        "Log lines get an embedding [1], and system logs are read by a parser without templates [3].",
        (1, PARSES), (3, EMBEDS), handles=(1, 3),
    )  # fmt: skip
    assert not isinstance(swapped, Sentence)
    assert swapped & {"unsupported", "negation"}


def test_the_draft_claims_no_more_than_its_abstract() -> None:
    assert "quote" in check("Our detector is fast.", (1, PARSES), handles=())  # type: ignore[operator]
    assert "inflated" in check("Our detector finds all faults in system logs.", (0, DETECTS), handles=())  # type: ignore[operator]
    assert "handle" in check("Our detector finds faults in system logs, unlike [1].", (0, DETECTS), handles=())  # type: ignore[operator]


def test_eight_words_in_quotation_marks_may_be_the_sources() -> None:
    sentence = check("[@1] propose “a novel parser that reads system logs without templates”.", (1, PARSES))
    assert isinstance(sentence, Sentence)
    assert sentence.quoted


def test_a_line_may_leave_a_choice_of_papers() -> None:
    wanted = Wanted((1, 2, 3), any_of=True)
    proposed = Proposed("Log lines get an embedding [3].", ((3, EMBEDS),))
    sentence = check_sentence(proposed, wanted, DESK)
    assert isinstance(sentence, Sentence)
    assert sentence.cites == ("2001.00003",)


_texts = st.text(max_size=150) | st.from_regex(r"[A-Za-z \[\]@\d,.{}\\$“”]{0,120}", fullmatch=True)


@given(_texts, st.lists(st.tuples(st.integers(-2, 9), _texts), max_size=3), st.sampled_from([(), (1,), (1, 2)]))
def test_whatever_a_model_says_nothing_else_is_cited_and_every_quotation_is_real(
    text: str, quotes: list[tuple[int, str]], handles: tuple[int, ...]
) -> None:
    result = check_sentence(Proposed(text, tuple(quotes)), Wanted(handles), DESK)
    if isinstance(result, Sentence):
        assert set(result.cites) == {DESK[h].paper.id.value for h in handles}  # type: ignore[union-attr]
        assert result.sources
    else:
        assert result
        assert all(isinstance(doubt, Doubt) for doubt in result)
