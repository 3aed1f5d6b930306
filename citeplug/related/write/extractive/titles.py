"""Works named by their titles: what a title is on, in the middle of a sentence."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from citeplug.records.paper import Paper
from citeplug.records.section import Source
from citeplug.related.plan.themes import UNCOUNTED, before_method
from citeplug.related.write.extractive.statements import content_words
from citeplug.text.cited_text import MARKER
from citeplug.text.letters import is_common
from citeplug.text.lexicon import BARE_PRODUCTS, PRODUCTS
from citeplug.text.nounphrases import lower_in_sentence, noun_phrases, singular, small_words
from citeplug.text.plaintext import plain_text
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

_FEWEST, _MOST = 3, 16  # words of a title's main part
_BRIEF = 8  # words of it before the authors
_SLOGAN = 4  # words
_NAMES = 2  # times as often with a capital as without
_ON = re.compile(r"^(?:On|(?:A )?(?:Notes?|Remarks?|Comments?) on) ", re.IGNORECASE)
# "BERT", "SG-RL", "3D-Net", "Swin UNETR", "Linformer": a word, or a second one that has two capitals or figures.
_SYSTEM = re.compile(r"(?:\w+ )?(?=\S*[A-Z\d]\S*[A-Z\d]|[a-z]\S*[A-Z\d])[\w+-]{2,}|[A-Z][a-z]+")
_VOWEL = re.compile(r"(?!one|eu|uni)[aeiou]", re.IGNORECASE)  # in the ear
_EDITION = re.compile(
    r" \((?:extended|full|technical|detailed|including)\b[^()]*\)$|,? (?:revisited|reconsidered)(?=:|$)", re.IGNORECASE
)
_DASH = re.compile(r" ?[–—] ?(?=[A-Z])| - (?=[A-Z])| (?:---?|[–—]) ")
_PLAIN = re.compile(r"[\w(](?:(?![Α-ω])(?:[\w ,’'()+/–-]|\.(?=\d)))*")
_MATH = re.compile(r"\$[^$]*\$")
_CAPITALIZED = re.compile(rf"{_MATH.pattern}|(?<![\w’'])[A-Z][a-z]+(?:[-–][A-Za-z][a-z]+)*(?![-–]?[\w’'])")
# "Extraction of lines": a title leaves out the article.
_PROCESS = re.compile(r"(?!an? |the )(?:[\w-]+ )?\w+(?:[ts]ion|ment|[lp]ysis|ance) of ")
_PLACE = re.compile(r" (?:for|in|over|from) ")
_MISPLACED = re.compile(r"(?:[st]ion|ment|ity) \w{3,}(?:ate|ic|al|ive|ous)\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\b(?:is|are|was|can|do|does|you|we|I|it|how|why|what|when|which|shows?|knows?|needs?|leads?|matters?|(?:help|improve|make|learn|enable)s)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ListedTitles:
    """A sentence, without its stop, that only names papers: their ids in its order, and their titles for sources."""

    text: str
    cites: tuple[str, ...]
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class TitleWords:
    """How words of titles are written in the middle of a sentence: `small` without a capital, `names` with one."""

    small: frozenset[str]
    names: frozenset[str]


def title_words(papers: Iterable[Paper], other: str) -> TitleWords:
    """What the titles and abstracts of `papers`, and `other` text, show of words: a name is hardly ever small."""
    papers = list(papers)
    text = " ".join([other, *(paper.abstract for paper in papers)])
    small = Counter(re.findall(r"\b[a-z]+\b", text))
    large = Counter(re.findall(r"(?:(?<=[a-z,;(] )|(?<=[a-z]-))[A-Z][a-z]+\b", text))
    names = {word for word, count in large.items() if count > _NAMES * small[word.lower()]}
    in_titles = small_words(papers) - small.keys()
    return TitleWords(frozenset(small.keys() | in_titles) - {name.lower() for name in names}, frozenset(names))


def further(papers: Sequence[Paper], opening: str, packages: tuple[str, ...], words: TitleWords) -> ListedTitles:
    """Papers that are only named, each by its title, a name at its head first: "Linformer (self-attention)".

    Those whose title a document may not print come last, together.
    """
    by_title = dict[str, list[Paper]]()
    for paper in papers:
        title, (name, about) = quotable_title(paper, packages), name_and_subject(paper, packages, words) or ("", "")
        what = f"{name} ({about})" if name else about or (f"“{title}”" if title else "")
        by_title.setdefault(what, []).append(paper)
    named = sorted(by_title.items(), key=lambda pair: not pair[0])
    other = "others" if len(named) > 1 else ""
    listed = _series([f"{what or other} {cite(*(p.id.value for p in some))}".lstrip() for what, some in named])
    ordered = [paper for _, some in named for paper in some]
    return ListedTitles(f"{opening} {listed}", tuple(p.id.value for p in ordered), tuple(map(title_source, ordered)))


def _is_pun(about: str, paper: Paper) -> bool:
    """Return True if a title calls its subject by words that the abstract has not: "the latest gossip on consensus"."""
    group = about.partition(" on ")[0]
    telling = {stem(word) for word in content_words(group)}
    return (
        about.startswith("the ")
        and len(group.split()) <= _SLOGAN
        and " of " not in about
        and _told(group, paper) < len(telling)
    )


def topic_of_title(paper: Paper, packages: tuple[str, ...], words: TitleWords) -> str | None:
    """What a title says that its paper is on, in few words: a long one without its method, the name at its head last.

    Of a title that is a clause its longest noun phrase, or nothing; None if the abstract does not show its capitals.
    """
    name, about = name_and_subject(paper, packages, words) or ("", "")
    if not about:
        return _phrase(paper, words)
    short = about if len(about.split()) <= _BRIEF else before_method(about)
    if len(short.split()) < _FEWEST - 1:
        short = about
    if len(short.split()) > _BRIEF and not short.startswith(("a ", "an ")):
        short = _PLACE.split(short)[0]
    return f"{short} ({name})" if name and name not in short else short


def _phrase(paper: Paper, words: TitleWords) -> str | None:
    """The longest noun phrase of the title that needs no article, written as in the abstract."""
    plain = [
        phrase.display
        for phrase in noun_phrases(paper, words.small).values()
        if phrase.in_title and len(phrase.display.split()) >= _FEWEST - 1
        if singular(phrase.display) != phrase.display or phrase.display.endswith(UNCOUNTED)
    ]
    longest = max(plain, key=lambda display: (len(display.split()), display), default="")
    small = _CAPITALIZED.sub(lambda word: word[0].lower(), longest)
    return next((form for form in (longest, small) if small == longest or form in paper.abstract), None)


def is_phrase(about: str) -> bool:
    """Return True if words of a title can follow "work on".

    What has an article before it is the work itself; an adjective behind its noun is no English.
    """
    telling = content_words(about) - PRODUCTS - BARE_PRODUCTS
    return len(telling) > 1 and not (about.startswith(("a ", "an ")) or _MISPLACED.search(about))


def name_and_subject(paper: Paper, packages: tuple[str, ...], words: TitleWords) -> tuple[str, str] | None:
    """The name at the head of a title, or nothing, and the rest as it would be in the middle of a sentence, a long one to
    its method. None if it is a clause."""
    name, about = _parts(paper, packages)
    about = about if len(about.split()) <= _MOST else before_method(about)
    small = _in_a_sentence(about, paper, words)
    return None if small is None or _is_pun(small, paper) or not _PLAIN.fullmatch(name + "x") else (name, small)


def _parts(paper: Paper, packages: tuple[str, ...]) -> tuple[str, str]:
    """The name at the head of a title, or nothing, and what it says that the paper is on."""
    title = _DASH.sub(": ", _EDITION.sub("", plain_text(paper.title, packages) or ""))
    head, colon, tail = title.partition(": ")
    system = colon and _SYSTEM.fullmatch(head) is not None
    plain = head[1:].islower() and head not in paper.abstract != ""  # "Poster: ..." names none
    name = head if system and not plain else ""
    # "Learning to listen: modelling facial motion": of a slogan and what the paper is on, the latter.
    slogan = len(tail.split()) >= len(head.split()) / 2 and _share(head, paper) <= 1 / 2 < _share(tail, paper)
    short = len(head.split()) <= _SLOGAN and len(tail.split()) >= _FEWEST and _told(tail, paper) > _told(head, paper)
    about = tail if system or slogan or short else head
    return name, _ON.sub("", about).rstrip(".,")


def _in_a_sentence(about: str, paper: Paper, words: TitleWords) -> str | None:
    """Words of a title without the capitals that are only the title's; None if they are a clause, or cannot be printed."""
    about = re.sub(r"^(?:An?|The) ", lambda article: article[0].lower(), about.rstrip(".,"))
    about = _with_article(_CAPITALIZED.sub(lambda word: _small(word, words), about))
    if not (_FEWEST - 1 <= len(about.split()) <= _MOST and _PLAIN.fullmatch(_MATH.sub("x", about))) or _CLAUSE.search(
        about
    ):
        return None
    if about.split()[0] in STOPWORDS - {"a", "an", "the"}:  # "beyond evolutionary algorithms"
        return None
    capitals = set(re.findall(r"(?<![\w’'])[A-Z][a-z]+\b", _MATH.sub("", about))) - words.names
    unsure = any(not (word.lower() in words.small or is_common(word.lower())) for word in capitals)
    return None if unsure and _is_headline(paper.title, words) else about


