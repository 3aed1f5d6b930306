r"""What tells a reviewer who wrote a draft that is to be read blind, each with its line and a wording that would do.

The people are those of `\author`, printed or not, of the PDF's metadata, and those that the caller names. What speaks
of the authors in the first person, or beside a name of theirs, is a residue; a work of theirs cited in the third person
is none. Comments and what is skipped are looked at too: they go along where sources are uploaded.

By patterns, in English: thanks, grants and addresses are set phrases. A model, if there is one, reads the sentences
too (`judge_anonymity`). What is missed is in benchmarks/results.md (Blind review), by benchmarks/anonymity.py.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from citeplug.audit.blind_sentences import NAME, UNTIL, WITHHELD, FindingAt, has_handle, in_sentence, plain_words
from citeplug.latex.folders import DISK, Files
from citeplug.latex.front_matter import author_lists, is_blind
from citeplug.latex.live import live
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.finding import Finding, Severity
from citeplug.text.folding import Name, fold_name, split_name
from citeplug.text.people import split_authors
from citeplug.text.scanning import LineIndex, blank
from citeplug.text.sentences import split_sentences
from citeplug.text.tex_text import decode_letters

_REGULARS, _LEAST_WORKS = 3, 4  # people, and works of each
_LARGEST = 3_000_000  # code points of a file
_LONGEST = 4_000  # code points of a sentence
_BREAK = re.compile(
    r"\\(?:chapter|(?:sub)*section|(?:sub)?paragraph)\*?\s*(?:\{[^{}]{0,300}\})?"
    r"|\\(?=(?:item|bibitem|begin|end|maketitle|par|title|author|date)(?![A-Za-z]))"
)
_HEADED = re.compile(
    r"\\(?!end|label|ref"
    r"|(?:re)?new)[A-Za-z]+\*?\s*(?:\[[^\[\]]{0,80}\])?\s*\{\s*(?:\\[A-Za-z]+\s*)*(?:acknowledge?ments?|acks?"
    r"|funding|(?:author|credit)\s+(?:author(?:ship)?\s+)?(?:contributions?"
    r"|statement|biograph\w+|information)|about the authors?|biograph(?:y|ies)|affiliations?)[\s.:*]*\}"
    r"|\\begin\s*\{(?:IEEE)?biograph(?:y|ies)\w*\}"
    r"|\\(?:acknowledge?ments?|acks?|ack)(?![A-Za-z])|(?:^[ \t]{0,20}|\{\\(?:bf|bfseries|it"
    r"|em)\s)acknowledge?ments?\s*[.:}\\]",
    re.IGNORECASE | re.MULTILINE,
)
_TEMPLATE = re.compile(r"(?i)hippocampus|cranberry")  # the author in the style files of many conferences
_MAIL = re.compile(
    r"(?<![\w.@+-])[\w.+-]{0,60}\w\\?\}?\s?(?:@|\s?[\[(]at[\])]\s?|\\@)\s?(?:[\w-]+\.)+[A-Za-z]{2,}(?![\w(])"
    r"|\\href\{mailto:(?!#)"
)
_ORCID = re.compile(r"\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b")
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
    r"|authornote|shortauthors?|funding|grantsponsor|grantnum|authorrunning|runningauthors?"
    r"|todo(?=\s*\[[^\]]{0,99}\bauthor\s*=))(?![A-Za-z])(?:\[[^\]]{0,100}\])?\s*\{\s*(?!\})(?=(?P<what>[^{}]{0,200}))"
)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
# A co-author's note: "% Ann: please check", "% TODO (Ann)", "% Ann 12 March: shortened", \newcommand\ann[1]{[Ann: #1]}.
_NOTE = re.compile(
    r"^[ \t]{0,200}(?:(?:TODO|FIXME|XXX)[ \t]{0,3})?[\[(]?(?P<who>[A-Z][a-zà-ÿ'’-]{1,30}|(?:[A-Z]\.[~ ]?){1,3}"
    r"|[A-Z]{2,3}(?= ?\d))(?:[\])]? ?:[ \t]"
    r"(?=[^\n]{0,200}(?:\b(?:please|you|I|should|let['’]s|we)\b|\?))"
    rf"|[\])]?,? \(?\d{{1,2}}(?:\.? ?{_MONTH}\b|[./]\d{{1,2}}\b))"
    r"|\b(?:TODO|FIXME|XXX)[ \t]*[\[(](?P<asked>[A-Z][\w-]+)[\])]",
    re.MULTILINE,
)
_NOTE_COMMAND = re.compile(
    r"\\(?:re)?newcommand\*?\s*\{?\\\w+\}?\s*\[1\]\s*\{[^\n]{0,120}?[\[({ ](?P<who>[A-Z][\w.-]+)[ ]?[:\]][^\n]{0,20}#1"
)
_DATE = re.compile(r"\\date\s*\{[^{}]{0,80}?\b(?:by|of) (?P<who>[A-Z][\w'’-]+ [A-Z][\w'’. -]+)")
_RUNNING = re.compile(
    r"\\(?:markboth|markright|fancyhead|[lcr]head|title\w*running)\s*(?:\[[^\[\]]{0,20}\])?\s*"
    r"\{[^{}]{0,80}?(?P<who>[A-Z][\w'’-]+),? et~?\s*al\b"
)
_NO_NAME = re.compile(
    r"(?i)abstract|acknow\w+|answer|appendix|author|caption|case|changes?|claim|code|comments?|conclusions?|contributions|data|date|def\w*"
    r"|discussion|done|draft|edit|equations?|eq|examples?|fig\w*|file|fixme|format|from|here|hint|idea|in\w*|keywords"
    r"|lemma|list|main|method\w*|new|notes?|now|old|options?|or|original|outline|page|paragraph|part|problem|proof"
    r"|question|ref\w*|related|remark|result\w*|review\w*|sec\w*|see|source|step|subject|summary|table|template|text"
    r"|the\w*|this|title|todo|update|usage|version|warning|xxx"
)
_METADATA = re.compile(
    r"(?i)pdf(?:author|copyright|contact\w+)\s*=\s*(?:\{(?P<braced>(?:[^{}]|\{[^{}]*\})*)\}|(?P<bare>[^,}\]]*))|/Author\s*\((?P<info>[^()]*)\)"
)

_MADE_BY = re.compile(
    r"(?i)(?:pdf(?:creator|producer)\s*=\s*\{?|/(?:Creator|Producer)\s*\()\s*(?P<what>[^(){},]{1,100})"
)
_SOFTWARE = re.compile(r"(?:Adobe|Microsoft|Apple|Mac ?OS|TeX Live|LaTeX|PDF|Distiller) [A-Z]\w+")
_LOGO = re.compile(r"(?i)(?:^|[/_-])(?:uni(?:versit\w*)?|institut\w*|dept|department|faculty)[-_.]")


@dataclass(frozen=True, slots=True)
class FileText:
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


def residues(draft: Draft, authors: Sequence[str] = (), files: Files = DISK) -> list[Finding]:
    """Return what tells who wrote a draft, in the order of its files; one finding for each line and kind.

    `authors` are people's names that the draft itself may no longer have. What is not printed is an info.
    """
    texts = texts_of(draft, files)
    people = _people(draft, authors, texts)
    entries = {entry.key: entry for entry in draft.entries}
    blind = any(is_blind(part.text) for part in texts if not part.hidden)
    findings: dict[tuple[Path | None, int | None, str], Finding] = {}
    common = frozenset(re.findall(r"\b[a-z]{2,}\b", " ".join(part.text for part in texts)))
    regulars = () if people else _regulars(draft.entries)
    for part in texts:
        for offset, code, message, fix in _in_text(part, people, entries, common, regulars):
            printed = not part.hidden and not (blind and code == "author_named" and message.startswith("\\"))
            severity: Severity = "warning" if printed else "info"
            where = "" if printed else "not printed, but in the source: "
            line = part.lines.number(offset)
            finding = Finding(code, severity, where + message, part.path, line, fix=fix)
            findings.setdefault((part.path, line, code), finding)
    for path in (*(draft.root.parent / name for name in draft.files), *draft.bib_files):
        if has_handle(path.stem, people):
            message = f"the name of the file {path.name} has that of an author"
            findings.setdefault(
                (path, None, ""), Finding("author_named", "info", message, path, 1, fix="rename the file")
            )
    return list(findings.values())


def texts_of(draft: Draft, files: Files = DISK) -> list[FileText]:
    """Return the texts of a draft's files, the hidden ones after those that LaTeX reads."""
    return [part for name in draft.files for part in _parts_of(draft.root.parent / name, files)]


