from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.records.section import Kind, Sentence
from citeplug.related.attribute.checks import Proposed, SentenceDemands, check_sentence
from citeplug.text.material import draft_material, material_of
from citeplug.text.tex_print import to_latex
from tests.related.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY, paper

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
    text: str, *quotes: tuple[int, str], handles: tuple[int, ...] = (1,), kind: Kind = "paper", **wanted: Any
) -> Sentence | set[str]:
    result = check_sentence(Proposed(text, quotes, kind), SentenceDemands(handles, **wanted), DESK)
    return result.sentence or {doubt.code for doubt in result.refusals}


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
    sentence = check("Faults in system logs are found by our detector.", (0, DETECTS), handles=(), kind="draft")
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
        ("The “parser of the century” reads system logs [1].", [(1, PARSES)], "quote"),
        (r"A parser \cite{x} reads system logs [1].", [(1, PARSES)], "latex"),
        ("A parser reads 90% of all logs [1].", [(1, PARSES)], "number"),
        ("LogBERT reads system logs [1].", [(1, PARSES)], "name"),
        ("A parser reads system logs [1] and", [(1, PARSES)], "cut"),
        ("[1].", [(1, PARSES)], "empty"),
        ("A parser reads KV$ logs [1].", [(1, PARSES)], "latex"),
        ("A parser reads $x_1$ logs [1].", [(1, PARSES)], "latex"),
    ],
)
def test_what_breaks_a_promise_is_refused(text: str, quotes: list[tuple[int, str]], code: str) -> None:
    assert code in check(text, *quotes)  # type: ignore[operator]


def test_the_draft_claims_no_more_numbers_and_names_than_its_own() -> None:
    assert "quote" in check("Our detector is fast.", (1, PARSES), handles=())  # type: ignore[operator]
    assert "number" in check("Our detector finds 99% of the faults in system logs.", (0, DETECTS), handles=())  # type: ignore[operator]
    assert "handle" in check("Our detector finds faults in system logs, unlike [1].", (0, DETECTS), handles=())  # type: ignore[operator]


def test_a_number_that_the_source_has_of_something_else_goes_to_the_judge_with_the_suspicion() -> None:
    text = "We propose a parser. It reads 40 logs of servers in an hour and 12 files of users in a day."
    desk = {**DESK, 1: material_of(1, replace(PARSER, abstract=text))}
    proposed = Proposed("A parser reads 12 logs of servers in an hour [1].", ((1, "It reads 40 logs of servers"),))
    (sentence,) = [check_sentence(proposed, SentenceDemands((1,)), desk).sentence]
    assert sentence is not None and sentence.judgement is not None
    assert (sentence.judgement.verdict, "40 here" in sentence.judgement.suspicion) == (None, True)


def test_everything_wrong_is_said_at_once_and_hard_apart_from_form() -> None:
    result = check_sentence(
        Proposed(r"We read \x{logs} of LogBERT. It is good [9].", ((1, PARSES),)), SentenceDemands((1,)), DESK
    )
    assert result.sentence is None
    assert {doubt.code for doubt in result.hard} == {"handle", "latex", "name"}
    assert {doubt.code for doubt in result.form} >= {"handle", "sentences"}


def test_short_runs_of_the_source_get_their_quotation_marks() -> None:
    sentence = check("[@1] propose a novel parser that reads system logs without templates at last.", (1, PARSES))
    assert isinstance(sentence, Sentence)
    assert sentence.text == (
        "{{author:2001.00001}} “propose a novel parser that reads system logs without templates” at last."
    )
    assert sentence.quoted


def test_words_of_a_summary_by_others_are_not_quoted() -> None:
    desk = {0: DESK[0], 1: material_of(1, replace(PARSER, abstract_kind="summary"))}
    text = "[@1] propose a novel parser that reads system logs without templates at last."
    sentence = check_sentence(Proposed(text, ((1, PARSES),)), SentenceDemands((1,)), desk).sentence
    assert sentence is not None
    assert not sentence.quoted and "“" not in sentence.text


def test_long_runs_of_the_source_are_refused() -> None:
    long = "Logs are long. In this paper, we propose a novel parser that reads system logs without templates"
    desk = {0: DESK[0], 1: material_of(1, paper(f"{long} and also some others of them in the end of it."))}
    text = (
        "[@1] propose a novel parser that reads system logs without templates and also some others of them in the end."
    )
    result = check_sentence(Proposed(text, ((1, long),)), SentenceDemands((1,)), desk)
    assert [doubt.code for doubt in result.form] == ["copied"]


@pytest.mark.parametrize(
    "text",
    [
        "[@1] use large language models on ImageNet with 12 layers and 64 heads.",
        "On 12 tasks of 3 kinds [@1] report 40 percent.",
    ],
)
def test_names_and_numbers_are_nobodys_words(text: str) -> None:
    abstract = (
        "We use large language models on ImageNet with 12 layers and 64 heads. On 12 tasks of 3 kinds, 40 percent."
    )
    desk = {0: DESK[0], 1: material_of(1, paper(abstract))}
    result = check_sentence(Proposed(text, ((1, abstract),)), SentenceDemands((1,)), desk)
    assert result.sentence is not None
    assert "“" not in result.sentence.text


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("[@1] conclude that query generation can be far more effective than had been seen.", ""),
        ("A model, which was trained on 75 examples over a graph of 18 edges, serves [1].", ""),
        ("[@1] say that generation of hard queries can be far more effective than hoped.",
         "“generation of hard queries can be far more effective”"),
    ],
)  # fmt: skip
def test_function_words_at_the_ends_of_a_run_are_neither_counted_nor_quoted(text: str, marked: str) -> None:
    abstract = (
        "We find that query generation can be far more effective than observed. It was trained on 75 examples over a"
        " graph of 18 edges. We find that generation of hard queries can be far more effective than feared."
    )
    desk = {0: DESK[0], 1: material_of(1, paper(abstract))}
    result = check_sentence(Proposed(text, ((1, abstract),)), SentenceDemands((1,)), desk)
    assert result.sentence is not None, result
    assert (marked in result.sentence.text) if marked else ("“" not in result.sentence.text)


