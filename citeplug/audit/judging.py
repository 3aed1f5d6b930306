"""A draft's sentences judged by a language model, beside the abstracts and passages of what they cite.

A person's sentence may rest on any part of a work, of which the judge sees a little: silence of the texts is no doubt.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from citeplug.audit.cited_claims import CitedWork, Claim, cited_work, nearest_passage, telling
from citeplug.protocols import FullTexts, LanguageModel
from citeplug.records.audit import CitationDoubt
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper
from citeplug.records.passage import Passage
from citeplug.records.prose import ProseParagraph, ProseSentence
from citeplug.records.section import Judgement, Section, SectionParagraph, Sentence, source_in_passage
from citeplug.related.attribute.attribution import claims_first
from citeplug.related.attribute.judge import is_refused, judge_section
from citeplug.text.material import WARNING, draft_material

_MOST_JUDGED = 120  # sentences
_LONGEST = 1_000  # characters of a sentence that a judge is shown
_OF_A_TEXT = 2  # passages of a full text beside its abstract
_COMPARED = 12  # passages of a text, those that share most words with a sentence, among which these are chosen

SYSTEM = f"""You check the sentences of a research paper's draft that cite against what they cite, as a careful referee would.

{WARNING}

Each numbered sentence names its sources by handles: [1] is paper [1]. Of each you see the abstract, and of some the passages of the full text that are nearest to the sentence. Judge only what the sentence says of the works that it cites, and by these texts, not by what you know. What it says of the draft, of others or in general is not judged, nor is praise or thanks.
- entailed: the texts say so, in whatever words, or are about it and silent on a detail: the author knows the whole works. Giving a source for a term, a method, a data set or software is enough if the work is about that.
- partly: a part contradicts the texts or goes beyond them: another number, data set or setting, a reservation left out, a cause where they have a correlation, a claim of being first or best that they do not make.
- not: the texts say the opposite, have others do it, or are about something else, so that the citation seems to be the wrong one.
A sentence on several works must hold for each as it is worded.
Where a suspicion is given, it is a program's guess, wrong more often than right: decide by the meaning.
For each numbered sentence give, in this order, its number; `unsupported`: the words of the sentence that the works do not support, then what the works say instead, in at most 40 plain words (empty where it is entailed); and the verdict. `harms` stays empty.
Answer with JSON that fits the schema."""


@dataclass(frozen=True, slots=True)
class CitedReferences:
    """The references of a draft by key in small letters, and the records of those that have one."""

    works: Mapping[str, CitedWork]
    papers: Mapping[str, Paper]


def judge_citations(
    draft: Draft,
    prose: Sequence[ProseParagraph],
    claims: Sequence[Claim],
    cited: CitedReferences,
    texts: FullTexts | None,
    model: LanguageModel,
) -> tuple[list[CitationDoubt], set[Claim], tuple[Finding, ...]]:
    """Return the doubts of the judge, the sentences that it has judged, and findings on the model.

    Sentences are judged all of whose works have an abstract or a full text: of the others the judge would see a part.
    """
    near: dict[Claim, Mapping[str, Sequence[Passage]]] = {}
    for claim in claims:
        if len(near) < _MOST_JUDGED and all(key in cited.papers for key in claim.keys):
            passages = _near_passages(claim, cited, texts)
            papers = [cited.papers[key] for key in claim.keys]
            if all(paper.abstract or paper.id.value in passages for paper in papers):
                near[claim] = passages
    by_place = {(claim.file, claim.sentence): claim for claim in near}
    shown = [
        [(paragraph.file, neighbour) for neighbour in _with_neighbours(paragraph, by_place)] for paragraph in prose
    ]
    section = Section(
        tuple(
            SectionParagraph(
                str(row), "", tuple(_sentence(place[1], by_place.get(place), cited, near) for place in places)
            )
            for row, places in enumerate(shown)
            if places
        )
    )
    records = {paper.id.value: paper for paper in cited.papers.values()}
    done = judge_section(section, records, draft_material(draft.title, draft.abstract), model, system=SYSTEM)
    doubts, judged = [], set()
    for paragraph in done.section.paragraphs:
        for sentence, place in zip(paragraph.sentences, shown[int(paragraph.id)], strict=True):
            asked, judgement = by_place.get(place), sentence.judgement
            if asked is not None and judgement is not None and judgement.verdict is not None:
                judged.add(asked)
                doubts += [_by_judge(asked, judgement, cited, near[asked])] if is_refused(sentence) else []
    # What speaks against the draft's own case is another question.
    return doubts, judged, tuple(finding for finding in done.findings if finding.code != "harms_draft")


def _with_neighbours(
    paragraph: ProseParagraph, by_place: Mapping[tuple[Path, ProseSentence], Claim]
) -> list[ProseSentence]:
    """The sentences of a paragraph that are to be judged, and those in front of them, which say who "they" are."""
    sentences = paragraph.sentences
    is_asked = [(paragraph.file, sentence) in by_place for sentence in sentences]
    return [
        sentence
        for sentence, here, after in zip(sentences, is_asked, [*is_asked[1:], False], strict=True)
        if here or after
    ]


def _near_passages(claim: Claim, cited: CitedReferences, texts: FullTexts | None) -> dict[str, tuple[Passage, ...]]:
    """The passages of the full texts of what a sentence cites that are nearest to it, by arXiv id."""
    if texts is None:
        return {}
    papers = list(dict.fromkeys(cited.papers[key].id.value for key in claim.keys))
    near = {}
    for value, passages in texts.passages(papers, [claim.text], _COMPARED).items():
        rows = np.argsort(-passages.cosines[:, 0], kind="stable")[:_OF_A_TEXT]
        near[value] = tuple(passages.passages[row] for row in rows)
    return near


def _sentence(
    written: ProseSentence,
    claim: Claim | None,
    cited: CitedReferences,
    near: Mapping[Claim, Mapping[str, Sequence[Passage]]],
) -> Sentence:
    if claim is None:
        return Sentence(written.with_citations()[:_LONGEST], "paper", (), ())
    text = replace(written, text=written.text[:_LONGEST]).with_citations(
        lambda keys: f"{{{{cite:{','.join(cited.papers[key.lower()].id.value for key in keys)}}}}}"
    )
    papers = [cited.papers[key] for key in claim.keys]
    passages = [passage for near_passages in near[claim].values() for passage in near_passages]
    sources = [*(f"{paper.title} . {paper.abstract}" for paper in papers), *(passage.text for passage in passages)]
    first = claims_first(claim.text) and not any(map(claims_first, sources))
    suspicion = (
        Judgement(None, suspicion="it says that something was the first; the source does not") if first else None
    )
    shown = tuple(source_in_passage(passage, 0, len(passage.text)) for passage in passages)
    cites = tuple(dict.fromkeys(paper.id.value for paper in papers))
    return Sentence(text, "paper", cites, shown, by_model=True, judgement=suspicion)


def _by_judge(
    claim: Claim, judgement: Judgement, cited: CitedReferences, near: Mapping[str, Sequence[Passage]]
) -> CitationDoubt:
    reason = judgement.support(", ".join(cited.works[key].key for key in claim.keys))
    if judgement.unsupported:
        reason += f": {judgement.unsupported.rstrip('.')}"
    # What the judge says of the source tells where in the source it looked.
    looked_for = judgement.unsupported or claim.text
    passages = []
    for key in claim.keys:
        paper = cited.papers[key]
        texts = [passage.text for passage in near.get(paper.id.value, ())]
        work = cited_work(cited.works[key].key, paper.title, (), paper.abstract, texts)
        passages += [passage for passage in [nearest_passage(looked_for, work)] if passage is not None]
    source = max(passages, key=lambda passage: len(telling(looked_for) & telling(passage.text)))
    return CitationDoubt("not_supported", reason, claim.shown, source, claim.file, claim.sentence.line, by=judgement.by)
