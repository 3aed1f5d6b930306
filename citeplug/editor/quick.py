"""Diagnostics right after a keystroke, before the project is read again.

Citations of undefined keys are found on the changed lines; all other diagnostics move with the text. The reading that
follows replaces them: it handles comments, conditionals and macros, of which only the simplest are handled here.
"""

import re
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace

from lsprotocol import types as lsp

from citeplug.bib.cited_keys import undefined_keys
from citeplug.editor.diagnostics import shown
from citeplug.editor.documents import Document, Documents, range_in
from citeplug.editor.lines import Lined, common_ends
from citeplug.editor.snapshot import Snapshot
from citeplug.latex.vocabulary import is_cite
from citeplug.records.draft import Cite, Span
from citeplug.text.suppressions import is_suppressed, read_suppressions

_CITE = re.compile(r"\\([A-Za-z]+)\*?(?:\s*(?:\[[^\[\]\r\n]*\]|<[^<>\r\n]*>|\([^()\r\n]*\)))*\s*\{([^{}\\%]{1,4000})\}")
_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*%")
_AROUND = 1000  # code points on either side in which a citation may begin or end
_OPENED = re.compile(r"\\begin\s*\{(?:comment|verbatim|Verbatim|lstlisting|minted|filecontents)\*?\}|\\iffalse\b")
_CLOSED = re.compile(r"\\end\s*\{(?:comment|verbatim|Verbatim|lstlisting|minted|filecontents)\*?\}|\\(?:fi|else)\b")
_BEFORE = 20_000  # code points that are searched for commands that switch text off
UNDEFINED = "undefined_key"


@dataclass(frozen=True, slots=True)
class _Change:
    """Code points `start` to `old_end` of one text are `start` to `new_end` of another."""

    start: int
    old_end: int
    new_end: int

    def moved(self, offset: int) -> int:
        """Return the offset in the new text of one in the old text."""
        if offset <= self.start:
            return offset
        return max(offset + self.new_end - self.old_end, self.start)


def at_once(
    snapshot: Snapshot, document: Document, known: Sequence[lsp.Diagnostic], documents: Documents
) -> list[lsp.Diagnostic] | None:
    """Return the diagnostics of a document that is newer than its snapshot, whose are `known`; None if uncertain."""
    old, new = snapshot.texts.get(document.path), document.lined
    if old is None or document.path not in snapshot.draft.files:
        return None
    first, last = common_ends(old.text, new.text)
    change = _Change(first, len(old.text) - last, len(new.text) - last)
    start, end = _lines(new, change.start, change.new_end, snapshot)
    stop = end - change.new_end + change.old_end
    if _is_dead(old, start, stop, snapshot, document):
        return None
    names = []
    for diagnostic in known:
        first, last = (old.offset(place.line, place.character, documents.encoding) for place in _ends(diagnostic))
        if diagnostic.code != UNDEFINED or last <= start or first >= stop:
            place = range_in(new, change.moved(first), change.moved(last), documents)
            names.append(copy(diagnostic))
            names[-1].range = place
    keys = [
        (key, at) for key, at in _keys(new, start, end, snapshot) if not document.is_typed_at(at, at + len(key), new)
    ]
    spans = [Cite((key,), "cite", Span(document.path, at, at + len(key), 1)) for key, at in keys]
    missing = {
        report.key: report.findings[0]
        for report in undefined_keys(replace(snapshot.draft, cites=tuple(spans)))
        if report.severity == "error" and UNDEFINED not in snapshot.ignored
    }
    comments = read_suppressions(new.text) if missing else ()
    for key, at in keys:
        if key in missing and not is_suppressed(UNDEFINED, [new.line_of(at) + 1], comments):
            names.append(shown(missing[key], range_in(new, at, at + len(key), documents)))
    return sorted(names, key=lambda diagnostic: (diagnostic.range.start.line, diagnostic.range.start.character))


def _ends(diagnostic: lsp.Diagnostic) -> tuple[lsp.Position, lsp.Position]:
    return diagnostic.range.start, diagnostic.range.end


def _lines(lined: Lined, start: int, end: int, snapshot: Snapshot) -> tuple[int, int]:
    """Extend a stretch to whole lines, and to all of the citations in them."""
    last = lined.line_of(end) + 1
    start = lined.starts[lined.line_of(start)]
    end = lined.starts[last] if last < len(lined.starts) else len(lined.text)
    for match in _citations(lined, start - _AROUND, end + _AROUND, snapshot):
        if match.start() < end and match.end() > start:
            start, end = min(start, match.start()), max(end, match.end())
    return start, end


def _citations(lined: Lined, start: int, end: int, snapshot: Snapshot) -> Iterator[re.Match[str]]:
    for match in _CITE.finditer(lined.text, max(start, 0), end):
        line = lined.starts[lined.line_of(match.start())]
        known = is_cite(match[1]) or match[1] in snapshot.own_commands
        if known and not _COMMENT.search(lined.text, line, match.start()):
            yield match


def _keys(lined: Lined, start: int, end: int, snapshot: Snapshot) -> Iterator[tuple[str, int]]:
    """Yield the keys cited in a stretch, with their offsets."""
    for match in _citations(lined, start, end, snapshot):
        at = match.start(2)
        for name in match[2].split(","):
            key = name.strip()
            if key and key != "*" and not re.search(r"[#\s]", key):
                yield key, at + name.index(key)
            at += len(name) + 1


def _is_dead(lined: Lined, start: int, end: int, snapshot: Snapshot, document: Document) -> bool:
    """Return True if the text is switched off by a command before it, or its citations were not read as such."""
    floor = max(start - _BEFORE, 0)
    opened = [match.end() for match in _OPENED.finditer(lined.text, floor, start)]
    if opened and _CLOSED.search(lined.text, opened[-1], start) is None:
        return True
    keys = set(_keys(lined, start, end, snapshot))
    places = {
        (mention.key, mention.place.start)
        for key in {key for key, _ in keys}
        for mention in snapshot.mentions.get(key, ())
        if mention.place.file == document.path and mention.exact
    }
    return not keys <= places
