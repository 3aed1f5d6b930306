"""A section in one request without a plan: LitLLM's zero-shot baseline, held to the same promises."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from citeplug.attribute.checks import DRAFT, Proposed, Wanted, check_sentence
from citeplug.attribute.claims import Doubt
from citeplug.attribute.handles import read_handles
from citeplug.errors import Cancelled, CiteplugError
from citeplug.ports import LanguageModel
from citeplug.records.dialogue import Reply, Request
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.paper import Paper
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section, SectionParagraph, Sentence
from citeplug.text.cited_text import words as words_of
from citeplug.text.material import Material, bounded, draft_material, fenced, material_of
from citeplug.text.quotation import SHORTEST
from citeplug.write.by_model.brief import Brief, Composed
from citeplug.write.by_model.prose import SCHEMA, SYSTEM, Task, prose_request, read_prose, shared_part, summaries_note
from citeplug.write.by_model.summaries import summarise

_MOST = 60  # sentences
_REPAIRS = 2
_WORDS = 25
_INSTEAD = "write it yourself, or use --strategy plan, which falls back on the abstracts"


@dataclass(slots=True)
class _Free:
    """A sentence as the model wrote it, and what is wrong with it."""

    proposed: Proposed
    handles: tuple[int, ...]
    accepted: Sentence | None = None
    doubts: tuple[Doubt, ...] = field(default_factory=tuple)


def zero_shot(brief: Brief, model: LanguageModel) -> Composed:
    """The whole section at once, without a plan: the baseline. It may leave out papers."""
    told, doubts = summarise(brief, model)
    plan, section, findings, refused, dropped = _write_zero_shot(
        brief.draft, brief.papers, model, brief.voice, told, brief.language, brief.words
    )
    return Composed(plan, section, (*doubts, *findings), refused, dropped, told)


def _write_zero_shot(
    draft: Draft,
    papers: Mapping[str, Paper],
    model: LanguageModel,
    voice: str = "",
    summaries: Mapping[str, str] | None = None,
    language: str = "English",
    words: int | None = None,
) -> tuple[Plan, Section, list[Finding], Counter[str], int]:
    """A section of one paragraph on `papers`, as the model wishes, in about `words` words; the plan that it turned out to follow.

    Sentences pass `check_sentence`, are asked again at most twice, or are dropped. Returned with the findings
    (`sentence_dropped`, `paper_not_cited`, `model_unavailable`, `budget_reached`) are the reasons for refusing, counted,
    and the number of sentences dropped. Raises Cancelled, nothing else.
    """
    short = [bounded(paper) for paper in papers.values() if len(words_of(paper.abstract)) >= SHORTEST]
    desk = {DRAFT: draft_material(draft.title, draft.abstract)}
    told = summaries or {}
    desk.update({n: material_of(n, paper, told.get(paper.id.value, "")) for n, paper in enumerate(short, start=1)})
    shared = shared_part(draft.title, draft.abstract, voice)
    refused: Counter[str] = Counter()
    findings: list[Finding] = []
    sentences: list[_Free] = []
    try:
        reply = model.complete(_request(shared, [m for m in desk.values() if m.paper is not None], words))
        sentences = [_read(proposed, desk, language) for _, proposed in sorted(read_prose(reply, _MOST).items())]
        refused.update(doubt.code for s in sentences for doubt in s.doubts)
        for _ in range(_REPAIRS):
            again = [sentence for sentence in sentences if sentence.accepted is None]
            if not again:
                break
            replies = model.complete_all([_again(shared, sentence, desk) for sentence in again])
            for sentence, answer in zip(again, replies, strict=True):
                _mend(sentence, answer, desk, refused, language)
    except Cancelled:
        raise
    except CiteplugError as error:
        findings.append(model_unavailable(error, "the section ends with what was written by then"))
    kept = tuple(s.accepted for s in sentences if s.accepted is not None)
    dropped = [s for s in sentences if s.accepted is None]
    findings += [_dropped(sentence) for sentence in dropped]
    if not sentences and not findings:
        why = "refused to answer" if reply.stop == "refusal" else "gave no sentence that could be read"
        findings.append(Finding("sentence_dropped", "warning", f"the model {why}: the section is empty", fix=_INSTEAD))
    cited = {cite for sentence in kept for cite in sentence.cites}
    findings += [
        Finding(
            "paper_not_cited", "info", f"the section does not cite {value}", fix="use --strategy plan, which cites all"
        )
        for value in papers
        if value not in cited
    ]
    lines = tuple(PlanLine("", sentence.cites) for sentence in kept)
    plan = Plan((PlanParagraph("p1", "", lines, _WORDS * len(lines)),) if lines else ())
    section = Section((SectionParagraph("p1", "", kept),) if kept else ())
    return plan, section, findings, refused, len(dropped)


def _request(shared: str, papers: Sequence[Material], words: int | None) -> Request:
    prompt = (
        f"The papers:\n{fenced(papers)}\n{summaries_note(papers)}\nThere is no plan: write the related-work section as one paragraph that cites every"
        " paper at least once, one element of the list for each sentence, numbering its sentences by `line` from 1."
        f"{f' It has about {words} words in all.' if words is not None else ''}"
    )
    return Request("prose", SYSTEM, prompt, shared=shared, schema=SCHEMA, max_tokens=1_000 + 400 * len(papers))


def _read(proposed: Proposed, desk: Mapping[int, Material], language: str) -> _Free:
    used = {handle for piece in read_handles(proposed.text) for handle in piece.handles}
    handles = tuple(sorted(used & (desk.keys() - {DRAFT})))
    sentence = _Free(proposed, handles)
    _check(sentence, proposed, desk, language)
    return sentence


def _check(sentence: _Free, proposed: Proposed, desk: Mapping[int, Material], language: str) -> None:
    checked = check_sentence(proposed, Wanted(sentence.handles, language=language), desk)
    if checked.sentence is not None:
        sentence.accepted, sentence.doubts = checked.sentence, ()
    else:
        sentence.proposed, sentence.doubts = proposed, checked.refusals


def _again(shared: str, sentence: _Free, desk: Mapping[int, Material]) -> Request:
    """Ask for one sentence again, with its own papers alone under their old handles."""
    task = Task(
        "say what they contribute", Wanted(sentence.handles), _WORDS, "", sentence.proposed.text, sentence.doubts
    )
    return prose_request(shared, "", [task], [desk[handle] for handle in sentence.handles])


def _mend(
    sentence: _Free,
    answer: Reply | CiteplugError,
    desk: Mapping[int, Material],
    refused: Counter[str],
    language: str,
) -> None:
    if isinstance(answer, CiteplugError):
        raise answer
    proposed = read_prose(answer, 1).get(1)
    if proposed is not None:
        _check(sentence, proposed, desk, language)
        refused.update(doubt.code for doubt in sentence.doubts)


def _dropped(sentence: _Free) -> Finding:
    why = "; ".join(dict.fromkeys(doubt.reason for doubt in sentence.doubts))[:300]
    return Finding("sentence_dropped", "warning", f"a sentence of the model was refused ({why})", fix=_INSTEAD)
