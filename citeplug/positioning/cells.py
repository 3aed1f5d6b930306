"""Cells of a comparison table, told from words: the stretch of a text that says a work's task, method, data, result, code.

Only in English, only where the sentence says plainly that it speaks of the work itself, and only as a phrase that can
stand alone: a stretch that would have to be cut within a noun phrase or a list is left out.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from citeplug.text.inflection import third_person
from citeplug.text.lexicon import AMBIGUOUS, BARE_PRODUCTS, PRAISE, PRAISE_OF_PRODUCTS, PRODUCTS, VERBS
from citeplug.text.nounphrases import may_be_last
from citeplug.text.plaintext import plain_text
from citeplug.text.sentences import sentences_of_paragraphs
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

Place = tuple[int, int]  # code points, half-open

LONGEST = 14  # words of a cell
_FEWEST = 2
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
    rf"\b{_THING} (?:for|to|which|that|capable of) (?!is\b|are\b|be\b|has\b|have\b|was\b|we\b|do\b|does\b|not\b|can be\b|relies\b|consists?\b|allows? (?:us|for)\b)(?!the (?:first|purpose|case)\b|example|instance|which|each\b|this\b|these\b)(?:can |will )?"
)
_IS_TASK = re.compile(
    r"^(?!(?:We|Our|There|It|One|They|He|You|I|But|And|To|The (?:main|key|first|second))\b)(?P<cell>[A-Z][^,;:.()]*?) (?:is|are|remains?|has been|have been) (?:still |often |also )?(?:an?|the|one of the)? ?"
    r"(?:\w+,? (?:and )?){0,4}?(?:problem|task|challenge|topic|area|field)s?\b"
)
_DATA_WORD = r"(?:data ?sets?|benchmarks?|corpus|corpora|treebanks?|databases?|test suites?|test collections?"
_DATA_WORD += r"|data(?=[.,;]| (?:show|demonstrate|indicate|confirm|suggest)\b))"
_DATA = re.compile(
    rf"\b(?:evaluat\w+|experiments?|experimental results|tested|results|trained|training|validat\w+|demonstrat\w+|performance"
    rf"|compar\w+|perform\w*|applied|conduct\w*|outperforms?|achiev\w+|accuracy|state[- ]of[- ]the[- ]art)\b[^.;:]{{0,80}}?"
    rf"\b(?:on|using|over|from|with) (?P<cell>(?:the )?(?:[\w./+-]+,? (?:and )?){{1,7}}?{_DATA_WORD})\b"
    r"(?=[.,;:)]|$| (?:and|or|show\w*|demonstrat\w*|indicat\w*|confirm\w*|suggest\w*|reveal\w*|in|by|as|to|using|while|which"
    r"|where|collected|containing|consisting|comprising|spanning|via|under|at|without|compared|is|are|we|our|it)\b)",
    re.IGNORECASE,
)
_NAMED_DATA = re.compile(
    r"\b(?:[Ee]xperiments?|[Ee]xperimental results|[Rr]esults|[Ee]valuat\w+|trained|tested|accuracy|performance|outperform\w*"
    r"|state[- ]of[- ]the[- ]art)\b[^.;:,]{0,60}? on "
    r"(?P<cell>(?:[A-Z]\w*[A-Z0-9][\w-]*)(?:(?:, [A-Z]\w*[A-Z0-9][\w-]*)*,? and [A-Z]\w*[A-Z0-9][\w-]*)?)"
    r"(?=[.;]|,? (?:show|demonstrate|and|with|dataset|while|by|using|for)\b)"
)
_NO_NAME_OF_DATA = re.compile(
    r"\b(?:(?:Res|Mobile|Dense|Squeeze|Efficient)Net|VGG|Inception|LSTM|CNN|RNN|BERT|\w*GPU|\w*CPU|\w*FPGA|NVIDIA|AWS|iOS|ARM|HPC|TPU|PC|EC2|MPI|UAV|IoT|IBM)\w*\b"
)
_NEW_DATA = re.compile(
    rf"\b{_WE} {_ADVERBS}(?:{_MADE}|releas\w+|collect\w*|creat\w+|construct\w*|buil[dt]s?|publish\w*|provid\w+)"
    rf" (?P<cell>(?:an?|the|our|two|three) (?:[\w./+-]+ ){{0,6}}?{_DATA_WORD})\b(?![ -]\w+ing\b)",
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
    r"(?:code|source codes?|codes|implementations?|software|package|toolbox|library|toolkit|data ?sets?|models?)"
)
_CODE = re.compile(
    rf"\b(?P<cell>(?:source )?{_CODE_WORD}(?: and (?:\w+ ){{0,3}}\w+)? (?:is|are|will be|has been|have been) (?:made |now |also )*"
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

_CLAUSE_END = re.compile(
    r"[,;:.!?](?=\s|$)|\((?![\w-]+\))|(?<!\w)\)|—|\s-\s|--| (?:where|which|that|whose|while|whereas|when|if|because|since|so|but|such|as|we)\b"
    rf"| and (?=(?:then|we|is|are|can|it|thus|also|to|{'|'.join(sorted(VERBS - AMBIGUOUS | set(map(third_person, VERBS - AMBIGUOUS))))})\b)"
    r"(?!(?:design|test|model|control|search|estimate|sample|measure|use|study|report|map|plan)s?\b)"
)
_CUTS = re.compile(
    r" (?:for|to|by|using|based on|with|in|on|from|via|through|under|over|within|at|into|and|without|of|against"
    r"|than|compared|during|across|among|when|combining|called|named|capable|able|consisting|exploiting|leveraging)\b"
)
_LEANS = re.compile(
    r"^(?:when|in|is|are|if|as|for|by|on|from|with|a number of|results?\b|an? (?:\w+ )?(?:motivation|description|discussion|overview"
    r"|attempt|insight|evidence|proof|comparison)|this|these|those|such|it|its|their|them|they|both|one|same|the (?:same|above|following|latter|former|first time)"
    r"|how|whether|what|why|that|several (?:approaches|methods)|a (?:variety|number|set|series|class|range|family|way|case"
    r"|lot|means|new way|detailed|brief|list|few)\b(?! of)|each|other|another|all|any|some|here)\b",
    re.IGNORECASE,
)
_ENDS_BADLY = re.compile(
    r"\b(?:the|an?|of|and|or|to|by|in|on|for|with|from|as|at|is|are|its|their|our|this|these|that|such|more|most|very"
    r"|both|new|novel|i\.e|e\.g|based|using|than|not|can|between|many|some|compared|even|including|arising|multiple|deal|obtaining|sense|fact|order|way|manner|over|two|three|several|different|various|first)$",
    re.IGNORECASE,
)
# Words that tell nothing of what a thing is.
_SAYING_NOTHING = (
    PRODUCTS
    | BARE_PRODUCTS
    | PRAISE
    | PRAISE_OF_PRODUCTS
    | STOPWORDS
    | frozenset(
        """new novel first several two three four five various different diverse multiple many standard public common
        popular widely-used dataset datasets data benchmark benchmarks corpus corpora set sets suite suites general
        simple scheme schemes protocol protocols framework frameworks existing problem problems case setting task
        question issue performance effect effects approach approaches challenging large""".split()
    )
)
_OPENS_ASIDE = re.compile(
    r"^(?:as|for|if|when|under|in|with|by|on|given|irrespective|regardless|although|while|unlike|at|despite|even|after|contrary|compared)\b",
    re.IGNORECASE,
)
_NOT_IN_ONE = re.compile(r"\[|\b(?:called|named|termed|dubbed|i\.e\.|e\.g\.)(?:\s|$)", re.IGNORECASE)
_POINTS = re.compile(
    r"\b(?:this|these|those|them|above|aforementioned|following|it|they|here|previously|mentioned|answer)\b",
    re.IGNORECASE,
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
            if place is not None and _readable(sentence[slice(*place)]):
                yield start + place[0], start + place[1]


def _method(sentence: str) -> Place | None:
    match = _METHOD.search(sentence) or _METHOD_PASSIVE.search(sentence)
    if match is None:
        return None
    if "cell" in match.groupdict():
        return match.span("cell") if _stands(match["cell"]) else None
    named = _NAME_FIRST.match(sentence, match.end())
    return _phrase(sentence, match.end(), said_from=named.end() if named is not None else None)


def _used(sentence: str) -> Place | None:
    match = _METHOD_USED.search(sentence)
    return _phrase(sentence, match.end()) if match is not None and not _OTHERS.search(sentence) else None


def _task(sentence: str) -> Place | None:
    match = _TASK.search(sentence)
    return _phrase(sentence, match.end()) if match is not None else None


def _purpose(sentence: str) -> Place | None:
    made = _METHOD.search(sentence)
    if made is None:
        return None
    named = _NAME_FIRST.match(sentence, made.end())
    match = _FOR.search(sentence, made.end())
    begin = named.end() if named is not None else made.end()
    if match is None or _CLAUSE_END.search(sentence, begin, match.start()):
        return None
    return _phrase(sentence, match.end(), shorten=False) or _phrase(sentence, match.end())


def _is_task(sentence: str) -> Place | None:
    match = _IS_TASK.search(sentence)
    return match.span("cell") if match is not None and _fits(match["cell"]) and len(match["cell"].split()) < 9 else None


def _data(sentence: str) -> Place | None:
    match = _DATA.search(sentence) if not _OTHERS.search(sentence) else None
    if match is None or not _names_data(match["cell"]) or _is_list(sentence, match.end()):
        return None
    return match.span("cell")


def _new_data(sentence: str) -> Place | None:
    match = _NEW_DATA.search(sentence)
    return match.span("cell") if match is not None and _names_data(match["cell"]) else None


def _named_data(sentence: str) -> Place | None:
    match = _NAMED_DATA.search(sentence) if not _OTHERS.search(sentence) else None
    return match.span("cell") if match is not None and not _NO_NAME_OF_DATA.search(match["cell"]) else None


_NO_DATA = re.compile(
    r"\b(?:is|are|that|which|we|our|than|by|for|to|of|on|with|in|work|can|other|these|those|this|such|their|its|existing|any|same)\b",
    re.IGNORECASE,
)


def _names_data(cell: str) -> bool:
    return _NO_DATA.search(cell) is None and _fits(cell)


def _gain(sentence: str) -> Place | None:
    """What is better by how much: a number is in it, or what was outdone."""
    if _OTHERS.search(sentence):
        return None
    for match in _GAINS.finditer(sentence):
        before = sentence[: match.start()]
        if re.search(r"\b(?:to|not|can|could|will|may|should|would|must|and|or|help|thereby|greatly)\s*$", before):
            continue
        if not _OURS.search(before) or re.search(r"\b(?:if|when|whether|how|suppose)\b", before):
            continue
        place = _phrase(sentence, match.start(), shorten=False)
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
    return None if _OPENS_ASIDE.match(sentence[match.end() :]) else _phrase(sentence, match.end(), shorten=False)


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
            if 3 <= len(said.split()) <= LONGEST + 4 and _readable(said) and not _POINTS.search(said):
                yield start + at, start + at + len(said)


def has_all_words(column: str, clause: str) -> bool:
    """True if a clause has the content words of an author's column, in whatever form."""
    return bool(_stems(column)) and _stems(column) <= _stems(clause)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in re.findall(r"[^\W_]+", text.lower()) if word not in STOPWORDS)


