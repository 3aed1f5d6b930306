r"""The options of the related-work section that the document sets by the commands of the package `citeplug`.

    \citeplugrelated[breadth=12, categories={cs.CL, cs.IR}, file=related.tex]
    \citeplugpin{arXiv:2004.04906, smith2020}
    \citeplugexclude{1706.03762}
    \begin{citeplugplan}
    heading: Dense retrieval
    introduce dense retrieval [2004.04906]
    relate to the draft
    \end{citeplugplan}

Commands count where the draft's reader reads them: not in comments, verbatim text, dead branches or definitions.
Nothing that is here stops a run: what cannot be followed is a finding.
"""

import contextlib
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from citeplug.latex.folders import Folders
from citeplug.latex.parse import Facts
from citeplug.latex.text import unliteral
from citeplug.records.draft import DocumentOptions
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.setting import Setting
from citeplug.section_file.grammar import read_plan_line
from citeplug.settings.known_settings import (
    EXCLUDE,
    OF_A_RUN,
    OUT,
    PIN,
    nearest,
    read_text,
)
from citeplug.settings.project_toml import users_own

_COMMAND = re.compile(r"\\citeplug(related|pin|exclude)(?![A-Za-z@])|\\begin\s*\{citeplugplan\}")
_END = re.compile(r"\\end\s*\{citeplugplan\}")
_KEYS: dict[str, Setting] = {c.document: c for c in (*OF_A_RUN, OUT) if c.document and not c.document.startswith("\\")}
_LISTS = {"pin": PIN, "exclude": EXCLUDE}
_COMMENT = re.compile(r"(?:^|(?<=\s))%[^\n]*")
_WORDS = re.compile(r"words\s*[:=]\s*(\d{1,5})", re.IGNORECASE)
_HEADING = re.compile(r"heading\s*:\s*(.*)|heading\s+(.+)", re.IGNORECASE)
_NUMBER = re.compile(r"\d+\b[.):]?\s+(?=\S)")
_MOST_PLANS = 100
_MOST_LINES = 300
_LONGEST_LINE = 1_000
_TABLE = "the documentation's page on configuration lists what may be set there"


def read_document_options(facts: Facts, folders: Folders) -> DocumentOptions:
    """The options that the document sets; those that cannot be followed become findings of `facts`."""
    if "citeplug" not in facts.string:
        return DocumentOptions()
    values: dict[str, Any] = {}
    lists: dict[str, list[str]] = {"pin": [], "exclude": []}
    paragraphs: list[PlanParagraph] = []
    first: int | None = None
    position = plans = 0
    for match in _COMMAND.finditer(facts.string):
        if match.start() < position:
            continue
        if match[1] is None:
            plans += 1
            if plans > _MOST_PLANS:
                message = f"a document has at most {_MOST_PLANS} plans: this one and later ones are ignored"
                facts.doubt("option_invalid", message, match.start(), "join them")
                break
            position = _plan(facts, folders, match, paragraphs)
        elif match[1] == "related":
            if first is None:
                first = match.start()
                values |= _related(facts, match.end())
            else:
                message = "\\citeplugrelated occurs a second time: only the options of the first one count"
                facts.doubt("option_repeated", message, match.start(), "remove one of them")
        else:
            papers, position = _papers(facts, match, _LISTS[match[1]])
            lists[match[1]] += papers
    values |= {name: tuple(dict.fromkeys(papers)) for name, papers in lists.items() if papers}
    return DocumentOptions(
        values, Plan(tuple(paragraphs)) if paragraphs else None, None if first is None else facts.span(first, first + 1)
    )


def _related(facts: Facts, position: int) -> dict[str, Any]:
    """The values of the optional argument; of a key that occurs twice the last, as LaTeX takes it."""
    values: dict[str, Any] = {}
    option = facts.source.option(position)
    if option is None:
        if facts.string.startswith("[", facts.source.skip(position)):
            message = "the options of \\citeplugrelated have no closing bracket, and are ignored"
            facts.doubt("option_invalid", message, position, "close the bracket")
        return values
    for start, key, value in _pairs(facts.string, *option):
        setting = _KEYS.get(key)
        if setting is None:
            _unknown(facts, start, key)
            continue
        try:
            if value is None:
                raise ValueError("needs a value")
            values[setting.name] = read_text(setting, unliteral(value))
        except ValueError as error:
            facts.doubt("option_invalid", f"{key} {error}; it is ignored", start, _TABLE)
    return values


