"""Sentences on papers: a contribution in the paper's own words, quoted where they are many, or a place in a group."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from citeplug.records.paper import Paper
from citeplug.records.section import Source, source_in_passage
from citeplug.related.plan.themes import before_method, has_theme
from citeplug.related.write.extractive.contributions import is_plural, whole_sentences
from citeplug.related.write.extractive.statements import Contribution, content_words
from citeplug.text.cited_text import copied_runs
from citeplug.text.letters import is_common
from citeplug.text.nounphrases import lower_in_sentence, small_words
from citeplug.text.plaintext import plain_text
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import stem, stemmed
from citeplug.text.stop_words import STOPWORDS

_LONG = 22  # words of what is said
_LEAST_LEFT = 6  # without its last clause
_RELATIVE = re.compile(r"(?<=\w{3}), (?:which|where|whose|who)\b")
_OUR = re.compile(r"\bour\b(?!-)")
_DEFINED = re.compile(r"(?P<name>[\w.+-]+) (?P<is>is) an? (?=[\w-]+ [\w-]+)")
_NAMES = 2  # times as often with a capital as without
_FEWEST_OF_A_TITLE, _MOST_OF_A_TITLE = 3, 14  # words of its main part
# "BERT", "SG-RL", "word2vec": more than one capital, or a figure.
_NAME_OF_SYSTEM = re.compile(r"(?=\S*[A-Z\d]\S*[A-Z\d]|[a-z]\S*[A-Z\d])[A-Za-z][\w+-]{2,}")
_TOWARDS = re.compile(r"^(?:Towards?|On|(?:A )?(?:Notes?|Remarks?|Comments?) on) ", re.IGNORECASE)
_PLAIN = re.compile(r"[\w(](?:(?![Α-ω])[\w ,’'()+/–-])*")
_MATH = re.compile(r"\$[^$]*\$")
_CAPITALIZED = re.compile(rf"{_MATH.pattern}|(?<![\w’'])[A-Z][a-z]+(?:[-–][A-Za-z][a-z]+)*(?![-–]?[\w’'])")
_CLAUSE = re.compile(
    r"\b(?:is|are|was|can|do|does|you|we|I|it|how|why|what|when|which|shows?|knows?|needs?|leads?|matters?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Listed:
    """A sentence, without its stop, that only names papers: their ids in its order, and their titles for sources."""

    text: str
    cites: tuple[str, ...]
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class TitleWords:
    """How words of titles are written in the middle of a sentence: `small` without a capital, `names` with one."""

    small: frozenset[str]
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause on one paper, without its stop; `quoted` says that eight words in a row or more are its authors'."""

    text: str
    source: Source
    quoted: bool


def clause(told: Contribution, paper: Paper, *, again: bool = False, quotes: bool = True, who: str = "") -> Clause:
    """`told` with the authors as its subject, in the third person; `again` where they are spoken of a second time.

    `who` is the authors' marker, with the title where that must stand before what is said, to say what it is on.

    Eight words in a row that are the source's stand in quotation marks, unless `quotes` is False, or the source is a
    summary by others. In these a word in brackets takes the place of the first person, or writes an acronym out.
    """
    source = _told_in(paper, told)
    told = _up_to_relative(told)
    front = f"{told.front}, " if told.front else ""
    lead = f"{front}{who or author(paper.id.value)} {'also ' if again else ''}{told.verb}"
    by_authors = told.passage is not None or paper.abstract_kind == "abstract"
    close = by_authors and bool(copied_runs(f"{lead} {told.said}", source.text))
    whose = "their" if is_plural(paper) else "the author's"
    if not close or not quotes:
        return Clause(f"{lead} {_in_third_person(told, whose, '{}')}", source, close)
    return Clause(f"{lead} “{_in_third_person(told, whose, '[{}]')}”", source, True)


def _up_to_relative(told: Contribution) -> Contribution:
    """What is told without the relative clause at its end, where it is long."""
    cut = _RELATIVE.search(told.said)
    if (
        cut is None
        or len(told.said.split()) <= _LONG
        or len(told.said[: cut.start()].split()) < _LEAST_LEFT
        or told.said.count("(", 0, cut.start()) > told.said.count(")", 0, cut.start())
    ):
        return told
    return replace(told, said=told.said[: cut.start()])