def _parts_of(path: Path, files: Files) -> Iterator[FileText]:
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
    yield FileText(path, printed, False, lines)
    for start, paragraph in [*_paragraphs(hidden)]:
        if _TEMPLATE.search(paragraph):
            hidden = hidden[:start] + blank(paragraph) + hidden[start + len(paragraph) :]
    if hidden.strip():
        yield FileText(path, hidden, True, lines)


def _people(draft: Draft, authors: Sequence[str], texts: Sequence[FileText]) -> list[Name]:
    names = [*authors, *draft.authors]
    names += [name for part in texts for _, listed in author_lists(part.text) for name in listed]
    names += [name for part in texts for match in _METADATA.finditer(part.text) for name in _named_in(match)]
    people = {name: split_name(name) for name in names if not WITHHELD.search(name)}
    return [person for person in people.values() if person.given and len(fold_name(person.family)) > 1]


def _named_in(match: re.Match[str]) -> list[str]:
    value = decode_letters(match["braced"] or match["bare"] or match["info"] or "")
    value = re.sub(r"\(c\)|©|\b\d{4}\b", "", value)
    return [name.strip() for name in re.split(r",|;|\band\b|\\and\b", value) if len(name.split()) > 1]


def _regulars(entries: Sequence[BibEntry]) -> list[Name]:
    """Return the people of whom most works are cited: often a draft's own authors, if it does not name them."""
    counts: Counter[str] = Counter()
    for entry in entries:
        counts.update(set(split_authors(entry.fields.get("author", ""))[0]))
    people = [split_name(name) for name, count in counts.most_common(_REGULARS) if count >= _LEAST_WORKS]
    return [person for person in people if len(person.family) > 3]


