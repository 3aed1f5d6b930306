"""Runs of BibTeX, Biber and LaTeX on small files, to hold what is said of them against what they do."""

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

needs_bibtex = pytest.mark.skipif(shutil.which("bibtex") is None, reason="BibTeX is not installed")
needs_biber = pytest.mark.skipif(
    shutil.which("biber") is None or shutil.which("pdflatex") is None, reason="Biber or pdfLaTeX is not installed"
)
needs_latex = pytest.mark.skipif(
    shutil.which("bibtex") is None or shutil.which("pdflatex") is None, reason="BibTeX or pdfLaTeX is not installed"
)

BIBTEX_MAIN = r"""\documentclass{article}
\usepackage[T1]{fontenc}\usepackage{url}
\begin{document}
\nocite{*}x
\bibliographystyle{STYLE}
\bibliography{refs}
\end{document}
"""
BIBLATEX_MAIN = r"""\documentclass{article}
\usepackage[T1]{fontenc}\usepackage{url}\usepackage{biblatex}
\addbibresource{refs.bib}
\begin{document}
\nocite{*}x
\printbibliography
\end{document}
"""


_ERROR_IN_LIST = re.compile(r"^(?:\./)?m\.bbl:(\d+): ", re.MULTILINE)
_ITEM = re.compile(r"\\bibitem(?:\[[^\]]*\])?\{([^}]*)\}|\\entry\{([^}]*)\}")


@dataclass(frozen=True)
class Ran:
    """What a run printed, whether it ended with an error, and the list that it made."""

    out: str
    failed: bool
    bbl: bytes = b""

    @property
    def warned(self) -> bool:
        return "Warning--" in self.out or "WARN" in self.out


def keys_with_errors(ran: Ran) -> set[str]:
    """The keys of the list's items in which LaTeX found an error."""
    lines = ran.bbl.decode("utf-8", "replace").splitlines()
    keys = set()
    for number in map(int, _ERROR_IN_LIST.findall(ran.out)):
        found = _ITEM.findall("\n".join(lines[:number]))
        keys.add(found[-1][0] or found[-1][1] if found else "")
    return keys


def run_bibtex(folder: Path, bib: bytes, style: str = "plain", cited: str = "*") -> Ran:
    """BibTeX on `bib`; `cited` are the keys between commas."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "refs.bib").write_bytes(bib)
    cites = "".join(f"\\citation{{{key}}}\n" for key in cited.split(","))
    (folder / "m.aux").write_bytes(f"\\relax\n{cites}\\bibstyle{{{style}}}\n\\bibdata{{refs}}\n".encode())
    return _ran(folder, ["bibtex", "m"])


def run_biber(folder: Path, bib: bytes) -> Ran:
    """Biber on `bib`, for a document that prints all of it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "m.bcf").write_bytes(_control_file())
    (folder / "refs.bib").write_bytes(bib)
    return _ran(folder, ["biber", "m"])


@cache
def _control_file() -> bytes:
    """What LaTeX tells Biber, the same for every run."""
    with tempfile.TemporaryDirectory() as folder:
        _latex(Path(folder), BIBLATEX_MAIN, b"")
        return (Path(folder) / "m.bcf").read_bytes()


def run_latex(folder: Path, bib: bytes, style: str | None = "plain") -> Ran:
    """LaTeX over the list that BibTeX, or Biber for `style` None, makes of `bib`."""
    main = BIBLATEX_MAIN if style is None else BIBTEX_MAIN.replace("STYLE", style)
    _latex(folder, main, bib)
    _ran(folder, ["bibtex" if style else "biber", "m"])
    return _latex(folder, main, bib)


def _latex(folder: Path, main: str, bib: bytes) -> Ran:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "refs.bib").write_bytes(bib)
    (folder / "m.tex").write_bytes(main.encode())
    ran = _ran(folder, ["pdflatex", "-interaction=nonstopmode", "-file-line-error", "-draftmode", "m"])
    return Ran(ran.out, bool(_ERROR_IN_LIST.search(ran.out)), ran.bbl)


def _ran(folder: Path, command: list[str]) -> Ran:
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60)
    list_made = folder / "m.bbl"
    out = (done.stdout + done.stderr).decode("utf-8", "replace")
    return Ran(out, done.returncode != 0, list_made.read_bytes() if list_made.exists() else b"")
