"""Sentences in which a text states a limit or the scope of a work: of its authors' own, or of one that it cites.

Told from words, in English, and only where a sentence says plainly whose limit it is: abstracts speak of the limits of
what came before far more often than of their own ("however, existing methods cannot ..."). Nearness to a question
does not find them, as was tried on ten full texts; a model, where there is one, proposes and judges them.
"""

import re
from collections.abc import Iterator, Sequence

from citeplug.records.passage import PaperText
from citeplug.text.sentences import sentences_of_paragraphs
from citeplug.text.speaking import OTHERS, OWN, THIS

_FEWEST, _LONGEST = 8, 60  # words of a sentence
_OURS = r"(?:our|the (?:proposed|present|presented|described|resulting))"
_FAULT = r"(?:limitation|drawback|shortcoming|disadvantage|caveat|downside|weakness(?:es)?)s?"
_THING = (
    r"(?:approach|method|model|algorithm|framework|technique|scheme|analysis|procedure|implementation|system|data|work"
    r"|construction|tool|dataset|study|evaluation|estimator|package|experiment|formulation|simulation|solution|theory"
    r"|treatment|calculation|discussion)(?:e?s)?"
)
_CANNOT = (
    r"(?:cannot(?! only)|can not(?! only)|can only|fails? to|suffers?|struggles?|(?:is|are|was|were) (?:un|not )able"
    r"|(?:does|do|did) not (?!require|need|suffer|depend|rely|only|affect|change|involve|use)"
    r"|still (?:lacks?|requires?|needs?|lags?|falls?)|lacks?)\b"
)
_LOOKS = r"(?:consider|focus|concentrate|treat|study|look|address|deal|evaluate|test|handle|discuss|model)"
# Whose limit it is, the sentence itself says.
_PLAIN = re.compile(
    r"\b(?:we|is|are|and|which) (?:[\w-]+ )?(?:leave|left|leaves|defer|deferred|postpone)\b"
    r".{0,120}\b(?:future|open|elsewhere|later)\b"
    r"|(?<!if )\bwe (?:[\w-]+ )?(?:restrict|limit|confine) (?:ourselves|our|the|attention)\b"
    rf"|\b{_OURS} (?:[\w-]+ ){{0,4}}(?:is|are|was|were) (?:\w+ly )?(?:limited|restricted|confined) (?:to|by|in)\b"
    rf"|(?<!if )\b(?:we|{THIS}) (?:\w+ )?{_LOOKS}(?:s|es)? (?:on |at |with )?(?:only|solely|exclusively)\b"
    rf"|(?<!if )\bwe (?:only|solely|exclusively) (?:{_LOOKS}|use|assume|have|had)\b"
    rf"|\b{_OURS} (?:[\w-]+ ){{1,4}}(?:works?|applies|apply|holds?|(?:is|are) (?:valid|applicable|suitable)) only\b"
    rf"|\b{_OURS} (?:[\w-]+ ){{1,4}}only (?:works?|applies|apply|holds?|considers?|handles?|supports?)\b"
    rf"|\b{_FAULT} (?:of|in|to|with) (?:our|{THIS}|the (?:proposed|present|presented) (?:\w+ )?{_THING})\b"
    rf"|\bour (?:[\w-]+ ){{0,4}}(?:has|have) (?:\w+ ){{0,3}}{_FAULT}\b"
    rf"|\b{_OURS} (?:[\w-]+ ){{0,3}}{_THING} (?:\w+ )?{_CANNOT}"
    r"|\bwe (?:do|did|have|were)(?: not|n't) (?:yet )?(?:been )?(?:consider|address|treat|model|take|include|account"
    r"|evaluate|test|explore|investigate|study|handle|attempt|able|deal|cover)\w*\b"
    r"|\bbeyond the scope of (?:this|our|the present)\b",
    re.IGNORECASE,
)
# Of the authors' own work once they speak of it. "Under suitable conditions" says nothing.
_NEEDED = r"(?:is|are) (?:\w+ )?(?:needed|required|necessary)"
_OPEN = re.compile(
    r"(?<!what )\bremains? (?:\w+ )?(?:open|unclear|unknown|unsolved|unresolved|to be \w+|elusive|limited)\b"
    r"|\b(?:future|further|more) (?:work|research|study|studies|investigations?|improvements?|progress)"
    rf" (?:{_NEEDED}|will|could|would|may|might|must|includes?|needs?|concerns?|has to)\b"
    r"|\bat the (?:cost|expense|price) of\b"
    r"|\b(?:works?|applies|apply|holds?|valid|applicable|applied) only (?:for|to|in|when|if|on|with|under)\b"
    r"|\b(?:valid|true|holds?|established|shown|proved|proven|derived|obtained|guarantees?|works?|considered|studied)"
    r"(?: \w+){0,4} under (?:the |an? )?(?!what|which|certain|suitable|some|mild|standard|various|different|under)"
    r"(?:[\w-]+ ){0,4}(?:assumption|condition|restriction)s?\b"
    r"|^assuming (?:that|an?|the)\b|, assuming (?:that|an?|the)\b|\bfor the (?:simple|simplest) cases? of\b",
    re.IGNORECASE,
)
# What leans on the sentence before it, or promises without saying what.
_LEANING = re.compile(
    r"^(?:But|Moreover|For example|As|Despite|(?:While|Although|Though) (?:this|these|it))\b"
    r"|^(?:\W*(?:however|but|moreover|also|thus|hence|therefore|finally|here|in addition|nevertheless)\W+)?"
    rf"(?:(?!{THIS}\b)(?:this|these|those|such|it|he|she|they|its|their|both|the (?:latter|former|same))\b)",
    re.IGNORECASE,
)
_NO_MORE = re.compile(
    # What could be done is no limit that is stated.
    r"\bfuture (?:work|research|studies) (?:could|may|might|should|can|would)\b"
    r"|\bin (?:the )?future(?: work)?, we (?:hope|plan|want|aim|intend)\b"
    r"|\b(?:directions?|promising|in several ways|(?:this|these|several|some|following|certain) limitations?"
    r"|(?:discuss|report|mention|describe|outline)\w* .{0,60}\b(?:future|open|limitations?|challenges))\b",
    re.IGNORECASE,
)
# Under a heading on limits what denies is one, unless it says what was done about it.
_DENIES = re.compile(
    r"\b(?:not|cannot|only|single|fails?|limited|out of scope|future work|remains?|unreliable|lacks?|narrow"
    r"|restricted)\b",
    re.IGNORECASE,
)
_ANSWERED = re.compile(
    r"\bmitigat|\b(?:therefore|thus|verified|triangulat\w+|solution|could (?:help|integrate|be)|since|not only|no"
    r" reason|earlier)\b"
    r"|^(?:However|But)\b|\bto (?:reduce|address|avoid|increase|alleviate)\b",
    re.IGNORECASE,
)
# And it is of the work itself, by these words or by its name.
_ITS_OWN = re.compile(
    rf"\b(?:we|our|{THIS}|the {_THING}|limitations?|future work|current(?:ly)?|implementation"
    r"|threats? (?:is|to|concerns?))\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"^(?:\w+, )?(?:the )?((?:[A-Z][a-z]*){2,}\w*|[A-Za-z]+[A-Z]\w*)\b")
# Headings.
_LIMITS = re.compile(
    r"^\W*(?:(?:discussion|conclusions?|ethic\w*|future \w+|scope|impacts?|assumptions?|threats to validity)"
    r"\W+(?:and\W+)?)?limitations?\b(?! (?:of|in|to|on) (?!this|our|the (?:study|present|current|proposed)))",
    re.IGNORECASE,
)
_THREATS = re.compile(r"\bthreats? to (?:the )?validity\b", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:discussion|conclu|future|summary|outlook)", re.IGNORECASE)
_HEADINGS = (_LIMITS, _THREATS, _ENDS)
_ON_OTHERS = re.compile(
    r"\b(?:related|previous|prior|literature|background|introduction|preliminar|acknowledg|references)", re.IGNORECASE
)
# What works are said to lack; what they do without is no lack.
_SHORT = re.compile(
    r"\b(?:limited (?:to|by|in)|(?:limitation|drawback|shortcoming|weakness)s?(?= (?:is|are|of|in)\b)|restricted to"
    r"|cannot|can not|can only|suffers?|lacks?|unable|fails? (?:to|in|on|when)"
    r"|(?:does|do|did|is|are|was|were|has|have|could) not "
    r"(?!require|need|use|assume|suffer|rely|depend|only|limited|restricted)"
    r"|ignores?|neglects?|overlooks?|prohibitive\w*|impractical|infeasible|intractable|inefficient|struggles?"
    r"|(?<!not )only (?:works?|appl\w+|considers?|handles?|supports?|focus\w*|remove|for|in|when|if|to|on|be)"
    r"|too (?:slow|costly|expensive|large|coarse)|computationally (?:expensive|demanding|intensive)"
    r"|(?:without|no) (?:any |a )?(?:guarantees?|theoretical|formal))\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:\u2014]|\b(?:but|while|whereas|although|though|however|yet)\b", re.IGNORECASE)
# Whose lack it is, is not told, or it was found: "a setting in which the system cannot", "show that it does not".
_OF_ANOTHER = re.compile(
    r"\b(?:that|which|what|when|if|where|who|whose|because|since|how|why|we|our|I)\b", re.IGNORECASE
)
_REPORTED = re.compile(
    r"\b(?:show\w*|suggest\w*|find|finds|found|argue\w*|demonstrat\w+|prove\w*|observ\w+|report\w*|impl(?:y|ies)"
    r"|claim\w*|note\w*|state\w*|insight) (?:that|is that|how|why)\b",
    re.IGNORECASE,
)
_AS_NOTED = re.compile(r"\bas (?:was |is )?(?:noted|shown|discussed|argued|reported|pointed out|observed) (?:by|in)\b")
_CONDITION = re.compile(
    r"(?:(?:While|Although|Though) (?:we|our)|When|If|As|For (?:example|instance)|To|Because|Since|Note that|Compared"
    r"|This is|We|Our|In (?:this|our))\b"
)
_FARTHEST = 10  # words between the beginning of a clause and what it lacks
_NO_SUBJECT = 1  # word in front of what is lacking, that is no subject: "but also"
_NAMED = 6  # words in front of the citation of a work that is the subject by its name
_WORK = (
    rf"(?:{_THING}|paper|author|survey|benchmark|proposal|pre-?print|library|libraries|architecture|baseline"
    r"|effort|attempt|strateg(?:y|ies)|studies|agent|protocol|analyses|detector|planner|solver|parser)s?"
)
_WORKS = re.compile(rf"\b(?:they|their|{_WORK})\b", re.IGNORECASE)
_GOING_ON = re.compile(
    rf"\b(?:they|their|(?:its|these|those|this|such|both|all|above|existing)(?: [\w-]+){{0,3}} {_WORK})\b",
    re.IGNORECASE,
)
_HOWEVER = re.compile(r"(?:However|But|Unfortunately|Nevertheless|Yet),? (?:this|these|those|such|its|their)\b")


def limits_of_own(abstract: str) -> Iterator[tuple[int, int]]:
    """The places of the sentences of an abstract in which its authors state a limit or the scope of their own work."""
    speaking = False
    for start, end in sentences_of_paragraphs(abstract):
        sentence = abstract[start:end]
        speaking = speaking or OWN.search(sentence) is not None
        if _is_whole(sentence) and (_PLAIN.search(sentence) or (speaking and _is_open(sentence))):
            yield start, end


def limits_in_text(text: PaperText) -> Iterator[tuple[int, int, int]]:
    """The sentences in which a full text states limits of its work: the section's number from 0, and their places.

    Those under a heading on limits come first, then those at the end, then others that say plainly whose limit it is.
    """
    places: list[tuple[int, int, int, int]] = []
    known = f"{text.title} {' '.join(section.text for section in text.sections[:1])}"
    for at, section in enumerate(text.sections):
        if is_heading_on_others(section.title):
            continue
        rank = next((rank for rank, heading in enumerate(_HEADINGS) if heading.search(section.title)), len(_HEADINGS))
        for start, end in sentences_of_paragraphs(section.text[: section.captions]):
            sentence = section.text[start:end]
            if _is_whole(sentence) and _is_limit_in(sentence, rank, known):
                places.append((rank, at, start, end))
    yield from ((at, start, end) for _, at, start, end in sorted(places))


def falls_short(sentence: str, cites: Sequence[int] = ()) -> bool:
    """True if a sentence says plainly what the works that it cites do not do or presuppose.

    `cites` are the code points at which it cites; one without citations goes on from the sentence before it. A citation
    behind what is lacking is mostly where that was found out.
    """
    if _CONDITION.match(sentence) or _AS_NOTED.search(sentence):
        return False
    for match in _SHORT.finditer(sentence):
        head = sentence[: match.start()]
        openings = list(_CLAUSE.finditer(head))
        clause = head[openings[-1].end() :] if openings else head
        if len(clause.split()) > _FARTHEST or _OF_ANOTHER.search(clause) or _REPORTED.search(head):
            continue
        subject = head if len(clause.split()) <= _NO_SUBJECT else clause
        if not cites:
            if _GOING_ON.search(subject) or (_HOWEVER.match(sentence) and len(openings) <= 2):
                return True
        elif cites[0] <= match.start():
            named = len(sentence[: cites[0]].split()) <= _NAMED and subject is head
            if named or _WORKS.search(subject):
                return True
    return False


def is_limit_of_cited(sentence: str) -> bool:
    """True if a sentence of another work states a limit of the work that `[*]` stands for in it."""
    cites = [match.start() for match in re.finditer(r"\[\*\]", sentence)]
    return bool(cites) and len(sentence.split()) <= _LONGEST and falls_short(sentence, cites)


def is_own_limit(sentence: str) -> bool:
    """True if the authors plainly state a limit of their own work, or leave something for later."""
    return _PLAIN.search(sentence) is not None or "future" in sentence.lower()


def is_heading_on_others(heading: str) -> bool:
    """True for the heading of a section that is mostly on the works of others."""
    return _ON_OTHERS.search(heading) is not None and not _LIMITS.search(heading)


def _is_limit_in(sentence: str, rank: int, known: str) -> bool:
    """True for a limit under a heading of this rank; `known` has the names that the work gives to what it made."""
    if _PLAIN.search(sentence):
        return True
    if rank == _HEADINGS.index(_ENDS):
        return _is_open(sentence)
    if rank == len(_HEADINGS) or not _DENIES.search(sentence) or _ANSWERED.search(sentence):
        return False
    name = _NAME.match(sentence)
    return _ITS_OWN.search(sentence) is not None or (name is not None and name[1] in known)


def _is_open(sentence: str) -> bool:
    return _OPEN.search(sentence) is not None and not OTHERS.search(sentence)


def _is_whole(sentence: str) -> bool:
    return (
        _FEWEST <= len(sentence.split()) <= _LONGEST
        and not sentence.endswith(("?", ":"))
        and not sentence.startswith(("“", '"', "``"))
        and " | " not in sentence  # a row of a table
        and not _LEANING.match(sentence)
        and not _NO_MORE.search(sentence)
    )
