"""Cards of generated sentences of every kind."""

from pathlib import Path

from citeplug.editor.cards import Card, sentence_card
from citeplug.editor.snapshot import take
from citeplug.records.draft import Draft
from citeplug.records.provenance import RecordedSource
from citeplug.records.section import Judgement
from citeplug.related.section.accept import Recorded
from tests.corpus.records import make_paper

NOTHING = take(Draft(Path("main.tex"), (), "", ""), {}, 0)


def card(
    kind: str, *sources: RecordedSource, attribution: float | None = None, judgement: Judgement | None = None
) -> Card:
    cites = tuple(source.arxiv_id for source in sources if source.arxiv_id)
    recorded = Recorded("p1", 1, "Text.", kind, cites, sources, attribution, judgement, "unreviewed", True)
    return sentence_card(recorded, NOTHING, "file:///related.tex")


def test_a_topic_is_borne_out_by_the_sentences_below_it() -> None:
    assert card("topic").lines == ("Its sources are those of the sentences below it", "Not reviewed yet")


def test_each_source_says_which_text_it_is_from_before_anything_else() -> None:
    title = RecordedSource("1706.02216", 4, 0, 9, "Inductive", "title")
    page = RecordedSource("1706.02216", 4, 0, 9, "We sample", "full text", "Method", 3)
    draft = RecordedSource(None, None, 0, 8, "We scale")
    shown = card("contrast", title, page, draft, attribution=0.5)
    assert shown.quotes == (
        ("arXiv:1706.02216 · title", "Inductive", False),
        ("arXiv:1706.02216 · Method, page 3", "We sample", False),
        ("Your draft · abstract", "We scale", False),
    )
    assert shown.lines == ("Not reviewed yet · Close to its source",)


def test_a_summary_stands_in_no_quotation_marks() -> None:
    source = RecordedSource("1706.02216", 4, 0, 9, "The paper samples", "abstract")
    paper = make_paper("1706.02216", abstract_kind="summary")
    recorded = Recorded("p1", 1, "Text.", "paper", ("1706.02216",), (source,), None, None, "unreviewed", True)
    shown = sentence_card(recorded, NOTHING, "file:///related.tex", {"1706.02216": paper})
    assert "“" not in shown.markdown()


def test_it_is_decided_about_beneath_its_sources_and_their_words_are_no_commands() -> None:
    shown = card("paper", RecordedSource("1706.02216", 4, 0, 9, "[Accept](command:citeplug.server.reject) <b>"))
    quoted, actions = shown.markdown().split("\n\n")
    first, _, words = quoted.partition("  \n")
    assert first == "arXiv:1706.02216 · abstract"
    assert words.startswith("“\\[Accept\\]") and "<b>" not in words.replace("\\<", "")
    assert actions.count("](command:citeplug.server.") == 2
    assert actions.endswith("Not reviewed yet · Only names these works")


def test_the_words_that_it_shares_with_its_source_are_bold_where_it_is_decided_about() -> None:
    source = RecordedSource("1706.02216", 4, 0, 9, "We  give a *text* to read, as others do.")
    recorded = Recorded("p1", 1, "They give texts to readers.", "paper", (), (source,), None, None, "unreviewed", True)
    shown = sentence_card(recorded, NOTHING, "file:///related.tex").markdown()
    assert "“We **give a \\*text**\\* to read, as others do.”" in shown
    assert "**" not in sentence_card(recorded, NOTHING).markdown().partition("\n\n")[2]


def test_what_was_judged_is_said_with_the_judge() -> None:
    assert card("paper", judgement=Judgement("entailed", by="judge-1")).lines[0] == "Judged: entailed (judge-1)"
    partly = Judgement("partly", "every\ntask", "judge-1")
    assert (
        card("paper", judgement=partly).lines[0]
        == "Judged: only partly supported by its sources: “every task” (judge-1)"
    )
    suspected = Judgement(None, suspicion="'all' is new")
    assert "not compared with its sources: 'all' is new" in card("paper", judgement=suspected).lines[0]
    assert card("paper", judgement=Judgement(None)).lines == ("Not reviewed yet",)