def _phrase(sentence: str, start: int, *, shorten: bool = True, said_from: int | None = None) -> Place | None:
    """The phrase that begins at `start`: to the end of its clause, or, if it is to be shortened, to a part of it.

    `said_from` is where the clause goes on behind a name that stands first.
    """
    found = _CLAUSE_END.search(sentence, said_from or start)
    end = found.start() if found is not None else len(sentence)
    end = start + len(sentence[start:end].rstrip())
    listed = found is not None and found[0] == "," and _is_list(sentence, end)
    closed = (
        found is None
        or shorten
        or found[0].strip() not in ("(", "such", "as", "that", "which", "whose", "where", "when", "if")
    )
    closed = closed and (shorten or re.match(r", (?:which|where|whose|when|if|irrespective)\b", sentence[end:]) is None)
    if not listed and closed and _fits(sentence[start:end]):
        return start, end
    if not shorten:
        return None
    for cut in reversed(list(_CUTS.finditer(sentence, said_from or start, end))):
        if (
            cut[0] != " and"
            and cut[0] != " of"
            and _fits(said := sentence[start : cut.start()])
            and not said.endswith("ed")
        ):
            return start, cut.start()
    return None


def _is_list(sentence: str, comma: int) -> bool:
    """True if the comma is one between the items of a list."""
    rest = re.match(r", ?(?:[\w-]+ ){0,5}?(?:and|or) |, ?(?:[\w-]+ ?){1,4},", sentence[comma:])
    return rest is not None


def _fits(phrase: str) -> bool:
    return _FEWEST <= len(phrase.split()) <= LONGEST and _stands(phrase)


def _stands(phrase: str) -> bool:
    """True if a phrase can be read alone: nothing in it points outside, and nothing was cut off."""
    last = re.findall(r"[\w%$'-]+", phrase)
    return (
        bool(last)
        and len(phrase.split()) <= LONGEST
        and not _LEANS.match(phrase)
        and not _NOT_IN_ONE.search(phrase)
        and not all(word.lower() in _SAYING_NOTHING for word in re.findall(r"[\w-]+", phrase))
        and not _ENDS_BADLY.search(phrase)
        and not _POINTS.search(phrase)
        and (may_be_last(last[-1]) or re.search(r"\d|%|\$", last[-1]) is not None or len(phrase.split()) > 3)
    )


def _readable(phrase: str) -> bool:
    """True for a phrase whose brackets and formulas are whole."""
    return phrase.count("(") == phrase.count(")") and phrase.count("$") % 2 == 0 and plain_text(phrase) is not None
