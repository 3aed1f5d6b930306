"""The fields that BibTeX's standard styles and biblatex require for each entry type, and those that they print.

BibTeX: the lists of btxdoc (O. Patashnik, BibTeXing, section 3.1) as plain.bst carries them out; biblatex: section
2.1.1 of its manual. `|` separates fields of which one is enough.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

Engine = Literal["bibtex", "biber", "none"]

_BIBTEX_REQUIRED = {
    "article": "author title journal year",
    "book": "author|editor title publisher year",
    "booklet": "title",
    "inbook": "author|editor title chapter|pages publisher year",
    "incollection": "author title booktitle publisher year",
    "inproceedings": "author title booktitle year",
    "manual": "title",
    "mastersthesis": "author title school year",
    "phdthesis": "author title school year",
    "proceedings": "title year",
    "techreport": "author title institution year",
    "unpublished": "author title note",
}
_BIBTEX_OPTIONAL = {
    "article": "volume number pages month note",
    "book": "volume number series address edition month note",
    "booklet": "author howpublished address month year note",
    "inbook": "volume number series type address edition month note",
    "incollection": "editor volume number series type chapter pages address edition month note",
    "inproceedings": "editor volume number series pages address month organization publisher note",
    "manual": "author organization address edition month year note",
    "mastersthesis": "type address month note",
    "misc": "author title howpublished month year note",
    "phdthesis": "type address month note",
    "proceedings": "editor volume number series address month organization publisher note",
    "techreport": "type number address month note",
    "unpublished": "month year",
}
_BIBLATEX_REQUIRED = {
    "article": "author title journaltitle|journal date|year",
    "book": "author|editor title date|year",
    "mvbook": "author|editor title date|year",
    "inbook": "author title booktitle date|year",
    "booklet": "author|editor title date|year",
    "collection": "editor title date|year",
    "incollection": "author title booktitle date|year",
    "manual": "author|editor|organization title date|year",
    "misc": "title",
    "online": "title url|doi|eprint",
    "patent": "author title number date|year",
    "proceedings": "title date|year",
    "inproceedings": "author title booktitle|crossref date|year",
    "report": "author title institution date|year",
    "thesis": "author title institution|school date|year",
    "unpublished": "author title date|year",
}
_ALIASES = {"conference": "inproceedings"}
_BIBLATEX_ALIASES = {
    "conference": "inproceedings",
    "electronic": "online",
    "www": "online",
    "mastersthesis": "thesis",
    "phdthesis": "thesis",
    "techreport": "report",
}
# Without these a reader cannot tell what is meant; the others leave a hole that styles warn about.
_TELLING = frozenset("author editor title journal journaltitle booktitle year date school institution".split())
_INHERITING = ("crossref", "xdata", "xref")
# Fields of text in biblatex's data model: Biber hands them to LaTeX whether a style prints them or not.
BIBER_TEXT = frozenset(
    """abstract addendum annotation annote author booksubtitle booktitle booktitleaddon chapter edition editor
    eventtitle holder howpublished institution issue issuetitle journal journalsubtitle journaltitle location address
    mainsubtitle maintitle note number organization origtitle pages part publisher school series shortjournal
    shorttitle subtitle title titleaddon translator type venue version volume""".split()
)


def missing_fields(kind: str, fields: Mapping[str, str], engine: Engine) -> Iterator[tuple[str, bool]]:
    """The fields that the type asks for and the entry lacks, `a|b` where one is enough; whether it tells the work."""
    if any(fields.get(name, "").strip() for name in _INHERITING):
        return  # what is missing may come from there
    biber = engine == "biber"
    name = (_BIBLATEX_ALIASES if biber else _ALIASES).get(kind, kind)
    for wanted in (_BIBLATEX_REQUIRED if biber else _BIBTEX_REQUIRED).get(name, "").split():
        names = wanted.split("|")
        # biblatex's own names say the same to a reader, whatever the style makes of them.
        others = {"journal": "journaltitle", "year": "date", "school": "institution"}
        names += [others[each] for each in names if each in others]
        if not any(fields.get(each, "").strip() for each in names):
            yield wanted, not _TELLING.isdisjoint(names)


def printed_fields(kind: str, engine: Engine) -> frozenset[str]:
    """The fields whose text goes to LaTeX with the standard styles; `url`, `doi` and the like are no text."""
    if engine == "biber":
        return BIBER_TEXT
    name = _ALIASES.get(kind, kind)
    required = _BIBTEX_REQUIRED.get(name, "").replace("|", " ")
    # Styles set a type that they do not know as @misc.
    return frozenset(f"{required} {_BIBTEX_OPTIONAL.get(name, _BIBTEX_OPTIONAL['misc'])}".split())
