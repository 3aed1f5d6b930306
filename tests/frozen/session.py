"""The commands of a user, one after another, and what each of them prints.

`python -m tests.frozen.session FILE` runs them in a folder and with a data directory of their own, with no network and
no language model, and writes what they printed to FILE: a JSON object of documents by name.
"""

import io
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from unittest.mock import patch

# A line is the name of a document and the command that prints it, in the folder of the demo. A command sees the files
# that those before it wrote.
STEPS = """
demo                    demo . --json
draft                   draft main.tex --json
draft-for-a-reader      draft main.tex
status-after-demo       status --json
papers                  papers main.tex --json
papers-for-a-reader     papers main.tex
papers-missing          papers main.tex --missing --json
news                    news main.tex --json
plan                    plan main.tex --dry-run --json
plan-of-six             plan main.tex --out planned.tex --breadth 6 --words 150 --json
related-again           related main.tex --json
related-of-four         related main.tex --breadth 4 --replan --dry-run --json
related-of-200-words    related main.tex --words 200 --replan --dry-run --json
related-as-a-diff       related main.tex --breadth 5 --replan --diff
related-pinned          related main.tex --pin 1905.10224 --exclude 1710.10903 --breadth 5 --replan --dry-run --json
related-deep            related main.tex --deep --breadth 5 --replan --dry-run --json
sentences               accept main.tex --json
accept                  accept main.tex p1:1 --json
edit                    edit main.tex p1 "Another Heading" --json
move                    move main.tex p1 down --json
reject                  reject main.tex p2:1 --json
status-after-edits      status main.tex --json
status-for-a-reader     status main.tex
audit                   audit main.tex --json
audit-compared          audit main.tex --compare --json
audit-for-a-reader      audit main.tex --all
audit-as-a-page         audit main.tex --format html
check                   check main.tex --json
check-for-a-reader      check references.bib
check-as-sarif          check references.bib --format sarif
check-for-github        check references.bib --format github
fix                     fix references.bib --dry-run --json
cite                    cite 1710.10903 --json
cite-by-title           cite "Graph Attention Networks" --json
references              references references.bib --json
ask                     ask "What do graph attention networks replace?" --json
ask-for-a-reader        ask main.tex "What do graph attention networks replace?"
ask-in-vain             ask "Who won the football match yesterday?" --json
index-add               index add ../library.jsonl --json
search                  search "attention on graphs" --wait --json
search-for-a-reader     search "attention on graphs" --wait
prepare                 prepare 1905.10224 1710.10903 --json
search-augmented        search "attention on graphs" --augment --wait --json
gaps                    gaps main.tex --json
table                   table main.tex --format markdown
graph-add               graph add ../lists.jsonl --json
graph-info              graph info --json
graph-verify            graph verify --json
mentions                mentions 1710.10903 --json
library-add             library add references.bib --json
library-list            library list --json
index-info              index info --json
index-verify            index verify --json
index-export            index export ../papers.jsonl --json
read                    read 1609.02907 --json
init                    init . --json
strip                   strip related.tex
remove                  remove main.tex --dry-run --json
missing-file            related nothing.tex --json
unknown-command         rleated main.tex
"""
# For a reader of docs/commands.md: on a terminal of 76 columns, in the folder of another demo. A name is that of the
# command that it shows.
EXAMPLES = """
example-status            status
example-papers            papers main.tex --missing -k 2
example-check             check refs.bib
example-fix               fix refs.bib --diff
example-cite              cite 1710.10903
example-audit             audit main.tex
example-ask               ask main.tex "What do graph attention networks replace?"
example-gaps              gaps main.tex
example-remove            remove main.tex --dry-run
example-section-accept    section accept p1
example-section-reject    section reject p3:2
example-section-edit      section edit p1 "Node representations"
example-section-move      section move p3 up
example-related           related main.tex
example-section-strip     section strip related.tex
example-table             table main.tex --format markdown
example-init              init
example-start             start --own references.bib
example-index-add         index add ../library.jsonl
example-search            search "attention on graphs" -k 3 --wait
example-index-info        index info
example-index-export      index export ../records.jsonl.gz
example-index-verify      index verify
example-library-add       library add refs.bib
example-library-list      library list
example-library-remove    library remove refs.bib
example-graph-add         graph add ../lists.jsonl
example-graph-info        graph info
example-graph-verify      graph verify
example-prepare           prepare 1905.10224 1710.10903 -v
"""


def commands(steps: str) -> dict[str, list[str]]:
    return {name: shlex.split(command) for name, command in (line.split(None, 1) for line in steps.split("\n") if line)}


