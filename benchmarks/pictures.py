"""Draw the pictures in docs/images: a section as TeX prints it, the review page, VS Code, and Overleaf's page.

    make pictures

They show the example project, so that anyone gets the same. TeX, Chromium and Node are needed (`make system-deps`).
A picture of a section names the section's digests, by which tests/e2e/test_demo.py knows whether it is up to date.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from gzip import compress
from pathlib import Path

import pypdfium2

from tests.vscode.parts import BRIDGE, ROOT, make_example, make_vsix

IMAGES = ROOT / "docs" / "images"
LARGEST = 150_000  # bytes, as a server sends them; they are loaded with the first page
OUTLINES = r"\usepackage{lmodern}"  # the usual letters, as outlines wherever TeX is
NARROW = r"\geometry{reset,paperwidth=84mm,paperheight=240mm,margin=8mm}\raggedright"  # for a telephone
MARGIN = 12  # points around the text
TALLEST, NARROW_TALLEST = 297, 300  # points from the top of the heading to the last line
MARKED = ("Zou et al.", "large graphs.")  # beginning and end of the sentence whose source docs/index.md shows


def main() -> int:
    """Draw all of them."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        example = make_example(Path(folder))
        demo = Path(folder) / "demo" / "paper"
        draw_section(demo, example.home)
        surroundings = replace(example, folder=demo).environment(make_vsix())
        subprocess.run(
            ["node", str(BRIDGE / "e2e" / "pictures.mjs"), str(IMAGES)],
            env={**surroundings, "CITEPLUG_E2E_PYTHON": sys.executable},
            cwd=ROOT, check=True,
        )  # fmt: skip
        draw_overleaf(surroundings, Path(folder) / "overleaf")
    for image in sorted(IMAGES.iterdir()):
        size = len(compress(image.read_bytes()))
        print(f"{image.relative_to(ROOT)}: {size / 1000:.0f} KB")
        assert size < LARGEST, f"{image.name} is too large"
    return 0


def draw_overleaf(surroundings: dict[str, str], folder: Path) -> None:
    """The pairing, the completion and the proposal, as the tests of the extension see them."""
    subprocess.run(["node", str(BRIDGE / "overleaf" / "build.mjs")], check=True)
    script = str(BRIDGE / "e2e" / "overleaf-page.test.mjs")
    environment = {**surroundings, "CITEPLUG_SCREENSHOTS": str(folder)}
    # What else the script tries needs a model's server.
    only = "--test-name-pattern=is let in by the code|completes papers after|writes the section as a proposal"
    subprocess.run(["node", "--test", only, script], env=environment, cwd=ROOT, check=True)
    for name in ("overleaf-code.png", "overleaf-completion.png", "overleaf-proposal.png"):
        shutil.copy(folder / name, IMAGES)


def draw_section(folder: Path, home: Path) -> None:
    """The first lines of the section that `citeplug demo` writes, as TeX prints them: on a page, and on a telephone."""
    command = [sys.executable, "-m", "citeplug", "demo", str(folder), "-q"]
    subprocess.run(command, env={**os.environ, "CITEPLUG_HOME": str(home)}, cwd=ROOT, check=True)
    main = folder / "main.tex"
    text = main.read_text("utf-8")
    for name, preamble, tallest in (
        ("section", OUTLINES, TALLEST),
        ("section-narrow", OUTLINES + NARROW, NARROW_TALLEST),
    ):
        main.write_text(text.replace(r"\begin{document}", preamble + "\n" + r"\begin{document}"), "utf-8")
        words = ["latexmk", "-pdf", "-silent", "-g", main.name]
        subprocess.run(words, cwd=folder, check=True, capture_output=True)
        draw_lines(folder / "main.pdf", name, tallest, digests((folder / "related.tex").read_text("utf-8")))
    main.write_text(text, "utf-8")


def digests(section: str) -> str:
    """Those of the paragraphs that a picture shows, the first two, as a comment of SVG."""
    return f"<!-- section {' '.join(re.findall(r'end p[12] sha256=(.*)', section))} -->"


def draw_lines(pdf: Path, name: str, tallest: int, comment: str) -> None:
    """Draw the lines of the section's first page as outlines; `tallest` as for `section_box`."""
    with pypdfium2.PdfDocument(pdf) as document:
        number, box = next(
            (number, box) for number, page in enumerate(document, 1) if (box := section_box(page, tallest)) is not None
        )
        x, y, width, tall = (round(points) for points in box)
        marked = marked_lines(document[number - 1])
        assert marked, f"the section has no sentence from {MARKED[0]!r} to {MARKED[1]!r}"
        marks = "".join(
            f'<path fill="#ffe9a8" d="M{left - x:.1f} {top - y:.1f}h{wide:.1f}v{high:.1f}h-{wide:.1f}z"/>'
            for left, top, wide, high in marked
        )
    where = ["-f", number, "-l", number, "-x", x, "-y", y, "-W", width, "-H", tall, "-paperw", width, "-paperh", tall]
    svg = IMAGES / f"{name}.svg"
    subprocess.run(["pdftocairo", "-svg", *map(str, where), "-nocenter", str(pdf), str(svg)], check=True)
    text = re.sub(r"(\d\.\d{2})\d+", r"\1", svg.read_text("utf-8"))
    svg.write_text(text.replace("</defs>", f"</defs>\n{comment}{marks}", 1), "utf-8")


def section_box(page: pypdfium2.PdfPage, tallest: int) -> tuple[float, float, float, float] | None:
    """Left, top, width and height of the section's first lines on its page, in points; None on another page.

    `tallest` is the most from the top of the heading to the last line, in points.
    """
    text = page.get_textpage()
    if (found := text.search("Related Work", match_case=True).get_next()) is None:
        return None
    boxes = [text.get_charbox(index) for index in range(found[0], text.count_chars())]
    top = boxes[0][3]
    shown = [(left, bottom, right) for left, bottom, right, high in boxes if right > left and high > top - tallest]
    lefts, bottoms, rights = zip(*shown, strict=True)
    width = max(rights) - min(lefts) + 2 * MARGIN
    return min(lefts) - MARGIN, page.get_height() - top - MARGIN, width, top - min(bottoms) + MARGIN + 3


def marked_lines(page: pypdfium2.PdfPage) -> list[tuple[float, float, float, float]]:
    """Left, top, width and height of each line of the marked sentence, in points from the top left of its page."""
    text = page.get_textpage()
    begin = text.search(MARKED[0], match_case=True).get_next()
    end = begin and text.search(MARKED[1], index=begin[0], match_case=True).get_next()
    if begin is None or not end:
        return []
    lines: list[list[tuple[float, float, float, float]]] = []
    for left, bottom, right, top in (text.get_charbox(index) for index in range(begin[0], sum(end))):
        if right <= left:
            continue
        if not lines or left < lines[-1][-1][0]:
            lines.append([])
        lines[-1].append((left, bottom, right, top))
    boxes = [tuple(zip(*line, strict=True)) for line in lines]
    height = page.get_height()
    return [
        (min(lefts) - 1, height - max(tops) - 1, max(rights) - min(lefts) + 2, max(tops) - min(bottoms) + 2)
        for lefts, bottoms, rights, tops in boxes
    ]


if __name__ == "__main__":
    sys.exit(main())