def definition(paper: Paper, packages: tuple[str, ...]) -> Clause | None:
    """What the thing is that the title names, as its abstract says: "SciPy {{cite:...}} is “a library of ...”"."""
    for start, end, said in whole_sentences(paper, packages):
        defined = _DEFINED.match(said)
        if defined is not None and _is_named(defined["name"], paper.title):
            quoted, rest = paper.abstract_kind == "abstract", said[defined.end("is") + 1 :]
            text = f"{defined['name']} {cite(paper.id.value)} is {f'“{rest}”' if quoted else rest}"
            return Clause(text, _source(paper, start, end), quoted)
    return None


def own_words(paper: Paper, packages: tuple[str, ...]) -> tuple[str, Source] | None:
    """A sentence, without its stop, that quotes a whole one of the abstract, the one with most words of the title.

    None if each sentence needs another, or shows what a document cannot print, or the abstract is a summary by others.
    """
    if paper.abstract_kind == "summary":
        return None
    title = {stem(word) for word in content_words(paper.title)}
    best: tuple[int, str, Source] | None = None
    for start, end, said in whole_sentences(paper, packages):
        shared = len(title & {stem(word) for word in content_words(said)})
        if best is None or shared > best[0]:
            best = shared, said, _source(paper, start, end)
    return None if best is None else (f"In the words of {author(paper.id.value)}, “{best[1]}”", best[2])


def _is_named(name: str, title: str) -> bool:
    """Return True for the name of a thing at the head of the title: "SciPy", which no word is, or what has a colon."""
    return title.startswith(f"{name}:") or (
        re.match(rf"{re.escape(name)}(?![\w-])", title) is not None and re.search(r"(?<!^)[A-Z\d]", name) is not None
    )


def further(papers: Sequence[Paper], opening: str, packages: tuple[str, ...], words: TitleWords) -> Listed:
    """Papers that are only named, each with what its title says that it is on, or with the title as it is.

    Those whose title cannot be quoted come last, together.
    """
    by_subject = dict[str, list[Paper]]()
    for paper in papers:
        title = quotable_title(paper, packages)
        subject = _subject(paper, packages, words) or (f"“{title}”" if title else "")
        by_subject.setdefault(subject, []).append(paper)
    named = sorted(by_subject.items(), key=lambda each: not each[0])
    parts = [f"{subject} {cite(*(paper.id.value for paper in some))}".lstrip() for subject, some in named]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}{',' * (len(parts) > 2)} and {parts[-1]}"
    ordered = [paper for _, some in named for paper in some]
    return Listed(f"{opening} {listed}", tuple(p.id.value for p in ordered), tuple(map(title_source, ordered)))


def title_words(papers: Iterable[Paper], other: str) -> TitleWords:
    """What the titles and abstracts of `papers`, and `other` text, show of words: a name is hardly ever small."""
    papers = list(papers)
    text = " ".join([other, *(paper.abstract for paper in papers)])
    small = Counter(re.findall(r"\b[a-z]+\b", text))
    large = Counter(re.findall(r"(?:(?<=[a-z,;(] )|(?<=[a-z]-))[A-Z][a-z]+\b", text))
    names = {word for word, count in large.items() if count > _NAMES * small[word.lower()]}
    in_titles = small_words(papers) - small.keys()
    return TitleWords(frozenset(small.keys() | in_titles) - {name.lower() for name in names}, frozenset(names))


def _subject(paper: Paper, packages: tuple[str, ...], words: TitleWords) -> str | None:
    """The title as it would be in the middle of a sentence, a long one to its method; a name at its head comes first:
    "Linformer (self-attention with linear complexity)". None if it is a clause.
    """
    head, colon, tail = (plain_text(paper.title, packages) or "").partition(": ")
    name = head if colon and len(head.split()) < _FEWEST_OF_A_TITLE else ""
    # "Learning to listen: modelling facial motion": of a slogan and what the paper is on, the latter.
    said = tail if name or _share(head, paper) <= 1 / 2 < _share(tail, paper) else head
    said = _TOWARDS.sub("", said)
    said = (said if len(said.split()) <= _MOST_OF_A_TITLE else before_method(said)).rstrip(".,")
    said = re.sub(r"^(?:An?|The) ", lambda article: article[0].lower(), said)
    said = _CAPITALIZED.sub(lambda word: _in_sentence(word, words), said)
    fits = _FEWEST_OF_A_TITLE - 1 <= len(said.split()) <= _MOST_OF_A_TITLE
    if not (fits and _PLAIN.fullmatch(_MATH.sub("x", name + said))) or _CLAUSE.search(said):
        return None
    if said.split()[0] in STOPWORDS - {"a", "an", "the"}:  # "beyond evolutionary algorithms"
        return None
    capitals = set(re.findall(r"(?<![\w’'])[A-Z][a-z]+\b", _MATH.sub("", said))) - words.names
    if any(not (word.lower() in words.small or is_common(word.lower())) for word in capitals) and _is_headline(
        paper.title, words
    ):
        return None
    return f"{name} ({said})" if name else said


