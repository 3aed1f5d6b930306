r"""The abstract of a draft, in the many ways in which authors write one, and its authors, as its class takes them.

One `\author` with all of them (article, IEEEtran, llncs), one for each (acmart, revtex, authblk, elsarticle), or names
in commands of their own (Springer's `\fnm`, JMLR's `\name`). What is no person's name is left out.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from citeplug.latex.parse import AUTHOR_COMMANDS, EnvironmentSpan, Facts
from citeplug.latex.plain import plain_line
from citeplug.latex.scan import LatexSource, without_comments
from citeplug.text.folding import is_collective, split_name
from citeplug.text.tables import Tables

_ENVIRONMENTS = ("abstract", "abstract*", "Abstract", "ABSTRACT", "abst", "abstracts", "onecolabstract")
_NOT_ABSTRACTS = re.compile(r"(?i)graphical|video|toc|keywords|box|translat|german|french|noabstract")
_COMMANDS = ("abstract", "Abstract", "ABSTRACT", "abst", "abstracts", "absttext", "abstracttext")
_HEADING = re.compile(r"(?i)^(?:\d+\.?\s+)?(?:extended )?(?:abstract|summary|abstract and keywords)\s*[.:]?$")
_WORD = re.compile(
    r"(?:\{\s*(?:\\[A-Za-z]+\s*)+"
    r"|\\(?:textbf|textsc|textit|emph|textsf|uppercase|MakeUppercase|underline|centerline|paragraph\*?)\s*"
    r"\{[\s{]{0,5}(?:\\[A-Za-z]+\s*)*|\\(?:bfseries|bf|scshape)\s+)(?:Abstract|ABSTRACT|Summary|SUMMARY)\s*[.:—–-]{0,3}"
)
_ENDS = re.compile(
    r"\\(?:(?:sub)*section|chapter|part|paragraph|tableofcontents|newpage|clearpage|pagebreak|keywords|IEEEkeywords"
    r"|maketitle|printbibliography|begin\s*\{(?:keywords?|IEEEkeywords|multicols|thebibliography|document)\}"
    r"|end\s*\{(?:document|titlepage|frontmatter|abstract|quotation|quote|small|minipage|@twocolumnfalse)\})"
)
_KEYWORDS = re.compile(
    r"(?:\n\s*+|\\(?:par|noindent|medskip|smallskip|bigskip|newline|\\)\s*+)"
    r"(?:[{\s]|\\(?:textbf|textit|textsc|emph|bf|it|sc|bfseries|itshape|noindent|small|paragraph\*?|vspace\*?\s*\{[^{}]*\})\s*)*+"
    r"(?:[Kk]ey\s?-?[Ww]ords|KEY\s?WORDS|[Ii]ndex [Tt]erms|JEL|PACS|MSC|CCS [Cc]oncepts)\b"
)


_LONGEST = 20_000  # code points
_MOST = 20  # places of one kind to look at


def find_abstract(facts: Facts) -> tuple[str, list[tuple[int, int]]]:
    """The abstract as plain text ('' if there is none), and the stretches of the stream that it takes up."""
    taken: list[tuple[int, int]] = []
    best = ""
    for start, inner, stop, end in _candidates(facts):
        text = _text(facts, inner, stop)
        if any(begin <= start < until for begin, until in taken):
            continue
        taken.append((start, end))
        if text:
            best = text
            break
    return best, sorted(taken)


def _text(facts: Facts, start: int, stop: int) -> str:
    string = facts.string[start : min(stop, start + _LONGEST)]
    keywords = _KEYWORDS.search(string)
    if keywords:
        string = string[: keywords.start()]
    string = re.sub(r"^\s*\\(?:sub)*section\*?\s*\{\s*(?i:abstract)\s*\}", "", string)
    string = re.sub(r"^\s*\[[^\[\]{}]{0,40}\]", "", string)
    text = facts.made_plain(string, start)
    text = re.sub(r"^(?i:abstract)\s*[.:—–-]+\s*", "", text).strip()
    return text if re.search(r"\w{2,}", text) else ""


def _candidates(facts: Facts) -> Iterator[tuple[int, int, int, int]]:
    """(start, inner, stop, end), in the order in which they are to be believed."""
    exact = [block for block in facts.blocks if block.name in _ENVIRONMENTS]
    alike = [
        block
        for block in facts.blocks
        if block.name not in _ENVIRONMENTS
        and "abstract" in block.name.lower()
        and not _NOT_ABSTRACTS.search(block.name)
    ]
    for block in (exact + alike)[:_MOST]:
        yield _environment(facts, block)
    for name in _COMMANDS:
        for start, end in facts.commands.get(name, [])[:_MOST]:
            command = _command(facts, name, start, end)
            if command:
                yield command
    yield from islice(_headings(facts), _MOST)
    yield from _words(facts)


def _environment(facts: Facts, block: EnvironmentSpan) -> tuple[int, int, int, int]:
    if block.end > block.inner:
        return block.start, block.inner, block.stop, block.end
    # Never closed: it ends where something else clearly begins.
    stop = _end(facts, block.inner)
    return block.start, block.inner, stop, stop


def _command(facts: Facts, name: str, start: int, end: int) -> tuple[int, int, int, int] | None:
    option = facts.source.option(end)
    position = option[1] + 1 if option else end
    group = facts.source.group(position)
    if group:
        stop = group[1]
        # Astronomy & Astrophysics: context, aims, methods, results, conclusions in five groups.
        while (more := re.compile(r"\s*\{").match(facts.string, stop + 1)) and (
            further := facts.source.group(more.end() - 1)
        ):
            stop = further[1]
        return start, group[0], stop, stop + 1
    closing = facts.string.find("\\endabstract", position)
    if closing >= 0:
        return start, position, closing, closing + 12
    if name == "abstract" and position > facts.body > 0:
        stop = _end(facts, position)
        return start, position, stop, stop
    return None


def _headings(facts: Facts) -> Iterator[tuple[int, int, int, int]]:
    for index, heading in enumerate(facts.headings):
        title = facts.plain_line(heading.inner, heading.end - 1)
        if _HEADING.match(title):
            following = facts.headings[index + 1].start if index + 1 < len(facts.headings) else len(facts.string)
            if title.lower().startswith("summary") and index > 1:
                continue
            stop = min(following, _end(facts, heading.end))
            yield heading.start, heading.end, stop, stop


def _words(facts: Facts) -> Iterator[tuple[int, int, int, int]]:
    limit = facts.headings[2].start if len(facts.headings) > 2 else len(facts.string)
    for match in islice(_WORD.finditer(facts.string, facts.body, limit), _MOST):
        inner = match.end()
        closing = re.compile(
            r"[\s}.:—–-]*(?:\\\\|\\par\b|\\(?:small|med|big)skip\b|\\end\s*\{[A-Za-z*]+\}|[\s}.:—–-])*"
        )
        after = closing.match(facts.string, inner)
        inner = after.end() if after else inner
        stop = min(_end(facts, inner), _end_of_block(facts, inner))
        if stop > inner:
            yield match.start(), inner, stop, stop


def _end_of_block(facts: Facts, position: int) -> int:
    # The environment that the word and the text after it are in, such as center or a poster's box.
    around = [b.stop for b in facts.blocks if b.name != "document" and b.inner <= position < b.stop]
    return min(around, default=len(facts.string))


def _end(facts: Facts, position: int) -> int:
    match = _ENDS.search(facts.string, position)
    return match.start() if match else len(facts.string)


_MOST_AUTHORS = 500  # authors
_LONGEST_LIST = 20_000  # code points of one command's argument
_LONGEST_NAME = 60
# Commands whose argument is a name and nothing else: where there is one, the rest is affiliations.
_NAMES_ALONE = re.compile(r"\\(?:IEEEauthorblockN|Name)(?![A-Za-z])\s*")
_TABLES = Tables(__name__)
_BESIDE = re.compile(rf"\\{_TABLES.pattern('beside')}(?![A-Za-z])\s*")
_OPTION = re.compile(r"\s*\[[^\[\]]{0,200}\]")
_MATH = re.compile(r"(?<!\\)\$[^$]{0,200}\$|\\\([^$]{0,200}?\\\)|(?<!\\)\^(?:\{[^{}]{0,100}\}|.)")
# Between people who have an affiliation each.
_APART = re.compile(
    r"\\(?:and|And|AND|quad|qquad|hfill|hfil|enskip)(?![A-Za-z])|(?<!\\)&(?!\w)"
    r"|\\(?:hspace\*?|(?:parbox|begin\s*\{tabular\})(?:\s*\[[^\[\]]{0,20}\])*)\s*\{(?:[^{}]|\{[^{}]{0,50}\}){0,100}\}"
)
# Behind the names of JMLR's class.
_AFTER_NAMES = re.compile(r"\\(?:email|addr|affil|address)(?![A-Za-z]).*", re.DOTALL)
_LINE_END = re.compile(
    r"\\\\\*?(?:\[[^\]]{0,20}\])?|\\(?:newline|par|tabularnewline)(?![A-Za-z])|(?:\r?\n|\r)\s*(?:\r?\n|\r)"
)
_BETWEEN = re.compile(r"\s*(?:[,;·•|&]|\band\b)\s*")
_GOES_ON = re.compile(r"(?:,|\\&|&|\band)\s*$")
_AT_ENDS = " \t*†‡§¶∗⋆♠♣♥♦✉.,;:#0123456789"
_SUFFIX = re.compile(
    r"(?i)(?:jr|sr|ph\.?\s?d|m\.?\s?d|msc|bsc|dr|prof|ii|iii|iv|(?:senior |student |life )?member|fellow)\b.*"
)
_NO_PERSON = re.compile(rf"(?i)\b{_TABLES.pattern('no_person')}\b")
_ANONYMOUS = re.compile(
    r"(?i)\banonym(?:ous|ized|ised)|(?:under|for) (?:double[- ])?(?:blind )?review|(?:names?|authors?) withheld"
)
_BLIND = frozenset(("anonymous", "anon", "blind", "doubleblind", "double-blind"))
_LISTED = re.compile(rf"\\(?:{'|'.join(sorted(AUTHOR_COMMANDS))})(?![A-Za-z])\*?\s*(?:\[[^\[\]]{{0,200}}\]\s*)?")
_CLASS = re.compile(r"\\documentclass\s*\[([^\[\]]{0,2000})\]")


def read_authors(facts: Facts) -> tuple[str, ...]:
    """Return the names, "Given Family", each once; none if the paper is anonymous or nobody is named."""
    if is_blind(facts.string[: facts.body]):
        return ()
    names: dict[str, None] = {}
    commands = sorted(place for name in AUTHOR_COMMANDS for place in facts.commands.get(name, ()))
    for _, end in commands[:_MOST_AUTHORS]:
        position = end + facts.string.startswith("*", end)
        option = facts.source.option(position)
        group = facts.source.group(option[1] + 1 if option else position)
        if group is None or group[1] - group[0] > _LONGEST_LIST:
            continue
        if _ANONYMOUS.search(facts.string[slice(*group)]):
            return ()
        names.update(dict.fromkeys(_names(facts.string[slice(*group)], partial(facts.made_plain, start=group[0]))))
    return tuple(names)[:_MOST_AUTHORS]


def is_blind(preamble: str) -> bool:
    """Return True if the class has an option by which it prints no authors."""
    options = _CLASS.search(without_comments(preamble))
    return options is not None and not _BLIND.isdisjoint(name.strip().lower() for name in options[1].split(","))


def author_lists(text: str) -> Iterator[tuple[tuple[int, int], tuple[str, ...]]]:
    """Yield the place of each command for authors in a text, and the people in it, whether they are printed or not."""
    source = LatexSource(text)
    for match in islice(_LISTED.finditer(text), _MOST_AUTHORS):
        group = source.group(match.end())
        if group is not None and group[1] - group[0] <= _LONGEST_LIST:
            yield (match.start(), group[1]), tuple(dict.fromkeys(_names(text[slice(*group)], plain_line)))


def _names(argument: str, made_plain: Callable[[str], str]) -> Iterator[str]:
    """Yield the people's names in an argument."""
    text = without_comments(argument)
    alone = list(_arguments(text, _NAMES_ALONE))
    for part in alone or [text]:
        for block in _APART.split(_MATH.sub(" ", _without(part, _BESIDE))):
            for line in _first_lines(block):
                line_text = " ".join(made_plain(line).split())
                for piece in _BETWEEN.split(line_text):
                    if name := _person(piece):
                        yield name


