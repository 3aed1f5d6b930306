"""Cards of generated sentences of every kind."""

from citeplug.editor.cards import sentence_card
from citeplug.records.provenance import RecordedSource
from citeplug.records.section import Judgement
from citeplug.related.section.accept import Recorded


def card(
    kind: str, *sources: RecordedSource, attribution: float | None = None, judgement: Judgement | None = None
) -> list[str]:
    cites = tuple(source.arxiv_id for source in sources if source.arxiv_id)
    recorded = Recorded("p1", 1, "Text.", kind, cites, sources, attribution, judgement, "unreviewed", True)
    return list(sentence_card(recorded).lines)


def test_a_topic_is_borne_out_by_the_sentences_below_it() -> None:
    assert card("topic") == ["Its sources are those of the sentences below it", "Not accepted yet"]


def test_each_source_says_which_text_it_is_from() -> None:
    title = RecordedSource("1706.02216", 4, 0, 9, "Inductive", "title")
    page = RecordedSource("1706.02216", 4, 0, 9, "We sample", "full text", "Method", 3)
    draft = RecordedSource(None, None, 0, 8, "We scale")
    assert card("contrast", title, page, draft, attribution=0.5) == [
        "From the title of arXiv:1706.02216: “Inductive”",
        "From arXiv:1706.02216, Method, page 3: “We sample”",
        "From the draft: “We scale”",
        "Attribution: 50 %",
        "Not accepted yet",
    ]


def test_what_was_judged_is_said_with_the_judge() -> None:
    assert card("paper", judgement=Judgement("entailed", by="judge-1"))[0] == "Judged: entailed (judge-1)"
    partly = Judgement("partly", "every\ntask", "judge-1")
    assert card("paper", judgement=partly)[0] == "Judged: only partly supported by its sources: “every task” (judge-1)"
    suspected = Judgement(None, suspicion="'all' is new")
    assert "not compared with its sources: 'all' is new" in card("paper", judgement=suspected)[0]
    assert card("paper", judgement=Judgement(None)) == ["Not accepted yet"]
