"""A sentence of a section as it reads in print: in place of its keys the authors and years of what it cites."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from citeplug.records.draft import BibEntry
from citeplug.records.paper import Reason
from citeplug.section_file.cite_style import is_textual
from citeplug.text.cleaning import plain
from citeplug.text.compare import entry_title, entry_year
from citeplug.text.people import cited_people, named_works, split_authors
from citeplug.text.tex_text import decode_tex

_CITATION = re.compile(r"~?\\[A-Za-z]*cite[A-Za-z]*\*?\s*(?:\[[^\[\]]*\]\s*){0,2}\{([^{}]*)\}", re.IGNORECASE)
_COMMAND = re.compile(r"\\([A-Za-z]*cite[A-Za-z]*)\*?(?=[\[{])")
_KEYS = re.compile(r"\[([^\[\]]+)\]")


@dataclass(frozen=True, slots=True)
class PrintedWork:
    """What a citation prints of a work: `people` as `cited_people` gives them, or the title, and the year."""

    people: str
    year: str
    title: str

    def named(self, *, is_beside: bool) -> str:
        """`Li, 2019` beside the text, `Li (2019)` as a part of it."""
        who = self.people or self.title
        return who if not self.year else f"{who}, {self.year}" if is_beside else f"{who} ({self.year})"


def printed_works(entries: Iterable[BibEntry]) -> dict[str, PrintedWork]:
    """What citations of these entries print, by key."""
    return {entry.key: _work(entry) for entry in entries}


def names_of(entries: Iterable[BibEntry]) -> dict[str, str]:
    """The works of a bibliography as a reader knows them, `Kipf and Welling 2017`, by key; the title without people."""
    works = printed_works(entries)
    return {key: f"{work.people or f'“{work.title}”'} {work.year}".strip() for key, work in works.items()}


def in_names(reason: Reason, names: Mapping[str, str]) -> str:
    """A reason to read a paper, in which the works that the draft cites have their names in place of their keys."""
    return named_works(reason.text, {key: names[key] for key in reason.keys if key in names})


@lru_cache(4096)
def readable(tex: str) -> str:
    """LaTeX of a sentence as plain text, with its citation keys in brackets; math stays as written."""
    return plain(decode_tex(_CITATION.sub(lambda match: f" [{match[1]}]", tex), keep_math=True))


def cited_prose(text: str, works: Mapping[str, PrintedWork], tex: str = "") -> list[tuple[str, str]]:
    """A `readable` text in parts as a reader sees it: each citation by its authors and year, with the work's title.

    The title of other parts is empty. `works` are by key; of others the keys stay. `tex` is the text as LaTeX, whose
    commands say whether a citation is a part of its sentence.
    """
    parts: list[tuple[str, str]] = []
    commands = _COMMAND.findall(tex)
    end = 0
    for at, match in enumerate(_KEYS.finditer(text)):
        keys = [key.strip() for key in match[1].split(",")]
        if all(key in works for key in keys):
            before, end = text[end : match.start()], match.end()
            # What \citealt prints has the author's own brackets around it.
            is_beside = at < len(commands) and not is_textual(commands[at]) and commands[at] != "citealt"
            named = [works[key].named(is_beside=is_beside) for key in keys]
            first = works[keys[0]]
            if first.year and before.rstrip().lower().endswith(first.people.lower() or "\n"):
                named[0], is_beside = first.year, True  # whom the text before names: "Von Luxburg" begins a sentence
            parts += [(before + "(" * is_beside, "")]
            for number, (key, words) in enumerate(zip(keys, named, strict=True)):
                parts += [("; ", "")] * (number > 0) + [(words, works[key].title)]
            parts += [(")", "")] * is_beside
    return [*parts, (text[end:], "")]


def _work(entry: BibEntry) -> PrintedWork:
    people, more = split_authors(decode_tex(entry.fields.get("author", "")))
    title = plain(decode_tex(entry_title(entry) or "")) or entry.key
    return PrintedWork(cited_people(people, more=more), str(entry_year(entry) or ""), title)
