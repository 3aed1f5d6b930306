"""How fast the review page is with 200 sentences of 100 papers or more, in a real Chromium.

    python -m benchmarks.review_page SNAPSHOT [rounds]

SNAPSHOT holds arXiv records, such as ../shared/data/arxiv_sample.jsonl.gz; some of them make a catalogue and a section
in a temporary folder. The first view is from the opened address to the selected sentence, and a key from its press to
the picture after it. It needs `make vscode-tests`, and Chromium.
"""

import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from citeplug.corpus.stores import open_corpus, settings
from citeplug.project.find_project import find_project
from citeplug.records.outcome import Options
from citeplug.related.job import write_related
from citeplug.related.section.review import review_section
from citeplug.related.tools import Job

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "vscode-bridge" / "e2e" / "review-speed.mjs"
FIRST_LIMIT, KEY_LIMIT = 1000, 100  # milliseconds
SENTENCES, LINES, PAPERS = 200, 10, 900
DRAFT = r"""\documentclass{article}
\title{Convolutions on Graphs}
\begin{document}
\begin{abstract}We propose a convolutional neural network on graphs.\end{abstract}
\section{Related Work}
\input{related}
\bibliographystyle{plain}
\bibliography{related}
\end{document}
"""


def write_project(snapshot: Path, place: Path) -> Path:
    """Write a section of `SENTENCES` sentences or more, each on a paper of its own; returns the main file."""
    records, main = place / "some.jsonl", place / "paper" / "main.tex"
    main.parent.mkdir()
    with gzip.open(snapshot, "rt", encoding="utf-8") as sample:
        near = [line for line in sample if "graph" in line and json.loads(line)["authors"]][:PAPERS]
    records.write_text("".join(near), "utf-8")
    chosen = settings(offline=True)
    with open_corpus(chosen) as corpus:
        corpus.add([records])
    main.write_text(DRAFT, "utf-8")
    ids = [json.loads(line)["id"] for line in near]
    blocks = []
    for number, start in enumerate(range(0, len(ids), LINES), 1):
        plan = [f"% citeplug:{n} describe it [{paper}]" for n, paper in enumerate(ids[start : start + LINES], 1)]
        blocks.append("\n".join([f"% citeplug:begin p{number}", *plan, f"% citeplug:end p{number}", ""]))
    section = main.with_name("related.tex")
    for count in range(SENTENCES // LINES, len(blocks) + 1, 5):  # some abstracts have no sentence that is reported
        section.write_text("% citeplug: 2\n" + "\n".join(blocks[:count]), "utf-8")
        write_related(Job(main, Options()), chosen, online=False, report=lambda *_: None)
        found = review_section(find_project(main), chosen)
        if found.count("unreviewed") >= SENTENCES:
            break
    print(f"{found.count('unreviewed')} sentences to review, {len(found.papers)} papers", flush=True)
    return main


def main() -> int:
    """Print the times; 1 if one is above its limit."""
    snapshot, rounds = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10
    print(f"python -m benchmarks.review_page {snapshot} {rounds}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        os.environ["CITEPLUG_HOME"] = str(place / "home")
        project = write_project(snapshot, place)
        done = subprocess.run(
            ["node", str(SCRIPT), str(project), str(rounds)],
            cwd=ROOT,
            env={**os.environ, "CITEPLUG_E2E_PYTHON": sys.executable},
            stdout=subprocess.PIPE,
            check=True,
        )
    found = json.loads(done.stdout)
    late = found["first"] > FIRST_LIMIT
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"first view   {found['first']:.0f} ms  limit {FIRST_LIMIT} ms: {'missed' if late else 'kept'}")
    print(f"view again   median {statistics.median(found['again']):.0f} ms")
    for key, times in found["keys"].items():
        median = statistics.median(times)
        late = late or median > KEY_LIMIT
        kept = "missed" if median > KEY_LIMIT else "kept"
        late_ones = statistics.quantiles(times, n=20)[-1]
        print(f"key {key}        median {median:.0f} ms, 95 % within {late_ones:.0f} ms  limit {KEY_LIMIT} ms: {kept}")
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