def _is_headline(title: str, words: TitleWords) -> bool:
    """Return True if a title has capitals where others write small letters: none of its capitals shows a name."""
    return any(word.lower() in words.small for word in re.findall(r"(?<=[a-z,)] )[A-Z][a-z]+\b", title))


def _share(part: str, paper: Paper) -> float:
    """Share of the words of a part of the title that the abstract has; 0 for one too short to say what a paper is on."""
    told = {stem(word) for word in content_words(part)}
    if len(part.split()) < _FEWEST_OF_A_TITLE or not told:
        return 0.0
    return len(told & {stem(word) for word in content_words(paper.abstract)}) / len(told)


def _in_sentence(match: re.Match[str], words: TitleWords) -> str:
    """A capitalized word of a title, or several with hyphens, as it would be in the middle of a sentence.

    Where nothing shows that, it may be a name; at the head of a title it rarely is.
    """
    if match[0].startswith("$"):
        return match[0]
    parts = []
    for part in re.split("(?<=[-–])", match[0]):
        word = part.rstrip("-–")
        small = word.lower() in words.small or (is_common(word.lower()) and word not in words.names)
        lower = small or lower_in_sentence(word, words.small) != word
        heading = match.start() == 0 and word not in words.names
        parts.append(part.lower() if lower or heading else part)
    return "".join(parts)


def quotable_title(paper: Paper, packages: tuple[str, ...]) -> str:
    """The title as it stands between quotation marks in a sentence; empty if a document may not print it."""
    title = plain_text(paper.title, packages) or ""
    return title.replace("“", "‘").replace("”", "’").strip().removesuffix(".")


def on_theme(paper: Paper, theme: str) -> Source | None:
    """What shows that a paper is on a theme: its title, or else the sentence of its abstract that has the theme."""
    if has_theme(paper.title, theme):
        return title_source(paper)
    wanted = stemmed(theme)
    spans = split_sentences(paper.abstract)
    found = ((start, end) for start, end in spans if wanted in stemmed(paper.abstract[start:end]))
    return next((_source(paper, start, end) for start, end in found), None)


def system_names(papers: Iterable[Paper]) -> dict[str, str]:
    """The names that papers give to what they made, as titles have them in front, "BERT: ...", with their arXiv ids."""
    parts = ((paper.title.partition(": "), paper) for paper in papers)
    return {name: paper.id.value for (name, colon, _), paper in parts if colon and _NAME_OF_SYSTEM.fullmatch(name)}


def mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def with_citation(text: str, name: str, value: str) -> str:
    """The sentence with a citation of the paper behind the first mention of its system; none in a title or a formula."""
    place = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-]|:)", text)
    if place is None or text.count("$", 0, place.start()) % 2:
        return text
    return f"{text[: place.end()]} {cite(value)}{text[place.end() :]}"


def title_source(paper: Paper) -> Source:
    title = " ".join(paper.title.split())
    return Source(paper.id.value, paper.id.version, title, 0, len(title), of="title")


def author(*ids: str) -> str:
    """The marker of a textual citation."""
    return f"{{{{author:{','.join(ids)}}}}}"


def cite(*ids: str) -> str:
    """The marker of a parenthetical citation."""
    return f"{{{{cite:{','.join(ids)}}}}}"


def _told_in(paper: Paper, told: Contribution) -> Source:
    if told.passage is not None:
        return source_in_passage(told.passage, told.start, told.end)
    return _source(paper, told.start, told.end)


def _source(paper: Paper, start: int, end: int) -> Source:
    return Source(paper.id.value, paper.id.version, paper.abstract[start:end], start, end)


def _in_third_person(told: Contribution, whose: str, change: str) -> str:
    """What is told in the third person, acronyms written out where they first stand; `change` frames each change."""
    said = _OUR.sub(change.format(whose), told.said)
    for acronym, written in told.long:
        at = re.search(rf"(?<![\w-]){re.escape(acronym)}(?=[\s.,;:)’-]|$)", said)
        if at is not None:
            frame = " [{}]" if change == "[{}]" else " ({})"
            said = f"{said[: at.end()]}{frame.format(written)}{said[at.end() :]}"
    return said
