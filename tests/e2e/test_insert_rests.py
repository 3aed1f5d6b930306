"""`related --insert`: what citeplug inserts is no text of the draft's, so that the section is current right after."""

from pathlib import Path

import pytest

from tests.e2e.conftest import DRAFT, Run

BARE = DRAFT.replace("\\bibliographystyle{plainnat}\n\\bibliography{refs}\n", "")
BACKGROUND = (
    "\\section{Background}\nGraphs are older than networks, and walks on graphs were studied long before anyone"
    " learned from them, in physics as in the study of markets.\n"
)
DRAFTS = {
    "a bibliography": {"main.tex": DRAFT},
    "no bibliography": {"main.tex": BARE},
    "no bibliography, biblatex": {"main.tex": BARE.replace("{natbib}", "{biblatex}")},
    "no bibliography, no package": {"main.tex": BARE.replace("\\usepackage{natbib}\n", "")},
    "REVTeX": {"main.tex": BARE.replace("{article}", "{revtex4-2}").replace("\\usepackage{natbib}\n", "")},
    "background": {"main.tex": DRAFT.replace("\\section{Conclusion}", BACKGROUND + "\\section{Conclusion}")},
    "a heading": {"main.tex": DRAFT.replace("\\section{Method}", "\\section{Related Work}\n\\section{Method}")},
    "a heading and words": {
        "main.tex": DRAFT.replace(
            "\\section{Method}", "\\section{Prior Work}\nMuch was done on graphs before.\n\\section{Method}"
        )
    },
    "neither introduction nor conclusion": {
        "main.tex": DRAFT.replace("{Introduction}", "{Graphs}")
        .replace("\\section{Conclusion}\n", "")
        .replace(
            "\\bibliographystyle",
            "\\begin{acknowledgments}\nWe thank everybody who sent us graphs, and those who read about them, and also"
            " those who fund the reading of graphs, over all these many years.\n\\end{acknowledgments}\n"
            "\\bibliographystyle",
        )
    },
    "a letter": {
        "main.tex": BARE.replace("{Introduction}", "{Graphs}")
        .replace("\\section{Conclusion}\n", "")
        .replace("\\end{document}", "\\acknowledgments We thank all who sent us graphs.\n\\end{document}")
    },
    "the package": {
        "main.tex": DRAFT.replace("{natbib}", "{natbib,citeplug}").replace(
            "\\section{Method}", "\\section{Related Work}\n\\citeplugrelated\n\\section{Method}"
        )
    },
    "included files": {
        "main.tex": DRAFT[: DRAFT.index("\\section{Introduction}")]
        + "\\input{text/intro}\n\\include{text/method}\n\\bibliographystyle{plainnat}\n\\bibliography{refs}\n"
        "\\end{document}\n",
        "text/intro.tex": DRAFT[DRAFT.index("\\section{Introduction}") : DRAFT.index("\\section{Method}")],
        "text/method.tex": DRAFT[DRAFT.index("\\section{Method}") : DRAFT.index("\\bibliographystyle")],
    },
}


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", DRAFTS)
def test_a_section_is_current_once_it_is_inserted_and_a_rerun_changes_nothing(
    name: str, run: Run, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "text").mkdir()
    for file, text in DRAFTS[name].items():
        (tmp_path / file).write_text(text, "utf-8")
    (tmp_path / "refs.bib").write_text("@misc{other,\n  title = {Something Else},\n  year = 2001\n}\n", "utf-8")
    main = tmp_path / "main.tex"
    done = run("related", main, "--offline", "--insert")
    assert done.code == 0, done.err
    status = run("status", main, "--json").json
    assert (status["condition"], status["changed"], status["inserted"]) == ("current", [], True)
    before = files_of(tmp_path)
    for more in ([], ["--insert"]):
        assert run("related", main, "--offline", *more).code == 0
        assert files_of(tmp_path) == before