def _with_article(about: str) -> str:
    """The subject with the article that a title leaves out, before what is counted: "a cascaded network"."""
    group = re.split(r" (?:for|with|using|via|by|of|in|on|to|from|based|as) ", about)[0].split()
    last = group[-1] if group else ""
    if _PROCESS.match(about):
        return f"the {about}"
    counted = f"{last}s" in PRODUCTS or last in BARE_PRODUCTS - {"work", "use"}
    if not counted or singular(last) != last or re.match(r"(?:an?|the|\S+ing) ", about):
        return about
    return f"an {about}" if _VOWEL.match(about) else f"a {about}"


def _series(parts: Sequence[str]) -> str:
    """The parts as in a sentence: "a", "a and b", "a, b, and c"; nothing of none. One with a comma wants semicolons."""
    comma = ";" if len(parts) > 1 and any("," in MARKER.sub("", part) for part in parts) else ","
    last = f"{comma} and " if len(parts) > 2 or comma == ";" else " and "
    return f"{f'{comma} '.join(parts[:-1])}{last}{parts[-1]}" if len(parts) > 1 else "".join(parts)


def _is_headline(title: str, words: TitleWords) -> bool:
    """Return True if a title has capitals where others write small letters: none of its capitals shows a name."""
    return any(word.lower() in words.small for word in re.findall(r"(?<=[a-z,)] )[A-Z][a-z]+\b", title))


