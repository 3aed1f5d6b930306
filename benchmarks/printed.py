"""Texts read from PDFs that TeX makes here, beside their source and the plain text of other libraries.

    python -m benchmarks.printed [--keep FOLDER]

Paragraphs of real papers beside the checkout are set in eleven manners: Type 1 fonts in OT1 and T1, bitmaps (Type 3) of
both, one and two columns, several classes; each with lists, a booktabs table and a list of references. Counted are, of
what the source has: words of four letters or more; words with an f-ligature; headings; list items that became headings
or were lost; cells of the table that stand beside their column's title; references. pdfLaTeX is needed, and for its
column pdfplumber (benchmarks/requirements.txt).
"""

import argparse
import importlib
import importlib.util
import io
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citeplug.corpus.fulltext.from_latex import read_document
from citeplug.corpus.fulltext.from_pdf import read_pdf
from citeplug.records.passage import ReadText

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "latex"
PAPERS = ("mdeff+paper-cnn-graph-nips2016/nips2016.tex", "lh3+minimap2/tex/minimap2.tex")
BITMAPS = r"\pdfmapfile{}"
MANNERS = {
    "article, OT1": r"\documentclass{article}",
    "article, T1 (Latin Modern)": r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{lmodern}",
    "article, OT1 bitmaps": rf"\documentclass{{article}}{BITMAPS}",
    "article, T1 bitmaps": rf"\documentclass{{article}}{BITMAPS}\usepackage[T1]{{fontenc}}",
    "two columns, OT1": r"\documentclass[twocolumn]{article}",
    "two columns, OT1 bitmaps": rf"\documentclass[twocolumn]{{article}}{BITMAPS}",
    "two columns, T1 bitmaps": rf"\documentclass[twocolumn]{{article}}{BITMAPS}\usepackage[T1]{{fontenc}}",
    "article, Times": r"\documentclass{article}\usepackage{times}",
    "amsart, OT1 bitmaps": rf"\documentclass{{amsart}}{BITMAPS}",
    "IEEEtran": r"\documentclass{IEEEtran}",
    "revtex, two columns": r"\documentclass[twocolumn,aps]{revtex4-2}",
}
ROWS = (
    ("Model", "Accuracy", "Speed"),
    ("Offline filter", "91.25", "310"),
    ("Affine flow", "93.70", "455"),
    ("Classical baseline", "88.10", "505"),
)
ITEMS = (
    "Efficient filters that are fast to evaluate.",
    "Definitions of flow fields on graphs.",
    "First experiments on office data.",
)
_LIGATURE = re.compile(r"ff|fi|fl")
_WORD = re.compile(r"[a-z]{4,}")


@dataclass(frozen=True)
class Source:
    """A document: `headings` with their paragraphs, and the references at its end."""

    headings: tuple[tuple[str, tuple[str, ...]], ...]
    references: tuple[str, ...]

    @property
    def prose(self) -> str:
        texts = [paragraph for _, paragraphs in self.headings for paragraph in paragraphs]
        return "\n".join([*texts, *ITEMS])


def sources() -> list[Source]:
    """Plain sentences of real papers: paragraphs without mathematics, in ASCII."""
    found = []
    for path in PAPERS:
        read = read_document(DATA / path)
        headings = []
        for section in read.sections:
            paragraphs = [re.sub(r"[^ -~]", "", p) for p in section.text[: section.captions].split("\n\n")]
            plain = tuple(p for p in paragraphs if len(p.split()) > 25 and not re.search(r"[\\$^_&%#{}~]", p))
            if plain and re.fullmatch(r"[A-Za-z -]{4,60}", section.title):
                headings.append((section.title, plain[:4]))
        entries = [f"{', '.join(r.surnames)}. {r.title}. {r.year}." for r in read.references if r.title and r.year]
        entries = [re.sub(r"[^ -~]|[\\$^_&%#{}~]", "", entry) for entry in entries][:12]
        found.append(Source(tuple(headings), tuple(entries)))
    return found


def tex(source: Source, manner: str) -> str:
    """The document in a manner."""
    body = [r"\begin{document}\title{Filters for efficient flows}\author{A. Author}\maketitle"]
    for number, (title, paragraphs) in enumerate(source.headings):
        body += [rf"\section{{{title}}}", "\n\n".join(paragraphs)]
        if number == 1:
            body += [r"\begin{enumerate}", *(rf"\item \textbf{{{item}}}" for item in ITEMS), r"\end{enumerate}"]
            body += [r"\begin{itemize}", *(rf"\item \textbf{{Point.}} {item}" for item in ITEMS), r"\end{itemize}"]
        if number == 2:
            rows = r" \\ ".join(" & ".join(row) for row in ROWS[1:])
            body.append(
                r"\begin{table}[t]\centering\caption{Accuracy in percent of affine filters on the office data.}"
                rf"\begin{{tabular}}{{lrr}}\toprule {' & '.join(ROWS[0])} \\ \midrule {rows} \\ \bottomrule"
                r"\end{tabular}\end{table}"
            )
    entries = "\n".join(rf"\bibitem{{k{n}}} {entry}" for n, entry in enumerate(source.references))
    body.append(rf"\begin{{thebibliography}}{{99}}{entries}\end{{thebibliography}}\end{{document}}")
    return f"{MANNERS[manner]}\\usepackage{{booktabs}}" + "\n".join(body)


