"""Key phrases of a text, without a model (RAKE: Rose, Engel, Cramer and Cowley, 2010)."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from citeplug.text.stop_words import STOPWORDS

LONGEST_PHRASE = 4  # words

# Words that end a phrase beside stop words: those in which every abstract is written.
_PAPER_WORDS = """
    ability able achieve achieved achieves achieving addition address addresses aim aims allow allowing allows
    analyze applied apply approach approaches article aspect away became become becomes best better call called
    case cases certain challenge challenges challenging common commonly compare compared comparing consider
    considered consists contribution contributions current currently demonstrate demonstrated demonstrates
    demonstrating describe described describes detail develop developed different discuss discussed done easily
    effective effectively enable enables enabling evaluate evaluated example examples existing experiment
    experimental experiments extensive fact find finding findings focus found framework full fully get give
    gives goal good highly idea important improve improved improvement improvements improves improving include
    includes including introduce introduced introduces introducing investigate issue issues key known lack large
    largely last later lead leading leads let leverage leveraging limitation limitations little made main mainly
    make makes making method methods motivated nearly need needed needs new next non novel obtain obtained
    obtains outperform outperforming outperforms paper papers part particular perform performance performing
    performs popular possible present presented presents previous previously prior problem problems propose
    proposed proposes proposing provide provided provides providing put range really recent recently related
    relevant remains report require required requires research respectively result resulting results section see
    seen show showed showing shown shows significant significantly similar simple simply specifically standard
    state state-of-the-art studied studies study suggest superior technique techniques today traditional
    typically understand useful variety various way ways widely work works
"""
_STOP = STOPWORDS | frozenset(_PAPER_WORDS.split())

_NOT_PROSE = re.compile(r"\$\$?[^$]{0,400}\$\$?|\\[a-zA-Z]+\*?|https?://\S+|\[[^\]]{0,60}\]")
_WITHOUT_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")  # kana, Chinese characters, Thai
_TOKEN = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*|[^\w\s]", re.UNICODE)


def key_phrases(text: str, count: int = 12) -> list[str]:
    """Return at most `count` key phrases of `text`, of 1 to 4 words, the most important first, in lower case.

    A phrase is a run of words between stop words, punctuation and math. Its weight is the sum of its words' weights
    (mean length of the phrases with the word), times the number of its occurrences. A phrase that is part of a
    heavier one is left out.
    """
    runs = Counter(_runs(text))
    occurs: Counter[str] = Counter()
    company: dict[str, int] = defaultdict(int)
    for run, times in runs.items():
        for word in run:
            occurs[word] += times
            company[word] += times * len(run)
    weight = {run: times * sum(company[word] / occurs[word] for word in run) for run, times in runs.items()}
    chosen: list[tuple[str, ...]] = []
    for run in sorted(runs, key=lambda run: (-weight[run], run)):
        if len(chosen) == count:
            break
        if not any(_contains(longer, run) for longer in chosen):
            chosen.append(run)
    return [" ".join(run) for run in chosen]


def content_words(text: str) -> list[str]:
    """The words of `text`, lower case, that are not of grammar or in every paper; of a script without spaces every
    letter is one."""
    return [word for run in _runs(text) for word in run] + _WITHOUT_SPACES.findall(text)


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    run: list[str] = []
    for token in [*_TOKEN.findall(_NOT_PROSE.sub(" . ", text)), "."]:
        word = token.lower().replace("’", "'").removesuffix("'s")
        if len(word) > 1 and word not in _STOP and not word.replace(".", "").isdigit():
            run.append(word)
            continue
        # A longer run is rarely one phrase; its head noun is at its end.
        if run:
            yield tuple(run[-LONGEST_PHRASE:])
        run = []


def _contains(longer: tuple[str, ...], shorter: tuple[str, ...]) -> bool:
    width = len(shorter)
    return any(longer[start : start + width] == shorter for start in range(len(longer) - width + 1))
