"""Phrases that can stand alone in a cell: where one ends in its sentence, and what it must not leave open."""

import re

from citeplug.text.inflection import third_person
from citeplug.text.lexicon import AMBIGUOUS, BARE_PRODUCTS, PRAISE, PRAISE_OF_PRODUCTS, PRODUCTS, VERBS
from citeplug.text.nounphrases import may_be_last
from citeplug.text.plaintext import plain_text
from citeplug.text.stop_words import STOPWORDS

Place = tuple[int, int]  # code points, half-open

LONGEST = 14  # words of a cell
_FEWEST = 2
CLAUSE_END = re.compile(
    r"[,;:.!?](?=\s|$)|\((?![\w-]+\)|or\b)|(?<!\w)\)|—|\s-\s|--| (?:where|which|that|whose|while|whereas|when|if|because|since|so|but|such|as|we)\b"
    r"| and (?=[a-z]+s? (?:an?|the|how|that|whether|its|their|out|up) )"
    rf"| and (?=(?:then|we|is|are|can|it|thus|also|to|{'|'.join(sorted(VERBS - AMBIGUOUS | set(map(third_person, VERBS - AMBIGUOUS))))})\b)"
    r"(?!(?:design|test|model|control|search|estimate|sample|measure|use|study|report|map|plan)s?\b)"
)
_CUTS = re.compile(
    r" (?:for|to|by|using|based on|with|in|on|from|via|through|under|over|within|at|and|without|of|against"
    r"|than|compared|during|across|among|when|combining|called|named|capable|able|consisting|exploiting|leveraging)\b"
)
_LEANS = re.compile(
    r"^(?:when|in|is|are|if|as|for|by|on|from|with|a number of|results?\b|(?:the )?(?:current )?state of the art|an? (?:\w+ )?(?:motivation|description|discussion|overview"
    r"|attempt|insight|evidence|proof|comparison)|this|these|those|such|it|its|their|them|they|both|one|same|the (?:same|above|following|latter|former|first time)"
    r"|how|whether|what|why|that|several (?:approaches|methods)|a (?:variety|number|set|series|class|range|family|way|case"
    r"|lot|means|new way|detailed|brief|list|few)\b(?! of)|each|other|another|all|any|some|here)\b",
    re.IGNORECASE,
)
_ENDS_BADLY = re.compile(
    r"\b(?:the|an?|of|and|or|to|by|in|on|for|with|from|as|at|is|are|its|their|our|this|these|that|such|more|most|very"
    r"|both|new|novel|i\.e|e\.g|based|using|than|not|can|between|many|some|compared|even|including|arising|multiple|deal|obtaining|sense|fact|order|way|manner|over|two|three|several|different|various|first|applicable|al|showing)$",
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
        popular widely-used visual perspective certain appropriate subtask subsystems concrete measure dataset datasets data benchmark benchmarks corpus corpora set sets suite suites general
        simple more complete study studies better improved analysis data-set scheme schemes protocol protocols framework frameworks existing problem problems case setting task
        question issue performance effect effects approach approaches challenging large""".split()
    )
)
_NOT_IN_ONE = re.compile(r"\[|\b(?:called|named|termed|dubbed|i\.e\.|e\.g\.)(?:\s|$)", re.IGNORECASE)
POINTS = re.compile(
    r"\b(?:this|these|those|them|above|aforementioned|following|it|they|here|previously|mentioned|answer|the other|not only)\b",
    re.IGNORECASE,
)


# What may stand behind a clause, and behind an object; and behind a comma that is none between the items of a list.
_CLOSING = frozenset((",", ";", ".", "!", "?", "and", "while", "whereas", "but"))
_CLOSING_OBJECT = _CLOSING | frozenset(
    ("that", "which", "where", "whose", "(", ")", "—", "-", "--", ":", "so", "and then", "we")
)
_GOES_ON_AFTER_CLAUSE = re.compile(
    r" (?:while|whereas|and (?:that|we|it|they|can|has|is|are)|but|thus|thereby|as compared|compared|making|leading"
    r"|outperforming|achieving|improving|matching|showing|suggesting|indicating|with an? )\b"
)
_GOES_ON = re.compile(
    r" (?:which|where|whose|who|while|and (?:we|show|then|is|are|it|use|apply|evaluate|demonstrate|provide|discuss|analy\w+|prove)"
    r"|thus|by|with|using|in (?:which|order|the)|for|based|called|named|namely|as|that|so|to|without|under|given|via|through"
    r"|inspired|motivated|we|\w+ing)\b"
)


_CUT_BADLY = re.compile(r"(?:ed|driven|given|shown|known|taken|made|built|drawn|chosen|\bthe \w+)$")


def phrase_at(sentence: str, start: int, *, shorten: bool = True, said_from: int | None = None) -> Place | None:
    """The phrase that begins at `start`: to the end of its clause, or, if it is to be shortened, to a part of it.

    `said_from` is where the clause goes on behind a name that stands first.
    """
    found = CLAUSE_END.search(sentence, said_from or start)
    end = found.start() if found is not None else len(sentence)
    end = start + len(sentence[start:end].rstrip())
    listed = found is not None and found[0] == "," and in_list(sentence, end)
    closed = found is None or found[0].strip() in (_CLOSING if not shorten else _CLOSING_OBJECT)
    if found is not None and found[0] == ",":
        closed = (_GOES_ON if shorten else _GOES_ON_AFTER_CLAUSE).match(sentence, found.end()) is not None
    if not listed and closed and fits(sentence[start:end]):
        return start, end
    if not shorten:
        return None
    for cut in reversed(list(_CUTS.finditer(sentence, said_from or start, end))):
        if (
            cut[0] != " and"
            and cut[0] != " of"
            and fits(said := sentence[start : cut.start()])
            and not _CUT_BADLY.search(said)
        ):
            return start, cut.start()
    return None


def in_list(sentence: str, comma: int) -> bool:
    """True if the comma is one between the items of a list."""
    rest = re.match(r", ?(?:[\w-]+ ){0,5}?(?:and|or) |, ?(?:[\w-]+ ?){1,4},", sentence[comma:])
    return rest is not None


def fits(phrase: str) -> bool:
    return _FEWEST <= len(phrase.split()) <= LONGEST and stands(phrase)


def stands(phrase: str) -> bool:
    """True if a phrase can be read alone: nothing in it points outside, and nothing was cut off."""
    last = re.findall(r"[\w%$'-]+", phrase)
    return (
        bool(last)
        and len(phrase.split()) <= LONGEST
        and not _LEANS.match(phrase)
        and not _NOT_IN_ONE.search(phrase)
        and not all(word.lower() in _SAYING_NOTHING for word in re.findall(r"[\w-]+", phrase))
        and not _ENDS_BADLY.search(phrase)
        and not POINTS.search(phrase)
        and (may_be_last(last[-1]) or re.search(r"\d|%|\$", last[-1]) is not None or len(phrase.split()) > 3)
    )


def readable(phrase: str) -> bool:
    """True for a phrase whose brackets and formulas are whole."""
    return phrase.count("(") == phrase.count(")") and phrase.count("$") % 2 == 0 and plain_text(phrase) is not None