def printed(text: str, folder: Path) -> bytes:
    """The PDF that pdfLaTeX makes of a document."""
    (folder / "paper.tex").write_text(text, "utf-8")
    subprocess.run(["pdflatex", "-interaction=nonstopmode", "paper.tex"], cwd=folder, capture_output=True, check=False)
    return (folder / "paper.pdf").read_bytes()


def _share(truth: Counter[str], text: str) -> float:
    found = Counter(_WORD.findall(text.lower()))
    return sum(min(count, found[word]) for word, count in truth.items()) / max(1, truth.total())


def words_read(source: Source, text: str) -> tuple[float, float]:
    """The shares of the source's words, and of those with a ligature, that a text has."""
    words = Counter(_WORD.findall(source.prose.lower()))
    with_ligature = Counter({word: count for word, count in words.items() if _LIGATURE.search(word)})
    return _share(words, text), _share(with_ligature, text)


def structure_read(source: Source, read: ReadText) -> tuple[int, int, int, int]:
    """Headings found; false ones; cells in one sentence with their row and column; references."""
    titles = [section.title.lower() for section in read.sections if section.title]
    wanted = [title.lower() for title, _ in source.headings]
    right = sum(title in titles for title in wanted)
    false = sum(title not in (*wanted, "abstract") for title in titles)
    sentences = [s for section in read.sections for s in re.split(r"(?<=[a-z\d]\.)\s|[\n;]", section.text)]
    sentences = [s for s in sentences if sum(row[0] in s for row in ROWS[1:]) == 1]
    cells = [(row[0], ROWS[0][at], row[at]) for row in ROWS[1:] for at in (1, 2)]
    whole = sum(any(all(part in sentence for part in cell) for sentence in sentences) for cell in cells)
    return right, false, whole, len(read.references)


def _by_pdfium(data: bytes) -> str:
    import pypdfium2

    return "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(data))


def _by_pdfplumber(data: bytes) -> str:
    pdfplumber: Any = importlib.import_module("pdfplumber")
    with pdfplumber.open(io.BytesIO(data)) as document:
        return "\n".join(page.extract_text() or "" for page in document.pages)


def peers() -> Iterator[tuple[str, Callable[[bytes], str]]]:
    """Other libraries that are there, and how each gives a PDF's plain text."""
    yield "pypdfium2", _by_pdfium
    if importlib.util.find_spec("pdfplumber"):
        yield "pdfplumber", _by_pdfplumber


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    names = [name for name, _ in peers()]
    print(
        "| manner | words | with ligature | headings | false | cells | references |",
        *(f" {n}: words, with ligature |" for n in names),
        sep="",
    )
    print("|---|---|---|---|---|---|---|" + "---|" * len(names))
    for manner in MANNERS:
        print(_row(manner, sources(), asked.keep))


def _row(manner: str, made: Sequence[Source], keep: Path | None) -> str:
    rows, others = [], []
    for number, source in enumerate(made):
        with tempfile.TemporaryDirectory() as name:
            data = printed(tex(source, manner), Path(name))
        if keep is not None:
            keep.mkdir(exist_ok=True)
            (keep / f"{re.sub(r'[^a-z0-9]+', '-', manner.lower())}-{number}.pdf").write_bytes(data)
        read = read_pdf(data)
        text = "\n".join(section.text for section in read.sections)
        rows.append((*words_read(source, text), *structure_read(source, read)))
        others.append([words_read(source, plain(data)) for _, plain in peers()])
    share = [sum(row[at] for row in rows) / len(rows) for at in (0, 1)]
    total = [sum(int(row[at]) for row in rows) for at in (2, 3, 4, 5)]
    wanted = [sum(len(s.headings) for s in made), 0, 6 * len(made), sum(len(s.references) for s in made)]
    cells = [f"{100 * value:.1f} %" for value in share]
    cells += [f"{total[0]} of {wanted[0]}", str(total[1]), f"{total[2]} of {wanted[2]}", f"{total[3]} of {wanted[3]}"]
    for at in range(len(others[0])):
        mean = [sum(row[at][part] for row in others) / len(others) for part in (0, 1)]
        cells.append(f"{100 * mean[0]:.1f} %, {100 * mean[1]:.1f} %")
    return f"| {manner} | {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
