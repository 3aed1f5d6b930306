"""Signs of withdrawal in a record.

arXiv's feeds keep title and abstract of a withdrawn paper; only its comment, written freely, and sometimes the
abstract tell (arxiv-api.md, 20). The banner of its web page alone decides, so the answer is "possibly".
"""

import re

from citeplug.records.paper import Paper

_WORK = (
    r"(?:paper|article|submission|manuscript|pre-?print|e-?print|work|note|letter|comment|report|draft|document|"
    r"thesis|entry|record)"
)
_GONE = r"(?:withdrawn|retracted)"
_HOW = r"(?:(?:now|hereby|therefore|thus|since|currently|voluntarily|temporarily|permanently|officially)\s+)*"
# Withdrawn from a journal or conference, not from arXiv; by its authors or whoever.
_NOT_ELSEWHERE = (
    r"(?!(?:\s+by\s+(?:the\s+|its\s+)?(?:authors?|submitters?|us))?\s+from\s+"
    r"(?!(?:the\s+|this\s+)?(?:arxiv|xxx|lanl|archive|e-?print|pre-?print|server|public)))"
)
_CAUSE = (
    r"(?:by|due|because|as|since|for|pending|in\s+favou?r|until|owing|on|at\s+the\s+request|after|and|see|-+|–|—)\b"
)
_BREAK = r"(?:^|[.;:!?()\[\]]\s*|note\s*:\s*)"

