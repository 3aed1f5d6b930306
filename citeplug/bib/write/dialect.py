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

# Styles that print `eprint`, and those that leave it out but print `url`.
_PRINTS_EPRINT = frozenset(
    """aapmrev4-2 aasjournal abbrvhtml abbrvurl acm-reference-format aipauth4-1 aipauth4-2 aipnum4-1 aipnum4-2
    alphahtml alphahtmldate alphahtmldater alphaurl apsrev apsrev4-1 apsrev4-2 apsrevm apsrmp apsrmp4-1 apsrmp4-2
    apsrmpm asmeconf asmejour bath bathx biblatex biblatex-ms cas-model2-names chetref cmpj elsarticle-harv
    elsarticle-num elsarticle-num-names gbt7714-2005-author-year gbt7714-2005-numerical gbt7714-author-year
    gbt7714-numerical iopart-num jss2 mnras naturemag naturemagdoi plainhtml plainhtmldate plainhtmldater plainurl
    prtec quantum sapthesis thuthesis-author-year thuthesis-bachelor thuthesis-numeric unamthesis unifith
    unsrthtml unsrturl usmeg-a usmeg-n""".split()
)
_PRINTS_URL = frozenset(
    """abbrvdin abbrvnat abntex2-alf abntex2-num achemso adfathesis agsm aichej ajl alphadin amsra amsrn amsrs
    amsru amsry angew aomalpha aomplain apacann apacannx apacite apacitex apalike-ejor apsr ascelike bababbr3
    bababbr3-fl bababbr3-lf bababbrv bababbrv-fl bababbrv-lf babalpha babalpha-fl babalpha-lf babamspl babplai3
    babplai3-fl babplai3-lf babplain babplain-fl babplain-lf babunsrt babunsrt-fl babunsrt-lf bestpapers
    bestpapers-export bgteuabbr bgteuabbr2 bgteupln bgteupln2 bgteupln3 biochem cascadilla chemcommun chemeurj
    chronoplainnm chscite cqunumerical cv databib dcu dinat dk-abbrv dk-alpha dk-apali dk-plain dk-unsrt
    dlfltxbbibtex econ econ-abbr econ-aea econ-b econ-econometrica econ-jet econ-jie econ-jpe econ-no-sort
    econ-old export fcavtex francais francaissc hustthesis ieeetran ieeetranm ieeetranmn ieeetrann ieeetrans
    ieeetransa ieeetransn inorgchem is-abbrv is-alpha is-plain is-unsrt jae jamchemsoc jamchemsoc_all jmr jox jpe
    jphysicsb jurabib jureco jurunsrt kluwer listbib munich natdin nddiss2e newcastle perception plaindin plainnat
    plainnat-letters plainnm resphilosophica rsc sageep seuthesis seuthesix splncs04 tufte tugboat uestcthesis
    unsrtdin unsrtnat unsrtnm upmplainnat ussagus vancouver zootaxa""".split()
)
# These print neither, nor a note: only an article's journal.
_PRINTS_JOURNAL = frozenset("asaetr frplainnat-letters jcc jpc notex pccp revcompchem".split())


@dataclass(frozen=True, slots=True)
class Dialect:
    """`engine` decides on escaping; `shows_id` on the field that prints the arXiv id: `eprint` (or `url`), a
    `note`, or the `journal` of an article. `packages` (and class) decide which math commands there are.
    """

    engine: Literal["bibtex", "biber"] = "bibtex"
    shows_id: Literal["eprint", "note", "journal"] = "note"
    packages: tuple[str, ...] = ()


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
    if name in _PRINTS_EPRINT or name in _PRINTS_URL:
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
