"""Six classes, three engines, BibTeX and Biber: the package compiles, and citations are what they should be."""

from pathlib import Path

import pytest

from tests.latex.projects import (
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


@pytest.fixture(scope="module")
def bibliographies(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Path]:
    """Projects in which pdfLaTeX and the bibliography program have run, so that one more run is the last."""
    return {}


def prepared(known: dict[tuple[str, str], Path], name: str, program: str, factory: pytest.TempPathFactory) -> Path:
    if (name, program) not in known:
        folder = lay_out(factory.mktemp(f"{name}-{program}"), document(CLASSES[name], program))
        typeset(folder, "pdflatex", "-draftmode")
        run(folder, program, "main")
        typeset(folder, "pdflatex", "-draftmode")
        known[name, program] = folder
    return known[name, program]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("name", CLASSES)
def test_it_compiles(
    name: str,
    program: str,
    engine: str,
    bibliographies: dict[tuple[str, str], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = prepared(bibliographies, name, program, tmp_path_factory)
    text = typeset(folder, engine)
    assert "Dense retrieval was introduced early [" in text
    assert "We look around." in text
    assert "Words follow. The related-work section was drafted with citeplug 0.1.0" in text
    assert "[?]" not in text
    assert "Karpukhin" in text
    for said in ("introduce [", "heading", "some_Key", "citeplug:"):
        assert said not in text
    assert warnings(folder) == []


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("name", CLASSES)
def test_the_view_compiles_and_off_it_leaves_no_trace(
    name: str,
    program: str,
    bibliographies: dict[tuple[str, str], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = prepared(bibliographies, name, program, tmp_path_factory)
    main = (folder / "main.tex").read_text(encoding="utf-8")
    try:
        (folder / "main.tex").write_text(document(CLASSES[name], program, "view"), encoding="utf-8")
        viewed = typeset(folder)
        (folder / "main.tex").write_text(_without_package(main), encoding="utf-8")
        bare = typeset(folder)
    finally:
        (folder / "main.tex").write_text(main, encoding="utf-8")
    assert "citeplug view" in viewed
    assert "62+" in viewed
    assert typeset(folder) == bare


def _without_package(main: str) -> str:
    """The document with what the package prints written out."""
    import re

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
