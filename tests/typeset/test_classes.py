"""Six classes, three engines, BibTeX and Biber: the package compiles, and citations are what they should be."""

import re
from pathlib import Path

import pytest

from tests.typeset.projects import (
    CLASSES,
    ENGINES,
    PROGRAMS,
    document,
    lay_out,
    needs_tex,
    run,
    typeset,
    warnings,
)

pytestmark = needs_tex


class Prepared:
    """Projects in which pdfLaTeX and the bibliography program have run, so that one more run is the last."""

    def __init__(self, factory: pytest.TempPathFactory) -> None:
        self._factory = factory
        self._folders: dict[tuple[str, str], Path] = {}
        self._texts: dict[tuple[str, str, str], str] = {}

    def folder(self, name: str, program: str) -> Path:
        if (name, program) not in self._folders:
            folder = lay_out(self._factory.mktemp(f"{name}-{program}"), document(CLASSES[name], program))
            typeset(folder, "pdflatex", "-draftmode")
            run(folder, program, "main")
            typeset(folder, "pdflatex", "-draftmode")
            self._folders[name, program] = folder
        return self._folders[name, program]

    def text(self, name: str, program: str, engine: str) -> str:
        """The text of the PDF as that engine makes it."""
        if (name, program, engine) not in self._texts:
            folder = self.folder(name, program)
            self._texts[name, program, engine] = typeset(folder, engine)
            assert warnings(folder) == []
        return self._texts[name, program, engine]

    def changed(self, name: str, program: str, main: str) -> str:
        """The text of the PDF that pdfLaTeX makes of another `main.tex`."""
        file = self.folder(name, program) / "main.tex"
        before = file.read_text(encoding="utf-8")
        try:
            file.write_text(main, encoding="utf-8")
            return typeset(file.parent)
        finally:
            file.write_text(before, encoding="utf-8")


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return Prepared(tmp_path_factory)


each_class = pytest.mark.parametrize("name", CLASSES)
each_program = pytest.mark.parametrize("program", PROGRAMS)


# What BibTeX and Biber write does not depend on the engine: with Biber, the other engines compile one class.
COMPILED = [
    (name, program, engine)
    for name in CLASSES
    for program in PROGRAMS
    for engine in ENGINES
    if program == "bibtex" or engine == "pdflatex" or name == "article"
]


@pytest.mark.parametrize(("name", "program", "engine"), COMPILED)
def test_it_compiles(name: str, program: str, engine: str, projects: Prepared) -> None:
    text = projects.text(name, program, engine)
    assert "Dense retrieval was introduced early [" in text
    assert "We look around." in text
    assert "Words follow. The related-work section was drafted with citeplug 0.1.0" in text
    assert "[?]" not in text
    assert "Karpukhin" in text
    for said in ("introduce [", "heading", "some_Key", "citeplug:"):
        assert said not in text


@each_program
@each_class
def test_the_view_compiles(name: str, program: str, projects: Prepared) -> None:
    text = projects.changed(name, program, document(CLASSES[name], program, "view"))
    assert "citeplug view" in text
    assert "62+" in text


@each_class
def test_without_the_view_the_package_leaves_no_trace(name: str, projects: Prepared) -> None:
    bare = _without_package(document(CLASSES[name], "bibtex"))
    assert "citeplug{" not in bare
    assert projects.changed(name, "bibtex", bare) == projects.text(name, "bibtex", "pdflatex")


def _without_package(main: str) -> str:
    """The document with what the package prints written out."""
    main = re.sub(r"\\begin\{citeplugplan\}.*?\\end\{citeplugplan\}\n", "", main, flags=re.DOTALL)
    main = re.sub(r"\\citeplug(?:pin|exclude)\{.*?\}\n?", "", main)
    main = re.sub(r"\\citeplugrelated\[.*?\]\n(?=\\section)", r"\\input{related}\n", main, flags=re.DOTALL)
    main = main.replace("\\usepackage[]{citeplug}\n", "")
    return main.replace("\\citeplugdisclosure", DISCLOSURE.replace("_", "\\symbol{95}"))


DISCLOSURE = (
    "The related-work section was drafted with citeplug 0.1.0 on 2026-11-21. Of its generated sentences, 1 was "
    "written with the language model \\texttt{openai:some_model-4}, and 1 without a language model. Of 3 generated "
    "sentences, 2 stand as generated; the authors marked 1 of these as read and accepted, and changed or added other "
    "text. Of 3 bibliography entries it relies on, 2 were found to agree with the records of arXiv on 2026-11-21, and "
    "1 not."
)
