"""Lists of references in PDFs that TeX makes here of real .bbl files: entries found, cut apart, and their parts read.

    python -m benchmarks.printed_references [--papers 40] [--seed N] [--data DIR] [--keep FOLDER] [--peer PYTHON]
    python -m benchmarks.printed_references --thesis 2000 [--keep FOLDER]

Every list is set in five layouts: with numbers in one column, as IEEE does, with "1." and running heads, by author and
year in one and in two columns; a text goes before it and an appendix follows. The truth is the .bbl: the entries whose
title a \\newblock or \\bibinfo tells for certain. Counted are entries that are found; cut right, from the first to the
last letter; whose title is right, and whose year. A second table has a plain text of the same entries, one a line.

--thesis N sets N entries of as many papers as are needed as the bibliography of one book, by number and by author and
year, and tells how long it takes to read.

--peer names a Python that has refextract (GPL-2.0-or-later: to measure with, nothing here imports it) and pdftotext. It
reads no titles but those in quotation marks.
"""

import argparse
import gzip
import json
import random
import re
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.gold import DATA, machine
from benchmarks.printed import printed
from citeplug.bibtex.bbl import braced, printed_entries
from citeplug.corpus.fulltext.from_document import read_plain
from citeplug.corpus.fulltext.from_pdf import read_pdf
from citeplug.records.passage import Reference
from citeplug.text.folding import fold_title
from citeplug.text.tex_text import decode_tex

LISTS = "citations/bbl_dev.jsonl.gz"
NUMBERS = r"\usepackage[numbers]{natbib}"
HEADS = r"\usepackage{fancyhdr}\pagestyle{fancy}\lhead{A Running Head}\makeatletter\def\@biblabel#1{#1.}\makeatother"
LAYOUTS = {
    "numbers": rf"\documentclass{{article}}{NUMBERS}",
    "IEEE, two columns": r"\documentclass[journal]{IEEEtran}\markboth{Journal of Things}{A Running Head}",
    "1., running heads": rf"\documentclass{{article}}{HEADS}",
    "author and year": r"\documentclass{article}\usepackage[authoryear,round]{natbib}",
    "author and year, two columns": r"\documentclass[twocolumn]{article}\usepackage[authoryear,round]{natbib}",
}
THESES = {
    "numbers": r"\documentclass{book}\pagestyle{headings}",
    "author and year": r"\documentclass{book}\usepackage[authoryear,round]{natbib}\pagestyle{headings}",
}
PACKAGES = (
    r"\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage{amsmath,amssymb,url}\providecommand\href[2]{#2}"
)
SENTENCE = "The layers of such a network read the features of a node and pass them on to what is next to it. "
_TITLE = re.compile(r"\\bibinfo\s*\{title\}\s*\{")
_YEAR = re.compile(r"(?<![\d./:-])((?:19|20)\d\d)(?![\d/-]|\.\d)")
_DRESS = re.compile(r"\\(?:bibinfo|bibfield)\s*\{\w+\}|\\(?:bibf?namefont|citenamefont|natexlab|penalty0)")


@dataclass(frozen=True)
class Entry:
    """What a .bbl says of an entry, in letters and digits alone."""

    text: str
    title: str
    year: int | None


def letters(text: str) -> str:
    return fold_title(text).replace(" ", "")


def entries_of(bbl: str) -> list[Entry]:
    """The entries of a list whose parts are certain."""
    found = []
    for item in printed_entries(bbl):
        text = _DRESS.sub("", item.text).replace("%\n", "")
        marked = _TITLE.search(item.text)
        blocks = re.split(r"\\newblock(?![A-Za-z])", text)
        title = braced(item.text, marked.end() - 1) if marked else blocks[1] if len(blocks) > 2 else ""
        said, years = decode_tex(text.replace(r"\newblock", " ")), _YEAR.findall(text)
        if item.kind == "bibitem" and len(letters(title)) > 12 and not re.search(r"[$\\{}]|https?:", said):
            found.append(Entry(letters(said), letters(decode_tex(title)), int(years[-1]) if years else None))
    return found


