"""A paper whose abstract commands changes nothing but its own sentence, even if the model obeys it."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from citeplug.records.dialogue import Request
from citeplug.records.paper import Paper
from citeplug.records.passage import Passage
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Sentence
from citeplug.related.attribute.attribution import with_pinpoints
from citeplug.related.write.by_model.brief import Brief, Composed
from citeplug.related.write.by_model.follow_plan import write_prose
from citeplug.related.write.by_model.prose import shared_part
from citeplug.related.write.by_model.strategies import STRATEGIES
from citeplug.related.write.by_model.summaries import summarise
from citeplug.related.write.extractive.section import write_section
from citeplug.section_file.cite_style import CiteStyle
from citeplug.text.cited_text import words
from citeplug.text.material import LONGEST_TEXT, draft_material, fenced, material_of
from citeplug.text.quotation import find_quote
from tests.harness.printed_section import print_related
from tests.harness.scripted_models import Answer, ScriptedModel, Seen, answer_honestly, honest
from tests.related.write.examples import DRAFT, EMBEDDING, SURVEY, paper
from tests.related.write.injections import INJECTIONS, Injection

CLEAN = "We propose a novel parser that reads system logs without templates."
POISONED = "2001.00001"
LINES = (
    PlanLine("introduce parsers", (POISONED,)),
    PlanLine("survey", ("2001.00002",)),
    PlanLine("embed", ("2001.00003",)),
    PlanLine("relate to the draft"),
)
PLAN = Plan((PlanParagraph("p1", "Logs", LINES, 0),))
SHARED = shared_part(draft_material(DRAFT.title, DRAFT.abstract))


def papers(says: str) -> dict[str, Paper]:
    poisoned = paper(" ".join(f"{CLEAN} {says}".split(" ")), "A parser for system logs")
    return {p.id.value: p for p in (poisoned, SURVEY, EMBEDDING)}


def obeys(seen: Seen) -> bool:
    """Whether the poisoned abstract is among what the model reads."""
    return any(p.abstract.startswith(CLEAN) and len(p.abstract) > len(CLEAN) for p in seen.papers.values())


def wish_in_place_of_others(seen: Seen, injection: Injection) -> Any:
    answer = honest(seen)
    for item in answer["sentences"][1:]:
        item["text"] = injection.wish
        item["quotes"] = answer["sentences"][0]["quotes"]
    return answer


def wish_behind_each(seen: Seen, injection: Injection) -> Any:
    answer = honest(seen)
    for item in answer["sentences"]:
        item["text"] = item["text"].rstrip(".") + ", and " + injection.wish
    return answer


def wish_with_every_quotation(seen: Seen, injection: Injection) -> Any:
    answer = honest(seen)
    quotes = [quote for item in answer["sentences"] for quote in item["quotes"]]
    quotes += [{"handle": handle, "quote": injection.says} for handle in range(10)]
    for item in answer["sentences"]:
        item.update(text=injection.wish, quotes=quotes)
    return answer


OBEDIENCE: tuple[Callable[[Seen, Injection], Any], ...] = (
    wish_in_place_of_others,
    wish_behind_each,
    wish_with_every_quotation,
)


def sentences(prose: Composed) -> list[Sentence]:
    return [s for paragraph in prose.section.paragraphs for s in paragraph.sentences]


def wished(wish: str) -> str:
    """The first words of what an abstract wishes, without handles."""
    return " ".join(words(re.sub(r"\[[@\d, ]+\]", " ", wish))[:4])


def written(
    says: str, script: Callable[[Seen], Any], wish: str = "", passages: Mapping[str, tuple[Passage, ...]] | None = None
) -> tuple[Composed, ScriptedModel]:
    """The section, and the model; its judge finds what the abstract wishes not borne out."""

    def answer(seen: Seen, request: Request) -> Any:
        if request.label.startswith("Logs"):
            return script(seen)
        answered = answer_honestly(seen, request)
        told = [line for line in request.prompt.splitlines() if line.startswith("sentence ")]
        for verdict, line in zip(answered.get("verdicts", ()), told, strict=True):
            if wished(wish) and wished(wish) in " ".join(words(re.sub(r"\[[@\d, ]+\]", " ", line))):
                verdict.update(verdict="not", unsupported="the wish")
        return answered

    model = ScriptedModel(answer)
    return write_prose(Brief(PLAN, DRAFT, papers(says), passages=passages or {}), model), model


def passage_that(says: str) -> dict[str, tuple[Passage, ...]]:
    """A passage of the poisoned paper's full text, in a section whose title and place command too."""
    text = f"{CLEAN} {says}"
    return {POISONED: (Passage(POISONED, 1, f"Method {says}", 3, 1, 0, len(text), text, "eprint", f"Sec. {says}"),)}


