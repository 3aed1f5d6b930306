"""A draft of one section for the tests of the audit."""

from pathlib import Path

_MAIN = r"""\documentclass{article}\title{GraphThing: A Method}\begin{document}
\begin{abstract}We propose GraphThing. It is faster than all before it.\end{abstract}
\section{Related work}
%s
\bibliographystyle{plain}\bibliography{refs}\end{document}
"""


def write_draft(folder: Path, text: str, bib: str = "") -> Path:
    """Write main.tex, with the text in the place of its one section, and refs.bib; return main.tex."""
    (folder / "refs.bib").write_text(bib, "utf-8")
    (folder / "main.tex").write_text(_MAIN.replace("%s", text), "utf-8")
    return folder / "main.tex"