SHOWN = commands(EXAMPLES)
COMMANDS = commands(STEPS) | SHOWN
# Of four entries three are wrong: the id of another paper, a comma missing, a year.
REFERENCES = r"""@misc{kipf2017semi,
  title  = {Semi-Supervised Classification with Graph Convolutional Networks},
  author = {Kipf, Thomas N. and Welling, Max},
  year   = {2017},
}
@article{velickovic2018graph,
  title   = {Graph Attention Networks},
  author  = {Veli{\v{c}}kovi{\'c}, Petar and Cucurull, Guillem and Casanova, Arantxa
             and Romero, Adriana and Li{\`o}, Pietro and Bengio, Yoshua},
  journal = {arXiv preprint arXiv:1710.10903},
  year    = {2021},
}
@misc{li2016gated,
  title  = {Gated Graph Sequence Neural Networks},
  author = {Li, Yujia and Zemel, Richard and Brockschmidt, Marc and Tarlow, Daniel},
  year   = {2016},
  eprint = {1905.10224},
}
@inproceedings{hamilton2017inductive,
  title     = {Inductive Representation Learning on Large Graphs},
  author    = {Hamilton, William L. and Ying, Rex and Leskovec, Jure}
  booktitle = {Advances in Neural Information Processing Systems},
  year      = {2017},
  eprint    = {1706.02216},
}
"""
FULL_PRECISION = "all-MiniLM-L6-v2/onnx-fp32"
LISTS = '{"id": "1905.10224", "cited": ["1710.10903", "1706.03762"]}\n{"id": "1710.10903", "cited": []}\n'
# What is different on every machine and in every run, and what stands in its place.
_VARYING = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?"), "TIME"),
    (re.compile(r'("(seconds|bytes|size|free)": )[0-9.]+'), r"\1NUMBER"),
)

_PROGRESS = re.compile(r"^.*(?: \.\.\.|, about \d+ (?:s|min) left|: [\d,]+, [\d,]+/s)\n", re.MULTILINE)
_TIMES = re.compile(r" in [0-9.]+ s\b|^[0-9.]+ s\n", re.MULTILINE)  # of the examples
_SCORE = re.compile(r'("score": )([0-9.]+)')  # the last figures are the processor's


def fixed(text: str, folder: Path, version: str) -> str:
    """The text without times, sizes, today's date, the temporary folder and the version."""
    text = text.replace(str(folder), "FOLDER").replace(version, "VERSION")
    for pattern, word in _VARYING:
        text = pattern.sub(word, text)
    printed, errors, told = text.partition("--- standard error\n")
    text = printed + errors + _PROGRESS.sub("", told)
    text = _SCORE.sub(lambda score: f"{score[1]}{float(score[2]):.2f}", text)
    return text.replace(date.today().isoformat(), "TODAY")


def document(command: list[str], terminal: bool = False) -> str:
    """What a command printed, to both streams, and its exit code."""
    from citeplug.cli.main import main

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    out.isatty = lambda: terminal  # type: ignore[method-assign]
    with patch.multiple(sys, argv=["citeplug", *command], stdout=out, stderr=err):
        try:
            main()
            code: object = 0
        except SystemExit as end:
            code = end.code
    printed, told = (stream.buffer.getvalue().decode("utf-8") for stream in (out, err))
    return f"$ {shlex.join(['citeplug', *command])}\n{printed}--- standard error\n{told}--- exit code {code}\n"


def documents(folder: Path) -> Iterator[tuple[str, str]]:
    """Each document with its name."""
    import citeplug
    import citeplug.demo

    demo = folder / "demo"
    demo.mkdir()
    os.chdir(demo)
    shutil.copy(Path(citeplug.demo.__file__).parent / "library.jsonl", folder)
    (folder / "lists.jsonl").write_text(LISTS, "utf-8")
    for name, command in commands(STEPS).items():
        yield name, fixed(document(command), folder, citeplug.__version__)
    paper = folder / "paper"
    paper.mkdir()
    os.chdir(paper)
    os.environ |= {"CITEPLUG_HOME": str(folder / "another"), "COLUMNS": "76", "LINES": "40", "NO_COLOR": "1"}
    document(["demo", "."])
    (paper / "refs.bib").write_text(REFERENCES, "utf-8")
    for name, command in SHOWN.items():
        yield name, _TIMES.sub("", fixed(document(command, terminal=True), folder, citeplug.__version__))


if __name__ == "__main__":
    # Without TeX and git, wherever it runs, and with vectors that hardly depend on the processor.
    os.environ |= {"CITEPLUG_OFFLINE": "1", "COLUMNS": "100", "PATH": "", "CITEPLUG_EMBEDDER": FULL_PRECISION}
    target = Path(sys.argv[1]).absolute()
    with tempfile.TemporaryDirectory() as temporary:
        here = Path(temporary).resolve()
        os.environ["CITEPLUG_HOME"] = str(here / "home")
        target.write_text(json.dumps(dict(documents(here))), "utf-8")
        os.chdir(target.parent)