def _share(part: str, paper: Paper) -> float:
    """Share of the words of a part of the title that the abstract has; 0 for one too short to say what a paper is on."""
    stems = {stem(word) for word in content_words(part)}
    return _told(part, paper) / len(stems) if len(part.split()) >= _FEWEST and stems else 0.0


def _told(part: str, paper: Paper) -> int:
    """How many words of a part of the title the abstract has."""
    return len({stem(word) for word in content_words(part)} & {stem(word) for word in content_words(paper.abstract)})


def _small(match: re.Match[str], words: TitleWords) -> str:
    """A capitalized word of a title, or several with hyphens, as it would be in the middle of a sentence.

    Where nothing shows that, it may be a name; at the head of a title it rarely is.
    """
    if match[0].startswith("$"):
        return match[0]
    parts = list[str]()
    for part in re.split("(?<=[-–])", match[0]):
        word = part.rstrip("-–")
        small = word.lower() in words.small or (is_common(word.lower()) and word not in words.names)
        lower = small or lower_in_sentence(word, words.small) != word
        # "Goal-Conditioned": where one part is no name, the others seldom are.
        lower = lower or bool(parts and parts[-1].islower() and word not in words.names)
        heading = match.start() == 0 and word not in words.names
        parts.append(part.lower() if lower or heading else part)
    return "".join(parts)


def quotable_title(paper: Paper, packages: tuple[str, ...]) -> str:
    """The title as it stands between quotation marks in a sentence; empty if a document may not print it."""
    title = plain_text(paper.title, packages) or ""
    return title.replace("“", "‘").replace("”", "’").strip().removesuffix(".")


def title_source(paper: Paper) -> Source:
    title = " ".join(paper.title.split())
    return Source(paper.id.value, paper.id.version, title, 0, len(title), of="title")


def cite(*ids: str) -> str:
    """The marker of a parenthetical citation."""
    return f"{{{{cite:{','.join(ids)}}}}}"
