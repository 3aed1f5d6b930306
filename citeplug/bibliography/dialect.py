"""How an entry must be written so that its arXiv id is printed, by bibliography style and engine.

Measured: each style of TeX Live was run with bibtex on the same entry (docs of `entries.py` say how to repeat it).
A style that is not listed here is taken to print a `note` and nothing else, which all but a few do.
"""

from dataclasses import dataclass
from typing import Literal

# Styles that print `eprint`, and those that leave it out but print `url`.
_PRINTS_EPRINT = frozenset(
    """aapmrev4-2 aasjournal abbrvhtml abbrvurl acm-reference-format aipauth4-1 aipauth4-2 aipnum4-1 aipnum4-2 alphahtml
    alphaurl apsrev apsrev4-1 apsrev4-2 apsrevm apsrmp apsrmp4-1 apsrmp4-2 apsrmpm asmeconf asmejour bath bathx biblatex
    cas-model2-names chetref cmpj elsarticle-harv elsarticle-num elsarticle-num-names gbt7714-author-year
    gbt7714-numerical iopart-num jss2 mnras naturemag naturemagdoi plainhtml plainurl prtec quantum sapthesis
    thuthesis-author-year thuthesis-numeric unifith unsrthtml unsrturl usmeg-a usmeg-n""".split()
)
_PRINTS_URL = frozenset(
    """abbrvdin abbrvnat abntex2-alf abntex2-num achemso adfathesis agsm aichej ajl alphadin angew aomalpha aomplain
    apacann apacannx apacite apacitex apalike-ejor apsr ascelike bababbrv babalpha babamspl babplain babunsrt bestpapers
    biochem chemcommun chemeurj cqunumerical dcu dinat dk-abbrv dk-alpha dk-apali dk-plain dk-unsrt econ
    econ-econometrica francais hustthesis ieeetran ieeetranm ieeetranmn ieeetrann ieeetrans ieeetransa ieeetransn
    inorgchem is-abbrv is-alpha is-plain is-unsrt jae jamchemsoc jmr jox jpe jphysicsb jurabib kluwer natdin newcastle
    perception plaindin plainnat resphilosophica rsc sageep seuthesis splncs04 tufte tugboat unsrtdin unsrtnat
    upmplainnat vancouver zootaxa""".split()
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
