"""Sentences of any section that say what others did, where neither they nor the sentences beside them cite.

"Several methods have been proposed" names its people; "it is well known that", "has been shown" do not, and elsewhere
than in the introduction and the related work these are mostly steps of the text's own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from citeplug.latex.prose import is_claim_about_others
from citeplug.protocols import Vectors
from citeplug.records.draft import Draft, DraftSection
from citeplug.records.prose import ProseParagraph, ProseSentence
from citeplug.text.language import language_of

MOST = 50  # claims of one draft
# Cosines from which a claim is clearly about a paper: to the sentence, to the draft's abstract, and by how much farther
# from the sentence the next paper is. Of 972 claims in abstracts of NeurIPS and ICML papers 61 have such a paper: 36
# of these are in the part of the real list that is known, 59 in 100 at least.
NEAR_SENTENCE, NEAR_DRAFT, AHEAD = 0.6, 0.7, 0.05


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that wants a citation, and its paragraph."""

    paragraph: ProseParagraph
    sentence: ProseSentence


def claims_without_citation(draft: Draft, prose: Sequence[ProseParagraph]) -> list[Claim]:
    """Return the claims about others' work in an English draft that nothing near is cited for, in order."""
    return list(_claims(draft, prose))[:MOST] if language_of(draft) == "English" else []


def clear_paper(sentence: Vectors, own: Vectors, papers: Mapping[str, Vectors]) -> str | None:
    """Return the id of the one paper that a claim is clearly about; None if none is, or several are.

    All are unit vectors (d,); `own` is that of the draft's title and abstract.
    """
    order = sorted(((float(vector @ sentence), value) for value, vector in papers.items()), reverse=True)[:2]
    if not order or order[0][0] < NEAR_SENTENCE or float(papers[order[0][1]] @ own) < NEAR_DRAFT:
        return None
    return order[0][1] if len(order) == 1 or order[0][0] - order[1][0] > AHEAD else None


def _claims(draft: Draft, prose: Sequence[ProseParagraph]) -> Iterator[Claim]:
    for paragraph in prose:
        impersonal = _is_on_others(paragraph, draft)
        cites = [bool(sentence.keys) for sentence in paragraph.sentences]
        for number, sentence in enumerate(paragraph.sentences):
            near = cites[max(number - 1, 0) : number + 2]
            if not any(near) and is_claim_about_others(sentence.text, impersonal=impersonal):
                yield Claim(paragraph, sentence)


def _is_on_others(paragraph: ProseParagraph, draft: Draft) -> bool:
    """Return True in the first section, in the related work, and in a file before its first heading."""
    top = min((section.level for section in draft.sections), default=0)
    first = next((section for section in draft.sections if section.level == top), None)
    found = [_section_of(paragraph, draft, top)]
    if draft.related_work is not None:
        found.append(_section_of(paragraph, draft, draft.related_work.level))
    return found[0] in (None, first) or (draft.related_work is not None and draft.related_work in found)


def _section_of(paragraph: ProseParagraph, draft: Draft, level: int) -> DraftSection | None:
    """Return the section of this level or above that the paragraph is in, as its own file has it."""
    above = (
        section
        for section in draft.sections
        if section.level <= level and section.span.file == paragraph.file and section.span.line <= paragraph.line
    )
    return max(above, key=lambda section: section.span.line, default=None)