def _first_lines(block: str) -> Iterator[str]:
    """Yield the first line of a block, and the next ones as long as one ends within a list of names."""
    for line in _LINE_END.split(block):
        line = _AFTER_NAMES.sub("", line).strip()
        if line.strip("{} \t\r\n"):
            yield line
            if not _GOES_ON.search(line):
                return


def _person(text: str) -> str | None:
    """Return the name if it is one, without the marks at its ends."""
    name = text.strip(_AT_ENDS + "(){}[]")
    initials = text.strip().rstrip("".join(set(_AT_ENDS) - {"."}))
    name = name + "." if initials.endswith(f"{name}.") and len(name.split()[-1:] and name.split()[-1]) == 1 else name
    if not 3 <= len(name) <= _LONGEST_NAME or re.search(r"[\d@\\/:=_<>?!\"]", name):
        return None
    if not 2 <= len(name.split()) <= 6 or not name[0].isalpha() or _SUFFIX.fullmatch(name) or _NO_PERSON.search(name):
        return None
    split = split_name(name)
    return name if split.given and split.family[:1].isupper() and not is_collective(name) else None


def _arguments(text: str, commands: re.Pattern[str]) -> Iterator[str]:
    source = LatexSource(text)
    for match in commands.finditer(text):
        if group := source.group(match.end()):
            yield text[slice(*group)]


def _without(text: str, commands: re.Pattern[str]) -> str:
    source, pieces, position = LatexSource(text), [], 0
    for match in commands.finditer(text):
        if match.start() < position or (_AFTER_NAMES.match(text, match.start()) and source.group(match.end()) is None):
            continue
        pieces.append(text[position : match.start()])
        option = _OPTION.match(text, match.end())
        position = option.end() if option else match.end()
        if group := source.group(position):
            position = group[1] + 1
    return "".join([*pieces, text[position:]])
