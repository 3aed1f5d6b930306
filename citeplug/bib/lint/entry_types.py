"""The fields that BibTeX's standard styles and biblatex require for each entry type, and those that they print."""

from collections.abc import Iterator, Mapping
from typing import Literal

from citeplug.text.tables import Tables

Engine = Literal["bibtex", "biber", "none"]

_TABLES = Tables(__name__)
_REQUIRED: dict[str, dict[str, str]] = {name: _TABLES.values(f"{name}_required") for name in ("bibtex", "biblatex")}
_OPTIONAL: dict[str, str] = _TABLES.values("bibtex_optional")
_BIBLATEX_ALIASES = _TABLES.pairs("aliases")
_ALIASES = {"conference": "inproceedings"}
_TELLING = _TABLES.words("telling")
_INHERITING = ("crossref", "xdata", "xref")
BIBER_TEXT = _TABLES.words("biber_text")


def missing_fields(kind: str, fields: Mapping[str, str], engine: Engine) -> Iterator[tuple[str, bool]]:
    """The fields that the type asks for and the entry lacks, `a|b` where one is enough; whether it tells the work."""
    if any(fields.get(name, "").strip() for name in _INHERITING):
        return  # what is missing may come from there
    biber = engine == "biber"
    name = (_BIBLATEX_ALIASES if biber else _ALIASES).get(kind, kind)
    for wanted in _REQUIRED["biblatex" if biber else "bibtex"].get(name, "").split():
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
    required = _REQUIRED["bibtex"].get(name, "").replace("|", " ")
    # Styles set a type that they do not know as @misc.
    return frozenset(f"{required} {_OPTIONAL.get(name, _OPTIONAL['misc'])}".split())