def test_what_the_draft_says_itself_is_not_copied() -> None:
    abstract = "We propose a detector that finds faults in system logs while they are written by the servers."
    desk = {0: DESK[0], 1: material_of(1, paper(abstract))}
    text = "[@1] have a detector that finds faults in system logs while they are written."
    result = check_sentence(Proposed(text, ((1, abstract),)), SentenceDemands((1,)), desk)
    assert result.sentence is not None
    assert "“" not in result.sentence.text


def test_the_drafts_own_terms_and_symbols_are_allowed_and_printed_as_they_are() -> None:
    desk = {
        0: draft_material("KV$ in practice", r"We measure how KV$ is reused, with $O(n)$ work and KV$-aware rules.")
    }
    text = r"We find KV\$ reused by KV$-aware rules of KV$ in $O(n)$ work."
    result = check_sentence(Proposed(text, ((0, desk[0].text),), "draft"), SentenceDemands(()), desk)
    assert result.sentence is not None, result
    tex = to_latex(result.sentence.text)
    assert tex == r"We find KV\$ reused by KV\$-aware rules of KV\$ in $O(n)$ work."


def test_the_length_has_a_margin_of_a_half() -> None:
    said = "a parser reads logs " * 4
    assert isinstance(check(f"System logs, {said}so [1].", (1, PARSES), longest=14), Sentence)
    assert "long" in check(f"System logs, {said}so [1].", (1, PARSES), longest=10)  # type: ignore[operator]


def test_what_the_draft_says_of_a_work_bears_out_both_sides_of_a_contrast() -> None:
    said = "Method: We build on the detector of [*], which needs a template for every line."
    desk = {**DESK, 1: material_of(1, replace(PARSER, abstract=said, abstract_kind="draft"))}
    text = "The detector of [@1] needs a template for every line, which ours does without."
    proposed = Proposed(text, ((1, "which needs a template for every line"),), "contrast")
    sentence = check_sentence(proposed, SentenceDemands((1,)), desk).sentence
    assert sentence is not None
    assert (sentence.kind, [source.of for source in sentence.sources]) == ("contrast", ["draft"])


def test_a_contrast_has_both_sides_quoted() -> None:
    text = "While [@1] read system logs without templates, our detector finds faults in them."
    both = check(text, (1, PARSES), (0, DETECTS), kind="contrast")
    assert isinstance(both, Sentence)
    assert (both.kind, both.cites) == ("contrast", ("2001.00001",))
    assert [source.arxiv_id for source in both.sources] == ["2001.00001", None]
    assert check(text, (1, PARSES), kind="contrast") == {"quote"}
    assert check(text, (1, PARSES), kind="paper") == {"voice"}
    unsaid = check(text, (1, PARSES), (0, DETECTS), kind="paper")
    assert isinstance(unsaid, Sentence)
    assert unsaid.kind == "contrast"


def test_a_topic_needs_no_source_and_a_group_may_rest_on_titles() -> None:
    topic = check("System logs have long been read by parsers.", handles=(1, 2), kind="topic", any_of=True)
    assert isinstance(topic, Sentence)
    assert (topic.kind, topic.sources, topic.attribution) == ("topic", (), None)
    group = check("Logs are studied from many sides [1, 2].", (1, PARSES), handles=(1, 2), kind="group")
    assert isinstance(group, Sentence)
    assert [(source.arxiv_id, source.of) for source in group.sources] == [
        ("2001.00001", "abstract"),
        ("2001.00002", "title"),
    ]


def test_eight_words_in_quotation_marks_may_be_the_sources() -> None:
    sentence = check("[@1] propose “a novel parser that reads system logs without templates”.", (1, PARSES))
    assert isinstance(sentence, Sentence)
    assert sentence.quoted


def test_a_line_may_leave_a_choice_of_papers() -> None:
    wanted = SentenceDemands((1, 2, 3), any_of=True)
    proposed = Proposed("Log lines get an embedding [3].", ((3, EMBEDS),))
    sentence = check_sentence(proposed, wanted, DESK).sentence
    assert sentence is not None
    assert sentence.cites == ("2001.00003",)


_texts = st.text(max_size=150) | st.from_regex(r"[A-Za-z \[\]@\d,.{}\\$“”]{0,120}", fullmatch=True)


@given(_texts, st.lists(st.tuples(st.integers(-2, 9), _texts), max_size=3), st.sampled_from([(), (1,), (1, 2)]))
def test_whatever_a_model_says_nothing_else_is_cited_and_every_quotation_is_real(
    text: str, quotes: list[tuple[int, str]], handles: tuple[int, ...]
) -> None:
    result = check_sentence(Proposed(text, tuple(quotes)), SentenceDemands(handles), DESK)
    if result.sentence is not None:
        assert not result.refusals
        assert set(result.sentence.cites) == {DESK[h].paper.id.value for h in handles}  # type: ignore[union-attr]
        assert result.sentence.sources
    else:
        assert result.refusals