def document(layout: str, bbl: str) -> str:
    body = "\n\n".join([SENTENCE * 12] * 6)
    if "natbib" not in LAYOUTS[layout]:  # whose labels these layouts would print as they are
        items = list(printed_entries(bbl))
        entries = "\n\n".join(rf"\bibitem{{{item.key}}}{item.text}" for item in items)
        bbl = rf"{bbl[: items[0].start]}{entries}\end{{thebibliography}}"
    return (
        rf"{LAYOUTS[layout]}{PACKAGES}\begin{{document}}\title{{On Networks}}\author{{A. Author}}\maketitle"
        rf"\section{{Introduction}}{body}{bbl}\appendix\section{{Proofs}}{body}\end{{document}}"
    )


def thesis(layout: str, bbls: Sequence[str], most: int) -> tuple[str, str]:
    """A book with `most` entries of these lists, and its bibliography as a .bbl."""
    numbered = "natbib" not in THESES[layout]
    items: dict[str, str] = {}
    for bbl in bbls:
        for item in printed_entries(bbl):
            text = _DRESS.sub("", item.text)
            said = decode_tex(text.replace(r"\newblock", " "))
            if item.kind == "bibitem" and len(letters(said)) > 40 and not re.search(r"[$\\{}#&]|https?:", said):
                items.setdefault(letters(said), f"{text.strip()}\n")
    chosen = [*items.values()][:most]
    label = "" if numbered else "[A(2020)]"
    entries = "\n".join(rf"\bibitem{label}{{key{number}}} {text}" for number, text in enumerate(chosen))
    bbl = rf"\begin{{thebibliography}}{{{len(chosen)}}}{entries}\end{{thebibliography}}"
    body = "\n\n".join([SENTENCE * 12] * 20)
    chapters = "".join(rf"\chapter{{Part {word}}}\section{{Aims}}{body}" for word in ("one", "two", "three", "four"))
    head = rf"{THESES[layout]}{PACKAGES}\providecommand\enquote[1]{{``#1''}}\providecommand\emph[1]{{#1}}"
    front = r"\title{On Networks}\author{A. Author}\maketitle\tableofcontents"
    return rf"{head}\begin{{document}}{front}{chapters}{bbl}\appendix\chapter{{Proofs}}{body}\end{{document}}", bbl


def measure_thesis(data: Path, most: int, keep: Path | None) -> None:
    with gzip.open(data / LISTS, "rt", encoding="utf-8") as stream:
        bbls = [max(json.loads(line)["files"].values(), key=len) for line in stream]
    for layout in THESES:
        with tempfile.TemporaryDirectory() as name:
            document, bbl = thesis(layout, bbls, most)
            pdf = printed_twice(document, Path(name))
        if keep:
            keep.mkdir(exist_ok=True)
            (keep / f"thesis-{letters(layout)}.pdf").write_bytes(pdf)
        began = time.monotonic()
        text = read_pdf(pdf)
        seconds = time.monotonic() - began
        counts = judge(entries_of(bbl), text.references)
        counts.update(printed=len(list(printed_entries(bbl))), listed=len(text.references))
        print(row(f"thesis, {layout}: read in {seconds:.1f} s", counts), flush=True)


def printed_twice(tex: str, folder: Path) -> bytes:
    printed(tex, folder)
    return printed(tex, folder)  # with its labels


