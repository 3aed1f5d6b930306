"""What in an entry will break the bibliography run, or leave a hole in the printed list.

Each rule was tried with BibTeX and pdfLaTeX (tests/bibliography/test_lint.py): a raw `%` takes the rest of the
line with it, a raw `&`, `#`, `_` or `^` stops LaTeX, and so does a dollar sign without a partner.
"""

import re
from collections.abc import Collection, Iterator
from typing import Literal

from citeplug.bibliography.places import EntryPlace, FieldPlace, locate_entry
from citeplug.records.draft import BibEntry
from citeplug.records.review import Finding, Severity

Engine = Literal["bibtex", "biber", "none"]

# What the styles print as text; the others are verbatim, such as `url`, or not printed at all, such as `abstract`.
_PRINTED = frozenset(
    """author editor title subtitle booktitle booksubtitle maintitle journal journaltitle shortjournal series publisher
    school institution organization address location edition howpublished note addendum type chapter volume number
    pages eventtitle titleaddon translator""".split()
)
_VERBATIM = re.compile(
    r"\\(?:url|path|nolinkurl|doi|href|verb|texttt\s*\{\s*\\url|arxiv|eprint)\s*(?:\[[^\]]*\])?\{[^{}]*\}"
)
_MATH = re.compile(
    r"\\\(.*?\\\)|(?<!\\)\$\$.*?(?<!\\)\$\$|(?<!\\)\$.*?(?<!\\)\$|\\ensuremath\s*\{(?:[^{}]|\{[^{}]*\})*\}", re.S
)
_SPECIAL = re.compile(r"(?<!\\)(?:\\\\)*([%&#_^])")
_DOLLAR = re.compile(r"(?<!\\)\$")
_MONTHS = frozenset("jan feb mar apr may jun jul aug sep oct nov dec".split())
# Macros that BibTeX's standard styles define.
_OF_STYLES = frozenset(
    """acmcs acta cacm ibmjrd ibmsj ieeese ieeetc ieeetcad ipl jacm jcss scp sicomp tocs tods tog toms toois toplas
    tcs""".split()
)
_STRING = re.compile(r"@\s*string\s*[{(]\s*([^\s=\"#%'(),{}]+)\s*=", re.IGNORECASE)

# Fields without which a style prints a hole; `|` separates fields of which one is enough.
_REQUIRED = {
    "article": "author title journal|journaltitle year|date",
    "book": "author|editor title publisher year|date",
    "inproceedings": "author title booktitle year|date",
    "conference": "author title booktitle year|date",
    "incollection": "author title booktitle publisher year|date",
    "inbook": "author|editor title chapter|pages|booktitle publisher year|date",
    "phdthesis": "author title school|institution year|date",
    "mastersthesis": "author title school|institution year|date",
    "thesis": "author title institution|school year|date",
    "techreport": "author title institution year|date",
    "report": "author title institution year|date",
    "proceedings": "title year|date",
    "unpublished": "author title note",
    "manual": "title",
    "booklet": "title",
}
# Styles that cut names down to their first letters, byte by byte under BibTeX.
_CUTS_NAMES = re.compile(r"(?:abbrv|alpha|amsalpha|siam|acm$|ieeetr|IEEEtran|unsrtabbrv)", re.IGNORECASE)
_NAME_START = re.compile(r"(?:^|[\s~-]|\band\s)([^\x00-\x7f])")


def lint_entry(
    text: str, entry: BibEntry, macros: Collection[str], *, engine: Engine = "none", style: str | None = None
) -> list[Finding]:
    """Findings on one entry of the .bib whose text is `text`, in the order of its fields.

    `macros` are the @string names, lower case, that the bibliography run knows. `engine` is "none" if it is not
    known what will read the file.
    """
    place = locate_entry(text, entry.span.start)
    if place is None:
        return []  # it is broken, and reported as such
    findings = [finding for field in place.fields for finding in _field(text, entry, field, macros)]
    if engine == "bibtex" and _CUTS_NAMES.match(style or ""):
        findings += _names(text, entry, place, style or "")
    return [*findings, *_missing(entry)]