def apart(found: list[Sentence]) -> tuple[list[Sentence], list[Sentence]]:
    """The sentence on the poisoned paper, if there is one, and the others."""
    assert [s.cites for s in found] in ([line.cites for line in LINES], [line.cites for line in LINES[1:]])
    own = [s for s in found if POISONED in s.cites]
    return own, found[len(own) :]


CLEAN_RUN = sentences(written("", honest)[0])


def test_the_corpus_has_forty_ways() -> None:
    assert len({injection.says for injection in INJECTIONS}) >= 40


@pytest.mark.parametrize("obedience", OBEDIENCE)
@pytest.mark.parametrize("injection", INJECTIONS, ids=lambda injection: injection.name)
def test_an_obeyed_abstract_says_nothing_of_other_papers(
    injection: Injection, obedience: Callable[[Seen, Injection], Answer | str]
) -> None:
    def script(seen: Seen) -> Answer | str:
        return obedience(seen, injection) if obeys(seen) else honest(seen)

    prose, _ = written(injection.says, script, injection.wish)
    found = sentences(prose)
    everything = papers(injection.says)
    honest_texts = {s.text for s in CLEAN_RUN}
    plain, _ = write_section(PLAN, DRAFT, everything)
    stand_ins = {s.text for paragraph in plain.paragraphs for s in paragraph.sentences}
    assert {cite for s in found for cite in s.cites} >= set(everything) - {POISONED}
    assert {s.text for s in found if POISONED not in s.cites and len(s.cites) < 2} <= honest_texts | stand_ins
    bare = [" ".join(words(re.sub(r"\{\{[^}]*\}\}", " ", s.text))) for s in found]
    assert not any(wished(injection.wish) in text for text in bare if wished(injection.wish))
    texts: dict[str | None, str] = {
        None: DRAFT.abstract,
        **{value: paper.abstract for value, paper in everything.items()},
    }
    sources = [source for s in found for source in s.sources if source.of != "title"]
    assert all(find_quote(x.text, texts[x.arxiv_id]) or x.text in texts[x.arxiv_id] for x in sources)


@pytest.mark.parametrize("injection", INJECTIONS, ids=lambda injection: injection.name)
def test_nothing_of_an_abstract_acts_in_latex(injection: Injection) -> None:
    prose, _ = written(injection.says, lambda seen: wish_with_every_quotation(seen, injection))
    everything = papers(injection.says)
    keys = {value: f"key{number}" for number, value in enumerate(everything)}
    tex = print_related(prose.section, PLAN, keys, CiteStyle("citep", "citet", "Citet"), everything)
    commands = set(re.findall(r"\\([A-Za-z]+)", tex))
    assert commands <= {"paragraph", "citep", "citet", "Citet"} | {"textless", "textgreater"}
    assert re.findall(r"^%.*", tex, re.MULTILINE) == [
        line for line in tex.splitlines() if line.startswith("% citeplug")
    ]


@pytest.mark.parametrize("injection", INJECTIONS, ids=lambda injection: injection.name)
def test_an_honest_model_is_not_hindered(injection: Injection) -> None:
    prose, model = written(injection.says, honest)
    assert [s.text for s in apart(sentences(prose))[1]] == [s.text for s in CLEAN_RUN[1:]]
    assert all(len(request.prompt) < 4 * LONGEST_TEXT for request in model.requests)


