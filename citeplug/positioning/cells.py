"""Cells of a comparison table, told from words: the stretch of a text that says a work's task, method, data, result, code.

Only in English, only where the sentence says plainly that it speaks of the work itself, and only as a phrase that can
stand alone: a stretch that would have to be cut within a noun phrase or a list is left out.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from citeplug.positioning.phrases import CLAUSE_END, LONGEST, POINTS, Place, fits, in_list, phrase_at, readable, stands
from citeplug.text.sentences import sentences_of_paragraphs
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

_WORDS_OF_CLAUSE = 4
_PAPER = r"(?:paper|work|study|article|survey|letter|report|thesis)"
_WE = rf"(?:we|I|(?:this|the present|our|the current|the) {_PAPER})"
_ADVERBS = r"(?:(?:\w+ly|also|first|then|here|further|thus|hence|therefore|have|has|next) )*"
_MADE = r"(?:propos|present|introduc|develop|devis|design|describ)(?:e|es|ed|s)?"
_LOOKED = (
    r"(?:address(?:es|ed)?|tackle[sd]?|stud(?:y|ies|ied)|investigate[sd]?|consider(?:s|ed)?|examine[sd]?|explore[sd]?"
    r"|focus(?:es|ed)? on|deals? with|analy[sz]e[sd]?)"
)
_THING = (
    r"(?:method|approach|model|algorithm|framework|technique|scheme|system|architecture|network|procedure|tool|library"
    r"|package|estimator|strategy|protocol|methodology|mechanism|pipeline|formalism|language|toolkit|software|solution)s?"
)
_METHOD = re.compile(
    rf"\b{_WE} {_ADVERBS}(?:{_MADE}|formulat\w+|construct\w*|buil[dt]s?|creat\w+|giv\w+(?= an? )|provid\w+(?= an? )|report\w*(?= an? ))"
    rf" (?=(?:an?|two|three|several|the first) |(?!the\b|and\b|to\b|that\b|how\b|in\b|our\b|for\b|\w+ly\b|up\b|on\b|by\b)\w)",
    re.IGNORECASE,
)
_NAME_FIRST = re.compile(r"(?P<name>[A-Z]\S*(?: [\w-]+){0,4}), (?=an? )")
# "GraphX, a method" says no more than "GraphX".
_BARE = re.compile(rf"an? {_THING}$")
_METHOD_USED = re.compile(
    rf"\b(?:{_WE}|our {_THING}|the proposed {_THING}) {_ADVERBS}(?:us|employ|appl|adopt|utili[sz]|leverag|combin|exploit)(?:y|ies|ied|e|es|ed|s)? "
    r"(?=(?:an?|the|\w+(?: [\w-]+){0,3}) )",
    re.IGNORECASE,
)
_METHOD_PASSIVE = re.compile(
    r"^(?=An? )(?P<cell>[^,;:.]+?)(?= (?:is|are|was) (?:\w+ly )?(?:proposed|presented|introduced|developed)\b)"
)
_TASK = re.compile(
    rf"\b{_WE} {_ADVERBS}{_LOOKED} (?:the )?(?:(?:\w+ )?(?:problem|task|question|issue|challenge)s? of )?(?!th[eio]s?e? \w*(?:gap|issue|problem|challenge|question|limitation)s?\b)",
    re.IGNORECASE,
)
_FOR = re.compile(
    rf"\b{_THING} (?:for|to|which|that|capable of) (?!is\b|are\b|be\b|has\b|have\b|was\b|we\b|do\b|does\b|not\b|can be\b|relies\b|us(?:e|es)\b|combin\w+|employ\w*|integrat\w+|exploit\w*|incorporat\w+|takes?\b|leverag\w+|utili[sz]\w+|includes?\b|consists?\b|allows? (?:us|for)\b)(?!the (?:first|purpose|case)\b|example|instance|which|each\b|this\b|these\b)(?:can |will )?"
)
_IS_TASK = re.compile(
    r"^(?!(?:We|Our|There|It|One|They|He|You|I|But|And|To|The (?:main|key|first|second))\b)(?P<cell>[A-Z][^,;:.()]*?) (?:is|are|remains?|has been|have been) (?:still |often |also )?(?:an?|the|one of the)? ?"
    r"(?:\w+,? (?:and )?){0,4}?(?:problem|task|challenge|topic|area|field)s?\b"
)
_DATA_WORD = r"(?:data ?sets?|benchmarks?|corpus|corpora|treebanks?|databases?|test suites?|test collections?"
_DATA_WORD += r"|data(?=[.,;](?:\s|$)| (?:show|demonstrate|indicate|confirm|suggest)\b))"
_AFTER_DATA = (
    r"(?=[.,;:)]|$| (?:and|or|show\w*|demonstrat\w*|indicat\w*|confirm\w*|suggest\w*|reveal\w*|in|by|as|to|using|while|which"
    r"|where|collected|containing|consisting|comprising|spanning|via|under|at|without|compared|is|are|we|our|it)\b)"
)
_DATA = re.compile(
    rf"\b(?:evaluat\w+|experiments?|experimental results|tested|results|trained|training|validat\w+|demonstrat\w+|performance"
    rf"|compar\w+|perform\w*|applied|conduct\w*|outperforms?|achiev\w+|accuracy|state[- ]of[- ]the[- ]art)\b[^.;:]{{0,80}}?"
    rf"\b(?:on|using|over|with) (?P<cell>(?:the )?(?:[\w./+-]+,? (?:and )?){{1,7}}?{_DATA_WORD})\b"
    rf"{_AFTER_DATA}",
    re.IGNORECASE,
)
_NAMED_DATA = re.compile(
    r"\b(?:[Ee]xperiments?|[Ee]xperimental results|[Rr]esults|[Ee]valuat\w+|trained|tested|accuracy|performance|outperform\w*"
    r"|state[- ]of[- ]the[- ]art)\b[^.;:,]{0,60}? on "
    r"(?P<cell>(?:[A-Z]\w*[A-Z0-9][\w-]*)(?:(?:, [A-Z]\w*[A-Z0-9][\w-]*)*,? and [A-Z]\w*[A-Z0-9][\w-]*)?)"
    r"(?=[.;](?:\s|$)|,? (?:show|demonstrate|and (?![A-Z])|with|dataset|while|by|using|for)\b)"
)
_NO_NAME_OF_DATA = re.compile(
    r"\b(?:(?:Res|Mobile|Dense|Squeeze|Efficient)Net|VGG|Inception|LSTM|CNN|RNN|BERT|\w*GPU|\w*CPU|\w*FPGA|NVIDIA|AWS|iOS|ARM|HPC|TPU|PC|EC2|MPI|UAV|IoT|IBM)\w*\b"
)
_NEW_DATA = re.compile(
    rf"\b{_WE} {_ADVERBS}(?:{_MADE}|releas\w+|collect\w*|creat\w+|construct\w*|buil[dt]s?|publish\w*|provid\w+)"
    rf" (?P<cell>(?:an?|two|three) (?:[\w./+-]+ ){{0,6}}?{_DATA_WORD})\b{_AFTER_DATA}",
    re.IGNORECASE,
)
_GAINS = re.compile(
    r"\b(?P<cell>(?:significantly |consistently |substantially |considerably |clearly |further )?"
    r"(?:outperforms?|outperformed|achieves?|achieved|surpass(?:es)?|improves?|reduces?|attains?|yields?|obtains?"
    r"|reaches?|exceeds?|exceeded|increases?|speeds up|outperforming|achieving|surpassing) )",
)
_SHOWN = re.compile(
    rf"\b(?:{_WE} {_ADVERBS}(?:show|prove|find|demonstrate|establish|observe)s?|(?:results|experiments|simulations|evaluation"
    r"|findings)\b[^.;:,]{0,60}? (?:show|demonstrate|indicate|reveal|suggest|confirm)s?) (?:\w+ly )?that ",
    re.IGNORECASE,
)
_OPENS_ASIDE = re.compile(
    r"^(?:as|for|if|when|under|in|with|by|on|given|irrespective|regardless|although|while|unlike|at|despite|even|after|contrary|compared)\b",
    re.IGNORECASE,
)
_OURS = re.compile(
    rf"\b(?:{_WE}|our|the (?:proposed|resulting|presented|developed|new) |experiments?|results|simulations?|which|it|that"
    rf"|this|the {_THING}|[A-Z]\w*[A-Z]\w*)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"^(?:However|Nevertheless|Despite|Although|While|Existing|Previous|Prior|Current|Recent|Most|Many|Traditional)\b"
    r"|\b(?:existing (?!methods?\b|approach|techniques|work)|prior work has|recently|has been|have been|have achieved|has achieved|can be|could|would"
    r"|may|might|often|usually|typically|traditional(?:ly)? (?:use|achiev))\b"
)
_OWN = re.compile(
    rf"\b(?:{_WE}|our)\b|\b(?:is|are) (?:presented|proposed|introduced|developed|studied|considered)\b", re.IGNORECASE
)
_CODE_WORD = (
    r"(?:code|source codes?|codes|implementations?|software|package|toolbox|library|toolkit|data ?sets?|trained models)"
)
_CODE = re.compile(
    rf"(?<![-\w])(?P<cell>(?:(?:open-)?source )?{_CODE_WORD}(?: and (?:\w+ ){{0,3}}\w+)? (?:is|are|will be|has been|have been) (?:made |now |also )*"
    r"(?:publicly |freely |openly )?(?:available|released|open[- ]sourced|public))\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"https?://(?:www\.)?(?P<cell>(?:github\.com|gitlab\.com|bitbucket\.org|zenodo\.org|osf\.io|huggingface\.co|code\.google\.com"
    r"|cran\.r-project\.org|pypi\.org|sourceforge\.net)/[\w./~-]*\w)"
)
_ABOUT_CODE = re.compile(
    rf"\b{_CODE_WORD}\b.{{0,160}}\b(?:available|released|found|accessible|open|download\w*|at)\b", re.IGNORECASE
)


def find_places(column: str, text: str, *, speaking: bool = False) -> Iterator[Place]:
    """Places in an abstract or a section that say what a column asks of the work itself, the plainest first.

    `column` is one of `FINDERS`; `speaking` where the authors speak of their own work from the beginning.
    """
    sentences = []
    for start, end in sentences_of_paragraphs(text):
        speaking = speaking or _OWN.search(text, start, end) is not None
        if " | " not in text[start:end]:
            sentences.append((start, text[start:end], speaking))
    for find in FINDERS[column]:
        for start, sentence, own in sentences:
            if not own and find is not _is_task:
                continue
            place = find(sentence)
            if place is not None and readable(sentence[slice(*place)]):
                yield start + place[0], start + place[1]


_OF_OURS = re.compile(r"\b(?:our|their|its|implement)\b", re.IGNORECASE)
_IS_THING = re.compile(
    rf"\b(?:{_THING}|(?:kernel|classifier|learning|regression|optimi[sz]ation|estimation|attention|loss)s?)\b",
    re.IGNORECASE,
)


def _method(sentence: str) -> Place | None:
    match = _METHOD.search(sentence) or _METHOD_PASSIVE.search(sentence)
    if match is None:
        return None
    if "cell" in match.groupdict():
        return match.span("cell") if stands(match["cell"]) and _IS_THING.search(match["cell"]) else None
    named = _NAME_FIRST.match(sentence, match.end())
    place = phrase_at(sentence, match.end(), said_from=named.end() if named is not None else None)
    if place is None or _OF_OURS.search(sentence, *place):
        return None
    if named is not None and _BARE.match(sentence[named.end() : place[1]]):
        return match.end(), named.end("name")
    whole = sentence[slice(*place)]
    return place if re.match(r"(?:an?|two|three|the first) ", whole) or named or _IS_THING.search(whole) else None


def _used(sentence: str) -> Place | None:
    match = _METHOD_USED.search(sentence) if not _OTHERS.search(sentence) else None
    place = phrase_at(sentence, match.end()) if match is not None else None
    fits = place is not None and _IS_THING.search(sentence, *place) and not _OF_OURS.search(sentence, *place)
    return place if fits else None


def _task(sentence: str) -> Place | None:
    match = _TASK.search(sentence)
    place = phrase_at(sentence, match.end()) if match is not None else None
    if place is None or _OF_OURS.search(sentence, *place):
        return None
    # "A scenario in which", "classes whose": what restricts a few words says what they are.
    restricted = re.match(r" (?:that|whose|where|which|in which)\b", sentence[place[1] :])
    return None if restricted and len(sentence[slice(*place)].split()) < _WORDS_OF_CLAUSE else place


def _purpose(sentence: str) -> Place | None:
    made = _METHOD.search(sentence)
    if made is None:
        return None
    named = _NAME_FIRST.match(sentence, made.end())
    match = _FOR.search(sentence, made.end())
    begin = named.end() if named is not None else made.end()
    if match is None or CLAUSE_END.search(sentence, begin, match.start()):
        return None
    place = phrase_at(sentence, match.end(), shorten=False) or phrase_at(sentence, match.end())
    return place if place is not None and not _OF_OURS.search(sentence, *place) else None


def _is_task(sentence: str) -> Place | None:
    match = _IS_TASK.search(sentence)
    return match.span("cell") if match is not None and fits(match["cell"]) and len(match["cell"].split()) < 9 else None


def _data(sentence: str) -> Place | None:
    match = _DATA.search(sentence) if not _OTHERS.search(sentence) else None
    if match is None or not _names_data(match["cell"]) or in_list(sentence, match.end()):
        return None
    return match.span("cell")


def _new_data(sentence: str) -> Place | None:
    match = _NEW_DATA.search(sentence)
    return match.span("cell") if match is not None and _names_data(match["cell"]) else None


_COMPARED = re.compile(r"\b(?:those|than|baselines?)\b")


def _named_data(sentence: str) -> Place | None:
    match = _NAMED_DATA.search(sentence) if not _OTHERS.search(sentence) else None
    if match is None or _NO_NAME_OF_DATA.search(match["cell"]) or _COMPARED.search(sentence, 0, match.start("cell")):
        return None
    return match.span("cell")


_NO_DATA = re.compile(
    r"\b(?:is|are|that|which|we|our|than|by|for|to|of|on|with|in|work|can|using|extracted|based|approach(?:es)?|methods?|measure|gathered|less|little|certain|single|compared|analyse|fewer|shorter|longer|times|other|these|those|this|such|their|its|existing|any|same)\b",
    re.IGNORECASE,
)


def _names_data(cell: str) -> bool:
    return _NO_DATA.search(cell) is None and fits(cell)


def _gain(sentence: str) -> Place | None:
    """What is better by how much: a number is in it, or what was outdone."""
    if _OTHERS.search(sentence):
        return None
    for match in _GAINS.finditer(sentence):
        before = sentence[: match.start()]
        if re.search(
            r"\b(?:to|not|cannot|could|will|may|might|should|would|must|and|or|help|thereby|greatly|of|for|by|without|an?|the|substantial|significant)\s*$",
            before,
        ):
            continue
        if not _OURS.search(before) or re.search(r"\b(?:if|when|whether|how|suppose)\b", before):
            continue
        place = phrase_at(sentence, match.start(), shorten=False)
        if place is None:
            continue
        said = sentence[slice(*place)]
        if re.search(r"\d|state[- ]of[- ]the[- ]art|baselines?|\bexisting|previous|prior|compar", said):
            return place
    return None


def _shown(sentence: str) -> Place | None:
    match = _SHOWN.search(sentence)
    if match is None or _OTHERS.search(sentence):
        return None
    place = None if _OPENS_ASIDE.match(sentence[match.end() :]) else phrase_at(sentence, match.end(), shorten=False)
    return place if place is not None and len(sentence[slice(*place)].split()) >= _WORDS_OF_CLAUSE else None


def _code(sentence: str) -> Place | None:
    if (match := _ADDRESS.search(sentence)) and _ABOUT_CODE.search(sentence):
        return match.span("cell")
    match = _CODE.search(sentence)
    return match.span("cell") if match is not None else None


Finder = Callable[[str], Place | None]
FINDERS: Mapping[str, Sequence[Finder]] = {
    "Task": (_task, _purpose, _is_task),
    "Method": (_method, _used),
    "Data": (_new_data, _data, _named_data),
    "Result": (_gain, _shown),
    "Code": (_code,),
}


def find_clauses(text: str, *, speaking: bool = False) -> Iterator[Place]:
    """The clauses short enough for a cell in which the authors speak of their own work."""
    for start, end in sentences_of_paragraphs(text):
        sentence = text[start:end]
        speaking = speaking or _OWN.search(sentence) is not None
        if not speaking or " | " in sentence or _OTHERS.search(sentence):
            continue
        for match in re.finditer(r"(?:[^,;:()—]|[,:](?=\S))+", sentence):
            said = match[0].strip().rstrip(" .!?")
            at = match.start() + len(match[0]) - len(match[0].lstrip())
            if 3 <= len(said.split()) <= LONGEST + 4 and readable(said) and not POINTS.search(said):
                yield start + at, start + at + len(said)


def has_all_words(column: str, clause: str) -> bool:
    """True if a clause has the content words of an author's column, in whatever form."""
    return bool(_stems(column)) and _stems(column) <= _stems(clause)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in re.findall(r"[^\W_]+", text.lower()) if word not in STOPWORDS)
