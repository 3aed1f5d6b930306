"""Keys of entries, tried with real LaTeX: what `unfit_for_cite` lets through is cited, and no other sign could be."""

import subprocess
from pathlib import Path

import pytest

from citeplug.section_file.cite_style import unfit_for_cite
from tests.typeset.projects import RECORD, SECTION, lay_out, needs_tex, typeset

pytestmark = needs_tex

SIGNS = [chr(code) for code in range(0x21, 0x7F) if not chr(code).isalnum()]
WAYS = {
    "cite": ("", "\\cite{%s}", "\\bibliographystyle{plain}\\bibliography{refs}", "bibtex"),
    "natbib": ("\\usepackage{natbib}", "\\citet{%s}", "\\bibliographystyle{plainnat}\\bibliography{refs}", "bibtex"),
    "biblatex": (
        "\\usepackage[style=authoryear]{biblatex}\\addbibresource{refs.bib}",
        "\\textcite{%s}",
        "\\printbibliography",
        "biber",
    ),
}


def unresolved(folder: Path, way: str, keys: list[str]) -> bool:
    """Whether a document that cites these keys, and whose bibliography defines them, is left with errors or gaps."""
    loads, cite, end, program = WAYS[way]
    lines = "\n".join(cite.replace("%s", key) + "." for key in keys)
    (folder / "main.tex").write_text(
        f"\\documentclass{{article}}{loads}\\begin{{document}}\n{lines}\n\n{end}\n\\end{{document}}\n", "utf-8"
    )
    (folder / "refs.bib").write_text(
        "".join(
            f"@misc{{{key},\n author={{Author, Ann}}, title={{Title {n}}}, year={{{2000 + n}}}}}\n"
            for n, key in enumerate(keys)
        ),
        "utf-8",
    )
    ended = []
    for command in (["pdflatex"], [program], ["pdflatex"], ["pdflatex"]):
        more = ["-interaction=nonstopmode", "main"] if command == ["pdflatex"] else ["main"]
        done = subprocess.run([*command, *more], cwd=folder, capture_output=True, timeout=100)
        ended.append(done.returncode)
    log = (folder / "main.log").read_text("latin-1")
    text = subprocess.run(["pdftotext", "main.pdf", "-"], cwd=folder, capture_output=True).stdout
    # What stands there is the author's name or a number, and not the key.
    return any(ended) or "undefined" in log or b"Zhu" in text


@pytest.mark.parametrize("way", WAYS)
def test_every_key_that_is_let_through_is_cited(way: str, tmp_path: Path) -> None:
    fit = [f"Zhu{sign}Zhao" for sign in [*SIGNS, "é", "中", "$x$", "^a^"]]
    fit = [key for key in fit if unfit_for_cite(key, biber=way == "biblatex") is None]
    assert {"Zhu&Zhao", "Zhu$Zhao", "Zhu^Zhao", "Zhu_Zhao", "Zhu]Zhao"} <= set(fit)
    assert not unresolved(tmp_path, way, fit)


@pytest.mark.parametrize("sign", ["%", "#", "~", "\\", "{}", "^^a", "\x01", "\x7f", "\t"])
def test_a_key_that_is_held_back_would_not_have_been_cited(sign: str, tmp_path: Path) -> None:
    assert unfit_for_cite(f"Zhu{sign}Zhao")
    assert unresolved(tmp_path, "cite", [f"Zhu{sign}Zhao"])


@pytest.mark.parametrize("sign", ["'", '"', "(", ")", "="])
def test_a_key_that_is_held_back_for_biber_would_not_have_been_cited(sign: str, tmp_path: Path) -> None:
    assert unfit_for_cite(f"Zhu{sign}Zhao") is None
    assert unresolved(tmp_path, "biblatex", [f"Zhu{sign}Zhao"])


def test_the_package_knows_sentences_that_cite_by_odd_keys(tmp_path: Path) -> None:
    odd = "a&b$c^d[e];f"
    body = "\\citeplugrelated\n\\citeplugdisclosure"
    main = f"\\documentclass{{article}}\\usepackage[view]{{citeplug}}\\begin{{document}}{body}\\end{{document}}"
    lay_out(
        tmp_path,
        main,
        section=SECTION.replace("karpukhin2020dense", odd),
        record=RECORD.replace("karpukhin2020dense", odd),
    )
    shown = typeset(tmp_path)
    assert "2 stand as generated" in shown
    assert shown == typeset(lay_out(tmp_path, main))  # LaTeX writes question marks for both
