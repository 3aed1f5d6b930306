"""Entries for arXiv papers: arXiv's own @misc, and what else a style needs to print the id."""

import re
from collections.abc import Iterator, Mapping, Sequence

from citeplug.bib.write.dialect import Dialect
from citeplug.records.paper import Paper
from citeplug.text.cleaning import plain
from citeplug.text.folding import Name, is_collective, split_name
from citeplug.text.identifiers import clean_doi
from citeplug.text.tables import Tables
from citeplug.text.tex_math import harmless_math
from citeplug.text.tex_print import curled, to_latex
from citeplug.text.tex_text import decode_tex

_MATH = r"\$[^$]+(?:(?<!\s)\$|\$(?!\d))"
_PIECE = re.compile(_MATH + r"|[^\s$]+|\s+|\$")
_CORE = re.compile(r"^(\W*)(.*?)(\W*)$", re.DOTALL)
_STARTS_CLAUSE = re.compile(r"(?:^|[:.?!–—])[\s\"“‘(]*$")
# Math that somebody left outside of math: `\bar{K}^0` needs its dollars to be printed.
_BARE_MATH = re.compile(
    r"(?:\\(?:bar|hat|tilde|vec|sqrt|overline|dot)\s*(?:\{[^{}$]*\}|\\[A-Za-z]+|[A-Za-z])(?:[\^_](?:\{[^{}$]*\}|\w))*)+"
)
_SMALL_IN_TITLES = Tables(__name__).words("small_in_titles")
# A DOI with other signs stops LaTeX in the styles that print it as plain text (splncs04, plainnat without url).
_SAFE_DOI = {"bibtex": re.compile(r"[A-Za-z0-9./():;-]+"), "biber": re.compile(r"[A-Za-z0-9./():;_<>-]+")}


def render_entry(paper: Paper, key: str, dialect: Dialect) -> str:
    """One entry as text, ending in a line end.

    ASCII with accents as commands for bibtex, Unicode for biber. The year is that of the first version.
    Raises ValueError if the record has no title or no authors.
    """
    kind, fields = entry_fields(paper, dialect)
    return lay_out(kind, key, fields)


def entry_fields(paper: Paper, dialect: Dialect) -> tuple[str, dict[str, str]]:
    """The type of an entry for `paper`, and its fields as LaTeX, in the order in which they are printed.

    Raises ValueError if the record has no title or no authors.
    """
    authors = " and ".join(filter(None, (print_author(author, dialect) for author in paper.authors)))
    title = print_title(paper.title, dialect)
    if not authors or not title:
        raise ValueError(f"the record of arXiv:{paper.id.value} has no {'title' if not title else 'authors'}")
    fields = {"title": title, "author": authors, "year": str(paper.published.year)}
    value = paper.id.value
    if dialect.shows_id == "journal":
        fields["journal"] = f"arXiv preprint arXiv:{value}"
    fields["eprint"] = value
    fields["archivePrefix"] = "arXiv"
    if paper.categories and re.fullmatch(r"[A-Za-z.-]+", paper.categories[0]):
        fields["primaryClass"] = paper.categories[0]
    if dialect.shows_id == "note":
        fields["note"] = f"arXiv:{value}"
    doi = printable_doi(paper.doi, dialect)
    if doi:
        fields["doi"] = doi
    if paper.journal_ref:
        # No style prints this field: what was published where is for the author to check and to use.
        fields["journalref"] = dialect.latex(paper.journal_ref)
    fields["url"] = f"https://arxiv.org/abs/{value}"
    return "article" if dialect.shows_id == "journal" else "misc", fields


def lay_out(kind: str, key: str, fields: Mapping[str, str]) -> str:
    """An entry of fields that are LaTeX already, ending in a line end."""
    width = max(map(len, fields))
    lines = [f"  {name.ljust(width)} = {{{text}}}," for name, text in fields.items()]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"]) + "\n"


def printable_doi(doi: str | None, dialect: Dialect) -> str | None:
    """`doi` cleaned, None if there is none or if it would stop LaTeX."""
    cleaned = clean_doi(doi)
    return cleaned if cleaned and _SAFE_DOI[dialect.engine].fullmatch(cleaned) else None


