"""Sentences that cite a work as the authors' own, told by the first person that governs the citation.

"We use the method of [12]" does not; "in [12], we showed" does, and "our toolbox [12]" where its entry has an author of
the draft.
"""

import re
from collections.abc import Mapping, Sequence

from citeplug.records.draft import BibEntry
from citeplug.related.section.in_print import printed_works
from citeplug.text.folding import Name, split_name
from citeplug.text.people import same_person, split_authors
from citeplug.text.speaking import FIRST_PERSON, PAPER, THIS

_MARK = r"\[(?:@[^\]]*|\d{1,3}(?:[,–-] ?\d{1,3})*)\]"  # a citation, in a sentence
_NO_STOP = r"[^.;:!?\[\]]"
OUR = r"\b(?:our|my|the(?: present)? authors?['’]s?)\b"
_EARLIER = (
    r"(?:previous|earlier|past|recent|former|preceding|preliminary|companion|concurrent|parallel|own previous)(?:ly)?"
)
_WRITTEN = (
    rf"(?:{PAPER}|publication|preprint|dissertation|manuscript|chapter|book|tutorial|workshop|submission|series)s?"
)
_WORK = rf"(?:{_WRITTEN}|works?|research|results?|stud(?:y|ies)|contributions?|experiments?|findings?)"
_OWN_WORK = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # "In [12], we showed"
        rf"(?:^|[,;(]|\b(?:recently|previously|earlier|and|but|while|whereas|also|then"
        rf"|where)) ?,? ?in (?:[\w.]+ ){{0,4}}{_MARK} ?,? ?(?:we|I) (?!find|see|read)",
        # "we have previously shown [12]", "as we showed in [12]", "we introduced it in [12]"
        rf"\b(?:we|I) (?:have |had )?(?:previously|earlier|recently|formerly|already) {_NO_STOP}{{2,120}}{_MARK}",
        rf"\b(?:we|I) (?:have |had )?\w+(?:ed|wn|ven|ve|nd|de|ght|ote) (?:(?:this|that|it|them|these|earlier"
        rf"|previously|before|recently|elsewhere) ){{0,2}}(?:in|at|with) {_MARK}",
        rf"\bas (?:we|I) (?:have |had |did )?{_NO_STOP}{{0,60}}{_MARK}",
        rf"\b(?:we|I) (?:have |had )?\w+(?:ed|wn|ven|de|ght|ote) {_NO_STOP}{{2,80}}\b(?:earlier|before"
        rf"|previously|elsewhere)\b{_NO_STOP}{{0,30}}{_MARK}",
        # "our previous work [12]", "our ICML paper [12]", "our work [12]"
        rf"{OUR} (?:\w+ ){{0,2}}{_EARLIER} {_NO_STOP}{{2,80}}{_MARK}",
        rf"{OUR} (?:own|prior|first|initial|original|last|other) (?:[\w-]+ ){{0,3}}{_WORK}{_NO_STOP}{{0,60}}{_MARK}",
        rf"{OUR} (?:[\w'’-]+ ){{0,4}}{_WRITTEN} (?:\w+ ){{0,3}}{_MARK}",
        rf"{OUR} (?:[\w-]+ ){{0,2}}{_WORK} ?{_MARK}",
        # "our own parser [12]", "our series on it, begun in [12]", "the release of our system [12]"
        rf"{OUR} own (?:[\w-]+ ){{1,3}}{_MARK}",
        rf"\bin {OUR} series\b{_NO_STOP}{{0,60}}{_MARK}",
        rf"\b(?:publication|release|introduction) of {OUR} (?:[\w-]+ ){{1,3}}{_MARK}",
        # "we proposed such a loss in [12]." at the end of a sentence
        rf"\b(?:we|I) (?:first |have |had )?(?:introduced|proposed|proved|proven|established|presented|derived"
        rf"|published) {_NO_STOP}{{2,60}} (?:in|at) {_MARK} ?[.;,]?$",
        # "parts of this paper were published in [12]"
        rf"\b(?:parts?|portions?) of (?:{THIS}|our|the|section|chapter)\b{_NO_STOP}{{0,40}}\b(?:published|appeared"
        rf"|presented|reported) (?:in|at|elsewhere)\b{_NO_STOP}{{0,20}}{_MARK}",
        # "the full version of this paper is available as arXiv:2103.01234"
        rf"\bversions? of (?:{THIS}|our)\b[^.;!?]{{0,80}}(?:arXiv|ePrint|https?:|preprint server)",
        # "which we released in [12]", "the authors of this paper showed [12]", "as promised in [12], we"
        rf"\b(?:that|which) (?:we|I) (?:\w+ )?(?:released|introduced|published|presented|collected|built"
        rf"|created){_NO_STOP}{{0,40}}{_MARK}",
        rf"\bauthors of (?:the present|this) (?:paper|work|article|manuscript)\b{_NO_STOP}{{0,80}}{_MARK}",
        rf"\bas (?:promised|announced) in {_MARK} ?, (?:we|I)\b",
        rf"\b(?:second|third|fourth|last) (?:paper |part )?(?:in|of) a series\b{_NO_STOP}{{0,60}}{_MARK}",
        # "developed by some of us [12]", "of ours [12]"
        rf"\b(?:by|of) (?:some of |one of |two of )?(?:us\b|ours\b|the (?:present|first|second|last"
        rf"|senior) authors?|our (?:own )?(?:group|team|lab)){_NO_STOP}{{0,40}}{_MARK}",
        # "a preliminary version of this paper appeared", "extends the conference version [12]"
        rf"\bversions? of (?:{THIS}|our)\b{_NO_STOP}{{0,80}}\b(?:appeared|presented|published|accepted)\b",
        rf"\b(?:{THIS}|our \w+|this) (?:is|extends|continues|builds)\b{_NO_STOP}{{0,60}}\b(?:version|extension"
        rf"|continuation|sequel|follow-up|series)\b{_NO_STOP}{{0,30}}{_MARK}",
    )
]
# "our toolbox [12]", "we had bounded it there [12]", where it is by the authors
_GIVEN_BY = (
    rf"{OUR} (?:[\w-]+ ){{1,5}}{_MARK}|\b(?:we|I) (?:have |had |first )?(?!(?:us|bas|test|train|appli|compar|follow"
    rf"|adopt|consider|evaluat|cit|need|extend)\w*ed)(?:\w{{2,}}ed|gave|wrote|built|began|found|saw|shown?|proven?|made)\b"
    rf"(?:(?!\b(?:than|using|with|by|from|like)\b){_NO_STOP}){{0,80}}{_MARK}"
)


