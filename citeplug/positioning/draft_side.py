"""Sentences in which a draft sets itself apart from the works that it cites, or speaks of what it does."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from citeplug.latex.prose import read_prose, sentences_of_draft
from citeplug.records.draft import Draft
from citeplug.records.gaps import OwnSentence
from citeplug.records.prose import ProseParagraph
from citeplug.related.attribute.plainness import first_person
from citeplug.related.limits import falls_short, is_own_limit

_FEWEST, _LONGEST = 6, 70  # words of a sentence
_MOST_WORKS = 5  # that a sentence can set apart from the draft
_MOST = 400  # sentences of the draft on its own work
_BESIDE = re.compile(
    r"\b(?:unlike|in contrast (?:to|with)|contrary to|as opposed to|differs? from|different from)",
    re.IGNORECASE,
)
_FROM_OURS = re.compile(r"\b(?:differs?|different) from (?:ours?|this)\b", re.IGNORECASE)
_BACK = re.compile(
    r"^(?:However|But|Unfortunately|Nevertheless|Yet|Although|While|Unlike|In contrast)\b|^(?:These|Those|Such|This|Their|They|Both|All of these)\b"
)


@dataclass(frozen=True, slots=True)
class DraftSide:
    """`apart`: by key in small letters, the sentences that say what a work lacks, or set the draft beside it, the
    plainest first; `own`: those in which the draft speaks of its own work.
    """

    apart: Mapping[str, Sequence[OwnSentence]] = field(default_factory=dict)
    own: Sequence[OwnSentence] = ()


def read_draft_side(draft: Draft) -> DraftSide:
    """The sentences of the draft's files and its abstract; of a PDF, of its sections, whose citations are not known."""
    prose = read_prose(draft) if draft.is_latex else []
    apart: defaultdict[str, list[tuple[bool, OwnSentence]]] = defaultdict(list)
    for paragraph in prose:
        for keys, both, sentence in _set_apart(paragraph):
            for key in keys:
                apart[key.lower()].append((not both, sentence))
    ordered = {
        key: [sentence for _, sentence in sorted(sentences, key=lambda item: item[0])]
        for key, sentences in apart.items()
    }
    own = [sentence for sentence, _ in sentences_of_draft(draft, prose) if _is_own(sentence.text)]
    return DraftSide(ordered, own[:_MOST])


def _set_apart(paragraph: ProseParagraph) -> Iterator[tuple[tuple[str, ...], bool, OwnSentence]]:
    """The keys of the works, whether the sentence speaks of the draft as well, and the sentence."""
    before: tuple[str, ...] = ()
    for sentence in paragraph.sentences:
        text = sentence.text
        told = _FEWEST <= len(text.split()) <= _LONGEST  # a file without stops is one sentence
        ours = told and first_person(text) is not None
        keys = sentence.keys or (before if _BACK.match(text) else ())
        cites = [len(cite.before) for cite in sentence.cites]
        apart = _BESIDE.search(text)
        # What is named before "unlike" is mostly what the draft uses.
        beside = ours and (_FROM_OURS.search(text) is not None or (apart and cites and cites[-1] > apart.start()))
        short = told and falls_short(text, cites)
        if keys and len(keys) <= _MOST_WORKS and (beside or short):
            yield keys, bool(beside), OwnSentence(text, paragraph.file, sentence.line, paragraph.heading)
        # What a sentence says of works it may say in two: the second has no citation.
        before = sentence.keys or (before if keys else ())


def _is_own(text: str) -> bool:
    return _FEWEST <= len(text.split()) <= _LONGEST and first_person(text) is not None and not is_own_limit(text)
