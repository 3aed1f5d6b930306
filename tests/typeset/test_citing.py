"""How the citations of a section are printed in a new draft that says nothing yet of its bibliography."""

import re
from pathlib import Path

import pytest

from tests.e2e.conftest import DRAFT, Run, home, run  # noqa: F401 - fixtures
from tests.typeset.projects import needs_tex, pdf_text
from tests.typeset.projects import run as program

pytestmark = needs_tex

BODY = DRAFT[DRAFT.index("\\newcommand") :].replace("\\bibliographystyle{plainnat}\n\\bibliography{refs}\n", "")
YEARS, NUMBERS = r"\w+ et al\. [(\[]20\d\d[)\]]", r"\w+ et al\. \[\d+\]"
DRAFTS = {
    "natbib": ("\\documentclass{article}\n\\usepackage{natbib}", YEARS),
    "natbib round": ("\\documentclass{article}\n\\usepackage[round,authoryear]{natbib}", YEARS),
    "natbib numbers": ("\\documentclass{article}\n\\usepackage[numbers]{natbib}", NUMBERS),
    "setcitestyle": ("\\documentclass{article}\n\\usepackage{natbib}\\setcitestyle{numbers,square}", NUMBERS),
    "setcitestyle authoryear": ("\\documentclass{article}\n\\usepackage{natbib}\\setcitestyle{authoryear}", YEARS),
    "no package": ("\\documentclass{article}", NUMBERS),
    "cite": ("\\documentclass{article}\n\\usepackage{cite}", NUMBERS),
    "IEEEtran": ("\\documentclass{IEEEtran}", NUMBERS),
    "IEEEtran natbib": ("\\documentclass{IEEEtran}\n\\usepackage[numbers]{natbib}", NUMBERS),
    "llncs": ("\\documentclass{llncs}", NUMBERS),
    "acmart": ("\\documentclass[nonacm]{acmart}", NUMBERS),
    "acmart years": ("\\documentclass[nonacm]{acmart}\n\\citestyle{acmauthoryear}", r"\w+ et al\. \[?[(\[]?20\d\d"),
    "elsarticle": ("\\documentclass{elsarticle}", NUMBERS),
    "revtex": ("\\documentclass[aps,prl]{revtex4-2}", r"\w+ et al\."),
    "biblatex years": ("\\documentclass{article}\n\\usepackage[style=authoryear]{biblatex}", YEARS),
    "biblatex numbers": ("\\documentclass{article}\n\\usepackage[style=numeric]{biblatex}", NUMBERS),
    "biblatex natbib": ("\\documentclass{article}\n\\usepackage[style=authoryear,natbib]{biblatex}", YEARS),
}
# Names printed by citeplug or the style, and once more in the citation itself.
TWICE = re.compile(r"(\w+) (?:et al\.|and \w+)?,? ?[(\[]\1 ")


@pytest.mark.parametrize("name", DRAFTS)
def test_names_stand_before_a_citation_once(name: str, run: Run, home: Path, tmp_path: Path) -> None:  # noqa: F811
    head, form = DRAFTS[name]
    body = BODY
    if name.startswith(("acmart", "revtex")):  # the title follows the abstract there
        body = body.replace("\\maketitle\n", "").replace("\\end{abstract}\n", "\\end{abstract}\n\\maketitle\n")
    main = tmp_path / "main.tex"
    main.write_text(f"{head}\n{body}", "utf-8")
    assert run("related", main, "--offline", "--insert").code == 0
    text = main.read_text("utf-8")
    style = "\\bibliographystyle" in text or "biblatex" in head or "revtex" in head
    assert style and "{related" in text
    program(tmp_path, "pdflatex", "-interaction=nonstopmode", "main")
    program(tmp_path, "biber" if "biblatex" in head else "bibtex", "main")
    for _ in range(2):
        program(tmp_path, "pdflatex", "-interaction=nonstopmode", "main")
    printed = pdf_text(main.with_suffix(".pdf"))
    assert not TWICE.search(printed), TWICE.search(printed)
    assert re.search(form, printed), printed[:3000]
    assert "(author?)" not in printed
    assert "undefined" not in main.with_suffix(".log").read_text("latin-1").replace("shapes were undefined", "")