def judge(truth: Sequence[Entry], references: Sequence[Reference]) -> Counter[str]:
    """How many entries are `found`, `cut` right, and have the right `title` and `year`."""
    counts: Counter[str] = Counter(entries=len(truth))
    left = [(letters(reference.raw), reference) for reference in references]
    for entry in truth:
        near = [pair for pair in left if entry.title in pair[0] or pair[0][:25] == entry.text[:25]]
        if not near:
            continue
        raw, best = min(near, key=lambda pair: abs(len(pair[0]) - len(entry.text)))
        counts["found"] += 1
        counts["cut"] += raw[:12] == entry.text[:12] and abs(len(raw) - len(entry.text)) <= max(4, len(raw) // 25)
        counts["title"] += letters(best.title or "") == entry.title
        counts["year"] += best.year == entry.year
    return counts


def row(name: str, counts: Counter[str]) -> str:
    shares = [f"{counts[part] / counts['entries']:.1%}" for part in ("found", "cut", "title", "year")]
    return f"| {name} | {counts['entries']:,} | {' | '.join(shares)} | {counts['listed'] / counts['printed']:.3f} |"


def by_refextract(python: str, data: bytes, folder: Path) -> list[Reference]:
    (folder / "peer.pdf").write_bytes(data)
    code = (
        "import json, sys; from refextract import extract_references_from_file as read;"
        "print('\\n' + json.dumps([[r.get('raw_ref', [''])[0], (r.get('title') or [''])[0],"
        "(r.get('year') or ['0'])[0]] for r in read(sys.argv[1])]))"
    )
    done = subprocess.run(
        [python, "-c", code, str(folder / "peer.pdf")], capture_output=True, text=True, check=False, timeout=300
    )
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        return []
    mark = re.compile(r"^\s*(?:\[[^\]]*\]|\d+\.)\s*")
    return [
        Reference(number, None, mark.sub("", raw), title=title, year=int(year) if year.isdigit() else None)
        for number, (raw, title, year) in enumerate(json.loads(lines[-1]), 1)
    ]


def lists(data: Path, papers: int, seed: int = 2026) -> list[str]:
    """The longest list of each of some papers, drawn with a seed."""
    with gzip.open(data / LISTS, "rt", encoding="utf-8") as stream:
        texts = [max(json.loads(line)["files"].values(), key=len) for line in stream]
    usable = [text for text in texts if len(entries_of(text)) >= 8 and r"\bibitem" in text]
    return random.Random(seed).sample(usable, min(papers, len(usable)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=40)
    parser.add_argument("--seed", type=int, default=2029, help="2026 to 2028 drew lists that were looked at")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--peer")
    parser.add_argument("--thesis", type=int)
    chosen = parser.parse_args()
    if not (chosen.data / LISTS).is_file():
        parser.error(f"{chosen.data} has no {LISTS}: give its folder with --data")
    head = "| layout | entries | found | cut right | title right | year right | listed of printed |"
    if chosen.thesis:
        print(f"{chosen.data / LISTS}\n{machine()}\n\n{head}\n|---|---|---|---|---|---|---|")
        measure_thesis(chosen.data, chosen.thesis, chosen.keep)
        return
    texts = lists(chosen.data, chosen.papers, chosen.seed)
    print(f"{chosen.data / LISTS}: {len(texts)} lists\n{machine()}\n")
    print(head)
    print("|---|---|---|---|---|---|---|")
    for layout in LAYOUTS:
        ours: Counter[str] = Counter()
        peer: Counter[str] = Counter()
        for number, text in enumerate(texts):
            with tempfile.TemporaryDirectory() as name:
                place = chosen.keep / f"{letters(layout)}-{number}.pdf" if chosen.keep else None
                data = (
                    place.read_bytes()
                    if place and place.is_file()
                    else printed_twice(document(layout, text), Path(name))
                )
                if place and not place.is_file():
                    chosen.keep.mkdir(exist_ok=True)
                    place.write_bytes(data)
                truth, count = entries_of(text), sum(item.kind == "bibitem" for item in printed_entries(text))
                began = time.process_time()
                references = read_pdf(data).references
                ours.update(judge(truth, references))
                ours.update(printed=count, listed=len(references), micros=int((time.process_time() - began) * 1e6))
                if chosen.peer:
                    references = tuple(by_refextract(chosen.peer, data, Path(name)))
                    peer.update(judge(truth, references))
                    peer.update(printed=count, listed=len(references))
        print(row(layout, ours), flush=True)
        if chosen.peer:
            print(row("- refextract", peer), flush=True)
    plain: Counter[str] = Counter()
    for text in texts:
        items = [decode_tex(_DRESS.sub("", item.text).replace(r"\newblock", " ")) for item in printed_entries(text)]
        references = read_plain(
            "\n".join(["References", *(" ".join(item.split()) for item in items)]).encode()
        ).references
        plain.update(judge(entries_of(text), references))
        plain.update(printed=len(items), listed=len(references))
    print(row("plain text, an entry a line", plain))


if __name__ == "__main__":
    main()
