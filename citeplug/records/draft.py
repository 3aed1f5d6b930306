"""The author's draft, as read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from citeplug.records.finding import Finding
from citeplug.records.plan import Plan


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a file. `start` and `end` are code points from 0, half-open; `line` counts from 1.

    `page` is that of a PDF, which has no lines, from 1.
    """

    file: Path
    start: int
    end: int
    line: int
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Cite:
    """One citation command. `command` as written, without backslash, star kept; `\\nocite{*}` has key `*`.

    `context` is the heading above it and the sentence around it, plain, with `[*]` in its place; empty where it was not
    read, or the key was cited twice before.
    """

    keys: tuple[str, ...]
    command: str
    span: Span
    context: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class BibEntry:
    """An entry that the draft's bibliography defines.

    `kind` is the entry type in lower case (`article`, `misc`, ...; `bibitem` for `\\bibitem`). `fields` has
    lower-case names and raw values without their outer delimiters. `arxiv_id` is without version.
    """

    key: str
    kind: str
    fields: dict[str, str]
    span: Span
    arxiv_id: str | None = None
    doi: str | None = None


@dataclass(frozen=True, slots=True)
class DraftSection:
    """A heading and the plain text below it, without its subsections.

    `level`: 0 chapter, 1 section, ..., 4 run-in heading. `end`: where the text under a run-in heading ends in its file,
    in code points; None for other headings.
    """

    level: int
    title: str
    text: str
    span: Span
    end: int | None = None


@dataclass(frozen=True, slots=True)
class DocumentOptions:
    """Options set in the document by the commands of the package `citeplug`.

    `values` are by the names of the settings (`settings/known_settings.py`); `span` is that of `\\citeplugrelated`.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    plan: Plan | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A LaTeX project as read, or a PDF or text, of which `is_latex` is False.

    `root` is absolute; `files` are in the order read, root first. Texts are plain: no comments, macros
    expanded or dropped, math kept as written. `bib_files` are absolute, missing ones included.
    `bib_engine` is the program that sorts and prints them (`none` with `\\bibitem` only). `cite_commands` are the
    cite commands in use with their counts, so that the section can use the same ones.
    `packages` are the loaded ones, lower case. `related_work` is the section that discusses other work, or such a text
    under a run-in heading, if there is one, and `related_works` how many works it cites.
    `date` is the text of `\\date`. `authors` are people's names, none if the paper is anonymous.
    """

    root: Path
    files: tuple[Path, ...]
    title: str
    abstract: str
    sections: tuple[DraftSection, ...] = ()
    cites: tuple[Cite, ...] = ()
    entries: tuple[BibEntry, ...] = ()
    bib_files: tuple[Path, ...] = ()
    bib_style: str | None = None
    bib_engine: Literal["bibtex", "biber", "none"] = "none"
    document_class: str | None = None
    packages: tuple[str, ...] = ()
    related_work: DraftSection | None = None
    related_works: int = 0
    cite_commands: dict[str, int] = field(default_factory=dict)
    encoding: str = "utf-8"
    findings: tuple[Finding, ...] = ()
    options: DocumentOptions = field(default_factory=DocumentOptions)
    date: str = ""
    authors: tuple[str, ...] = ()
    is_latex: bool = True

    @property
    def citable(self) -> tuple[BibEntry, ...]:
        """The entries by whose keys a section can cite; none of those that a PDF prints."""
        return self.entries if self.is_latex else ()
