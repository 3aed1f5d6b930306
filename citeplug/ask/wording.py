"""Sentences of a passage as an answer: whole, with what they lean on, abbreviations written out, and definitions."""

import re
from collections.abc import Iterable, Mapping

from citeplug.related.write.extractive.wording import PAPER_NOUN, expansion, leans_outside
from citeplug.text.sentences import sentences_of_paragraphs
from citeplug.text.stems import telling_stems
from citeplug.text.stop_words import STOPWORDS
from citeplug.text.table_rows import shown_row

_BLANK = re.compile(r"\n\n+")
_SHORT_FORM = re.compile(r"\(([A-Z][\w-]*[A-Z][\w-]*?)s?\)")
_OF_THE_PAPER = re.compile(rf"\bth(?:is|ese) (?:\w+ )?{PAPER_NOUN}s?\b", re.IGNORECASE)
_SUBJECTS = frozenset("it its they their".split())
# The joining adverbs that are no stop words.
_JOINING = re.compile(
    r"(?:in addition|for (?:example|instance)|as a (?:result|consequence)|finally|lastly|additionally|consequently"
    r"|accordingly|similarly|conversely)\b",
    re.IGNORECASE,
)
_OPENS = "\"'“‘$([\\•*"  # signs with which a sentence may begin
SHORTEST = 4  # words of a sentence
_ENDS = frozenset('.!?"”)')  # of a whole one
_MOST_BEFORE = 2  # sentences that a quotation has before the one that answers
_MOST_AFTER = 3
_COUNTED = re.compile(r"(?:First|Second|Third)(?:ly)?\b")  # "The motivations are twofold. First, ..."
_TERM = re.compile(
    r"\W*(?:what (?:is|are(?! (?:the|their|its)\b))|define)(?: meant by)? (?:an? |the )?(?P<what>[^?]+?)\??\W*"
    r"|\W*who (?:first )?(?:proposed|introduced|presented|developed|invented) (?P<made>[^?]+?)\??\W*"
    r"|\W*what does (?P<short>[^?]+?) (?:mean|stand for|refer to)\??\W*",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"\bwe (?:\w+ ){0,2}(?:review|survey|discuss|outline|overview|summari[sz]e|consider the)\b"
    r"|\b(?:is|are) (?:reviewed|surveyed|discussed|outlined|summari[sz]ed)\b",
    re.IGNORECASE,
)
_LONGEST_TERM = 5  # words
# "What is the size of the sample?" wants no definition.
_OF_SOMETHING = re.compile(
    r"\b(?:of|for|in|with|between|behind|to|most|best)\b|['’]s\b|\b(?:this|their|its|new|wrong|done|used)\b"
)
_BEFORE_SUBJECT = r"(?:[A-Z][\w ]+[,:] )?(?:an? |the )?(?:(?:\w+ )?(?:field|notion|concept|idea) of (?:an? |the )?)?"
_DEFINED = (
    r"(?:\s*\([^()]*\))?,? (?:(?:(?:is|are) )?(?:an?|the|one)\b|are (?!\w+ed\b)|means?\b|refers? to\b|denotes?\b"
    r"|consists? of\b|aims?\b)"
)


def leans(sentence: str) -> bool:
    """True if a sentence joins on to the one before it, as what is behind a formula does, or says "this" or "such"
    of what it does not name.
    """
    if shown_row(sentence) is not None:
        return False
    begins = sentence[:1]
    first = re.match(r"(\w+)(,?)", sentence.lower())
    joined = first is not None and (first[1] in _SUBJECTS or (bool(first[2]) and first[1] in STOPWORDS))
    return (
        begins.islower()
        or not (begins.isalnum() or begins in _OPENS)
        or joined
        or _JOINING.match(sentence) is not None
        or leans_outside(_OF_THE_PAPER.sub("", sentence))
    )


