"""All numbers that a machine without a network can make again in minutes, with the digests of their data.

    python -m benchmarks.report [--data ../shared/data] [--home DIR] [-o FILE] [--only NAME]...

Runs each benchmark below with its quick settings, and writes what they print to one file: the data by SHA-256, the
machine, and of each the command, the time and the output. One whose data are not there is skipped and says so; one that
fails, or takes longer than an hour, is shown with what it printed, and the command ends with 1.
"""

import argparse
import hashlib
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.gold import DATA, GOLD, SAMPLE, machine
from citeplug.files.atomic import write_atomically
from citeplug.settings.environment import read_settings

ROOT = Path(__file__).resolve().parents[1]
REPORT = ROOT / "benchmarks" / "report.md"
LONGEST = 3600.0  # seconds of one benchmark
CLAIMS = "claims/scifact_dev.jsonl"
SENTENCES = ("claims/refused_sentences.jsonl", "claims/paraphrases_dev.jsonl")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, slots=True)
class Part:
    """A benchmark: its module and options, and the files under the data folder that it reads.

    `takes` are those of --data and --home that it knows.
    """

    title: str
    module: str
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    def command(self, data: Path, home: Path) -> list[str]:
        """The words after `python`; data and home as they were given."""
        given = {"--data": data, "--home": home}
        return ["-m", f"benchmarks.{self.module}", *self.options, *(w for t in self.takes for w in (t, str(given[t])))]

    def folder(self, data: Path) -> Path:
        """The folder of its data: that of the command line, if it takes one."""
        return data if "--data" in self.takes else DATA

    @property
    def shown(self) -> str:
        """The command as a reader would type it."""
        return " ".join(["python", "-m", f"benchmarks.{self.module}", *self.options])


PARTS = (
    Part("Retrieval: recall among 5,000 records", "retrieval", (GOLD, SAMPLE), ("--data", "--home")),
    Part("Breadth, diversity and depth swept", "sweep", (GOLD, SAMPLE, "latex_manifest.json"), ("--data", "--home")),
    Part(
        "Debates ranked with verified quotations, and without", "debate_ablation", (GOLD, SAMPLE), ("--data", "--home")
    ),
    Part("Answers without a model", "answers", (CLAIMS,)),
    Part("Answers by a scripted model and judge", "answers_by_model", (CLAIMS,)),
    Part("Sentences with errors: found by code, and by scripted judges", "claims", SENTENCES),
    Part("Sections by replayed models", "model_sections"),
    Part("Entries: wrong ones caught, right ones accused", "check_quality", (SAMPLE,), ("--data",), ("--seed", "2028")),
)


@dataclass(frozen=True, slots=True)
class Made:
    """What became of a part: its output, the whole seconds that it took, and why it was skipped or failed, if so."""

    part: Part
    output: str = ""
    seconds: int = 0
    trouble: str = ""
    failed: bool = False


def make(part: Part, data: Path, home: Path, longest: float = LONGEST) -> Made:
    """Run one part in a process of its own."""
    missing = [name for name in part.needs if not (part.folder(data) / name).is_file()]
    if missing:
        return Made(part, trouble=f"skipped: {', '.join(missing)} is not there")
    start = time.monotonic()
    try:
        done = subprocess.run(
            [sys.executable, *part.command(data, home)],
            cwd=ROOT,
            capture_output=True,
            timeout=longest,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return Made(part, _text(error.stdout, home), round(longest), f"stopped after {longest:.0f} s", failed=True)
    trouble = f"ended with {done.returncode}: {_text(done.stderr, home)[-600:].strip()}" if done.returncode else ""
    return Made(part, _text(done.stdout, home), round(time.monotonic() - start), trouble, bool(done.returncode))


def write(made: Sequence[Made], data: Path) -> str:
    """Return the report as Markdown."""
    lines = [
        "# Report",
        "",
        "Made by `make report`; not written by hand. What the numbers mean is in",
        "[results.md](results.md), and of the measures in [evaluation.md](../docs/evaluation.md).",
        "",
        machine(),
        "",
        *_data(made, data),
    ]
    for each in made:
        lines += ["", f"## {each.part.title}", "", f"`{each.part.shown}`" + (f", {each.seconds} s" * bool(each.output))]
        lines += ["", f"**{each.trouble}**"] if each.trouble else []
        lines += ["", *_fenced(each.output)] if each.output else []
    return "\n".join(lines) + "\n"


def _data(made: Sequence[Made], data: Path) -> Iterator[str]:
    files = {name: each.part.folder(data) / name for each in made for name in each.part.needs}
    there = {name: file for name, file in sorted(files.items()) if file.is_file()}
    if there:
        yield from ("| data | bytes | SHA-256 |", "|---|---|---|")
    for name, file in there.items():
        with file.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        yield f"| `{name}` | {file.stat().st_size:,} | `{digest}` |"


def _fenced(output: str) -> list[str]:
    longest = max((len(found) for found in re.findall(r"`{3,}", output)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}text", *(line.rstrip() for line in output.rstrip("\n").split("\n")), fence]


def _text(output: bytes | None, home: Path) -> str:
    """What was printed, without colours and without the places of this machine."""
    text = _COLOUR.sub("", (output or b"").decode("utf-8", "replace"))
    for place, name in ((home, "HOME"), (DATA, "../shared/data"), (ROOT, "."), (Path.home(), "~")):
        text = text.replace(str(place), name)
    return text


def main() -> int:
    """Make all parts and write the report; 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    parser.add_argument("-o", "--output", type=Path, default=REPORT)
    parser.add_argument(
        "--only", action="append", choices=[part.module for part in PARTS], help="this part; repeatable"
    )
    chosen = parser.parse_args()
    made = []
    for part in PARTS:
        if chosen.only is None or part.module in chosen.only:
            made.append(make(part, chosen.data, chosen.home))
            print(f"{part.shown}: {made[-1].trouble or f'{made[-1].seconds} s'}", flush=True)
    write_atomically(chosen.output, write(made, chosen.data).encode())
    print(f"written to {chosen.output}")
    return 1 if any(each.failed for each in made) else 0


if __name__ == "__main__":
    raise SystemExit(main())
