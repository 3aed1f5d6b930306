"""Queries in arXiv's language from plain words (arxiv-api.md, traps 8 to 12).

By hand, since the `arxiv` package sends a query as it is given.
"""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

from citeplug.records.paper import Clue
from citeplug.text.stop_words import STOPWORDS

MOST_TERMS = 12
_MOST_TOGETHER = 3
_MOST_PHRASES = 3
_LONGEST_TERM = 60  # characters
_FIRST_DAY = date(1980, 1, 1)  # before arXiv began: some records carry the date of the paper itself

_LONGEST_DOI = 120  # characters; those of 22,591 records have 107 at most
# The server takes a parenthesis for one even within quotes, and then refuses the whole request (arxiv-api.md, 24).
_SENDABLE_DOI = re.compile(r"10\.\d{4,9}/[A-Za-z0-9._:;/-]+")
_OF_APS = re.compile(r"10\.1103/([a-z]+)\.([a-z0-9.-]+)", re.IGNORECASE)
_APS_NAMES = {
    name.lower(): name
    for name in """
        PhysRev PhysRevA PhysRevB PhysRevC PhysRevD PhysRevE PhysRevX PhysRevLett PhysRevApplied PhysRevResearch
        PhysRevFluids PhysRevMaterials PhysRevAccelBeams PhysRevSTAB PhysRevPhysEducRes PRXQuantum RevModPhys
    """.split()
}

# Words that say nothing of a paper's subject, beside stop words: those of any text,
_FILLERS = """
    allow allowing allows andnot away best better case cases come done far found full fully get give gives go
    good kind known large largely last later let likely little long low lower made mainly make makes making
    nearly need needed needs new next non part possible possibly really see seen similar simply single small
    type types useful user various want way ways zero
"""
# and those of every abstract, which may still be half of a phrase ("knowledge graph").
_EVERYDAY_WORDS = """
    able ability abstract accurate achieve achieved achieves achieving active additional address addresses aim
    aims algorithm algorithms amount analyse analyses analysis analyze apply applied application applications
    approach approaches appropriate arbitrary area article aspect aspects associated assume assumption available
    average basic behavior benefit broad call called certain challenge challenges challenging change class
    classical clear combine combined combining common commonly compare compared comparable comparing comparison
    complete complex component components comprehensive compute concept conclude condition conditions consider
    considered consists context contribute contribution contributions conventional corresponding crucial current
    currently data define defined demonstrate demonstrated demonstrates demonstrating depend depending derive
    derived describe described describes design designed detail detailed determine develop developed developing
    development difference different difficult direct directly discuss discussed easily easy effect effective
    effectively effectiveness effects efficiency efficient efficiently eight employ enable enables end enough
    ensure entire establish estimate evaluate evaluated evaluation evidence example examples existing experiment
    experimental experiments explicit explore exploit extend extended extension extensive extensively fact factor
    factors feature features field final finally find finding findings finite focus focused following follows form
    framework frameworks free function functions fundamental future general generally generate generated global
    goal great group handle help high higher highly idea identify illustrate impact implement implementation
    implemented implications importance important improve improved improvement improvements improves improving
    include includes including increase increased increasing increasingly independent individual influence
    information initial input insight insights interest interesting introduce introduced introduces introducing
    investigate investigated involve involves issue issues key knowledge lack lead leading leads learn learned
    level levels leverage leveraging limit limitation limitations limited line local main maintain major manner
    mathematical means measure method methodology methods model modeling models modern motivated multiple name
    natural necessary note notion novel number numbers numerical numerous observe observed obtain obtained
    obtaining offer offers open optimal order original outperform outperforms output overall overcome paper papers
    parameter parameters particular particularly perform performance performed performing performs point points
    popular potential potentially practical practice precise present presented presents previous previously prior
    problem problems procedure process processes produce promising proof proper properties property proposal
    propose proposed proposes proposing prove proved provide provided provides providing public published purpose
    quality question questions random range rate real realistic reason recent recently reduce reduced reducing
    regard related relation relative relevant reliable rely report reported represent require required
    requirements requires research researchers respect respectively result resulting results review role run
    scenario scenarios scheme scientific section select set sets setting settings show showed showing shown shows
    significant significantly simple size solution solutions solve solving source special specific specifically
    standard state step strategies strategy strong structure studied studies study subject successful successfully
    suggest suggests suitable support survey system systems take takes task tasks technique techniques term terms
    test tested theoretical theory time times today tool tools total traditional true try understand understanding
    unified unique unknown usage usual valid validate value values variety version view vs widely wide work works
    yield yields state-of-the-art art
"""
_EMPTY = STOPWORDS | frozenset(_FILLERS.split())
_EVERYDAY = frozenset(_EVERYDAY_WORDS.split())
_SHORT = 6  # words of content: in a question as short as that each was chosen with care

_TEX = re.compile(r"\\[A-Za-z]+\*?|\\.|\$+|[{}~^_]")
_MATH = re.compile(r"\$[^$]{0,200}\$|\\\(.{0,200}?\\\)")
_ACCENT = re.compile(r"""\w*\\(?:["'`^~=.]|[uvHcdbkrt](?=[{ \\]))\s*\{?\\?\w\}?\w*""")
_WORD = re.compile(r"\w[\w'’-]*\w|\w")
_ASCII_WORD = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")