def with_context(text: str, start: int, end: int, *, continued: bool = False) -> tuple[int, int] | None:
    """The place of a sentence with those of its paragraph that it leans on or announces; None if it stays unclear.

    If it is to be `continued`, the next one is in it that leans on it: "This is because ..." has the reason.
    """
    places = [place for place in sentences_of_paragraphs(text) if not _BLANK.search(text, *sorted((place[0], start)))]
    first = last = places.index((start, end))
    while leans(text[slice(*places[first])]):
        if first == 0 or last - first == _MOST_BEFORE:
            return None
        first -= 1
    while last + 1 < len(places) and last - first < _MOST_AFTER and _COUNTED.match(text, places[last + 1][0]):
        last += 1
    if continued and last + 1 < len(places) and leans(text[slice(*places[last + 1])]):
        last += 1
    return places[first][0], places[last][1]


def is_whole(sentence: str) -> bool:
    """True if it ends as sentences do; a list's item or a heading may not."""
    return sentence[-1] in _ENDS


def announces(sentence: str) -> bool:
    """True if a sentence says what a paper treats ("we survey ..."), and not what it says of it."""
    return _ANNOUNCED.search(sentence) is not None


def short_forms(texts: Iterable[str]) -> dict[str, str]:
    """The abbreviations that texts introduce in parentheses, with what they stand for (Schwartz and Hearst)."""
    text = "\n".join(texts)
    terms = {}
    for short in dict.fromkeys(_SHORT_FORM.findall(text)):
        long = expansion(short, text, plural=False) or expansion(short, text, plural=True)
        if long is not None:
            terms[short] = long
    return terms


def written_out(sentence: str, forms: Mapping[str, str]) -> str:
    """A sentence with its abbreviations in full, to be compared; one that it introduces itself stays."""
    absent = {short: long for short, long in forms.items() if long.lower() not in sentence.lower()}
    if not absent:
        return sentence
    names = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, absent))})(?=s?\b)")
    return names.sub(lambda match: absent[match[1]], sentence)


def asked_term(question: str) -> str | None:
    """The term that a question wants defined, or its origin ("What is X?", "Who proposed X?"); None if it asks for
    something else.
    """
    match = _TERM.fullmatch(question)
    term = match and (match["what"] or match["short"] or match["made"])
    words = term.split() if term else []
    # "What is it used for?" asks for something else.
    is_term = 0 < len(words) <= _LONGEST_TERM and words[-1].lower() not in STOPWORDS
    return term if term and is_term and not _OF_SOMETHING.search(term) else None


def is_named(question: str, title: str) -> bool:
    """True if a question has the title of a paper, two words or more, or the name before its colon ("DropEdge: ...")."""
    name, colon, _ = title.partition(":")
    has_name = bool(colon) and re.search(rf"(?<![\w-]){re.escape(name.strip())}(?![\w-])", question) is not None
    words = telling_stems(title)
    return has_name or (len(words) > 1 and words <= telling_stems(question))


def defines(sentence: str, term: str, forms: Mapping[str, str]) -> bool:
    """True if a sentence says what a term is: "X is a ...", "We propose X", or introduces it as an abbreviation."""
    name = re.escape(term)
    if term in forms and forms[term].lower() in sentence.lower():
        return True
    begins = re.match(rf"{_BEFORE_SUBJECT}{name}(?:e?s)?{_DEFINED}", sentence, re.IGNORECASE)
    within = re.search(
        rf"\b{name}(?:e?s)?(?:\s*\([^()]*\))?[\"'”’]* (?:means|denotes?|refers? to|(?:is |are )?defined as)\b"
        rf"|\b{name}(?:e?s)?(?:\s*\([^()]*\))?[\"'”’]*(?:, (?:an?|the|one)|:) \w"
        rf"|\b(?:propos|introduc|present|develop)(?:e|es|ed|ing|s)? (?:an? |the )?[\"'“‘]*{name}\b"
        rf"|\b(?:called|termed|named|known as|referred to as|call (?:this|these|it)) (?:an? |the )?[\"'“‘]*{name}\b",
        sentence,
        re.IGNORECASE,
    )
    return begins is not None or within is not None


def is_about(sentence: str, term: str) -> bool:
    """True if a term is the subject with which a sentence begins."""
    return re.match(rf"{_BEFORE_SUBJECT}{re.escape(term)}(?:e?s)?\b", sentence, re.IGNORECASE) is not None
