"""Phrases of a text that may be cells of a comparison table: a work's task, method, data and code, in its own words.

A few words tell where a phrase begins; where it ends, and that it is whole, its form tells. Whether it is what the work is
about is not told here: task and method must be near the work's title in meaning (`table_rows`). English only.
"""

import re
from collections.abc import Iterator

from citeplug.text.inflection import third_person
from citeplug.text.lexicon import AMBIGUOUS, VERBS
from citeplug.text.nounphrases import may_be_last
from citeplug.text.plaintext import plain_text
from citeplug.text.sentences import sentences_of_paragraphs
from citeplug.text.speaking import OTHERS, OWN, WE
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

Place = tuple[int, int]  # code points, half-open

LONGEST = 14  # words of a cell
_WE = rf"\b{WE} (?:(?:\w+ly|also|first|then|here|have|has|hence|thus) )*"
_MADE = r"(?:propos|present|introduc|develop|devis|design)\w{0,3}"
_USED = (
    r"(?:describ|construct|buil|formulat|creat|giv|provid|report|us|employ|appl|combin|adopt|leverag|exploit)\w{0,3}"
)
_METHOD = re.compile(
    rf"{_WE}(?:{_MADE} (?=the first |(?!the\b|in\b|to\b|that\b|how\b|on\b|for\b|by\b|and\b|here\b|\w+ly\b)[\w$])|(?:{_USED}) (?=(?:an?|new|novel) ))",
    re.IGNORECASE,
)
_NAME = re.compile(r"[A-Z]\S*(?: [\w-]+){0,3}, (?=an? )")
_PASSIVE = re.compile(
    r"(?P<cell>An? [^,;:.()]+?) (?:is|are|was) (?:\w+ly )?(?:proposed|presented|introduced|developed)\b"
)
_TASK = re.compile(
    rf"{_WE}(?:(?:address|tackl|stud|investigat|consider|examin|explor|analy[sz])\w{{0,3}}|focus(?:es)? on|deals? with)"
    r" (?!an? )(?:the )?(?:(?:\w+ )?(?:problem|task|question|issue|challenge)s? of )?",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r" (?:for|to) ")
# A task is something that is done: its first word, or the head of its first noun phrase, ends as names of activities do.
_DOING = r"(?!(?:application|function|notion|question)\b)\w{2,}(?:ing|[ts]ion|sis|ment|ance|ence)"
_BEHIND = r"(?:of|in|on|for|with|from|over|under|via|by|to|between|among|at|through|using)\b"
_IS_TASK = re.compile(
    rf"(?:the )?(?:\w{{2,}}ing [\w-]+ [\w-]|(?:(?!{_BEHIND})[\w/-]+ ){{0,5}}?{_DOING}(?: {_BEHIND}|$)|(?:[\w/-]+ ){{1,5}}?problems?\b)",
    re.IGNORECASE,
)
_HOW = r" (?:using|via|based on|by means of) "
_TITLE_ENDS = r"(?=:| [-–—]+ | \(|$)"
_TASK_OF_TITLE = re.compile(
    rf" for (?P<purpose>[^:]+?)(?:(?={_HOW})|{_TITLE_ENDS})|(?:^|: | [-–—]+ )(?!An? |Using |Towards? |On )"
    rf"(?:(?P<before>[^:,]+?)(?={_HOW})|(?P<doing>\w{{3,}}ing (?:and \w+ing )?\w[^:,]+?|(?:[\w-]+ ){{0,3}}?{_DOING} of [^:,]+?)"
    rf"(?:(?= (?:by|through) )|{_TITLE_ENDS}))",
    re.IGNORECASE,
)
_METHOD_OF_TITLE = re.compile(
    rf"{_HOW}(?P<how>[^:]+?)(?:(?= for )|{_TITLE_ENDS})|(?:^|: )(?P<what>An? (?!application)[^:]+?)(?= for )",
    re.IGNORECASE,
)
_DATA = re.compile(
    r"\b(?:on|using|over) (?P<cell>(?:the )?(?:[A-Z0-9][\w.-]*,? (?:and )?){1,6}(?:data ?sets?|benchmarks?|corpus|corpora))\b"
    r"(?=[.,;:)]|$| (?:and|with|show\w*|demonstrat\w*|by|in|for|that|which|while|using|to|as|is|are|of)\b)"
)
_CODE = re.compile(
    r"(?:^|[.;:] |\b(?:the|our|all|and) )(?P<cell>(?:(?:open-)?source )?(?:codes?|implementation|software|data ?sets?|trained models)"
    r"(?: and (?:\w+ ){0,3}\w+)? (?:is|are|will be|has been|have been) (?:(?:made |now |also )*)(?:publicly |freely |openly )?"
    r"(?:available|released|open[- ]sourced|public))\b"
    r"|(?:code|implementation|software|data ?sets?|available|released)\b.{0,160}?https?://(?:www\.)?"
    r"(?P<address>(?:git(?:hub|lab)\.com|bitbucket\.org|zenodo\.org|osf\.io|huggingface\.co)/[\w./~-]*\w)",
    re.IGNORECASE,
)
_VERBS = "|".join(sorted((VERBS - AMBIGUOUS) | {third_person(verb) for verb in VERBS - AMBIGUOUS}))
_END = re.compile(
    r"[,;:.!?](?=\s|$)|\s?[()—\[]|\s--?\s"
    r"| (?:that|which|where|whose|while|whereas|when|if|because|since|so|but|such|as|we|called|named)\b"
    rf"| and (?=(?:then|we|is|are|can|it|thus|also|to|{_VERBS}|\w+ed (?:an?|the|its|how))\b)"
)
_CUT = re.compile(r" (?:for|by|using|based on|with|in|on|via|through|under|without)\b")
_LIST = re.compile(r", ?(?:[\w-]+ ){0,5}?(?:and|or) |, ?(?:[\w-]+ ?){1,4},")
_POINTS = re.compile(
    r"\b(?:this|these|those|such|them|it|its|their|they|our|above|following|here|each|other|another|same|latter|former|how|what|whether)\b",
    re.IGNORECASE,
)
_CUT_BADLY = re.compile(r"(?:ed|ing|ly|\bthe \w+|\b(?:with|in|on|for|by|to) an? \w+)$")


