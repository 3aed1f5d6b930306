"""Methods, data sets and models that a draft names and whose papers it does not cite.

A name belongs to the paper whose title it opens ("SQuAD: 100,000+ Questions ..."), if that paper is the only one, no
older record has the name, and it is near the draft in meaning. In 11,312 abstracts of arXiv by which nothing was
chosen 87 names pass, and 85 of them are those of the paper offered. Names that only an abstract introduces are left
alone: 3 of 28 were.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from citeplug.records.draft import Draft
from citeplug.records.paper import Paper
from citeplug.records.prose import ProseParagraph, ProseSentence
from citeplug.text.sentences import split_sentences

NEAR = 0.45  # cosine of the paper and the draft's abstract or the paragraph: below it most names are another thing's
MOST = 80  # names that are looked up

_NAME = re.compile(r"(?<![\w\\/.@-])[A-Za-z][A-Za-z0-9]*(?:[-+.][A-Za-z0-9]+)*\+*(?![\w/@])")
_SHORTEST, _LONGEST = 3, 30
# Between v1 and the first record that has the name: works of one month name each other.
_MONTH = timedelta(31)
_MAKING = (
    r"(?:propos|introduc|present|develop|design|releas|describ|call|nam|term|dub|defin|devis|built|build|implement)\w*"
)
_NOT_BETWEEN = r"(?:and|or|with|on|from|using|in|for|of|by)\b"


@dataclass(frozen=True, slots=True)
class Named:
    """A name, its first sentence with the paragraph of it, and the number of sentences that have it."""

    name: str
    paragraph: ProseParagraph
    sentence: ProseSentence
    times: int


def names_without_citation(draft: Draft, prose: Sequence[ProseParagraph]) -> list[Named]:
    """Return the names in the text, the most frequent first, that no sentence has together with a citation.

    Names that the draft gives to what is its own are left out.
    """
    found: dict[str, Named] = {}
    cited: set[str] = set()
    for paragraph in prose:
        for sentence in paragraph.sentences:
            names = {match[0] for match in _NAME.finditer(sentence.text) if _is_name(match[0])}
            cited |= names if sentence.keys else set()
            for name in sorted(names):
                first = found.get(name)
                if first is None:
                    found[name] = Named(name, paragraph, sentence, 1)
                else:
                    found[name] = Named(name, first.paragraph, first.sentence, first.times + 1)
    abstract = [draft.abstract[start:end] for start, end in split_sentences(draft.abstract)]
    texts = [*abstract, *(sentence.text for paragraph in prose for sentence in paragraph.sentences)]
    free = sorted((each for name, each in found.items() if name not in cited), key=lambda each: -each.times)
    return [each for each in free[: 2 * MOST] if not _is_own(each.name, draft.title, texts)][:MOST]


def paper_of(name: str, titled: Iterable[Paper], beside: Iterable[Paper]) -> Paper | None:
    """Return the paper that introduces a name; None if none does, or several.

    `titled` are records with the name in their titles, `beside` others that may have it.
    """
    known = {paper.id.value: paper for paper in (*titled, *beside)}
    opened = [paper for paper in known.values() if opens_with(paper.title, name)]
    if len(opened) != 1 or not opened[0].complete:
        return None
    word = _as_word(name)
    first = min(paper.published for paper in known.values() if word.search(f"{paper.title} {paper.abstract}"))
    return opened[0] if opened[0].published <= first + _MONTH else None


def ends_in_name(text: str) -> str | None:
    """Return the name that a text ends in, None if it ends in no name."""
    end = text[-_LONGEST - 1 :].rstrip(" ,~([")
    last = next((match[0] for match in _NAME.finditer(end) if match.end() == len(end)), None)
    return last if last is not None and _is_name(last) else None


def opens_with(title: str, name: str) -> bool:
    """Return True if a title opens with a name and a colon or a dash, as that of a paper does that introduces it."""
    return re.match(rf"{re.escape(name)}\s*(?::|--|–|—)\s", title) is not None


def is_cited(name: str, draft: Draft, cited: Collection[str]) -> bool:
    """Return True if the draft cites an entry with the name in its title; `cited` are keys in small letters."""
    word = _as_word(name)
    return any(
        word.search(entry.fields.get("title", "").replace("{", "").replace("}", ""))
        for entry in draft.entries
        if entry.key.lower() in cited or "*" in cited
    )


def _is_name(word: str) -> bool:
    """Return True for a word with a capital after its first letter, or with letters and digits, as names have."""
    if not _SHORTEST <= len(word) <= _LONGEST:
        return False
    return any(letter.isupper() for letter in word[1:]) or (len(word) > _SHORTEST and any(map(str.isdigit, word)))


def _is_own(name: str, title: str, sentences: Sequence[str]) -> bool:
    """Return True if the draft gives the name: in its title, or as "we propose NAME", "our NAME", "called NAME"."""
    word = _as_word(name).pattern
    if re.search(word, title):
        return True
    given = re.compile(
        rf"\b(?:our|{_MAKING}|namely)\b[\s,:]+(?:(?!{_NOT_BETWEEN})[\w-]+[\s,:]+){{0,4}}?[\"“`']*{word}", re.IGNORECASE
    )
    short = re.compile(
        rf"\b(?:we|our|this (?:paper|work|article))\b[^.;]*?\b{_MAKING}\b[^.;]*?\(\s*{word}\s*\)", re.IGNORECASE
    )
    return any(given.search(each) or short.search(each) for each in _with(name, sentences))


def _with(name: str, sentences: Sequence[str]) -> Iterator[str]:
    return (each[:1000] for each in sentences if name in each)


def _as_word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?!\w)")
