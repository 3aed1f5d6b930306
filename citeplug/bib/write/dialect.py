"""The fields in which an arXiv id is printed, by bibliography style and engine.

Measured by running each style of TeX Live on the same entry (benchmarks/bibliography_styles.py). A style that is
not listed here is taken to print a `note` and nothing else: of the 294 measured all but 18 print one.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from citeplug.records.draft import BibEntry
from citeplug.text.tables import Tables
from citeplug.text.tex_print import to_latex

_TABLES = Tables(__name__)
_PRINTS_EPRINT = _TABLES.words("prints_eprint", "prints_url")
_PRINTS_JOURNAL = _TABLES.words("prints_journal")


@dataclass(frozen=True, slots=True)
class Dialect:
    """`engine` decides on escaping; `shows_id` on the field that prints the arXiv id: `eprint` (or `url`), a
    `note`, or the `journal` of an article. `packages` (and class) decide which math commands there are.
    """

    engine: Literal["bibtex", "biber"] = "bibtex"
    shows_id: Literal["eprint", "note", "journal"] = "note"
    packages: tuple[str, ...] = ()

    @property
    def prints_unicode(self) -> bool:
        return self.engine == "biber"

    def latex(self, text: str | None) -> str:
        """Plain text as LaTeX, without white space at its ends; empty for None."""
        return to_latex(text or "", self.packages, unicode=self.prints_unicode).strip()


def dialect_for(
    bib_style: str | None, bib_engine: str, document_class: str | None, packages: tuple[str, ...]
) -> Dialect:
    """The dialect for a draft. `bib_style` may have a path and an extension."""
    loaded = tuple(package.lower() for package in (*packages, *filter(None, [document_class])))
    if bib_engine == "biber":
        return Dialect("biber", "eprint", loaded)
    if not {"biblatex", "biblatex-chicago"}.isdisjoint(loaded):
        return Dialect("bibtex", "eprint", loaded)
    name = (bib_style or "").replace("\\", "/").rsplit("/", 1)[-1].lower().removesuffix(".bst").strip()
    if name in _PRINTS_EPRINT:
        return Dialect("bibtex", "eprint", loaded)
    return Dialect("bibtex", "journal" if name in _PRINTS_JOURNAL else "note", loaded)


_JOURNAL_FORM = re.compile(r"arxiv|\bcorr\b|computing research repository", re.IGNORECASE)


def follow_habit(dialect: Dialect, entries: Sequence[BibEntry], *, style_known: bool) -> Dialect:
    """The dialect with the id where the file's own entries have it, as far as the style then prints it.

    A style that does not print eprints prints a journal as well as a note. Where the style is not known, the
    author's entries are taken to be printed as they should be.
    """
    forms: Counter[Literal["eprint", "note", "journal"]] = Counter()
    for entry in entries:
        if entry.arxiv_id is None:
            continue
        if _JOURNAL_FORM.search(entry.fields.get("journal") or entry.fields.get("journaltitle") or ""):
            forms["journal"] += 1
        elif _JOURNAL_FORM.search(entry.fields.get("note", "") + entry.fields.get("howpublished", "")):
            forms["note"] += 1
        elif "eprint" in entry.fields:
            forms["eprint"] += 1
    if not forms:
        return dialect
    habit = forms.most_common(1)[0][0]
    if habit == "journal" or not style_known:
        return replace(dialect, shows_id=habit)
    return dialect
