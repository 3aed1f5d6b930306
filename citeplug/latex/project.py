"""From the main file of a LaTeX project to the facts of the draft."""

import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import Literal

from citeplug.errors import UnreadableInput
from citeplug.files.project_files import as_given, unreadable
from citeplug.latex.bibfiles import read_bibliography
from citeplug.latex.contexts import in_context
from citeplug.latex.document_options import read_document_options
from citeplug.latex.folders import DISK, Files, Folders, project_folder
from citeplug.latex.front_matter import find_abstract, read_authors
from citeplug.latex.include import Reader
from citeplug.latex.parse import find_facts, read_date, read_sections, read_title
from citeplug.latex.related_work import find_related_work
from citeplug.latex.roots import configured_root, find_root
from citeplug.latex.stream import Stream
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding

__all__ = ["configured_root", "find_root", "read_draft"]


def read_draft(main: Path, skip: Collection[Path] = (), *, files: Files = DISK, prose: bool = True) -> Draft:
    """Read the project whose root document is `main`.

    `skip` names files, absolute, that are left out and not missed: what citeplug wrote itself.
    `files` reads them. Without `prose` the abstract, the sections' texts and the citations' contexts are left
    empty, which saves a third of the time or more. What is missing or doubtful becomes a finding of the draft; only a
    root file that cannot be read at all raises UnreadableInput.
    """
    root = as_given(main)
    if root.suffix.lower() == ".pdf":
        raise UnreadableInput(f"{root} is a PDF, which this command does not take", "give the main .tex file")
    skipped = frozenset(Path(os.path.normpath(path)) for path in skip)  # as files are looked up
    folders = Folders(root.parent, project_folder(root.parent), skip=skipped, files=files)
    try:
        stream = Reader(folders).read(root)
    except FileNotFoundError as error:
        raise UnreadableInput(f"{root} does not exist", "give the main .tex file of the project") from error
    except OSError as error:
        raise unreadable(root, error) from error
    facts = find_facts(stream)
    abstract, taken = find_abstract(facts) if prose else ("", [])
    sections = read_sections(facts, taken, prose=prose)
    related, works = find_related_work(facts, sections, taken)
    bibliography = read_bibliography(facts, folders)
    counts: dict[str, int] = {}
    for cite in facts.cites:
        counts[cite.command] = counts.get(cite.command, 0) + 1
    title = read_title(facts)
    options = read_document_options(facts, folders)
    findings = [*stream.findings, *facts.findings, *bibliography.findings]
    findings += _what_is_missing(root, stream, title, abstract or not prose)
    return Draft(
        root=root,
        files=tuple(dict.fromkeys(stream.files)),
        title=title,
        abstract=abstract,
        sections=sections,
        cites=in_context(facts) if prose else tuple(facts.cites),
        entries=tuple(bibliography.entries),
        bib_files=tuple(bibliography.files),
        bib_style=bibliography.style,
        bib_engine=_engine(stream, bibliography.files),
        document_class=stream.document_class,
        packages=tuple(dict.fromkeys(p.name.lower() for p in stream.packages)),
        related_work=related,
        related_works=works,
        cite_commands=counts,
        encoding=stream.encoding,
        findings=tuple(findings),
        options=options,
        date=read_date(facts),
        authors=read_authors(facts),
    )


def _engine(stream: Stream, files: list[Path]) -> Literal["bibtex", "biber", "none"]:
    options = stream.biblatex_options()
    if options is not None:
        backend = re.search(r"backend\s*=\s*\{?\s*(\w+)", options)
        return "bibtex" if backend and backend[1].lower().startswith("bibtex") else "biber"
    return "bibtex" if files else "none"


def _what_is_missing(root: Path, stream: Stream, title: str, abstract: str | bool) -> list[Finding]:
    findings = []
    if stream.document_class is None:
        fix = "give the file that has it, or start %!TEX root there"
        findings.append(Finding("no_document_class", "warning", "there is no \\documentclass", root, 1, 1, fix))
    if not title:
        findings.append(Finding("no_title", "info", "no title was found", root, None, None, "add \\title{...}"))
    if not abstract:
        message = "no abstract was found: searches will use the title and the sections"
        fix = "add \\begin{abstract}...\\end{abstract}"
        findings.append(Finding("no_abstract", "info", message, root, None, None, fix))
    return findings
