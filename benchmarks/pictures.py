"""Draw the pictures in docs/images: a section as TeX prints it, the review page, and VS Code.

    make pictures

They show the example project, so that anyone gets the same. TeX, Chromium and Node are needed (`make system-deps`).
"""

import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pypdfium2

from tests.vscode.parts import BRIDGE, ROOT, make_example, make_vsix

IMAGES = ROOT / "docs" / "images"
LARGEST = 150_000  # bytes; they are loaded with the first page
DOTS = 120  # per inch
MARGIN = 12  # points around the text
TALLEST = 297  # points from the top of the heading to the last line


def main() -> int:
    """Draw all three."""
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
    for image in sorted(IMAGES.glob("*.png")):
        size = image.stat().st_size
        print(f"{image.relative_to(ROOT)}: {size / 1000:.0f} KB")
        assert size < LARGEST, f"{image.name} is too large"
    return 0


def draw_section(folder: Path, home: Path) -> None:
    """The first lines of the section that `citeplug demo` writes, as TeX prints them."""
    command = [sys.executable, "-m", "citeplug", "demo", str(folder), "-q"]
    subprocess.run(command, env={**os.environ, "CITEPLUG_HOME": str(home)}, cwd=ROOT, check=True)
    pdf = folder / "main.pdf"
    with pypdfium2.PdfDocument(pdf) as document:
        number, box = next(
            (number, box) for number, page in enumerate(document, 1) if (box := section_box(page)) is not None
        )
    x, y, width, tall = (str(round(points * DOTS / 72)) for points in box)
    where = ["-f", str(number), "-singlefile", "-r", str(DOTS), "-x", x, "-y", y, "-W", width, "-H", tall]
    subprocess.run(["pdftoppm", "-png", "-gray", *where, str(pdf), str(IMAGES / "section")], check=True)


def section_box(page: pypdfium2.PdfPage) -> tuple[float, float, float, float] | None:
    """Left, top, width and height of the section's first lines on its page, in points; None on another page."""
    text = page.get_textpage()
    if (found := text.search("Related Work", match_case=True).get_next()) is None:
        return None
    boxes = [text.get_charbox(index) for index in range(found[0], text.count_chars())]
    top = boxes[0][3]
    shown = [(left, bottom, right) for left, bottom, right, high in boxes if right > left and high > top - TALLEST]
    lefts, bottoms, rights = zip(*shown, strict=True)
    width = max(rights) - min(lefts) + 2 * MARGIN
    return min(lefts) - MARGIN, page.get_height() - top - MARGIN, width, top - min(bottoms) + MARGIN + 3


if __name__ == "__main__":
    sys.exit(main())