def print_author(author: str, dialect: Dialect) -> str:
    """One name as BibTeX reads it: `van der Family, Jr., Given`."""
    name = split_name(plain(author))
    if not any(letter.isalnum() for letter in author):
        return ""  # ":" stands for a collaboration's colon in some records
    if is_collective(name.family) or _needs_braces(name):
        whole = " ".join(filter(None, [name.given, name.particles, name.family, name.suffix]))
        return _braced(dialect.latex(whole))
    family = dialect.latex(name.surname)
    parts = [family, dialect.latex(name.suffix), dialect.latex(name.given)]
    return ", ".join(filter(None, parts)) if name.given else family


def _needs_braces(name: Name) -> bool:
    words = f"{name.given} {name.surname} {name.suffix}".lower().split()
    return "and" in words or words == ["others"] or "," in "".join(words) or (bool(name.suffix) and not name.given)


def _braced(text: str) -> str:
    # {\... at the top is an accent to BibTeX, and its letters change case; one more brace makes it a group.
    return "{{" + text + "}}" if text.startswith("\\") else "{" + text + "}"


def print_title(title: str, dialect: Dialect) -> str:
    """The title with braces where BibTeX's styles must not change the case."""
    marked = "".join(
        piece if piece.startswith("$") else _BARE_MATH.sub(lambda m: f"${m[0]}$", piece)
        for piece in re.split(f"({_MATH})", plain(title))
    )
    pieces = _PIECE.findall(_printable_math(curled(decode_tex(marked, keep_math=True)), dialect))
    protect = _protected(pieces)
    out = []
    for index, piece in enumerate(pieces):
        if piece.startswith("$") and len(piece) > 1:
            math = to_latex(piece, dialect.packages)
            out.append("{" + math + "}")
        elif piece.isspace():
            out.append(" ")
        else:
            out.append(_word(piece, index in protect, dialect))
    return "".join(out).strip()


def _printable_math(title: str, dialect: Dialect) -> str:
    """Math that may not be printed becomes the text it says."""

    def checked(piece: str) -> str:
        if not piece.startswith("$") or len(piece) < 3 or harmless_math(piece.strip("$"), dialect.packages):
            return piece
        return decode_tex(piece)

    return "".join(checked(piece) for piece in _PIECE.findall(title))


def _word(word: str, protect: bool, dialect: Dialect) -> str:
    before, core, after = _CORE.match(word).groups()  # type: ignore[union-attr]

    def printed(text: str) -> str:
        return to_latex(text, dialect.packages, unicode=dialect.prints_unicode)

    if protect and core:
        return _math_braced(printed(before)) + _braced(printed(core)) + _math_braced(printed(after))
    return _math_braced(printed(word))


def _math_braced(latex: str) -> str:
    r"""BibTeX makes small letters of big ones in bare math too: `$\Omega$` would become `$\omega$`."""
    return re.sub(r"(?<!\\)\$[^$]+\$", lambda match: "{" + match[0] + "}", latex)


def _protected(pieces: Sequence[str]) -> set[int]:
    """The numbers of the pieces that are words whose capitals must stay.

    Capitals after a first letter, single capitals, and, in a title that is written as a sentence, every
    capitalised word inside it: there it is a name.
    """
    words = list(_words(pieces))
    inner = [
        core for _, core, first in words if not first and core[:1].isalpha() and core.lower() not in _SMALL_IN_TITLES
    ]
    sentence_case = len(inner) > 1 and sum(core[0].islower() for core in inner) >= len(inner) / 2
    return {
        index
        for index, core, first in words
        if _telling(core, first) or (sentence_case and not first and core[:1].isupper())
    }


def _words(pieces: Sequence[str]) -> Iterator[tuple[int, str, bool]]:
    """Index, core without punctuation, and whether it begins a title or a subtitle."""
    before = ""
    for index, piece in enumerate(pieces):
        if not piece.startswith("$") and not piece.isspace():
            core = _CORE.match(piece)[2]  # type: ignore[index]
            if core:
                yield index, core, _STARTS_CLAUSE.search(before) is not None
        before += piece


def _telling(core: str, first: bool) -> bool:
    parts = [part for part in re.split(r"[^\w]+|_", core) if part]
    if any(letter.isupper() for part in parts for letter in part[1:]):
        return True
    return any(len(part) == 1 and part.isupper() for part in parts) and not (first and core == "A")
