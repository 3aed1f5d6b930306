"""Which fields the installed bibliography styles print, and in which natbib can print names.

    python -m benchmarks.bibliography_styles [--natbib] [STYLE...]

Runs bibtex (with --natbib pdflatex and pdftotext too) on one entry for each style of this machine's TeX. The
tables in `bib/write/dialect.py` and `section_file/cite_style.py` were made from its output.
"""

import argparse
import re
import subprocess
import tempfile
from pathlib import Path

ARXIV_ID = "2004.04906"
ENTRY = "@%s{k,\n author = {Doe, Jane and Smith, Al},\n title = {Some Title},\n year = 2020,\n %s\n}\n"
FIELDS = {
    "eprint": ("misc", f"eprint = {{{ARXIV_ID}}}, archivePrefix = {{arXiv}}, primaryClass = {{cs.CL}}"),
    "url": ("misc", f"url = {{https://arxiv.org/abs/{ARXIV_ID}}}"),
    "note": ("misc", f"note = {{arXiv:{ARXIV_ID}}}"),
    "journal": ("article", f"journal = {{arXiv preprint arXiv:{ARXIV_ID}}}"),
}


def run(folder: Path, *command: str) -> str:
    """The output of a command, whatever its encoding and exit status."""
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)
    return done.stdout.decode("utf-8", "replace")


def printed_fields(folder: Path, style: str) -> list[str]:
    """The names in FIELDS whose value the style prints."""
    printed = []
    for name, (kind, field) in FIELDS.items():
        (folder / "x.bib").write_text(ENTRY % (kind, field), encoding="utf-8")
        (folder / "x.aux").write_text(
            f"\\relax\n\\citation{{k}}\n\\bibstyle{{{style}}}\n\\bibdata{{x}}\n", encoding="utf-8"
        )
        (folder / "x.bbl").unlink(missing_ok=True)
        run(folder, "bibtex", "x")
        bbl = folder / "x.bbl"
        if bbl.is_file() and ARXIV_ID in bbl.read_text(encoding="utf-8", errors="replace"):
            printed.append(name)
    return printed


def prints_names(folder: Path, style: str) -> bool:
    """Whether natbib's \\citet gives the authors' names in this style."""
    body = f"\\citet{{k}}\n\\bibliographystyle{{{style}}}\\bibliography{{x}}"
    text = f"\\documentclass{{article}}\\usepackage{{natbib}}\\begin{{document}}\n{body}\n\\end{{document}}\n"
    (folder / "x.tex").write_text(text, encoding="utf-8")
    (folder / "x.bib").write_text(ENTRY % FIELDS["note"], encoding="utf-8")
    (folder / "x.pdf").unlink(missing_ok=True)
    (folder / "x.aux").write_text(
        f"\\relax\n\\citation{{k}}\n\\bibstyle{{{style}}}\n\\bibdata{{x}}\n", encoding="utf-8"
    )
    run(folder, "bibtex", "x")
    for _ in range(2):
        run(folder, "pdflatex", "-interaction=nonstopmode", "x")
    first = run(folder, "pdftotext", "x.pdf", "-").split("\n")[0]
    return "Doe" in first and "?" not in first


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--natbib", action="store_true", help="also try \\citet (slow)")
    parser.add_argument("styles", nargs="*")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = re.split(r"[:;]", run(folder, "kpsewhich", "--expand-path=$BSTINPUTS").strip())
        found = {bst.stem for path in paths if len(path) > 1 for bst in Path(path).rglob("*.bst")}
        for style in chosen.styles or sorted(found):
            names = f"  names: {'yes' if prints_names(folder, style) else 'no'}" if chosen.natbib else ""
            print(f"{style}: {' '.join(printed_fields(folder, style)) or '-'}{names}", flush=True)


if __name__ == "__main__":
    main()
