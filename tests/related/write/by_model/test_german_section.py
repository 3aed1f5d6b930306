"""A German draft gets a German section, as true to its English sources as code can tell."""

from dataclasses import replace
from typing import Any

import pytest

from citeplug.records.dialogue import Request
from citeplug.records.finding import Finding
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Sentence
from citeplug.related.write.by_model.brief import Brief, Composed
from citeplug.related.write.by_model.follow_plan import write_prose
from citeplug.related.write.compose import voice_of
from citeplug.related.write.extractive.sentences import other_language
from citeplug.section_file.cite_style import CiteStyle
from citeplug.text.language import language_of, speaks
from tests.harness.printed_section import print_related
from tests.harness.scripted_models import Answer, ScriptedModel, Seen, answer_honestly, as_revision, is_revision
from tests.related.write.examples import EMBEDDING, PARSER, SURVEY, draft

PAPERS = {p.id.value: p for p in (PARSER, SURVEY, EMBEDDING)}
ONE, TWO, THREE = PAPERS
PLAN = Plan(
    (
        PlanParagraph("p1", "Parser", (PlanLine("Parser", (ONE,)), PlanLine("Überblick", (TWO,))), 0),
        PlanParagraph("p2", "Einbettung", (PlanLine("einbetten", (THREE,)), PlanLine("Bezug zum Entwurf")), 0),
    )
)
DRAFT = draft(
    "Server schreiben den ganzen Tag Protokolle. Wir stellen einen Detektor vor, der Fehler in den Protokollen findet,"
    " während sie geschrieben werden. Wir zeigen, dass der Detektor mit 20 Beispielen auskommt.",
    "Fehler in Systemprotokollen finden",
)
# By a piece of the abstract: a sentence, and its quotation.
SAID = {
    "novel parser": (
        "Einen neuartigen Parser, der Systemprotokolle ohne Vorlagen liest, stellen [@{h}] vor.",
        "we propose a novel parser that reads system logs without templates",
    ),
    "surveys methods": (
        "Neun Verfahren werden auf drei Datensätzen verglichen [{h}].",
        "It compares nine methods on three datasets",
    ),
    "LogVec": (
        "Für die Erkennung von Anomalien bettet LogVec Zeilen aus Protokollen ein [{h}].",
        "We introduce LogVec, an embedding of log lines for anomaly detection",
    ),
}
OF_THE_DRAFT = ("Wir stellen dagegen einen Detektor vor, der Fehler in Protokollen findet.",
                "Wir stellen einen Detektor vor, der Fehler in den Protokollen findet")  # fmt: skip


def german(seen: Seen) -> Answer:
    sentences = []
    for number, _, handles in seen.lines:
        if handles:
            handle = handles[-1]
            text, quote = next(said for sign, said in SAID.items() if sign in seen.papers[handle].abstract)
        else:
            handle, (text, quote) = 0, OF_THE_DRAFT
        sentences.append(
            {
                "line": number,
                "text": text.format(h=handle),
                "kind": "paper" if handles else "draft",
                "quotes": [{"handle": handle, "quote": quote}],
            }
        )
    return {"sentences": sentences}


def write(script: Any = german) -> Composed:
    def answer(seen: Seen, request: Request) -> Any:
        if is_revision(request):
            again = script(seen) if seen.lines else {"sentences": []}
            return as_revision(again, request) if isinstance(again, dict) else again
        return script(seen) if request.label in ("Parser", "Einbettung") else answer_honestly(seen, request)

    brief = Brief(PLAN, DRAFT, PAPERS, voice=voice_of(DRAFT), language="German")
    return write_prose(brief, ScriptedModel(answer))


def sentences(prose: Composed) -> list[Sentence]:
    return [s for paragraph in prose.section.paragraphs for s in paragraph.sentences]


def stand_ins(prose: Composed) -> int:
    """Sentences that are made from the abstracts."""
    return sum(not sentence.by_model for sentence in sentences(prose))