def _pairs(string: str, start: int, end: int) -> Iterator[tuple[int, str, str | None]]:
    """The start, the key and the value of each `key=value`, the value without braces around it."""
    depth, begin = 0, start
    for position in range(start, end + 1):
        letter = string[position] if position < end else ","
        depth += (letter == "{") - (letter == "}")
        if position < end and (letter != "," or depth > 0):
            continue
        written = string[begin:position]
        if written.strip():
            key, equals, value = written.partition("=")
            value = value.strip()
            if value.startswith("{") and value.endswith("}"):
                value = value[1:-1]
            yield begin + len(written) - len(written.lstrip()), " ".join(key.split()), value if equals else None
        begin = position + 1


def _unknown(facts: Facts, start: int, key: str) -> None:
    shown = key[:60]
    where = users_own(key)
    if where is not None:
        facts.doubt("option_not_allowed", f"a document may not set {shown}; it is ignored", start, where)
        return
    meant = nearest(key, _KEYS)
    fix = f"did you mean {meant}?" if meant else f"there are {', '.join(_KEYS)}"
    facts.doubt("option_unknown", f"\\citeplugrelated has no option {shown}", start, fix)


def _papers(facts: Facts, match: re.Match[str], setting: Setting) -> tuple[list[str], int]:
    """The papers that a command names, and where it ends."""
    group = facts.source.group(match.end())
    if group is None:
        facts.doubt("option_invalid", f"{match[0]} names no paper", match.start(), f"write {match[0]}{{2004.04906}}")
        return [], match.end()
    ids: list[str] = []
    for item in unliteral(facts.string[group[0] : group[1]]).split(","):
        try:
            ids += read_text(setting, item)
        except ValueError as error:
            message = f"{' '.join(item.split())[:60]} in {match[0]} {error}; it is ignored"
            facts.doubt("option_invalid", message, match.start(), _TABLE)
    return ids, group[1]


def _plan(facts: Facts, folders: Folders, match: re.Match[str], paragraphs: list[PlanParagraph]) -> int:
    """Add the paragraphs of the environment that begins here; returns where it ends."""
    end = _END.search(facts.string, match.end())
    if end is None:
        return match.end()  # the draft's reader tells of an environment without end
    body = _as_written(facts, folders, match.end(), end.start())
    heading, words, lines, count = "", 0, list[PlanLine](), 0

    def close() -> None:
        nonlocal heading, words, lines
        if lines:
            name = f"p{len(paragraphs) + 1}"
            paragraphs.append(PlanParagraph(name, heading, tuple(lines), words))
        heading, words, lines = "", 0, []

    for written in body:
        line = " ".join(written.split())
        if not line:
            close()
            continue
        count += 1
        if count > _MOST_LINES or len(line) > _LONGEST_LINE:
            message = f"a plan has at most {_MOST_LINES} lines of {_LONGEST_LINE} characters: the rest is ignored"
            facts.doubt("option_invalid", message, match.start(), "shorten the plan")
            break
        titled = None if lines or heading else _HEADING.fullmatch(line)
        if titled:
            heading = _plain(facts, titled[1] or titled[2] or "", match.start())
        elif not lines and (length := _WORDS.fullmatch(line)):
            words = int(length[1])
        else:
            read = read_plan_line(_NUMBER.sub("", line, count=1) if _NUMBER.match(line) else line)
            lines.append(replace(read, intent=_plain(facts, read.intent, match.start())))
    close()
    return end.end()


def _plain(facts: Facts, text: str, start: int) -> str:
    return " ".join(facts.made_plain(re.sub(r"(?<!\\)%", r"\\%", text), start).split())


def _as_written(facts: Facts, folders: Folders, start: int, end: int) -> list[str]:
    """The lines between two places, without comments: the reader joins a line to the next over a comment."""
    first, last = facts.stream.text.at(start), facts.stream.text.at(max(start, end - 1))
    string = unliteral(facts.string[start:end])
    if first.file == last.file and first.macro is None and last.macro is None:
        with contextlib.suppress(OSError):
            string = folders.files.read(first.file).text[first.offset : last.offset + 1]
    lines = string.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [_COMMENT.sub("", line) for line in lines if not line.lstrip().startswith("%")]