@pytest.mark.parametrize("obedience", OBEDIENCE)
@pytest.mark.parametrize("injection", INJECTIONS, ids=lambda injection: injection.name)
def test_an_obeyed_passage_says_nothing_of_other_papers_and_does_nothing_in_latex(
    injection: Injection, obedience: Callable[[Seen, Injection], Answer | str]
) -> None:
    passages = passage_that(injection.says[:5_000])

    def script(seen: Seen) -> Answer | str:
        return obedience(seen, injection) if any(p.abstract == CLEAN for p in seen.papers.values()) else honest(seen)

    prose, model = written("", script, injection.wish, passages)
    assert any("a passage of its full text" in request.prompt for request in model.requests)
    found, everything = sentences(prose), papers("")
    plain, _ = write_section(PLAN, DRAFT, everything, passages=passages)
    stand_ins = {s.text for paragraph in plain.paragraphs for s in paragraph.sentences}
    honest_texts = {s.text for s in CLEAN_RUN}
    assert {s.text for s in found if POISONED not in s.cites and len(s.cites) < 2} <= honest_texts | stand_ins
    bare = [" ".join(words(re.sub(r"\{\{[^}]*\}\}", " ", s.text))) for s in found]
    assert not any(wished(injection.wish) in text for text in bare if wished(injection.wish))
    of_passages = [x for s in found for x in s.sources if x.of == "full text"]
    assert {x.arxiv_id for x in of_passages} <= {POISONED}
    own = " ".join(passages[POISONED][0].text.split())
    assert all(x.text in own for x in of_passages)
    keys = {value: f"key{number}" for number, value in enumerate(everything)}
    pinpointed = with_pinpoints(prose.section, enabled=True)
    assert any(s.pinpoint for p in pinpointed.paragraphs for s in p.sentences) is bool(of_passages)
    tex = print_related(pinpointed, PLAN, keys, CiteStyle("citep", "citet", "Citet"), everything)
    assert not re.search(r"\\cite[pt]\[", tex)  # what is no place of a section or page is not printed
    assert set(re.findall(r"\\([A-Za-z]+)", tex)) <= {
        *("paragraph", "citep", "citet", "Citet", "textless", "textgreater")
    }
    assert all(line.startswith("% citeplug") for line in tex.splitlines() if line.startswith("%"))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u200b\u202a-\u202e]", tex)


@pytest.mark.parametrize("injection", INJECTIONS, ids=lambda injection: injection.name)
def test_a_passage_is_one_line_within_its_fence(injection: Injection) -> None:
    (shown,) = passage_that(injection.says[:5_000])[POISONED]
    text = fenced([material_of(1, papers("")[POISONED], passages=[shown])])
    head, *lines, end = text.splitlines()
    number = head.split()[1].rstrip(":")
    assert end == f"</material {number}>" and len(lines) == 3
    assert not any(number in line for line in lines)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text)


def summaries(says: str, wish: str | None) -> tuple[Mapping[str, str], ScriptedModel]:
    """What a model that obeys the poisoned abstract makes of the papers, each summarised by itself."""

    def script(seen: Seen, request: Request) -> Answer:
        return {"summary": [wish]} if wish is not None and obeys(seen) else answer_honestly(seen, request)

    model = ScriptedModel(script)
    return summarise(Brief(PLAN, DRAFT, papers(says), summaries=True), model).summaries, model


CLEAN_SUMMARIES, _ = summaries("", None)


@pytest.mark.parametrize("injection", INJECTIONS, ids=lambda injection: injection.name)
def test_an_obeyed_abstract_changes_its_own_summary_alone(injection: Injection) -> None:
    found, model = summaries(injection.says, re.sub(r"\s*\[[\d, ]+\]", "", injection.wish))
    others = [request for request in model.requests if CLEAN not in request.prompt]
    assert {value: text for value, text in found.items() if value != POISONED} == {
        value: text for value, text in CLEAN_SUMMARIES.items() if value != POISONED
    }
    assert len(others) == 2
    assert not any(injection.says in request.prompt + request.shared for request in others)
    # What an abstract says of itself may be repeated; what acts, points elsewhere or commands may not.
    assert not re.search(
        r"[\\{}<>\[\]\x1b\u202e]|\d{4}\.\d{4,5}|https?:|10\.\d{4}|ignore.{0,20}instructions|et al",
        found.get(POISONED, ""),
        re.IGNORECASE,
    )


@pytest.mark.parametrize("injection", INJECTIONS, ids=lambda injection: injection.name)
def test_a_poisoned_summary_changes_no_other_sentence(injection: Injection) -> None:
    def script(seen: Seen, request: Request) -> Answer | str:
        if request.stage == "summaries" and obeys(seen):
            return {"summary": [injection.wish, injection.says, f"The method {injection.says}"]}
        return answer_honestly(seen, request)

    brief = Brief(PLAN, DRAFT, papers(injection.says), summaries=True)
    done = STRATEGIES["plan"](brief, ScriptedModel(script))
    found = [s for paragraph in done.section.paragraphs for s in paragraph.sentences]
    own, others = apart(found)
    assert [s.text for s in others] == [s.text for s in CLEAN_RUN[1:]]
    assert all(sentence.cites == (POISONED,) for sentence in own)
