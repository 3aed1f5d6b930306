"""A section's sentences compared with their sources by a language model: one structured request, one verdict a sentence.

    sentences and whole abstracts -> one request (more where it does not fit, all at once) -> verdicts, read strictly

Whatever a source may tell the model to do, its verdict is one of three words on one sentence: what code refused stays
refused, and nothing is cited, quoted or written on account of a verdict.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from citeplug.errors import CiteplugError
from citeplug.protocols import LanguageModel, ask_all
from citeplug.records.dialogue import Reply, Request
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.paper import Paper
from citeplug.records.passage import Passage
from citeplug.records.section import Judgement, Section, Sentence, Source, Verdict
from citeplug.text.cited_text import MARKER, bare
from citeplug.text.cleaning import plain
from citeplug.text.json_text import (
    list_of,
    numbered_items,
    object_of,
    parse_json,
    replied_list,
    replied_object,
)
from citeplug.text.material import LONGEST_TEXT, WARNING, Material, fenced, material_of

_READ = "read each sentence against its quotations in .citeplug/provenance.json"
_OBJECT = re.compile(r"\{[^{}]*\}")
MOST = 60  # sentences of a request: a section of 25 papers has 36 to 46
ROOM = 80_000  # characters of sentences and sources of a request

_VERDICTS: Mapping[str, Verdict] = {"entailed": "entailed", "partly": "partly", "not": "not"}
_LONGEST_PART = 600  # characters
_LONGEST_TITLE = 40
_PASSAGE = 1_500  # characters around a quotation of a full text, at least
_AROUND = 200  # characters around a text: fences, numbers, a suspicion
_TOKENS = 120  # of the answer, for each sentence

RUBRIC = """- entailed: a reader of the sources would agree to all that the sentence says of them. Other words, active for passive, a summary, a generalisation that the text itself makes, and leaving things out are fine.
- partly: most is borne out, and a part is not: a number, a name, a reservation left out ("may", "can", "up to", "on some tasks"), a cause where the text has a correlation, another data set or setting, a comparison with something else, the reach.
- not: the sources do not say it, or say the opposite: who does what to whom turned round, a denial dropped or added, one paper credited with another's work, a true quotation in a frame that makes it false."""

SYSTEM = f"""You check the sentences of a research paper's related-work section against their sources, as a careful referee would.

{WARNING}

Each numbered sentence names its sources by handles: [1] or [@1] is paper [1] (or its authors), the draft is the paper that the section belongs to. Compare it with the whole text of those sources and nothing else, neither with what you know nor with other papers' texts.
{RUBRIC}
The paper must be the one that says or does it: what an abstract reports of earlier work is not its own result. A sentence on several papers must hold for each as it is worded. What the section says of the draft must be borne out by the draft's text. A sentence that opens a paragraph must be borne out by the sentences below it.
Where a suspicion is given, it is a program's guess from the numbers alone, wrong more often than right: look there, and decide by the meaning.
For each numbered sentence give, in this order, its number; `unsupported`: the words of the sentence that are not borne out, then what the source says instead (empty where it is entailed); and the verdict.
Beside the verdicts, `harms` names sentences, true or not, by which the section speaks against the draft's own case without saying what is different: another work was first at what the draft claims to be first at, or is ahead on the very axis that it claims, or casts doubt on a measure or an assumption that the draft rests on, or the draft's own result is credited to another. Mostly there are none.
Answer with JSON that fits the schema."""

_ON_POSITIONS = """
`positions` says of each paragraph whether it sets the draft apart from its works: what they leave open, presuppose or do otherwise, and what the draft does about just that. `missing` is what it does not say of this and the texts bear out, as an instruction to its writer in at most 30 words; empty where it is said, and where the texts give nothing specific to say."""
_VERDICT = object_of(
    {
        "sentence": {"type": "integer", "description": "its number"},
        "unsupported": {"type": "string", "description": "empty where the sentence is entailed"},
        "verdict": {"type": "string", "enum": list(_VERDICTS)},
    }
)
_HARM = object_of({"sentence": {"type": "integer"}, "reason": {"type": "string"}})
_POSITION = object_of({"paragraph": {"type": "integer"}, "missing": {"type": "string"}})
_PARTS = {"verdicts": list_of(_VERDICT), "harms": list_of(_HARM)}
SCHEMA = object_of(_PARTS)
_SCHEMA_WITH_POSITIONS = object_of({**_PARTS, "positions": list_of(_POSITION)})


