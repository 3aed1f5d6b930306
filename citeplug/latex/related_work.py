"""The author's own text on other work, in a section of that title or under a run-in heading; and conclusions."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from citeplug.latex.parse import Facts, Heading, bodies
from citeplug.latex.scan import LatexSource
from citeplug.latex.vocabulary import SECTIONS
from citeplug.records.draft import DraftSection
from citeplug.text.folding import fold
from citeplug.text.tables import Tables

RUN_IN = 4  # level of a run-in heading: that of \paragraph
FEWEST_WORKS = 3  # cited, in a text that is about other work
# Titles are folded: lower-case ASCII as far as their script allows.
_NEAR = "related|prior|previous|earlier|existing|past"
_TABLES = Tables(__name__)
_NEAR_ELSEWHERE = _TABLES.pattern("near_elsewhere")
_WORK_ELSEWHERE = _TABLES.pattern("work_elsewhere")
_TITLES = (
    # The more specific comes first.
    re.compile(
        r"\brelated\s+(?:works?|literature|research|studies|approaches|methods|papers|efforts|systems|projects|tools)\b"
        r"|\b(?:prior|previous|earlier|existing|past)\s+(?:works?|art|research|studies|literature|approaches)\b"
        rf"|\b(?:{_NEAR})\s+(?:and|or|&)\s+\w+\s+works?\b|\bworks?\s+related\b"
        rf"|\b{_NEAR_ELSEWHERE}\s+{_WORK_ELSEWHERE}\b|\b{_WORK_ELSEWHERE}\s+{_NEAR_ELSEWHERE}\b"
        + fold(r"|相关(?:工作|研究)|相關(?:工作|研究)|(?:関連|先行)研究|(?:관련|선행)\s*연구")
    ),
    re.compile(
        r"\bliterature\s+(?:review|survey|overview|study)\b|\b(?:review|survey)\s+of\s+(?:the\s+)?(?:\w+\s+)?literature\b"
        r"|^(?:the\s+|related\s+)?literature$|\bstate[\s-]of[\s-]the[\s-]art(?:$|\s+(?:and|in|on|of|review)\b)"
        r"|\bstand\s+der\s+(?:technik|forschung)\b|\bforschungsstand\b|\b(?:etat|estado|stato)\s+(?:de|del|da)(?:ll?)?\W"
        r"\s*(?:l'|la\s+)?(?:art\w*|cuestion)\b|\bliteratur(?:uberblick|ubersicht)\b|文献综述|文獻綜述"
        r"|\b(?:revue|revision|revisao|rassegna|obzor|przeglad)\s+(?:d\w+\s+)?(?:la\s+)?l[ie]t+er\w+"
    ),
    re.compile(
        r"^(?:(?:technical|theoretical|mathematical|general|scientific|research|historical|biological|conceptual|relevant"
        r"|brief|necessary|the)\s+)?background$|^background(?:\s*(?:and|on|of|to|&|:|,|/)\s*.*)$|(?:\band|&|,)\s+background$"
        r"|^literature\b(?!-)"
    ),
)
# A run-in heading begins with the words: "Comparison with prior work" heads results.
_BEFORE = re.compile(
    r"\W*(?:\d[\d.]*\s+)?(?:(?:the|our|on|an?|other|further|additional|broader|closely|most|more|overview|discussion"
    r"|review|survey|summary|relation(?:s|ship)?|connections?|to|of|with|and|background)\s+)*"
)
_LONGEST = 200  # characters of a run-in heading, as it is written
_MOST_WORDS = 10
_BLANK = re.compile(r"\n[ \t]*\n\s*|\\par(?![A-Za-z])\s*")
# A paragraph begins behind these; a run-in heading is the first thing in it.
_BREAK = re.compile(r"\n[ \t]*\n|\\par(?![A-Za-z])|\\(?:begin|end)\s*\{[^{}]*\}|\\\\(?=\s*\n)")
_LEAD = re.compile(
    r"(?:\s|\\(?:noindent|indent|smallskip|medskip|bigskip|par|leavevmode)(?![A-Za-z])|\\[vh]space\*?\s*\{[^{}]*\})*"
)
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
_SWITCHED = re.compile(r"\{\s*\\[A-Za-z]+")  # {\bf Related work.}
_PARAGRAPH = re.compile(r"\\((?:sub)?paragraph)\*?(?![A-Za-z])")
_MARKUP = re.compile(r"\\[A-Za-z]+\*?|[{}~]")
CONCLUSION = re.compile(r"\bconclu\w+|\bdiscussion\b|\bsummary\b|\bfuture work\b|\boutlook\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _RunIn:
    """A short argument or group at the start of a paragraph; places in the stream, `inner` to `stop` its contents."""

    command: str
    start: int
    inner: int
    stop: int
    end: int


def find_related_work(
    facts: Facts, sections: tuple[DraftSection, ...], left_out: list[tuple[int, int]]
) -> tuple[DraftSection | None, int]:
    """The heading of the author's text on other work, and the number of works that are cited under it.

    `sections` were read from `facts` without `left_out`. A section is known by its title alone; a run-in heading
    (`\\paragraph`, bold, or a macro of the author's, at the start of a paragraph) by its title and by
    `FEWEST_WORKS` works or more that are cited under it.
    """
    parts = list(zip(bodies(facts, left_out), sections, strict=True))
    for number, pattern in enumerate(_TITLES):
        candidates = [
            (heading, section)
            for (heading, _), section in parts
            if section.level in (0, 1, 2) and pattern.search(fold(section.title).lower())
        ]
        if candidates:
            heading, section = min(candidates, key=lambda candidate: candidate[1].level)
            return section, len(_cited(facts, heading.end, _end_of_section(facts, heading)))
        if number == 0 and (texts := list(_run_in_texts(facts, left_out))):
            return max(texts, key=lambda candidate: candidate[1])
    return None, 0


def _end_of_section(facts: Facts, heading: Heading) -> int:
    """The place in the stream where the section ends, its subsections included."""
    own, *after = [body for body in bodies(facts, []) if body[0].start >= heading.start]
    below = takewhile(lambda body: body[0].level > heading.level, after)
    return max(stop for _, stop in (own, *below))


def _cited(facts: Facts, start: int, end: int) -> set[str]:
    """The keys that a stretch of the stream cites."""
    first, last = (bisect_left(facts.places, (place, 0)) for place in (start, end))
    return {key for cite in facts.cites[first:last] for key in cite.keys}


def _run_in_texts(facts: Facts, left_out: list[tuple[int, int]]) -> Iterator[tuple[DraftSection, int]]:
    """The texts on other work under run-in headings, each with the number of works that it cites."""
    run_ins = [run_in for run_in in _run_ins(facts) if not any(start <= run_in.start < end for start, end in left_out)]
    limits = sorted({place for heading, stop in bodies(facts, []) for place in (heading.start, stop)})
    starts: dict[str, list[int]] = {}
    for one_run_in in run_ins:
        starts.setdefault(one_run_in.command, []).append(one_run_in.start)
    for run_in in run_ins:
        written = facts.string[run_in.inner : run_in.stop]
        if not is_title_of_related_work(_MARKUP.sub(" ", written)):
            continue
        title = facts.plain_line(run_in.start, run_in.end)  # nothing of a \todo{...} is printed
        if not is_title_of_related_work(title):
            continue
        ends = (limits, starts[run_in.command], starts.get("paragraph", []))
        limit = min(_next(end, run_in.start, len(facts.string)) for end in ends)
        end = _end_of_citing(facts, run_in.end, limit)
        cited = len(_cited(facts, run_in.end, end))
        if cited >= FEWEST_WORKS:
            span = facts.span(run_in.start, run_in.end)
            text = facts.plain(run_in.end, end)
            yield DraftSection(RUN_IN, title.rstrip(" .:"), text, span, _end_in_file(facts, run_in.end, end)), cited


def _next(places: list[int], start: int, end: int) -> int:
    """The first of the places, which are in order, that is behind `start`; `end` if none is."""
    number = bisect_right(places, start)
    return places[number] if number < len(places) else end


def is_title_of_related_work(written: str) -> bool:
    """Return whether a heading begins as that of a text on other work."""
    title = " ".join(fold(written).lower().split())
    begun = _BEFORE.match(title)
    match = _TITLES[0].search(title)
    return (
        match is not None and begun is not None and match.start() <= begun.end() and len(title.split()) <= _MOST_WORDS
    )


def _run_ins(facts: Facts) -> list[_RunIn]:
    """All short arguments and groups at the starts of paragraphs, in order."""
    string = facts.string
    starts = {match.end() for match in _BREAK.finditer(string, facts.body)} | {facts.body}
    starts |= {heading.end for heading in facts.headings}
    places: set[int] = set()
    led = -1
    for start in sorted(starts):
        # Of blank lines each begins a paragraph: what the first leads to, all do, and it is read once.
        if start > led and (lead := _LEAD.match(string, start)):
            led = lead.end()
            places.add(led)
    places |= {match.start() for match in _PARAGRAPH.finditer(string, facts.body)}
    return [run_in for place in sorted(places) if (run_in := _run_in(facts.source, place)) is not None]


def _run_in(source: LatexSource, place: int) -> _RunIn | None:
    command = _COMMAND.match(source.string, place)
    if command is not None:
        if command[1] in SECTIONS or command[1] in ("begin", "end"):
            return None
        option = source.option(command.end())
        group = source.group(option[1] + 1 if option else command.end())
    elif _SWITCHED.match(source.string, place):
        group = source.group(place)
    else:
        return None
    if group is None or group[1] - group[0] > _LONGEST:
        return None
    return _RunIn(command[1] if command else "{", place, group[0], group[1], group[1] + 1)


def _end_of_citing(facts: Facts, start: int, limit: int) -> int:
    """The end of the paragraph at `start` and of those after it that cite something."""
    string = facts.string
    begun = len(string[start:limit]) - len(string[start:limit].lstrip())
    end = start
    place = start + begun
    while place < limit:
        match = _BLANK.search(string, place, limit)
        stop = match.start() if match else limit
        if end > start and not _cited(facts, place, stop):
            break
        end = stop
        place = match.end() if match else limit
    return start + len(string[start:end].rstrip())


def _end_in_file(facts: Facts, start: int, end: int) -> int:
    """The end of a text in the file of its heading, as an offset there."""
    first = facts.stream.text.at(start - 1)
    place = first.offset + 1 if first.macro is None else first.end
    for string, origin in facts.stream.text.spans(start, end):
        if origin.file == first.file:
            place = max(place, origin.end if origin.macro is not None else origin.offset + len(string))
    return place
