"""How long the first list of papers and the first section take, where nothing is embedded yet, and the next ones.

    python -m benchmarks.first_list [--other CHECKOUT] [--runs N] [--data ../shared/data] [--draft FOLDER]

Whole commands, each in a process of its own, on a copy of a catalogue of the whole sample: by the clock, and of the
processor, which a busy machine changes less. `--other` measures another checkout of citeplug in turn with this one.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.gold import DATA, SAMPLE, machine

HERE = Path(__file__).resolve().parents[1]
DRAFT = Path("latex") / "mdeff+paper-cnn-graph-nips2016"
COMMANDS = {
    "first list": ["papers"],
    "the same again": ["papers"],
    "its section": ["related", "--dry-run"],
}
AIM = 5.0  # seconds, of the first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--other", type=Path, help="another checkout of citeplug, such as that of the version before")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--draft", type=Path, help=f"folder of a draft (default: {DRAFT} of the data)")
    chosen = parser.parse_args()
    checkouts = [HERE, *([chosen.other.resolve()] if chosen.other is not None else [])]
    print(f"python -m benchmarks.first_list {' '.join(sys.argv[1:])}\n{machine()}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        draft = folder / "draft"
        shutil.copytree(chosen.draft or chosen.data / DRAFT, draft, copy_function=shutil.copyfile)
        draft.chmod(0o755)
        for checkout in checkouts:
            filled = _home(folder, checkout, "filled")
            _run(checkout, folder, filled, draft, ["index", "add", str((chosen.data / SAMPLE).resolve())])
            shutil.copytree(filled, _home(folder, checkout, "warm-up"))
            # Python compiles what it loads, and the disk's caches are filled.
            _run(checkout, folder, _home(folder, checkout, "warm-up"), draft, ["papers", "--offline"])
        taken: dict[tuple[Path, str], list[tuple[float, float]]] = {}
        for _ in range(chosen.runs):
            for checkout in checkouts:
                home = _home(folder, checkout, "home")
                shutil.rmtree(home, ignore_errors=True)
                shutil.copytree(_home(folder, checkout, "filled"), home)
                for what, command in COMMANDS.items():
                    passed = _run(checkout, folder, home, draft, [*command, "--offline"])
                    taken.setdefault((checkout, what), []).append(passed)
    for (checkout, what), runs in taken.items():
        clock, processor = (statistics.median(run[part] for run in runs) for part in (0, 1))
        aim = f"  aim {AIM:g} s: {'kept' if clock <= AIM else 'missed'}" if what == "first list" else ""
        version = "this" if checkout == HERE else "other"
        print(f"{version:6} {what:16} {clock:6.2f} s, of the processor {processor:6.2f} s{aim}")


def _home(folder: Path, checkout: Path, name: str) -> Path:
    return folder / f"{'this' if checkout == HERE else 'other'}-{name}"


def _run(checkout: Path, folder: Path, home: Path, draft: Path, command: list[str]) -> tuple[float, float]:
    """Seconds by the clock and of the processor."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"CITEPLUG_HOME": str(home), "PYTHONPATH": str(checkout)}
    environment["PYTHONPYCACHEPREFIX"] = str(_home(folder, checkout, "compiled"))
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "citeplug", *command],
        check=True,
        cwd=draft,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    seconds, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
