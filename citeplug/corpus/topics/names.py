"""Words and phrases of records, and names for topics: those that set each apart from the others."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

_WORD = re.compile(r"[a-z][a-z0-9]+(?:-[a-z0-9]+)*|[.,;:?!()]")
# Formulas, commands and addresses are not words.
_ACCENT = re.compile(r"\\[\"'`^~=.]\s?|[{}]")
_NO_PROSE = re.compile(r"\$\$?[^$]{0,300}\$\$?|\\[A-Za-z]+\*?|https?://\S+")
# Words of papers on every subject, which name no topic, beside the stop words of English.
PROSE = frozenset(
    """
    able abstract achieve achieved achieves achieving actual additional additionally address addressed addresses
    addressing advantage advantages aim aims allow allowing allows alternative amount analyse analysed analyses
    analyze analyzed analyzing applied apply applying approach approaches appropriate arbitrary article aspect
    aspects assess associated assume assumed assumption assumptions attempt author authors available basic basis
    become becomes becoming behavior behaviour benefit benefits best better call called capable case cases
    certain challenge challenges challenging characteristic characteristics characterize choice clear clearly
    combine combined combining common commonly compare compared comparing comparison complete completely
    comprehensive compute computed computing concept concepts concern conclude conclusion condition conditions
    conduct conducted consider considered considering considers consist consistent consists construct
    constructed contain contains context contribute contribution contributions corresponding critical crucial
    current currently data deal define defined definition demonstrate demonstrated demonstrates demonstrating
    depend depends derive derived describe described describes describing designed desired detail detailed
    details determine determined develop developed developing development develops difference differences
    different difficult difficulty direct directly discuss discussed discusses discussion done easily easy
    effective effectively effectiveness efficiency efficient efficiently effort emerging employ employed enable
    enables enabling end enhance entire essential establish established evaluate evaluated evaluating evidence
    exactly examine examined example examples exhibit exist existence existing exists experimental
    experimentally explain exploit explore explored extend extended extension extensive extra extract facilitate
    fact factor factors finally find finding findings finds focus focused focuses follow followed following
    follows form formalism formulate formulated formulation found framework frameworks full fully fundamental
    future gain general generalize generally generate generated generic get give gives giving go goal good great
    greater growing hand handle help high higher highly idea ideas identified identify illustrate illustrated
    impact implement implementation implementations implemented implies imply importance important impose
    improve improved improvement improvements improves improving include included includes including increase
    increased increases increasing increasingly independent indicate indicates individual initial input instance
    instances interest interesting introduce introduced introduces introducing introduction investigate
    investigated investigates investigation involve involved involving issue issues keep kind kinds know known
    lack large larger largest last later lead leading leads likely limit limitation limitations limited limits
    literature little long low lower made main mainly major make makes making manner mean means measure measured
    measures mechanism mechanisms method methodology methods modeled modern mostly motivated move multiple name
    nature necessary need needed needs new next non novel numerous observe observed obtain obtained obtaining
    obtains offer offers open original outperform outperforms output overall overcome overview paper papers part
    particular perform performed performing performs perspective perspectives popular possible potential
    potentially practical practice precise presence present presented presenting presents prevent previous
    previously principle prior procedure procedures produce produced produces project promising proof propose
    proposed proposes proposing prove proved proven provide provided provides providing purpose put quality
    quantitative questions range reach real realistic realize reason recent recently reduce reduced reduces
    reducing regarding related relationship relative relatively relevant reliable rely remain remains report
    reported reports represent represented require required requirement requires requiring research researchers
    respect respectively result resulting results reveal review satisfy scenario scenarios scheme schemes scope
    section see seem seems seen serious setting settings severe short show showed showing shown shows side
    significance significant significantly similar simple simply single situation situations smaller solve
    solved solving sophisticated special specific specifically standard state-of-the-art statement step steps
    straightforward strategies strategy studied studies study studying sub subject subsequent substantial
    success successful successfully suffer sufficient suggest suggested suggests suitable supports take
    technique techniques technologies technology term terms tested tests theoretical thesis things thorough top
    traditional twelve twenty typical typically understand understanding unified unique unknown useful usual
    utilize variety various vary varying version view way ways wide widely wider work works world yield yields
    """.split()
)
# Words that are meaningful only in phrases: `field theory`, `time series`, `language models`.
VAGUE = frozenset(
    """
    analysis application applications class classes code complex database databases dataset datasets design domain
    domains effect effects estimation evaluation exact experiment experiments feature features field fields formal
    function functions generation history information key knowledge level levels model modeling modelling models
    natural number numbers order parameter parameters performance point points problem problems process processes
    processing question rate rates relation relations representation representations requirements role scale set
    sets simulation simulations small solution solutions source space spaces state states strong structure
    structures support survey system systems task tasks test testing text theories theory time times tool tools
    transition true type types user users value values variable variables
    """.split()
)

WORDS = 10  # listed for each topic
_IN_NAME = 3
_LONGEST = 6  # parts of a name that others would have too
_LEAST = 0.002  # of the records must have a term, and three of them at least
_MOST_TERMS = 40_000
_LENGTH = (1.0, 1.6, 1.9)  # by words in it: a phrase says more than a word that is a little more frequent


def topic_names(
    documents: Sequence[list[str]], topics: Sequence[int | None], count: int
) -> list[tuple[str, tuple[str, ...]]]:
    """(name, words) of each topic, all names different. `topics` has that of each document, from 0.

    Class-based TF-IDF (BERTopic, Grootendorst 2022, section 3.4), a term counted once in a document: its share of
    the topic's terms, times log(1 + mean of all topics / all its counts). Deterministic.
    """
    terms, counts = _counts(documents, topics, count)
    totals = counts.sum(axis=1, keepdims=True)
    everywhere = counts.sum(axis=0)
    scores = counts / np.maximum(totals, 1) * np.log1p(totals.mean() / np.maximum(everywhere, 1))
    if terms:
        scores *= np.array([_LENGTH[term.count(" ")] for term in terms])
    names: list[tuple[str, tuple[str, ...]]] = []
    taken: set[str] = set()
    for row in scores:
        order = np.lexsort((np.arange(len(terms)), -row))[:200]
        parts = _apart([terms[column] for column in order if row[column] > 0])
        names.append((_new(parts, taken), tuple(parts[:WORDS])))
        taken.add(names[-1][0])
    return names


def _counts(
    documents: Sequence[list[str]], topics: Sequence[int | None], count: int
) -> tuple[list[str], NDArray[np.float64]]:
    """Terms, and in how many documents of each topic each is, (topics, terms)."""
    stop = PROSE | STOPWORDS
    spread: Counter[str] = Counter()
    for words in documents:
        spread.update(set(words_and_phrases(words, stop)))
    least = max(min(3, len(documents) // 10), _LEAST * len(documents) / max(1, count))
    candidates = sorted((-n, term) for term, n in spread.items() if n >= least and term not in VAGUE)[:_MOST_TERMS]
    terms = sorted(term for _, term in candidates)
    column = {term: number for number, term in enumerate(terms)}
    counts = np.zeros((count, len(terms)))
    for words, topic in zip(documents, topics, strict=True):
        if topic is not None:
            having = {column[term] for term in words_and_phrases(words, stop) if term in column}
            counts[topic, list(having)] += 1
    return terms, counts


def _apart(ranked: Sequence[str]) -> list[str]:
    """Return the terms without repetitions of better ones, such as `network` after `neural networks`."""
    terms: list[str] = []
    heard: set[str] = set()
    for term in ranked:
        stems = {stem(word) for word in term.split()}
        if not stems & heard:
            terms.append(term)
            heard |= stems
    return terms


def _new(parts: Sequence[str], taken: set[str]) -> str:
    for size in range(_IN_NAME, _LONGEST + 1):
        name = ", ".join(parts[:size])
        if name and name not in taken:
            return name
    name = ", ".join(parts[:_IN_NAME]) or "without distinctive words"
    number = 2 if name in taken else 0
    while number and f"{name}, {number}" in taken:
        number += 1
    return f"{name}, {number}" if number else name


def words_of(text: str) -> list[str]:
    """Return the words of a title or an abstract in order, in lower-case ASCII, and the stops between them.

    Formulas are left out.
    """
    plain = (
        unicodedata.normalize("NFKD", _ACCENT.sub("", _NO_PROSE.sub(" ", text)))
        .encode("ascii", "ignore")
        .decode("ascii")
    )
    return _WORD.findall(plain.lower())


def words_and_phrases(words: list[str], stop: frozenset[str]) -> Iterator[str]:
    """Yield words that are not in `stop`, and phrases of two or three adjacent ones."""
    before: list[str] = []
    for word in words:
        if word in stop or len(word) < 3:
            before = []
            continue
        yield word
        before = [*before[-2:], word]
        for start in range(len(before) - 1):
            yield " ".join(before[start:])
