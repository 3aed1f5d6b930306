r"""The authors of a draft, as its class takes them.

One `\author` with all of them (article, IEEEtran, llncs), one for each (acmart, revtex, authblk, elsarticle), or names
in commands of their own (Springer's `\fnm`, JMLR's `\name`). What is no person's name is left out.
"""

import re
from collections.abc import Iterator

from citeplug.latex.parse import AUTHOR_COMMANDS, Facts
from citeplug.latex.scan import LatexSource, without_comments
from citeplug.text.folding import is_collective, split_name
from citeplug.text.tables import Tables

_MOST = 500  # authors
_LONGEST = 20_000  # code points of one command's argument
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
_ENDS = " \t*†‡§¶∗⋆♠♣♥♦✉.,;:#0123456789"
_SUFFIX = re.compile(
    r"(?i)(?:jr|sr|ph\.?\s?d|m\.?\s?d|msc|bsc|dr|prof|ii|iii|iv|(?:senior |student |life )?member|fellow)\b.*"
)
_NO_PERSON = re.compile(rf"(?i)\b{_TABLES.pattern('no_person')}\b")
_ANONYMOUS = re.compile(
    r"(?i)\banonym(?:ous|ized|ised)|(?:under|for) (?:double[- ])?(?:blind )?review|(?:names?|authors?) withheld"
)
_BLIND = frozenset(("anonymous", "anon", "blind", "doubleblind", "double-blind"))
_CLASS = re.compile(r"\\documentclass\s*\[([^\[\]]{0,2000})\]")


def read_authors(facts: Facts) -> tuple[str, ...]:
    """Return the names, "Given Family", each once; none if the paper is anonymous or nobody is named."""
    options = _CLASS.search(without_comments(facts.string[: facts.body]))
    if options and not _BLIND.isdisjoint(each.strip().lower() for each in options[1].split(",")):
        return ()
    names: dict[str, None] = {}
    commands = sorted(place for name in AUTHOR_COMMANDS for place in facts.commands.get(name, ()))
    for _, end in commands[:_MOST]:
        position = end + facts.string.startswith("*", end)
        option = facts.source.option(position)
        group = facts.source.group(option[1] + 1 if option else position)
        if group is None or group[1] - group[0] > _LONGEST:
            continue
        if _ANONYMOUS.search(facts.string[slice(*group)]):
            return ()
        names.update(dict.fromkeys(_names(facts, *group)))
    return tuple(names)[:_MOST]


def _names(facts: Facts, start: int, stop: int) -> Iterator[str]:
    """Yield the people's names in an argument."""
    text = without_comments(facts.string[start:stop])
    alone = list(_arguments(text, _NAMES_ALONE))
    for part in alone or [text]:
        for block in _APART.split(_MATH.sub(" ", _without(part, _BESIDE))):
            for line in _first_lines(block):
                said = " ".join(facts.made_plain(line, start).split())
                for piece in _BETWEEN.split(said):
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
    name = text.strip(_ENDS + "(){}[]")
    initials = text.strip().rstrip("".join(set(_ENDS) - {"."}))
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
    """The text without these commands and their arguments."""
    source, kept, position = LatexSource(text), [], 0
    for match in commands.finditer(text):
        if match.start() < position or (_AFTER_NAMES.match(text, match.start()) and source.group(match.end()) is None):
            continue
        kept.append(text[position : match.start()])
        option = _OPTION.match(text, match.end())
        position = option.end() if option else match.end()
        if group := source.group(position):
            position = group[1] + 1
    return "".join([*kept, text[position:]])