def test_every_line_gets_its_german_sentence_with_its_english_quotation() -> None:
    prose = write()
    found = sentences(prose)
    assert stand_ins(prose) == 0, prose.refused
    assert prose.findings == ()
    assert [s.cites for s in found] == [(ONE,), (TWO,), (THREE,), ()]
    assert all(speaks(s.text, "German") for s in found)
    for sentence in found[:3]:
        assert all(s.arxiv_id and PAPERS[s.arxiv_id].abstract[s.start : s.end] == s.text for s in sentence.sources)
    assert DRAFT.abstract[found[3].sources[0].start : found[3].sources[0].end] == found[3].sources[0].text


def test_the_model_is_told_to_write_german_and_to_quote_english() -> None:
    assert language_of(DRAFT) == "German"
    assert "sentences in German; quotations stay" in voice_of(DRAFT)
    assert "„wir“" in voice_of(DRAFT)
    assert "spelling" not in voice_of(DRAFT)


FALSE = {
    "inflated number": ("drei", "13"),
    "name": ("LogVec", "LogBERT"),
    "the draft inflated": ("findet", "in 99 % aller Fälle findet"),
    "English": ("Neun Verfahren werden auf drei Datensätzen verglichen", "It compares nine methods on three datasets"),
    "we": ("stellen [@{h}] vor", "stellen wir vor [{h}]"),
    "this work": ("Einen", "Diese Arbeit stellt einen"),
    "handle": ("verglichen [", "verglichen [1, 2, 7, "),
    "LaTeX": ("Parser", r"\textbf{Parser}"),
}  # fmt: skip


@pytest.mark.parametrize("way", FALSE)
def test_a_sentence_that_code_can_refuse_is_not_in_the_section(way: str) -> None:
    old, new = FALSE[way]

    def spoil(seen: Seen) -> Answer:
        answer = german(seen)
        for item in answer["sentences"]:
            handle = item["quotes"][0]["handle"]
            item["text"] = item["text"].replace(old.replace("{h}", str(handle)), new.replace("{h}", str(handle)))
        return answer

    found = write(spoil)
    assert any(finding.code == "sentence_dropped" for finding in found.findings)
    honest = {s.text for s in sentences(write())}
    assert len([s for s in sentences(found) if s.text in honest]) == 3


def test_what_stands_in_is_english_and_said_to_be() -> None:
    prose = write(lambda seen: "no")
    (first, *_) = [finding for finding in prose.findings if finding.code == "sentence_replaced"]
    assert "in English, is used instead" in first.message


def test_umlauts_are_printed_as_any_document_can_take_them() -> None:
    prose = write()
    keys = {value: f"key{number}" for number, value in enumerate(PAPERS)}
    tex = print_related(prose.section, PLAN, keys, CiteStyle("citep", "citet", "Citet"), PAPERS)
    body = "\n".join(line for line in tex.splitlines() if not line.startswith("%"))
    assert body.isascii()
    assert r"F{\"{u}}r" in body


def test_german_quotation_marks_are_read_and_printed_as_a_pair() -> None:
    def quoting(seen: Seen) -> Answer:
        answer = german(seen)
        for item in answer["sentences"]:
            item["text"] = item["text"].replace("Systemprotokolle ohne", "„system logs“ ohne")
        return answer

    assert "“system logs”" in sentences(write(quoting))[0].text
    invented = lambda seen: {  # noqa: E731
        "sentences": [
            {**item, "text": item["text"].replace("Neun Verfahren", "„Neun Verfahren“")}
            for item in german(seen)["sentences"]
        ]
    }
    assert any(finding.code == "sentence_dropped" for finding in write(invented).findings)


def test_abbreviations_and_ordinals_end_no_sentence() -> None:
    def abbreviated(seen: Seen) -> Answer:
        answer = german(seen)
        answer["sentences"][0]["text"] = answer["sentences"][0]["text"].replace("der System", "der z. B. bzw. System")
        return answer

    assert stand_ins(write(abbreviated)) == 0


def test_without_a_model_the_language_is_not_supported() -> None:
    finding = other_language(DRAFT)
    assert isinstance(finding, Finding)
    assert (finding.code, finding.severity) == ("language_not_supported", "warning")
    english = replace(DRAFT, title="Finding faults", abstract="We find the faults of logs in the system.")
    assert other_language(english) is None
