r"""What tells a reviewer who wrote a draft that is to be read blind, each with its line and a wording that would do.

The people are those of `\author`, printed or not, of the PDF's metadata, and those that the caller names. What speaks
of the authors in the first person, or beside a name of theirs, is a residue; a work of theirs cited in the third person
is none. Comments and what is skipped are looked at too: they go along where sources are uploaded.

By patterns, in English: thanks, grants and addresses are set phrases, and a draft that is to be read blind is sent to
no model. What they miss is in docs/measured.md (Blind review), by benchmarks/anonymity.py.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from citeplug.audit.balance import balance_of
from citeplug.audit.own_works import OUR, own_work, third_person
from citeplug.bib.suppress import ignored_codes, suppress
from citeplug.latex.folders import DISK, Files
from citeplug.latex.front_matter import author_lists, is_blind
from citeplug.latex.live import live
from citeplug.latex.project import read_draft
from citeplug.latex.roots import find_root
from citeplug.records.audit import Audit
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.finding import Finding, Severity
from citeplug.records.report import BibReport
from citeplug.text.folding import Name, fold_name, split_name
from citeplug.text.scanning import LineIndex, blank
from citeplug.text.sentences import split_sentences
from citeplug.text.speaking import THIS
from citeplug.text.tex_text import decode_letters

_LARGEST = 3_000_000  # code points of a file
_LONGEST = 4_000  # code points of a sentence
_CITED = re.compile(r"\\[A-Za-z]*[cC]ite[A-Za-z]*\*?\s*(?:\[[^\[\]]{0,200}\]\s*){0,2}\{([^{}]{1,2000})\}")
_COMMAND = re.compile(r"\\[A-Za-z@]+\*?|[{}~$]")
_BREAK = re.compile(
    r"\\(?:chapter|(?:sub)*section|(?:sub)?paragraph)\*?\s*(?:\{[^{}]{0,300}\})?"
    r"|\\(?=(?:item|bibitem|begin|end|maketitle|par|title|author|date)(?![A-Za-z]))"
)
_THANKS = re.compile(
    r"\b(?:we|I|the authors?)(?: [\w-]+){0,4} (?:thank|(?:are|is|am)(?: \w+)? (?:grateful|indebted|thankful))\b"
    r"|\b(?:we|I|the authors?)(?: \w+){0,2} acknowledges? (?!that\b)|\b(?:special|many|sincere|our) thanks to\b"
    r"|\bthanks (?:go|are due) to\b"
    r"|\b(?:support|fund|financ)ed (?:[\w-]+ ){0,3}(?:by|under|through|from|via|with)\b.{0,80}\b(?:grants?|foundation"
    r"|council|ministry|fellowship|contract|awards?"
    r"|scholarship|program(?:me)?|agency|funds?|commission|Horizon|project no)\b"
    r"|\b(?:receiv\w+|acknowledge\w*|gratefully) (?:\w+ ){0,3}(?:funding|support"
    r"|grants?) (?:\w+ ){0,2}(?:from|by|of)\b"
    r"|\b(?:grants?|award|contract|agreement) (?:agreement )?(?:no\b\.?|nos\b\.?|numbers?|#"
    r"|ID)? ?[A-Z]*[-/ ]?[\w/-]*\d{4,}",
    re.IGNORECASE,
)
_HEADED = re.compile(
    r"\\(?!end|label|ref"
    r"|(?:re)?new)[A-Za-z]+\*?\s*(?:\[[^\[\]]{0,80}\])?\s*\{\s*(?:\\[A-Za-z]+\s*)*(?:acknowledge?ments?|acks?"
    r"|funding|(?:author|credit)\s+(?:contributions?"
    r"|statement|biograph\w+|information)|about the authors?|biograph(?:y|ies)|affiliations?)[\s.:*]*\}"
    r"|\\(?:acknowledge?ments?|acks?|ack)(?![A-Za-z])|(?:^[ \t]{0,20}|\{\\(?:bf|bfseries|it"
    r"|em)\s)acknowledge?ments?\s*[.:}\\]",
    re.IGNORECASE | re.MULTILINE,
)
_UNTIL = "leave it out until the paper is accepted"
_WITHHELD = re.compile(r"(?i)anonym|blind|withheld|omitted|removed|hidden|redacted")
_TEMPLATE = re.compile(r"(?i)hippocampus|cranberry")  # the author in the style files of many conferences
_PLACE = re.compile(
    r"\b(?:our|my)(?: own| home)? (?:lab(?:oratory)?|university|institut\w+|department|company|employer|campus"
    r"|faculty|hospital|clinic"
    r"|research (?:group|team|cent\w+))\b"
    r"|(?i:\b(?:review board|irb|ethics (?:committee|board|commission))) (?:of|at) (?:the )?[A-Z]"
    r"|\b(?:the )?authors? (?:is|are|was|were) (?:\w+ )?(?:with|at|from) (?:the )?[A-Z]"
    r"|\b(?:[Cc]orresponding|[Ff]irst|[Ss]econd|[Ll]ast) author (?:[\w.]+ )?\(|\bwork (?:was )?done (?:while"
    r"|when|during|at)\b"
)
_MAIL = re.compile(
    r"(?<![\w.@+-])[\w.+-]{0,60}\w\\?\}?\s?(?:@|\s?[\[(]at[\])]\s?|\\@)\s?(?:[\w-]+\.)+[A-Za-z]{2,}(?![\w(])"
    r"|\\href\{mailto:(?!#)"
)
_ORCID = re.compile(r"\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b")
_LINK = re.compile(
    r"(?:https?://|www\.)[^\s{}|<>\"',;]+|\b(?:git(?:hub|lab)\.com|[\w-]+\.git(?:hub|lab)\.io"
    r"|hugging ?face\.co)/[\w./-]*"
)
_BLIND_LINK = re.compile(
    r"(?i)anonym|double-?blind|4open\.science|\b(?:doi|arxiv|creativecommons|w3)\.org|acm\.org/ccs|/licen[cs]e"
)
_OFFERED = re.compile(
    rf"{OUR} (?:[\w-]+ ){{0,4}}(?:code|repositor\w+|web ?(?:site|page)|page|project|supplement\w*|scripts?"
    rf"|notebooks?|materials?)\b"
    r"|\b(?:we|I) (?:\w+ ){0,3}(?:ma[dk]e|releas\w+|publish\w*|provid\w+|shar\w+|open-?sourc\w+|host\w*"
    r"|upload\w*|put|deposit\w*|distribut\w+|maintain\w*)\b"
    r"|\b(?:code|implementations?|scripts?|software|package|library|toolbox|supplement\w*|demos?|videos?"
    r"|notebooks?|models|materials?"
    rf"|project(?: page)?|page|{THIS})\b.{{0,80}}\b(?:is|are|was|were|be|been)\b(?: [\w-]+){{0,4}} (?:available"
    rf"|found|hosted|released|downloaded|accessed|published|maintained|provided|online)\b"
    r"|^\W*(?:(?:our|the|all|source|full|data and) )*(?:code|implementation|videos?|demos?|supplement\w*"
    r"|project page)(?: (?:and|of)(?: \w+){1,4})?(?: at\b|:)",
    re.IGNORECASE,
)
_HOME = re.compile(
    r"(?:/(?:home|Users|afs|nfs|export)/[\w.-]+|[A-Z]:[\\/]+(?:Users|Documents and Settings)[\\/]+[\w.-]+)"
)
_NAMED_FILE = re.compile(
    r"\\(?:includegraphics|input|include|graphicspath|includepdf|lstinputlisting"
    r"|bibliography)\*?(?:\[[^\]]{0,300}\])?\s*\{([^}]{1,300})\}"
)
_BESIDE = re.compile(
    r"\\(?P<command>thanks|affiliation|institution|institute|affil|address|email|orcid\w*|IEEEauthorblock[AN]"
    r"|icmlaffiliation|icmlcorrespondingauthor"
    r"|authornote)(?![A-Za-z])(?:\[[^\]]{0,100}\])?\s*\{\s*(?!\})(?P<what>[^{}]{0,200})"
)
_METADATA = re.compile(
    r"(?i)pdfauthor\s*=\s*(?:\{(?P<braced>(?:[^{}]|\{[^{}]*\})*)\}|(?P<bare>[^,}\]]*))|/Author\s*\((?P<info>[^()]*)\)"
)


class _FindingAt(NamedTuple):
    """A finding without its line; `offset` is in code points."""

    offset: int
    code: str
    message: str
    fix: str


@dataclass(frozen=True, slots=True)
class _FileText:
    """A file, or with `hidden` what LaTeX skips of it, everything else blank; `lines` are those of the file."""

    path: Path
    text: str
    hidden: bool
    lines: LineIndex


def is_anonymous(draft: Draft, files: Files = DISK) -> bool:
    """Return True if a draft says that it is: by an option of its class, or in place of its authors."""
    try:
        text = files.read(draft.root).text
    except OSError:
        return False
    return (
        not draft.authors
        and draft.is_latex
        and (is_blind(text) or re.search(r"\\author[^\\]{0,80}\bAnon", text) is not None)
    )


def audit_anonymity(main: Path, authors: Sequence[str] = ()) -> Audit:
    """Look only for what tells a reviewer who wrote the draft, without network and catalogue. Raises UnreadableInput.

    `authors` are names that an anonymous draft no longer has.
    """
    draft = read_draft(find_root(main))
    report = BibReport((), tuple(residues(draft, authors)), draft=draft)
    count = f"{len(draft.files)} {'file' if len(draft.files) == 1 else 'files'}, their comments, and the names of files"
    others = ("figures, supplements and the PDF itself",)
    whole = suppress(report, ignored_codes(draft.root.parent))
    return Audit(whole, (), balance_of(draft, ()), (count,), others, anonymity=True)


def residues(draft: Draft, authors: Sequence[str] = (), files: Files = DISK) -> list[Finding]:
    """Return what tells who wrote a draft, in the order of its files; one finding for each line and kind.

    `authors` are people's names that the draft itself may no longer have. What is not printed is an info.
    """
    texts = [part for name in draft.files for part in _parts(draft.root.parent / name, files)]
    people = _people(draft, authors, texts)
    entries = {entry.key: entry for entry in draft.entries}
    blind = any(is_blind(part.text) for part in texts if not part.hidden)
    found: dict[tuple[Path | None, int | None, str], Finding] = {}
    for part in texts:
        for offset, code, message, fix in _in_text(part, people, entries):
            printed = not part.hidden and not (blind and code == "author_named" and message.startswith("\\"))
            severity: Severity = "warning" if printed else "info"
            where = "" if printed else "not printed, but in the source: "
            line = part.lines.number(offset)
            finding = Finding(code, severity, where + message, part.path, line, fix=fix)
            found.setdefault((part.path, line, code), finding)
    for path in (*(draft.root.parent / name for name in draft.files), *draft.bib_files):
        if _has_handle(path.stem, people):
            message = f"the name of the file {path.name} has that of an author"
            found.setdefault((path, None, ""), Finding("author_named", "info", message, path, 1, fix="rename the file"))
    return list(found.values())


def _parts(path: Path, files: Files) -> Iterator[_FileText]:
    """Yield what LaTeX reads of a file, and what it skips."""
    try:
        text = files.read(path).text
    except OSError:
        return
    if path.suffix.lower() in (".bbl", ".bib") or len(text) > _LARGEST:
        return
    bare, lines = live(text), LineIndex(text)
    # A comment in a paragraph is no blank line.
    printed = "".join("%" if a == " " and b == "%" else a for a, b in zip(bare, text, strict=True))
    hidden = "".join(" " if b == "%" or (a == b and not a.isspace()) else b for a, b in zip(bare, text, strict=True))
    yield _FileText(path, printed, False, lines)
    for start, paragraph in [*_paragraphs(hidden)]:
        if _TEMPLATE.search(paragraph):
            hidden = hidden[:start] + blank(paragraph) + hidden[start + len(paragraph) :]
    if hidden.strip():
        yield _FileText(path, hidden, True, lines)


def _people(draft: Draft, authors: Sequence[str], texts: Sequence[_FileText]) -> list[Name]:
    names = [*authors, *draft.authors]
    names += [name for part in texts for _, listed in author_lists(part.text) for name in listed]
    names += [name for part in texts for match in _METADATA.finditer(part.text) for name in _named_in(match)]
    people = {name: split_name(name) for name in names if not _WITHHELD.search(name)}
    return [person for person in people.values() if person.given and len(fold_name(person.family)) > 1]


def _named_in(match: re.Match[str]) -> list[str]:
    value = decode_letters(match["braced"] or match["bare"] or match["info"] or "")
    return [name.strip() for name in re.split(r",|;|\band\b|\\and\b", value) if len(name.split()) > 1]


def _in_text(part: _FileText, people: Sequence[Name], entries: Mapping[str, BibEntry]) -> Iterator[_FindingAt]:
    """Yield the offset, code, message and fix of each residue."""
    text = part.text
    lists = [(span, names) for span, names in author_lists(text) if names]
    if lists:
        people_named = [name for _, names in lists for name in names]
        more = f" and {len(people_named) - 1} more" if len(people_named) > 1 else ""
        yield _FindingAt(
            lists[0][0][0], "author_named", f"\\author names {people_named[0]}{more}", "write Anonymous Authors"
        )
    blocks = [span for span, _ in lists]
    beside: dict[str, int] = {}
    for match in _BESIDE.finditer(text):
        what = _plain(match["what"])
        if (
            any(letter.isalpha() for letter in what)
            and not _WITHHELD.search(what)
            and not _is_in(match.start(), blocks)
        ):
            beside.setdefault(match["command"], match.start())
    for command, offset in beside.items():
        yield _FindingAt(offset, "author_named", f"\\{command} tells of the authors", "take it out")
    for match in _METADATA.finditer(text):
        value = match["braced"] or match["bare"] or match["info"] or ""
        if any(letter.isalpha() for letter in value) and not _WITHHELD.search(value) and "\\@" not in value:
            message = f"the PDF's metadata name {_plain(value) or value}"
            yield _FindingAt(match.start(), "author_named", message, "leave pdfauthor empty")
    for match in _HEADED.finditer(text):
        if not _WITHHELD.search(text, match.end(), match.end() + 200):
            yield _FindingAt(match.start(), "people_thanked", f"“{_plain(match[0])}”", _UNTIL)
    for match in _HOME.finditer(text):
        yield _FindingAt(
            match.start(), "identifying_link", f"the path {match[0]} has a user's name", "make it relative"
        )
    for match in _NAMED_FILE.finditer(text):
        if _has_handle(match[1], people):
            yield _FindingAt(
                match.start(), "identifying_link", f"{match[1].strip()} has an author's name", "rename the file"
            )
    for match in _MAIL.finditer(text):
        if not _is_in(match.start(), blocks):
            yield _FindingAt(match.start(), "author_named", f"the address {_plain(match[0])}", "take it out")
    for match in _ORCID.finditer(text):
        yield _FindingAt(match.start(), "author_named", f"the ORCID {match[0]}", "take it out")
    for start, raw in _sentences(text):
        for residue in _in_sentence(start, raw, part.hidden, people, entries):
            if not _is_in(residue[0], blocks):
                yield residue


def _is_in(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= offset < end for start, end in spans)


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences as LaTeX, each with its offset."""
    for first, paragraph in _paragraphs(text):
        start = 0
        # A heading is a sentence of its own.
        for end in [*(at for match in _BREAK.finditer(paragraph) for at in match.span()), len(paragraph)]:
            for begin, stop in split_sentences(paragraph[start:end]):
                if stop - begin <= _LONGEST:
                    yield first + start + begin, paragraph[start + begin : start + stop]
            start = end


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield what is between blank lines, each with its offset: what is left out of a text is a run of spaces."""
    start = end = position = 0
    for line in text.splitlines(keepends=True):
        position += len(line)
        if line.strip():
            end = position
            continue
        if end > start:
            yield start, text[start:end]
        start = end = position
    if end > start:
        yield start, text[start:end]


def _in_sentence(
    start: int, raw: str, hidden: bool, people: Sequence[Name], entries: Mapping[str, BibEntry]
) -> Iterator[_FindingAt]:
    begin = start + len(raw) - len(raw.lstrip(" \t\r\n%"))
    words = _plain(raw)
    if (own := own_work(words, people, entries)) is not None:
        said, keys = own
        at = start + _offset(raw, keys) if keys else begin
        yield _FindingAt(at, "own_work_cited", f"“{said}” tells whose work it is", third_person(keys, entries))
    if (match := _THANKS.search(words)) is not None and not _WITHHELD.search(words):
        yield _FindingAt(
            _place(start, raw, match[0]),
            "people_thanked",
            f"“{match[0]}”",
            _UNTIL,
        )
    if (where := _PLACE.search(words)) is not None:
        fix = "say what kind of place it is: “a large university”"
        yield _FindingAt(_place(start, raw, where[0]), "author_named", f"“{where[0]}” tells where the authors are", fix)
    for link in _LINK.finditer(raw):
        if not _BLIND_LINK.search(link[0]) and (_has_handle(link[0], people) or _OFFERED.search(words)):
            fix = "link to an anonymous copy, such as one at anonymous.4open.science"
            yield _FindingAt(start + link.start(), "identifying_link", f"{link[0]} tells whose work it is", fix)
    for person in () if raw.startswith("\\bibitem") else people:
        if (name := _mention(words, person, hidden)) is not None:
            yield _FindingAt(_place(start, raw, name), "author_named", f"{name} is named", "leave the name out")


def _mention(words: str, person: Name, hidden: bool) -> str | None:
    """Return the name of an author as it stands there; of what is not printed, by one part of it too.

    A surname alone is how works of others are cited.
    """
    first = person.given.split()[0]
    given = re.escape(first) if len(first.rstrip(".")) > 1 else rf"{re.escape(first[0])}\w*\.?"
    family = re.escape(person.surname)
    forms = [rf"{given}(?: [A-Z][\w.]*)* {family}", rf"{re.escape(first[0])}\.(?: ?[A-Z]\.)* ?{family}"]
    if hidden:
        forms += [rf"{family}(?! et al|,? \(?\d{{4}}| ?\[)"] if len(family) > 2 else []
        forms += (
            [rf"{given}(?=[:,]|$| ?[-–])|(?:@|TODO ?\(|for |ask |by ){given}"] if len(first.rstrip(".")) > 2 else []
        )
        initials = "".join(word[0] for word in f"{person.given} {person.family}".split())
        forms.append(rf"(?:^|[\[(]){initials}(?=[:\])])")
    match = re.search(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)", words)
    return match[0] if match is not None else None


def _has_handle(address: str, people: Sequence[Name]) -> bool:
    """Return True if an address has an author's name: all of a surname of four letters or more, or with an initial."""
    folded = [fold_name(part) for part in re.split(r"[^\w]+|_", decode_letters(address)) if part]
    for person in people:
        family, first = fold_name(person.family), fold_name(person.given)
        handles = {first + family, family + first, first[:1] + family, family + first[:1]}
        if len(family) > 3:
            handles.add(family)
        if any(part in handles or (len(family) > 4 and part.startswith(family)) for part in folded):
            return True
    return False


def _plain(text: str) -> str:
    """Return LaTeX as words, with `[@keys]` for a citation: footnotes and addresses stay, unlike in `plain_line`."""
    text = _CITED.sub(lambda match: f" [@{match[1]}] ", text)
    text = decode_letters(text.replace("%", " ").replace("\\&", "&").replace("\\_", "_"))
    return re.sub(r" (?=[,.;:])", "", " ".join(_COMMAND.sub(" ", text).split()))


def _offset(raw: str, keys: Sequence[str]) -> int:
    return max(0, raw.find(keys[0]))


def _place(start: int, raw: str, words: str) -> int:
    """Return where words stand in the file: at their first one that is there as it is."""
    at = next((at for word in words.split() if len(word) > 2 and (at := raw.find(word)) >= 0), 0)
    return start + at
