"""Queries from the parts of a draft, without a model (after LitLLM, section 3.1).

Key phrases are found without a model, too (RAKE: Rose, Engel, Cramer and Cowley, 2010).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from citeplug.errors import UnreadableInput
from citeplug.records.draft import BibEntry, Draft, DraftSection
from citeplug.records.paper import Paper, Query
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

# Weights in the fusion; the main query has 1. Citations help most, the title adds next to nothing to the abstract:
# benchmarks/tune_retrieval.py.
TITLE_WEIGHT = 0.1
PHRASES_WEIGHT = 0.1
SECTION_WEIGHT = 0.2
CITATIONS_WEIGHT = 1.0
PARTS_WEIGHT = 0.2  # of all parts of a whole draft together; .4 and more lose works (benchmarks/results.md)
PART = "part:"  # the beginning of the aspects of those
CITATIONS = "citations"  # the aspect of the query made of what the draft cites
THEME = "theme"  # of one made of works that the draft cites at one place; it finds papers, and is no part of the draft

_THEME_WEIGHT = 0.1  # of all themes together: what they alone find has places of its own
_MOST_THEMES = 8
_ABSTRACT_WORDS = 600  # words; a longer text is not just an abstract
_SECTION_WORDS = 200  # words of a section's opening: as much as an embedding model reads
_MOST_PARTS = 24
_FEWEST_WORDS = 20  # of a section's text, for a query of its own
_FEWEST_CONTENT = 4  # words that are not in every paper: with fewer, a text says nothing
_CITED_WORDS = 600  # words of cited titles
# Headings of the sections that describe a draft's subject, the most useful first.
_TELLING = (
    ("related work", re.compile(r"related|literature|prior work|previous work|background|state of the art", re.I)),
    ("introduction", re.compile(r"introduction|overview|motivation", re.I)),
    ("method", re.compile(r"method|approach|model|algorithm|framework|proposed|architecture", re.I)),
)

_NO_PART = re.compile(
    r"[\s\d.IVX]*(?:acknowled|funding|author contributions|references|bibliography|competing interests)", re.I
)

# Where a draft says what it used, and whom it thanks.
_USED = re.compile(
    r"[\s\d.IVX]*(?:acknowled|funding|software|code|implementation|data\b|datasets?\b|experiment|numerical|evaluation"
    r"|(?:computational|technical) details|reproducib|availability)",
    re.I,
)
_THINGS = r"(?:software|packages?|librar(?:y|ies)|toolbox|toolkit|data ?sets?|code)\b"
_TOOL = re.compile(
    r"\b(?:implement\w*|written|performed|computed|trained|plotted|available) (?:\w+ ){0,3}(?:in|with|by|using|on|via) "
    rf"[^.;]{{0,40}}\[\*\]|(?<!of )\b{_THINGS}[^.,;]{{0,25}}\[\*\]|\[\*\],? {_THINGS}",
    re.I,
)


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
    phrases: list[tuple[str, ...]] = []
    for run in sorted(runs, key=lambda run: (-weight[run], run)):
        if len(phrases) == count:
            break
        if not any(_contains(longer, run) for longer in phrases):
            phrases.append(run)
    return [" ".join(run) for run in phrases]


def frequent_phrases(text: str, count: int) -> list[str]:
    """Return at most `count` phrases of two or three words of `text`, in lower case, the most frequent first.

    Of those that are as frequent the longer ones come first.
    """
    phrases: list[str] = []
    runs = Counter(run for run in _runs(text) if 1 < len(run) < LONGEST_PHRASE)
    for run in sorted(runs, key=lambda run: (-runs[run], -len(run))):
        phrase = " ".join(run)
        if not any(phrase.removesuffix("s") in other or other.removesuffix("s") in phrase for other in phrases):
            phrases.append(phrase)
    return phrases[:count]


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


def queries_from_draft(
    draft: Draft, cited: Mapping[str, Paper] = MappingProxyType({}), *, whole: bool = False
) -> list[Query]:
    """Queries for papers that the draft should discuss; the first is the main one, with weight 1.

    Aspects: `abstract` (title and abstract; where there is no abstract, `introduction`, `text` or `title`
    say what is used in its place), then `title`, `phrases` (key phrases of everything), `section:NAME` (the
    opening of introduction, related work, method), `citations` (titles of what the draft cites already;
    `cited` are the records that are known of it, by key) and `theme` (of what it cites at one place); with `whole` each
    section asks too, as `part:NAME`. Raises UnreadableInput if there is nothing to go by.
    """
    main = _main_query(draft)
    side = [
        *_title(draft),
        *_phrases(draft),
        *_sections(draft),
        *_citations(draft, cited),
        *_themes(draft, cited),
        *(_parts(draft) if whole else ()),
    ]
    queries, seen = [main], {_key(main.text)}
    for query in side:
        if _key(query.text) not in seen:
            seen.add(_key(query.text))
            queries.append(query)
    return queries


def _main_query(draft: Draft) -> Query:
    if _says_something(draft.abstract):
        return Query(_joined(draft.title, _first_words(draft.abstract, _ABSTRACT_WORDS)), "abstract")
    introduction = _section(draft, _TELLING[1][1])
    if introduction is not None:
        return Query(_joined(draft.title, _text_beneath(draft, introduction)), "introduction")
    text = _first_words(" ".join(section.text for section in draft.sections), _SECTION_WORDS)
    if _says_something(text):
        return Query(_joined(draft.title, text), "text")
    if _has_word(draft.title):
        return Query(draft.title.strip(), "title")
    if _has_word(draft.abstract):
        return Query(_first_words(draft.abstract, _ABSTRACT_WORDS), "abstract")
    raise UnreadableInput(
        f"{draft.root.name} has too little text to search by",
        "write a title, an abstract or an introduction first, or give the main file of the project",
    )


def _title(draft: Draft) -> Iterator[Query]:
    if _has_word(draft.title):
        yield Query(draft.title.strip(), "title", TITLE_WEIGHT)


def _phrases(draft: Draft) -> Iterator[Query]:
    opening = (text for _, text in _telling_sections(draft))
    headings = (section.title for at, section in enumerate(draft.sections) if _says_something(_text_at(draft, at)))
    phrases = key_phrases(". ".join([draft.title, draft.title, draft.abstract, *headings, *opening]))
    if phrases:
        yield Query(". ".join(phrases), "phrases", PHRASES_WEIGHT)


def _sections(draft: Draft) -> Iterator[Query]:
    for name, text in _telling_sections(draft):
        yield Query(text, f"section:{name}", SECTION_WEIGHT)


def _citations(draft: Draft, cited: Mapping[str, Paper]) -> Iterator[Query]:
    """Titles of what is cited: a model sees some twenty of them."""
    used = only_used(draft)
    titles = _titles([entry for entry in cited_entries(draft) if entry.key not in used], cited)
    text = _first_words(". ".join(titles), _CITED_WORDS)
    if _has_word(text):
        yield Query(text, CITATIONS, CITATIONS_WEIGHT)


def _themes(draft: Draft, cited: Mapping[str, Paper]) -> Iterator[Query]:
    """Titles of works that the draft cites at one place, of the largest places first."""
    used, entries = only_used(draft), {entry.key: entry for entry in draft.entries}
    keys = (dict.fromkeys(key for key in cite.keys if key in entries and key not in used) for cite in draft.cites)
    places = dict.fromkeys(tuple(together) for together in keys if len(together) > 1)
    texts = [
        ". ".join(_titles([entries[key] for key in place], cited)) for place in sorted(places, key=len, reverse=True)
    ]
    texts = [text for text in texts if _has_word(text)][:_MOST_THEMES]
    for text in texts:
        yield Query(_first_words(text, _CITED_WORDS), THEME, _THEME_WEIGHT / len(texts))


def _titles(entries: Iterable[BibEntry], cited: Mapping[str, Paper]) -> list[str]:
    titles = (cited[e.key].title if e.key in cited else _bare(e.fields.get("title", "")) for e in entries)
    return [*dict.fromkeys(filter(None, titles))]


def cited_entries(draft: Draft) -> list[BibEntry]:
    """The entries that the text cites, what is cited most often first."""
    times = Counter(key for cite in draft.cites for key in cite.keys)
    return sorted((e for e in draft.entries if e.key in times or "*" in times), key=lambda entry: -times[entry.key])


def only_used(draft: Draft) -> frozenset[str]:
    """The keys that the draft cites for software, data or experiments alone, or in thanks; none without others."""
    contexts: dict[str, list[str]] = {}
    for cite in draft.cites:
        if cite.context:
            for key in cite.keys:
                contexts.setdefault(key, []).append(cite.context)
    used = {
        key for key, told in contexts.items() if all(_USED.match(context) or _TOOL.search(context) for context in told)
    }
    return frozenset(used if used < {key for cite in draft.cites for key in cite.keys} else ())


def _telling_sections(draft: Draft) -> Iterator[tuple[str, str]]:
    taken: set[int] = set()
    for name, heading in _TELLING:
        section = _section(draft, heading)
        if name == "related work" and draft.related_work and not _is_empty_related_work(draft, draft.related_work):
            section = draft.related_work
        if section is not None and id(section) not in taken:
            taken.add(id(section))
            text = _text_beneath(draft, section)
            if len(text.split()) >= _FEWEST_WORDS:
                yield name, text


def _parts(draft: Draft) -> Iterator[Query]:
    """The opening of each section and subsection that has a text of its own (Citegeist: a full paper as the input)."""
    sections = [s for s in draft.sections if len(s.text.split()) >= _FEWEST_WORDS and not _NO_PART.match(s.title)]
    for section in sections[:_MOST_PARTS]:
        yield Query(
            _joined(section.title, _first_words(section.text, _SECTION_WORDS)),
            f"{PART}{section.title}",
            PARTS_WEIGHT / min(len(sections), _MOST_PARTS),
        )


def _section(draft: Draft, heading: re.Pattern[str]) -> DraftSection | None:
    """Return the first section with such a heading and some text."""
    titled = ((at, section) for at, section in enumerate(draft.sections) if heading.search(section.title))
    return next((section for at, section in titled if _says_something(_text_at(draft, at))), None)


def _is_empty_related_work(draft: Draft, section: DraftSection) -> bool:
    """Return True if the section is the related work and has no text yet.

    Its heading is not used in queries: it may be citeplug's, and queries should be the same before and after.
    """
    related = draft.related_work
    same = related is not None and (section.title, section.level) == (related.title, related.level)
    return same and not _says_something(_text_beneath(draft, section))


def _text_beneath(draft: Draft, section: DraftSection) -> str:
    """Return the opening of a section, with the text of its subsections."""
    # A section that the reader put together is not in the list: it has no subsections.
    if section not in draft.sections:
        return _first_words(section.text, _SECTION_WORDS)
    return _text_at(draft, draft.sections.index(section))


def _text_at(draft: Draft, at: int) -> str:
    """Return what `_text_beneath` does, by the section's number: looking for each of them compares it with all."""
    section = draft.sections[at]
    texts = [section.text]
    for below in map(draft.sections.__getitem__, range(at + 1, len(draft.sections))):
        if below.level <= section.level:
            break
        texts.append(below.text)
    return _first_words(" ".join(texts), _SECTION_WORDS)


def _bare(field: str) -> str:
    """Return a field of a bibliography entry without TeX commands and braces."""
    return " ".join(re.sub(r"\\[a-zA-Z]+\*?|\\.|[{}]", "", field).split())


def _joined(title: str, text: str) -> str:
    return f"{title.strip()}. {text}" if title.strip() else text


def _first_words(text: str, count: int) -> str:
    return " ".join(text.split()[:count])


def _says_something(text: str) -> bool:
    """Return True if a text is more than "To be written." or a mark to do it."""
    return len(content_words(text)) >= _FEWEST_CONTENT


def _has_word(text: str) -> bool:
    return re.search(r"[^\W\d_]{2,}", text) is not None


def _key(text: str) -> str:
    return " ".join(text.casefold().split())