@dataclass(frozen=True, slots=True)
class JudgedSection:
    """A section whose sentences carry their `Judgement`; findings: `harms_draft`, `model_unavailable`, `budget_reached`.

    `positions` is, by the row of a paragraph, what it does not say of how the draft differs from its works; `harms` are
    by its row what of it speaks against the draft, in words.
    """

    section: Section
    findings: tuple[Finding, ...] = ()
    positions: Mapping[int, str] = field(default_factory=dict)
    harms: Mapping[int, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Item:
    """A sentence that waits for a verdict: paragraph and position in the section, from 0."""

    paragraph: int
    position: int
    sentence: Sentence


def judge_section(
    section: Section,
    papers: Mapping[str, Paper],
    draft: Material,
    model: LanguageModel,
    passages: Mapping[str, Sequence[Passage]] | None = None,
    *,
    positions_too: bool = False,
    system: str = SYSTEM,
) -> JudgedSection:
    """Compare every sentence by a model that has no verdict yet with its sources.

    `papers` are records by arXiv id without version, `draft` what was handed over of the draft; `passages` of full
    texts, by arXiv id, are shown where a sentence rests on them, else the quotations alone. Sentences that have a
    verdict keep it, and are shown where they are neighbours; give changed ones with a `judgement` of verdict None, as
    `check_sentence` does. A sentence without an answer that can be read keeps verdict None and its suspicion.
    `positions_too`: the judge says of paragraphs, too, how they set the draft apart. `system` is its instruction. Never raises on account of the
    model, save Cancelled.
    """
    items = [
        _Item(row, column, sentence)
        for row, paragraph in enumerate(section.paragraphs)
        for column, sentence in enumerate(paragraph.sentences)
        if sentence.by_model and (sentence.judgement is None or sentence.judgement.verdict is None)
    ]
    batches = _batches(items, papers, draft)
    requests = [_request(section, batch, papers, draft, passages or {}, positions_too, system) for batch in batches]
    replies = ask_all(model, requests)
    judgements: dict[tuple[int, int], Judgement] = {}
    findings: list[Finding] = []
    harms: dict[int, list[str]] = {}
    positions: dict[int, str] = {}
    trouble: CiteplugError | None = None
    for batch, reply in zip(batches, replies, strict=True):
        if isinstance(reply, CiteplugError):
            trouble = trouble or reply
            continue
        titles = {handle: papers[cite].title for cite, handle in _handles_of(batch, papers).items()}
        for number, (verdict, unsupported) in read_verdicts(reply, len(batch)).items():
            item = batch[number - 1]
            by, suspicion = reply.model or model.name, _suspicion(item.sentence)
            judgement = Judgement(verdict, _by_titles(unsupported, titles), by, suspicion)
            judgements[item.paragraph, item.position] = judgement
        for number, reason in read_harms(reply, len(batch)).items():
            item, why = batch[number - 1], _by_titles(reason, titles)
            findings.append(_harm(item.sentence, why))
            harms.setdefault(item.paragraph, []).append(f"“{bare(item.sentence.text)}” speaks against the draft: {why}")
        missing = {row: _by_titles(text, titles) for row, text in read_positions(reply).items()}
        positions |= {row: text for row, text in missing.items() if row < len(section.paragraphs)}
    if trouble is not None:
        findings.append(model_unavailable(trouble, "the meaning of sentences was not compared"))
    return JudgedSection(_with(section, judgements), tuple(findings), positions, harms)


def _with(section: Section, judgements: Mapping[tuple[int, int], Judgement]) -> Section:
    paragraphs = []
    for row, paragraph in enumerate(section.paragraphs):
        sentences = (
            replace(sentence, judgement=judgements.get((row, column), sentence.judgement))
            for column, sentence in enumerate(paragraph.sentences)
        )
        paragraphs.append(replace(paragraph, sentences=tuple(sentences)))
    return Section(tuple(paragraphs))


def read_verdicts(reply: Reply, sentences: int) -> dict[int, tuple[Verdict, str]]:
    """Verdicts and unsupported parts by the number of the sentence, from 1; whatever is not plainly one is left out.

    A number that is not among the sentences, a verdict that is none of the three, and a sentence with two verdicts
    that differ count for nothing.
    """
    # An answer that was cut off is read as the first of its verdicts.
    cut_off = "sentence" in replied_object(reply)
    items = _whole(reply.text) if cut_off else replied_list(reply, "verdicts")
    verdicts: dict[int, tuple[Verdict, str]] = {}
    contradicted: set[int] = set()
    for number, item in numbered_items(items, "sentence", range(1, sentences + 1)):
        verdict = _VERDICTS.get(word) if isinstance(word := item.get("verdict"), str) else None
        if verdict is None:
            continue
        part = item.get("unsupported")
        if number in verdicts and verdicts[number][0] != verdict:
            contradicted.add(number)
        shown = plain(part).replace("<", "‹").replace(">", "›")[:_LONGEST_PART] if isinstance(part, str) else ""
        verdicts.setdefault(number, (verdict, "" if verdict == "entailed" else shown))
    return {number: judged_as for number, judged_as in verdicts.items() if number not in contradicted}


def read_harms(reply: Reply, sentences: int) -> dict[int, str]:
    """What a judge says speaks against the draft, by the number of the sentence, from 1."""
    reasons: dict[int, str] = {}
    for number, item in numbered_items(replied_object(reply).get("harms"), "sentence", range(1, sentences + 1)):
        if isinstance(item.get("reason"), str):
            reasons.setdefault(number, plain(item["reason"])[:_LONGEST_PART])
    return reasons


def read_positions(reply: Reply) -> dict[int, str]:
    """What a judge says that paragraphs do not say of the draft, by their rows."""
    positions: dict[int, str] = {}
    for number, item in numbered_items(replied_object(reply).get("positions"), "paragraph", range(1, 10_000)):
        if isinstance(item.get("missing"), str) and item["missing"].strip():
            positions.setdefault(number - 1, plain(item["missing"])[:_LONGEST_PART])
    return positions


def _by_titles(text: str, titles: Mapping[int, str]) -> str:
    """The text with titles for handles, which are those of one request."""

    def title(match: re.Match[str]) -> str:
        named = [titles[number] for number in map(int, re.findall(r"\d+", match[0])) if number in titles]
        return ", ".join(f"“{plain(name)[:_LONGEST_TITLE]}”" for name in named) or match[0]

    return re.sub(r"\[@?\d+(?:,\s*@?\d+)*\]", title, text)


def _harm(sentence: Sentence, reason: str) -> Finding:
    message = f"a model finds that this speaks against the draft ({reason}): {bare(sentence.text)}"
    return Finding("harms_draft", "warning", message, fix="say what sets the draft apart, or leave it out")


def _whole(text: str) -> list[Any]:
    """The verdicts that are whole in an answer that was cut off."""
    return [parse_json(match[0]) for match in _OBJECT.finditer(text[:200_000])]


def _batches(items: Sequence[_Item], papers: Mapping[str, Paper], draft: Material) -> list[list[_Item]]:
    """The sentences in order, in as few requests as have room for them and their sources."""
    batches: list[list[_Item]] = []
    room, held = 0, set[str]()
    for item in items:
        cited = {cite for cite in item.sentence.cites if cite in papers}
        passages = sum(_PASSAGE + len(source.text) for source in item.sentence.sources if source.of == "full text")
        own = len(item.sentence.text) + passages + _AROUND
        more = own + sum(_size(papers[cite]) for cite in cited - held)
        if not batches or len(batches[-1]) == MOST or room < more:
            batches.append([])
            room, held = ROOM - len(draft.text), set[str]()
            more = own + sum(_size(papers[cite]) for cite in cited)
        batches[-1].append(item)
        room -= more
        held |= cited
    return batches


def _size(paper: Paper) -> int:
    return min(len(paper.abstract), LONGEST_TEXT) + len(paper.title) + _AROUND


def _request(
    section: Section,
    batch: Sequence[_Item],
    papers: Mapping[str, Paper],
    draft: Material,
    passages: Mapping[str, Sequence[Passage]],
    positions_too: bool,
    system: str,
) -> Request:
    handles = _handles_of(batch, papers)
    sources = [source for item in batch for source in item.sentence.sources]
    materials = [
        _with_passages(material_of(number, papers[cite]), cite, sources, passages.get(cite, ()))
        for cite, number in handles.items()
    ]
    if positions_too or any(item.sentence.kind in ("draft", "contrast", "topic") for item in batch):
        materials.insert(0, _with_passages(draft, None, sources))
    parts = [f"The sources:\n{fenced(materials)}", "The sentences, in their paragraphs:"]
    numbers = {(item.paragraph, item.position): number for number, item in enumerate(batch, start=1)}
    for row in sorted({item.paragraph for item in batch}):
        parts.append(f"paragraph {row + 1}:")
        parts += [
            _line(sentence, numbers.get((row, column)), handles)
            for column, sentence in enumerate(section.paragraphs[row].sentences)
        ]
    label = f"{len(batch)} sentences" if len(batch) > 1 else "a sentence"
    tokens = _TOKENS * (len(batch) + 2)
    system, schema = (system + _ON_POSITIONS, _SCHEMA_WITH_POSITIONS) if positions_too else (system, SCHEMA)
    return Request("judge", system, "\n".join(parts), schema=schema, max_tokens=tokens, label=label)


def _handles_of(batch: Sequence[_Item], papers: Mapping[str, Paper]) -> dict[str, int]:
    """Handles of the papers that the sentences cite, by arXiv id."""
    cited = dict.fromkeys(cite for item in batch for cite in item.sentence.cites if cite in papers)
    return {cite: number for number, cite in enumerate(cited, start=1)}


def _with_passages(
    material: Material, arxiv_id: str | None, sources: Sequence[Source], known: Sequence[Passage] = ()
) -> Material:
    """The text with the passages of the full text that sentences rest on."""
    passages = dict.fromkeys(
        f"[passage{f' of the section “{source.section}”' if source.section else ''}] {_whole_passage(source, known)}"
        for source in sources
        if source.of == "full text" and source.arxiv_id == arxiv_id
        if not any(source.text in text for _, text in material.more)
    )
    return replace(material, text=" ".join([material.text, *passages])) if passages else material


def _whole_passage(source: Source, known: Sequence[Passage]) -> str:
    """The passage around a quotation, where it is known, else the quotation."""
    texts = (" ".join(passage.text.split()) for passage in known if passage.section == (source.section or ""))
    return next((text for text in texts if source.text in text), source.text)


def _line(sentence: Sentence, number: int | None, handles: Mapping[str, int]) -> str:
    shown = plain(MARKER.sub(lambda match: _handle(match[0], handles), sentence.text))
    shown = shown.replace("<", "‹").replace(">", "›")
    if number is None:
        return f"beside them, not to be judged: {shown}"
    about = {"draft": "on the draft", "contrast": "on papers and the draft", "topic": "opens the paragraph"}
    kind = f" ({about[sentence.kind]})" if sentence.kind in about else ""
    suspicion = _suspicion(sentence)
    return f"sentence {number}{kind}: {shown}" + (f"\n  suspicion: {plain(suspicion)}" if suspicion else "")


def _handle(marker: str, handles: Mapping[str, int]) -> str:
    kind, _, cites = marker.strip("{}").partition(":")
    numbers = [str(handles[cite]) for cite in cites.split(",") if cite in handles]
    if not numbers:
        return "[the authors of another work]" if kind == "author" else "[another work]"
    return f"[{'@' if kind == 'author' else ''}{', '.join(numbers)}]"


def _suspicion(sentence: Sentence) -> str:
    return sentence.judgement.suspicion if sentence.judgement is not None else ""


def settle(section: Section, language: str = "English") -> tuple[Section, list[Finding]]:
    """The section without what is not borne out, to be called once nothing is repaired any more.

    Sentences judged `partly` or `not` are dropped, each with finding `claim_unsupported` (the sentence and the judge's
    reason). A sentence without a verdict against which rules hold something stays, with finding `claim_suspected`.
    Where sentences by a model were not judged, one finding `claims_partly_checked` says how many.
    """
    findings: list[Finding] = []
    paragraphs = []
    for paragraph in section.paragraphs:
        standing = [sentence for sentence in paragraph.sentences if not is_refused(sentence)]
        while len(standing) < len(paragraph.sentences) and standing and standing[-1].kind == "topic":
            standing.pop()  # what it opened is gone
        paragraphs.append(replace(paragraph, sentences=tuple(standing)))
        for sentence in paragraph.sentences:
            findings += _reported(paragraph.id, sentence)
    settled = Section(tuple(paragraphs))
    unjudged = partly_checked(settled, language)
    return settled, [*findings, *([unjudged] if unjudged is not None else [])]


def is_refused(sentence: Sentence) -> bool:
    """True if a judge found that its sources do not bear it out, or only in part."""
    return sentence.judgement is not None and sentence.judgement.verdict in ("partly", "not")


def _reported(paragraph: str, sentence: Sentence) -> Iterator[Finding]:
    judgement, wording = sentence.judgement, bare(sentence.text)[:300]
    if judgement is None:
        return
    if is_refused(sentence):
        yield Finding(
            "claim_unsupported",
            "warning",
            f"{paragraph}: a sentence was dropped because its sources do not support it"
            f" ({judgement.unsupported or 'the judge names no part'}): {wording}",
            fix="write this sentence yourself",
        )
    elif judgement.verdict is None and judgement.suspicion:
        yield Finding(
            "claim_suspected",
            "warning",
            f"{paragraph}: {judgement.suspicion}, and no model has compared the meaning: {wording}",
            fix=_READ,
        )


def partly_checked(section: Section, language: str = "English") -> Finding | None:
    """Finding on sentences by a model whose meaning nobody has compared with their sources; None if there are none."""
    by_model = [s for paragraph in section.paragraphs for s in paragraph.sentences if s.by_model]
    unjudged = [s for s in by_model if s.judgement is None or s.judgement.verdict is None]
    if not unjudged:
        return None
    compared = "numbers and names" if language == "English" else "numbers in digits and names with inner capitals"
    return Finding(
        "claims_partly_checked",
        "warning",
        f"{len(unjudged)} of {len(by_model)} sentences: citations, quotations, {compared} were checked, but no model has"
        " compared what they mean with their sources",
        fix=_READ,
    )
