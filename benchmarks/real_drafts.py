"""Run the whole path on real LaTeX projects and compile what comes out.

    python -m benchmarks.real_drafts [--data ../shared/data] [--count 10] [--keep DIR]

Each project is copied, `citeplug related --offline --insert` is run on the copy against the catalogue in
CITEPLUG_HOME (take one in first with `citeplug index add`), and the copy is compiled with pdflatex and its
own bibliography engine. Where the project does not compile here (a class that is not installed, generated
figures), related.tex is compiled in a wrapper document with the project's bibliography style. A citation of
related.tex that is undefined in the end is a failure.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CITATION = re.compile(r"[Cc]itation [`']([^']+)' ")
SECONDS = 180


@dataclass(frozen=True)
class Result:
    """How one project went. `undefined` are keys of related.tex that the compiled document does not define."""

    main: str
    seconds: float
    sentences: int
    papers: int
    compiled: str
    undefined: list[str]
    error: str = ""


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, b"", b"timed out")


def compile_document(main: Path, engine: str) -> tuple[bool, str]:
    """Whether a PDF came out, and the last log. Figures are not part of the data, so graphics run in draft mode."""
    job = main.stem
    tex = f"\\PassOptionsToPackage{{draft}}{{graphicx}}\\input{{{main.name}}}"
    typeset = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", f"-jobname={job}", tex]
    for stale in (".aux", ".bbl", ".blg", ".pdf", ".log"):
        if stale != ".bbl" or engine != "none":
            main.with_suffix(stale).unlink(missing_ok=True)
    run(typeset, main.parent)
    run(["biber" if engine == "biber" else "bibtex", job], main.parent)
    run(typeset, main.parent)
    run(typeset, main.parent)
    log = main.with_suffix(".log")
    text = log.read_bytes().decode("latin-1").replace("\n", "") if log.exists() else ""
    return main.with_suffix(".pdf").exists() and "Fatal error" not in text, text


def known(style: str) -> bool:
    return run(["kpsewhich", style + ".bst"], Path()).returncode == 0


def wrapper(main: Path, document: dict[str, Any], facts: dict[str, Any]) -> Path:
    """A plain article around related.tex, with the style and the engine of the project's bibliography."""
    bibs = [main.parent / b for b in facts["bib_files"]] + [Path(document["bib"])]
    names = [b.relative_to(main.parent).as_posix() if b.is_relative_to(main.parent) else b.as_posix() for b in bibs]
    names = list(dict.fromkeys(n for n, b in zip(names, bibs, strict=True) if b.exists() or n.endswith("related.bib")))
    if facts["bib_engine"] == "biber":
        head = "\\usepackage[backend=biber]{biblatex}\n" + "".join(f"\\addbibresource{{{n}}}\n" for n in names)
        tail = "\\printbibliography"
    else:
        natbib = re.search(r"\\cite[tp]\b", document["tex_content"])
        head = "\\usepackage{natbib}\n" if natbib else ""
        style = facts["bib_style"] or ""
        if not style or not ((main.parent / f"{style}.bst").exists() or (shutil.which("kpsewhich") and known(style))):
            style = "plainnat" if natbib else "plain"
        tail = f"\\bibliographystyle{{{style}}}\n\\bibliography{{{','.join(n.removesuffix('.bib') for n in names)}}}"
    file = main.with_name("citeplug-wrapper.tex")
    file.write_text(
        "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage[utf8]{inputenc}\n\\usepackage{amsmath,amssymb}\n"
        + head
        + "\\begin{document}\n\\input{related}\n"
        + tail
        + "\n\\end{document}\n",
        encoding="utf-8",
    )
    return file


def judge(main: Path, citeplug: list[str]) -> Result:
    start = time.perf_counter()
    done = subprocess.run(
        [*citeplug, "related", str(main), "--offline", "--insert", "--json"], capture_output=True, check=False
    )
    seconds = time.perf_counter() - start
    if done.returncode:
        return Result(main.name, seconds, 0, 0, "no", [], done.stderr.decode("utf-8", "replace").strip()[-300:])
    document = json.loads(done.stdout)
    facts = json.loads(
        subprocess.run([*citeplug, "draft", str(main), "--json"], capture_output=True, check=True).stdout
    )
    sentences = [s for p in document["section"]["paragraphs"] for s in p["sentences"]]
    keys = {c["key"] for s in sentences for c in s["cites"]}
    how, (made, log) = "project", compile_document(main, facts["bib_engine"])
    undefined = keys & set(CITATION.findall(log))
    read_here = "related.tex" in log
    if not made or not read_here or undefined:
        # Broken by what the data leaves out (class, style, figures): judged in a wrapper of its own.
        how = "wrapper"
        made, log = compile_document(wrapper(main, document, facts), facts["bib_engine"])
        undefined = keys & set(CITATION.findall(log))
    papers = len({c["arxiv_id"] for s in sentences for c in s["cites"]})
    return Result(main.name, seconds, len(sentences), papers, how if made else "no", sorted(undefined))


def main() -> int:
    """Print a line for each project; 1 if one of them failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--keep", type=Path, help="keep the compiled copies here")
    chosen = parser.parse_args()
    manifest = json.loads((chosen.data / "latex_manifest.json").read_text("utf-8"))
    mains = [
        (m["folder"], m["main"])
        for m in manifest
        if m["kind"] == "paper" and (chosen.data / "latex" / m["folder"] / m["main"]).exists() and m["abstract_chars"]
    ][: chosen.count]
    print(f"python -m benchmarks.real_drafts --data {chosen.data} --count {chosen.count}")
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        for folder, name in mains:
            copy = (chosen.keep or Path(scratch)) / f"{folder}-{Path(name).stem}"
            shutil.copytree(chosen.data / "latex" / folder, copy, dirs_exist_ok=True)
            for path in (copy, *copy.rglob("*")):
                path.chmod(0o755 if path.is_dir() else 0o644)
            result = judge(copy / name, [sys.executable, "-m", "citeplug"])
            failures += bool(result.error or result.undefined or result.compiled == "no")
            print(
                f"{folder + '/' + name:60.60} {result.seconds:6.1f} s  {result.sentences:3} sentences"
                f" {result.papers:3} papers  compiled: {result.compiled:8}"
                f" undefined: {result.undefined} {result.error}",
                flush=True,
            )
    print(f"{len(mains)} projects, {failures} failed")
    return int(failures > 0)


if __name__ == "__main__":
    raise SystemExit(main())