def find_places(column: str, text: str) -> Iterator[Place]:
    """Places in an abstract or a section that may say what `column`, one of `COLUMNS`, asks of the work itself."""
    for start, end in sentences_of_paragraphs(text):
        if " | " not in text[start:end]:
            yield from ((start + first, start + last) for first, last in _FINDERS[column](text[start:end]))


def find_in_title(column: str, title: str) -> Iterator[Place]:
    """Places in a title: of "X for Y using Z" Y is the task, and Z the method."""
    pattern = {"Task": _TASK_OF_TITLE, "Method": _METHOD_OF_TITLE}.get(column)
    for match in pattern.finditer(title) if pattern is not None and "?" not in title else ():
        place = match.span(match.lastgroup or 0)
        if _is_whole(title[slice(*place)]) and (column != "Task" or _IS_TASK.match(title[slice(*place)])):
            yield place


def _methods(sentence: str) -> Iterator[Place]:
    if (match := _PASSIVE.match(sentence)) and _is_whole(match["cell"]):
        yield match.span("cell")
    for match in _METHOD.finditer(sentence):
        name = _NAME.match(sentence, match.end())
        phrases = list(_phrase_at(sentence, match.end(), name.end() if name is not None else match.end()))
        # "GraphX, a method" says no more than "GraphX".
        yield from phrases or ([(match.end(), name.end() - 2)] if name is not None else [])


def _tasks(sentence: str) -> Iterator[Place]:
    begins = [match.end() for match in _TASK.finditer(sentence)]
    for match in _METHOD.finditer(sentence):
        name = _NAME.match(sentence, match.end())
        stop = _END.search(sentence, name.end() if name is not None else match.end())
        until = stop.start() if stop is not None else len(sentence)
        begins += [at.end() for at in _PURPOSE.finditer(sentence, match.end(), until)]
    for begin in begins:
        for start, end in _phrase_at(sentence, begin, begin):
            phrase, verb = sentence[start:end], sentence[:begin].endswith(" to ")
            if _IS_TASK.match(phrase) or (verb and phrase.split()[0] in VERBS):
                yield start, end


def _phrase_at(sentence: str, start: int, said_from: int) -> Iterator[Place]:
    """The phrase that begins at `start`: to the end of its clause, or else to a preposition; nothing of a list."""
    match = _END.search(sentence, said_from)
    end = match.start() if match is not None else len(sentence)
    mark = match[0].strip() if match is not None else ""
    in_list = mark == "," and _LIST.match(sentence, end) is not None
    cut_badly = mark.isalpha() and _CUT_BADLY.search(sentence[start:end]) is not None
    if not (in_list or cut_badly or mark in ("(", "[", "such")) and _is_whole(sentence[start:end]):
        yield start, end
        return
    for cut in reversed(list(_CUT.finditer(sentence, said_from, end))):
        phrase = sentence[start : cut.start()]
        if _is_whole(phrase) and not _CUT_BADLY.search(phrase):
            yield start, cut.start()
            return


def _is_whole(phrase: str) -> bool:
    """True for a phrase that ends as a noun phrase or a clause does, and points to nothing outside."""
    words = re.findall(r"[\w%$'-]+", phrase)
    return (
        2 <= len(phrase.split()) <= LONGEST
        and bool(words)
        and may_be_last(words[-1])
        and words[-1].lower() not in STOPWORDS
        and phrase[-1] not in ",-"
        and not _POINTS.search(phrase)
        and _is_readable(phrase)
    )


def _is_readable(phrase: str) -> bool:
    """True for a phrase whose brackets and formulas are whole."""
    return phrase.count("(") == phrase.count(")") and phrase.count("$") % 2 == 0 and plain_text(phrase) is not None


def _data(sentence: str) -> Iterator[Place]:
    if not OTHERS.search(sentence):
        yield from (match.span("cell") for match in _DATA.finditer(sentence))


def _code(sentence: str) -> Iterator[Place]:
    yield from (match.span(match.lastgroup or 0) for match in _CODE.finditer(sentence))


_FINDERS = {"Task": _tasks, "Method": _methods, "Data": _data, "Code": _code}
COLUMNS = tuple(_FINDERS)


def find_clauses(text: str, *, speaking: bool = False) -> Iterator[Place]:
    """The clauses short enough for a cell in which the authors speak of their own work."""
    for start, end in sentences_of_paragraphs(text):
        sentence = text[start:end]
        speaking = speaking or OWN.search(sentence) is not None
        if not speaking or " | " in sentence or OTHERS.search(sentence):
            continue
        for match in re.finditer(r"(?:[^,;:()—]|[,:](?=\S))+", sentence):
            phrase = match[0].strip().rstrip(" .!?")
            at = match.start() + len(match[0]) - len(match[0].lstrip())
            if 3 <= len(phrase.split()) <= LONGEST + 4 and _is_readable(phrase) and not _POINTS.search(phrase):
                yield start + at, start + at + len(phrase)


def has_all_words(column: str, clause: str) -> bool:
    """True if a clause has the content words of an author's column, in whatever form."""
    return bool(_stems(column)) and _stems(column) <= _stems(clause)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in re.findall(r"[^\W_]+", text.lower()) if word not in STOPWORDS)