def _in_text(
    part: FileText,
    people: Sequence[Name],
    entries: Mapping[str, BibEntry],
    common: frozenset[str],
    regulars: Sequence[Name],
) -> Iterator[FindingAt]:
    """Yield the offset, code, message and fix of each residue.

    `common` are the words in small letters of the draft, which are no names; of `regulars` many works are cited.
    """
    text = part.text
    lists = [(span, names) for span, names in author_lists(text) if names]
    if lists:
        people_named = [name for _, names in lists for name in names]
        more = f" and {len(people_named) - 1} more" if len(people_named) > 1 else ""
        yield FindingAt(
            lists[0][0][0], "author_named", f"\\author names {people_named[0]}{more}", "write Anonymous Authors"
        )
    blocks = [span for span, _ in lists]
    beside: dict[str, int] = {}
    for match in _BESIDE.finditer(text):
        what = plain_words(match["what"])
        if any(letter.isalpha() for letter in what) and not WITHHELD.search(what) and not _is_in(match.start(), blocks):
            beside.setdefault(match["command"], match.start())
    for command, offset in beside.items():
        yield FindingAt(offset, "author_named", f"\\{command} tells of the authors", "take it out")
    for match in _METADATA.finditer(text):
        value = match["braced"] or match["bare"] or match["info"] or ""
        if any(letter.isalpha() for letter in value) and not WITHHELD.search(value) and "\\@" not in value:
            message = f"the PDF's metadata name {plain_words(value) or value}"
            yield FindingAt(match.start(), "author_named", message, "leave pdfauthor empty")
    for match in _MADE_BY.finditer(text):
        if re.search(NAME, _SOFTWARE.sub("", match["what"])):
            message = f"the PDF's metadata name {plain_words(match['what'])}"
            yield FindingAt(match.start(), "author_named", message, "leave it to the program")
    for match in _HEADED.finditer(text):
        if not WITHHELD.search(text, match.end(), match.end() + 200):
            yield FindingAt(match.start(), "people_thanked", f"“{plain_words(match[0])}”", UNTIL)
    for match in _HOME.finditer(text):
        yield FindingAt(match.start(), "identifying_link", f"the path {match[0]} has a user's name", "make it relative")
    for match in _NAMED_FILE.finditer(text):
        if has_handle(match[1], people) or has_handle(match[1], regulars):
            whose = "an author's name" if has_handle(match[1], people) else "the name of somebody whom you cite often"
            yield FindingAt(match.start(), "identifying_link", f"{match[1].strip()} has {whose}", "rename the file")
        elif _LOGO.search(match[1]):
            message = f"{match[1].strip()} seems to be of an institution"
            yield FindingAt(match.start(), "identifying_link", message, "leave it out")
    for match in _MAIL.finditer(text):
        if not _is_in(match.start(), blocks):
            yield FindingAt(match.start(), "author_named", f"the address {plain_words(match[0])}", "take it out")
    for match in _ORCID.finditer(text):
        yield FindingAt(match.start(), "author_named", f"the ORCID {match[0]}", "take it out")
    for pattern in (_NOTE_COMMAND, _DATE, _RUNNING, *((_NOTE,) if part.hidden else ())):
        for match in pattern.finditer(text):
            who = next(name for name in match.groups() if name)
            if not _NO_NAME.fullmatch(who) and (pattern is _NOTE_COMMAND or who.lower() not in common):
                yield FindingAt(match.start(), "author_named", f"{who} seems to be an author", "leave the name out")
    for start, raw in sentences_of(text):
        for residue in in_sentence(start, raw, part.hidden, people, entries):
            if not _is_in(residue[0], blocks):
                yield residue


def _is_in(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= offset < end for start, end in spans)


def sentences_of(text: str) -> Iterator[tuple[int, str]]:
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