def defined_macros(text: str) -> set[str]:
    """The names that @string commands of a file define, lower case."""
    return {name.lower() for name in _STRING.findall(text)}


def _field(text: str, entry: BibEntry, field: FieldPlace, macros: Collection[str]) -> Iterator[Finding]:
    name = field.name.lower()
    for start, end in field.parts:
        part = text[start:end]
        if part[:1] not in '{"':
            word = part.lower()
            if not part.isdigit() and word not in _MONTHS | _OF_STYLES and word not in macros:
                message = f"{name} of {entry.key} is the macro {part}, which no @string defines"
                fix = "put the value in braces, or define the macro"
                yield _finding("undefined_macro", "warning", message, entry, text, start, fix)
        elif name in _PRINTED:
            yield from _special(text, entry, name, start + 1, end - 1)


def _special(text: str, entry: BibEntry, name: str, start: int, end: int) -> Iterator[Finding]:
    value = text[start:end]
    blank = _MATH.sub(_blanked, _VERBATIM.sub(_blanked, value))
    for match in _SPECIAL.finditer(blank):
        sign, at = match[1], start + match.start(1)
        if sign == "%":
            message = f"the raw % in {name} of {entry.key} hides the rest of its line from LaTeX"
            yield _finding("raw_percent", "error", message, entry, text, at, r"write \%")
        else:
            message = f"the raw {sign} in {name} of {entry.key} stops LaTeX"
            fix = rf"write \{sign}" if sign != "^" else "put it into math, or write \\^{}"
            yield _finding("raw_special", "error", message, entry, text, at, fix)
    dollars = list(_DOLLAR.finditer(blank))
    if len(dollars) % 2:
        message = f"a dollar sign in {name} of {entry.key} has no partner"
        yield _finding(
            "unpaired_dollar",
            "error",
            message,
            entry,
            text,
            start + dollars[-1].start(),
            r"write \$, or close the math",
        )


def _blanked(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _names(text: str, entry: BibEntry, place: EntryPlace, style: str) -> Iterator[Finding]:
    """Names whose first letter BibTeX would cut in two: it counts bytes, and UTF-8 has several for one letter."""
    for field in place.fields:
        start, end = field.value
        if field.name.lower() in ("author", "editor") and (match := _NAME_START.search(text[start + 1 : end - 1])):
            message = (
                f"BibTeX with {style} cuts the first letter of a name in {field.name.lower()} of {entry.key} in two"
            )
            fix = f"write {match[1]} as a braced TeX accent, or use biber"
            yield _finding("name_cut", "error", message, entry, text, start + 1 + match.start(1), fix)


def _missing(entry: BibEntry) -> Iterator[Finding]:
    if "crossref" in entry.fields or "xdata" in entry.fields:
        return
    for names in _REQUIRED.get(entry.kind, "").split():
        if any(entry.fields.get(name, "").strip() for name in names.split("|")):
            continue
        name = names.split("|")[0]
        # A preprint as @article is common, and every style prints it.
        severity: Severity = "warning" if name in ("author", "title") else "info"
        message = f"the @{entry.kind} {entry.key} has no {name}"
        yield Finding(
            "missing_field",
            severity,
            message,
            entry.span.file,
            entry.span.line,
            None,
            f"add {name}, or choose another type",
        )


def _finding(code: str, severity: Severity, message: str, entry: BibEntry, text: str, at: int, fix: str) -> Finding:
    # Lines end in \n, \r\n or \r; the entry's own line is known.
    before = text[entry.span.start : at].replace("\r\n", "\n").replace("\r", "\n")
    line = entry.span.line + before.count("\n")
    column = at - max(text.rfind("\n", 0, at), text.rfind("\r", 0, at))
    return Finding(code, severity, message, entry.span.file, line, column, fix)
