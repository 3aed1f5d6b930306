"""Inlay hints: attribution of generated sentences, and titles of the papers in plans."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lsprotocol import types as lsp

from citeplug.editor.documents import Document, Documents
from citeplug.editor.examine import Examined
from citeplug.editor.hover import sentence_card
from citeplug.editor.section import Section
from citeplug.editor.snapshot import Snapshot
from citeplug.records.draft import BibEntry
from citeplug.records.paper import Paper
from citeplug.section_file.grammar import find_cites
from citeplug.text.cleaning import plain
from citeplug.text.identifiers import as_arxiv_id
from citeplug.text.tex_text import decode_tex

_PLANNED = re.compile(r"^[ \t]*%+[ \t]*citeplug:[ \t]*\d+\b[^\r\n]*", re.MULTILINE)
_ENVIRONMENT = re.compile(r"\\begin\s*\{citeplugplan\}(.*?)\\end\s*\{citeplugplan\}", re.DOTALL)
_LINE = re.compile(r"[^\r\n]+")
_LONGEST = 30  # characters of a title


@dataclass(frozen=True, slots=True)
class Named:
    """A paper in a line of a plan: code points `start` to `end`, and the arXiv id or key there."""

    start: int
    end: int
    name: str

    @property
    def arxiv_id(self) -> str | None:
        return as_arxiv_id(self.name)


def named_in_plans(document: Document, start: int, end: int) -> list[Named]:
    """Return the papers of plan lines, in the section or in `citeplugplan`, between two code points."""
    return named_in_text(document.lined.text, start, end)


def named_in_text(text: str, start: int, end: int) -> list[Named]:
    """Return the papers of plan lines between two code points of a text."""
    lines = [(match.start(), match[0]) for match in _PLANNED.finditer(text)]
    for whole in _ENVIRONMENT.finditer(text):
        lines += [(match.start(), match[0]) for match in _LINE.finditer(text, whole.start(1), whole.end(1))]
    found = []
    for at, line in lines:
        if at < end and start < at + len(line):
            named = find_cites(line.rstrip()) or ()
            found += [Named(at + place, at + place + len(name), name) for place, name in named]
    return found


def hints(
    document: Document,
    start: int,
    end: int,
    snapshot: Snapshot,
    section: Section | None,
    examined: Examined | None,
    papers: Mapping[str, Paper],
    documents: Documents,
) -> list[lsp.InlayHint]:
    """Return the hints between two code points; `papers` are the records of the ids in plans there."""
    found = []
    for offset, label, tooltip in (
        *_sentences(document, section, examined),
        *_planned(document, start, end, snapshot, papers),
    ):
        if start <= offset <= end:
            place = document.lined.place(offset, documents.encoding)
            position = lsp.Position(line=place.line, character=place.character)
            found.append(lsp.InlayHint(position=position, label=label, tooltip=tooltip, padding_left=True))
    return found


def _sentences(
    document: Document, section: Section | None, examined: Examined | None
) -> Iterator[tuple[int, str, str]]:
    if section is None or section.path != document.path:
        return
    for sentence, place in section.sentences:
        if place is None:
            continue
        words = [sentence.kind if sentence.attribution is None else f"attribution {100 * sentence.attribution:.0f} %"]
        if (judgement := sentence.judgement) is not None and (judgement.doubt or judgement.verdict):
            words.append("in doubt" if judgement.doubt else "judged")
        if sentence.cites and examined is not None:
            good = {check.arxiv_id for check in examined.checks.values() if check.verdict == "verified"}
            words.append("verified" if good.issuperset(sentence.cites) else "not verified")
        if sentence.status == "accepted":
            words.append("accepted")
        yield place.end, ", ".join(words), sentence_card(sentence).plain()


def _planned(
    document: Document, start: int, end: int, snapshot: Snapshot, papers: Mapping[str, Paper]
) -> Iterator[tuple[int, str, str]]:
    for named in named_in_plans(document, start, end):
        paper = papers.get(named.arxiv_id or "")
        entry = snapshot.entry(named.name)
        if paper is not None:
            title = decode_tex(paper.title, keep_math=True)
            yield named.end, _label(paper.authors, str(paper.published.year), title), plain(title)
        elif entry is not None:
            authors = tuple(_of(entry, "author").split(" and ")[:1])
            yield named.end, _label(authors, _of(entry, "year"), _of(entry, "title")), _of(entry, "title")


def _of(entry: BibEntry, name: str) -> str:
    return plain(decode_tex(entry.fields.get(name, "")))


def _label(authors: tuple[str, ...], year: str, title: str) -> str:
    """Return a short label of a paper, such as "Hamilton 2017"; editors cut long hints."""
    first = plain(authors[0]) if authors else ""
    family, comma, _ = first.partition(",")
    who = family if comma else first.rsplit(" ", 1)[-1]
    return " ".join(part for part in (who, year) if part) or plain(title)[:_LONGEST] or "?"