def search_query(text: str, before: date | None = None, *, all_of_them: bool = True) -> str | None:
    """A query for papers about `text`, first submitted before the day `before`; None if it says nothing to search for.

    Asked for are the words and phrases that stand out in `text`, at most twelve. Up to three have to occur all, unless
    `all_of_them` is False; of more any one will do, and arXiv's ranking puts first what has many (on 170 abstracts,
    asking for two of them together lost a fifth of the cited papers among the first 100). The query is ASCII, every
    field is written out, everything is in parentheses.
    """
    fields = [_field(term) for term in dict.fromkeys(salient_terms(text))][:MOST_TERMS]
    if not fields or (before is not None and before <= _FIRST_DAY):
        return None
    # The server reads A AND B OR C as A AND (B OR C): nothing is left to precedence.
    together = all_of_them and len(fields) <= _MOST_TOGETHER
    query = fields[0] if len(fields) == 1 else "(" + (" AND " if together else " OR ").join(fields) + ")"
    if before is not None:
        query += f" AND submittedDate:[{_FIRST_DAY:%Y%m%d}0000 TO {before - timedelta(days=1):%Y%m%d}2359]"
    return query


def in_categories(query: str, categories: Sequence[str]) -> str:
    """The query, for papers that are listed in one of the categories; `cs` takes the whole archive."""
    if not categories:
        return query
    fields = []
    for name in categories:
        fields.append(f"cat:{name}")
        if "." not in name:
            fields.append(f"cat:{name}.*")  # not every archive is divided
    return f"({query}) AND ({' OR '.join(fields)})"


def clue_query(clues: Sequence[Clue]) -> str | None:
    """A query for papers that fit one of the clues or more; None if no clue has a word or a DOI that can be sent."""
    asked = []
    for clue in clues:
        asked += [f'doi:"{form}"' for form in _doi_forms(clue.doi or "")]
        words = [word for word in clue.words if _ASCII_WORD.fullmatch(word) and len(word) <= _LONGEST_TERM]
        fields = [f"ti:{word}" if word.isalnum() else f'ti:"{word}"' for word in words]
        if words and clue.surname and clue.surname.isascii() and clue.surname.isalnum():
            fields.append(f"au:{clue.surname}")
        if fields:
            asked.append("(" + " AND ".join(fields) + ")")
    return " OR ".join(dict.fromkeys(asked)) or None


def _doi_forms(doi: str) -> list[str]:
    """The spellings under which a record may have the DOI; none if it cannot be sent.

    The server compares whole DOIs, letter by letter. Of the records' DOIs with a letter, most are in lower or in upper
    case throughout, and nearly all others are of one publisher, whose capitals are known.
    """
    if len(doi) > _LONGEST_DOI or not _SENDABLE_DOI.fullmatch(doi):
        return []
    journal = _OF_APS.fullmatch(doi)
    name = _APS_NAMES.get(journal[1].lower()) if journal else None
    usual = f"10.1103/{name}.{journal[2].upper()}" if journal and name else doi.upper()
    return list(dict.fromkeys((doi, doi.lower(), usual)))


def salient_terms(text: str) -> list[str]:
    """At most twelve words and two-word phrases that tell what `text` is about, the most telling first.

    All are lower-case ASCII; a word that TeX or another alphabet accents is left out as a whole, since arXiv
    folds no accents. Phrases that are repeated come first, then words (theirs too) by how often they occur, in
    the first sentence twice as much, and by their length, which stands for rarity.
    """
    words = _content_words(text)
    if len({word.lower for word in words}) <= _SHORT:
        return list(dict.fromkeys(word.lower for word in words))
    weights: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for word in words:
        weights[word.lower] += word.weight
    for left, right in pairwise(words):
        if right.follows and left.lower != right.lower and not {left.lower, right.lower} <= _EVERYDAY:
            pairs[left.lower, right.lower] += 1
    phrases = [" ".join(pair) for pair, count in pairs.most_common(_MOST_PHRASES) if count > 1]
    rest = [word for word, _ in weights.most_common() if word not in _EVERYDAY]
    return (phrases + rest)[:MOST_TERMS]


class _Word(NamedTuple):
    """A word of content. `follows`: only white space is between it and the one before; `weight`: larger tells more."""

    lower: str
    weight: int
    follows: bool


def _content_words(text: str) -> list[_Word]:
    blanked = _blank_tex(text)
    opening = len(re.split(r"(?<=[.?!])\s", blanked, maxsplit=1)[0])
    words: list[_Word] = []
    end = -1
    for match in _WORD.finditer(blanked):
        word = match[0].lower()
        if len(word) < 2 or word in _EMPTY or not _ASCII_WORD.fullmatch(word):
            continue
        # Acronyms are rare words, however short.
        rarity = 12 if match[0].isupper() else min(len(word), 12)
        emphasis = 2 if match.start() < opening else 1
        words.append(_Word(word, emphasis * (6 + rarity), end >= 0 and blanked[end : match.start()].isspace()))
        end = match.end()
    return words


def _blank_tex(text: str) -> str:
    """`text` at the same length, with TeX and whatever it accents replaced."""
    for pattern in (_MATH, _ACCENT, _TEX):
        text = pattern.sub(lambda match: "." * len(match[0]), text)
    return text


def _field(term: str) -> str:
    # Without quotes a second word falls out of the field, and the server splits at hyphens.
    return f"all:{term}" if term.isalnum() else f'all:"{term}"'
