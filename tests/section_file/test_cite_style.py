from pathlib import Path
from typing import Literal

import pytest

from citeplug.records.draft import Draft
from citeplug.section_file.cite_style import cite_style


def draft(
    document_class: str = "article",
    packages: tuple[str, ...] = (),
    style: str | None = "plain",
    engine: Literal["bibtex", "biber", "none"] = "bibtex",
    **used: int,
) -> Draft:
    return Draft(
        root=Path("/p/main.tex"),
        files=(Path("main.tex"),),
        title="",
        abstract="",
        document_class=document_class,
        packages=packages,
        bib_style=style,
        bib_engine=engine,
        cite_commands=used,
    )


@pytest.mark.parametrize(
    ("given", "parenthetical", "textual"),
    [
        (draft(), "cite", None),
        (draft("IEEEtran", style="IEEEtran"), "cite", None),
        (draft("llncs", style="splncs04", cite=12), "cite", None),
        (draft(packages=("natbib",), style="plainnat"), "citep", "citet"),
        (draft(packages=("natbib",), style="abbrvnat", cite=9), "citep", "citet"),
        # Nothing is said of the style yet: it will be what --insert adds, or the class's own.
        (draft(packages=("natbib",), style=None, engine="none"), "citep", "citet"),
        (draft(packages=("neurips_2023",), style=None, engine="none"), "citep", "citet"),
        (draft("acmart", style=None, engine="none"), "citep", "citet"),
        (draft("revtex4-2", style=None, engine="none"), "citep", "citet"),
        (draft("elsarticle", style=None, engine="none"), "citep", None),
        (draft("llncs", style=None, engine="none"), "cite", None),
        (draft(style=None, engine="none"), "cite", None),
        # \citet prints "(author?)" where the style has no names.
        (draft(packages=("natbib",), style="plain"), "citep", None),
        (draft(packages=("natbib",), style="plain", citet=3), "citep", "citet"),
        (draft("acmart", style="ACM-Reference-Format"), "citep", "citet"),
        (draft("elsarticle", style="elsarticle-num"), "citep", None),
        (draft("elsarticle", style="elsarticle-harv"), "citep", "citet"),
        (draft("revtex4-2", style="apsrev4-2"), "citep", "citet"),
        (draft(packages=("neurips_2023",), style="bst/icml2023"), "citep", "citet"),
        (draft(packages=("natbib",), style="naturemag"), "citep", None),
        (draft(packages=("biblatex",), engine="biber", style=None), "parencite", "textcite"),
        (draft(packages=("biblatex",), engine="biber", autocite=4, cite=1), "autocite", "textcite"),
        (draft(packages=("biblatex",), cite=4), "cite", "textcite"),
        (draft(packages=("biblatex",), citep=4, citet=2), "citep", "citet"),
        (draft(packages=("apacite",), style="apacite"), "cite", "citeA"),
        # The author's own macros, or a class that loads natbib unknown to us.
        (draft("strange", citep=4, citet=2), "citep", "citet"),
        (draft("strange", citep=4), "citep", None),
    ],
)
def test_the_commands_are_those_that_the_draft_has(given: Draft, parenthetical: str, textual: str | None) -> None:
    style = cite_style(given)
    assert (style.parenthetical, style.textual) == (parenthetical, textual)
    assert (given.document_class or "").lower() in style.packages