def own_work(words: str, people: Sequence[Name], entries: Mapping[str, BibEntry]) -> tuple[str, tuple[str, ...]] | None:
    """Return the words by which a sentence says that a work is the authors' own, and the keys that they cite."""
    if not re.search(rf"\b{FIRST_PERSON}\b|\b(?:{THIS}|authors?|parts of)\b", words, re.IGNORECASE):
        return None
    for pattern in _OWN_WORK:
        if (own_words := pattern.search(words)) is not None:
            return _shown(own_words[0])
    for match in re.finditer(_GIVEN_BY, words, re.IGNORECASE):
        shown, keys = _shown(match[0])
        if any(_is_by(entries.get(key), people) for key in keys):
            return shown, keys
    return None


def _shown(words: str) -> tuple[str, tuple[str, ...]]:
    keys = tuple(key.strip() for mark in re.findall(r"\[@([^\]]*)\]", words) for key in mark.split(","))
    return " ".join(re.sub(_MARK, "[*]", words).strip(" ,;(").split()), keys


def _is_by(entry: BibEntry | None, people: Sequence[Name]) -> bool:
    names, _ = split_authors(entry.fields.get("author", "")) if entry is not None else ([], False)
    return any(same_person(split_name(name), person) for name in names for person in people)


def third_person(keys: Sequence[str], entries: Mapping[str, BibEntry]) -> str:
    """Return a wording: "Smith et al. [12]" for "our previous work [12]"."""
    entry = next((entries[key] for key in keys if key in entries), None)
    who = "" if entry is None else printed_works([entry])[entry.key].people
    if entry is None or not who:
        return "speak of it in the third person, as of a work of others"
    return f"speak of it in the third person: “{who} \\cite{{{entry.key}}}”"