_SAID = [
    # "This paper has been withdrawn by ..."; also "this version of the paper is withdrawn".
    rf"\b(?:this|our|present|current)\s+(?:\w+\s+){{0,2}}?(?:version\s+of\s+(?:the|this)\s+)?(?:{_WORK}|version)\s+(?:\([^)]*\)\s+)?"
    rf"(?:has|have|had|is|was|are|being|been|will|must|should|to|be)(?:\s+(?:been|be|being))*\s+"
    rf"(?:considered\s+|regarded\s+as\s+)?{_HOW}{_GONE}\b{_NOT_ELSEWHERE}",
    # "The paper is withdrawn", opening a sentence: later in one it may be somebody else's.
    rf"{_BREAK}(?:admin\s+note\s*:\s*)?(?:the\s+)?{_WORK}\s+(?:(?:referred|submitted)\s+[\w\s]{{1,30}}?)?"
    rf"(?:(?:has|is|was|being)\s+)(?:been\s+|being\s+)?{_HOW}{_GONE}\b{_NOT_ELSEWHERE}",
    # "Paper withdrawn", "Manuscript retracted, because ..."
    rf"{_BREAK}(?:\d+\s+pages?[,;.]?\s+)?(?:the\s+|this\s+)?{_WORK}\s+{_HOW}{_GONE}\b{_NOT_ELSEWHERE}(?!\s+(?:papers?|from))",
    # "The authors have withdrawn this paper", "I wish to withdraw my submission".
    rf"\b(?:authors?|we|i|administrators?|arxiv)\s+(?:\w+\s+){{0,3}}?(?:withdr[ae]wn?|withdrew|withdrawing|withdraws|retract(?:ed|s|ing)?)"
    rf"\s+(?:this|the|our|my)\s+(?:\w+\s+)?{_WORK}\b(?!\s+from\s+(?!(?:the\s+)?arxiv))(?!\s+by\b)",
    # "withdrawn by the author", "withdrawn by arXiv", whatever is before.
    rf"\b{_GONE}\s+by\s+(?:the\s+)?(?:arxiv|(?:\w+\s+)?(?:sole\s+)?authors?\b|submitters?|administrat\w+|admins?|moderat\w+)"
    r"(?!\s+from\s+(?!(?:the\s+)?arxiv))",
    # "This paper has an error and therefore needs to be withdrawn".
    rf"\b(?:this|our)\s+{_WORK}\b[^.;]{{0,80}}?(?:,|\band|\btherefore|\bthus|\bso)\s+(?:\w+\s+)?"
    rf"(?:needs?\s+to|has\s+to|must|should|has)\s+(?:be|been)\s+{_GONE}\b{_NOT_ELSEWHERE}",
    # "Withdrawal due to errors", "I request the withdrawal of my submission".
    rf"{_BREAK}withdrawal\s+(?:due|because|by\s+the\s+authors?|of\s+(?:this|the|my|our)\s+{_WORK})\b",
    rf"\b(?:request\w*|seek\w*|ask\w*\s+for)\s+(?:the\s+|a\s+)?withdrawal\s+of\s+(?:this|the|my|our)\s+{_WORK}\b",
    r"\barxiv\s+admin\w*\s+note\s*:\s*(?:this\s+\w+\s+)?(?:has\s+been\s+)?withdrawn\b",
]
_ALONE = [
    # "Withdrawn", "12 pages, withdrawn due to ...", "(Withdrawn) ..."
    rf"{_BREAK}{_HOW}{_GONE}(?:\s+from\s+(?:the\s+)?(?:arxiv|archive))?\s*(?:$|[.;:!)\]]|,?\s*{_CAUSE})",
    rf",\s*(?:but\s+|and\s+)?{_HOW}{_GONE}\s*(?:$|[.;!)\]]|\s(?:by|due|because|owing|pending)\b)",
    r"^\W*(?:this\s+is\s+)?(?:a\s+)?(?:withdrawn|retracted)\s+(?:paper|version|submission|article|manuscript)\W*$",
]
_TITLE = [
    r"^\W*(?:withdrawn|retracted)(?:\s+(?:paper|article))?\s*(?:[:\])]|$)",
    r"[\[(](?:withdrawn|retracted)[\])]\s*$",
]
# Another paper, an older version or a part of this one is what was withdrawn.
_OF_ANOTHER = re.compile(
    r"\b(?:previous|earlier|older|old|first|original|former|preliminary|another|other|companion|related|duplicate|"
    r"version\s+\d+|versions?\s+v?\d|v\d+(?!\s*:)|replac\w+|supersed\w+\s+(?:the|a|our)|theorem|lemma|section|claim|conjecture|"
    r"proposition|appendix|corollary|submitted\s+to|accepted|comment\s+on|reply\s+to)\b[^.;()]*$|\bnot(?:\s+(?:been|be|yet))?\s+$"
    r"|\bwhich\s+(?:has\s+been|was|is)\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)
_IN_COMMENT = [re.compile(p, re.IGNORECASE) for p in _SAID + _ALONE]
_IN_ABSTRACT = [re.compile(p, re.IGNORECASE) for p in _SAID]
_ABSTRACT_ALONE = [re.compile(p, re.IGNORECASE) for p in _ALONE]
_IN_TITLE = [re.compile(p, re.IGNORECASE) for p in _TITLE]
_LONGEST = 5000  # characters read; arXiv takes abstracts up to 1,920
_SHORT = 300  # characters; a longer abstract is about something else, and its single words prove nothing


def possibly_withdrawn(paper: Paper) -> bool:
    """True if comment, abstract or title say that the paper itself was withdrawn or retracted.

    "Withdrawn from journal X", an earlier version, another paper or a theorem do not count.
    """
    opening = re.match(r"\W*(?:withdrawn|retracted)\b[\s.:;)\]!-]*", paper.abstract, re.IGNORECASE)
    return (
        _says(paper.comment or "", _IN_COMMENT)
        or _says(paper.abstract, _IN_ABSTRACT)
        or (len(paper.abstract) <= _SHORT and _says(paper.abstract, _ABSTRACT_ALONE))
        or (opening is not None and opening[0].strip()[-1:] in ".:;)]!")
        or _says(paper.title, _IN_TITLE)
    )


def _says(text: str, patterns: list[re.Pattern[str]]) -> bool:
    text = text[:_LONGEST]
    # Most texts hold neither stem; the patterns are for the rest.
    if not re.search(r"withdr|retract", text, re.IGNORECASE):
        return False
    text = re.sub(r"\d{4}\.\d{4,5}", "id", text)  # their stops end no sentence
    return any(
        not _OF_ANOTHER.search(text[: match.start()] + _up_to_the_verb(match[0]))
        for pattern in patterns
        for match in pattern.finditer(text)
    )


def _up_to_the_verb(clause: str) -> str:
    return re.split(r"withdr|retract", clause, maxsplit=1, flags=re.IGNORECASE)[0]
