"""Lengths of sections written without a language model, for which `--words` is an upper bound.

    python -m benchmarks.section_length [MAIN.tex ...] [--home DIR]

Exits with 1 if a section is longer than was asked for; how much shorter each is is printed. Writes nothing. DIR is a
CITEPLUG_HOME with records (default: the whole sample's, which `python -m benchmarks.retrieval --full` fills); the
drafts are the example and, where they are, five real papers of the data beside the project.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import citeplug.demo
from benchmarks.gold import DATA, machine
from citeplug.corpus.stores import open_corpus
from citeplug.records.outcome import Options
from citeplug.related.job import write_related
from citeplug.related.options import breadth_for
from citeplug.related.tools import Job
from citeplug.settings.environment import read_settings
from citeplug.text.cited_text import length

EXAMPLE = Path(citeplug.demo.__file__).parent / "example" / "main.tex"
REAL = (
    "daffidwilde+edo-paper/main.tex",
    "david-abel+state_abstraction/paper/paper.tex",
    "deepsphere+paper-deepsphere-iclr2020/main.tex",
    "mdeff+paper-cnn-graph-nips2016/nips2016.tex",
    "sympy+sympy-paper/paper.tex",
)
WANTED = (120, 250, 400, 800)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("drafts", nargs="*", type=Path)
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks" / "full")
    chosen = parser.parse_args()
    drafts = chosen.drafts or [EXAMPLE, *_real_drafts()]
    settings = replace(read_settings(), offline=True)
    print("python -m benchmarks.section_length " + " ".join(sys.argv[1:]))
    print(machine())
    ratios = []
    with open_corpus(replace(settings, corpus=chosen.home)) as corpus:
        print(f"{corpus.records:,} records in {chosen.home}")
        print(f"{'words asked for':40}" + "".join(f"{words:>14}" for words in WANTED))
        for main_file in drafts:
            cells = []
            for words in WANTED:
                options = Options(words=words, breadth=breadth_for(words))
                job = Job(main_file, options, dry_run=True)
                done = write_related(job, settings, online=False, report=lambda *_: None, corpus=corpus)
                got = sum(length(paragraph.sentences) for paragraph in done.outcome.section.paragraphs)
                ratios.append(got / words)
                cells.append(f"{got} ({100 * (got / words - 1):+.0f} %)")
            print(f"{main_file.parent.name[:38]:40}" + "".join(f"{cell:>14}" for cell in cells), flush=True)
    short = sorted(100 * (1 - ratio) for ratio in ratios)
    print(f"shorter by {short[0]:.0f} to {short[-1]:.0f} %, median {short[len(short) // 2]:.0f} %")
    return int(short[0] < 0)


def _real_drafts() -> list[Path]:
    return sorted(path for path in (DATA / "latex" / name for name in REAL) if path.is_file())


if __name__ == "__main__":
    raise SystemExit(main())
