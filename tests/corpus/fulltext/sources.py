"""Sources of papers as arXiv packs them, made in memory."""

import gzip
import io
import tarfile
from collections.abc import Callable, Mapping

from tests.latex.projects import article

WORDS = (
    "We study how messages are passed between the nodes of a large graph, and how many of them are needed. "
    "Sampling the neighbours of a node makes the cost independent of the size of the graph. "
)


def tar_gz(files: Mapping[str, bytes | str], more: Callable[[tarfile.TarFile], None] | None = None) -> bytes:
    """A packed archive of these files; `more` adds odd members."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        if more is not None:
            more(archive)
    return gzip.compress(plain.getvalue())


def paper_tex(title: str = "Message Passing on Large Graphs", method: str = "", preamble: str = "") -> str:
    """A short paper in LaTeX."""
    return article(
        rf"\title{{{title}}}\maketitle\begin{{abstract}}{WORDS}\end{{abstract}}"
        rf"\section{{Introduction}}{WORDS}\cite{{a}}"
        rf"\section{{Method}}{method or WORDS}\subsection{{Sampling}}{WORDS}"
        r"\begin{figure}\caption{Cost against the number of nodes.}\end{figure}"
        r"\bibliography{refs}",
        preamble,
    )


BBL = r"""\begin{thebibliography}{1}
\bibitem{a} Ada Lovelace. \newblock On the sampling of neighbours.
\newblock \emph{arXiv preprint arXiv:1801.00002v3}, 2018.
\end{thebibliography}"""
