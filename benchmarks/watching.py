"""What a watcher costs: an abstract that changes, saves that change nothing that counts, and no save at all.

    python -m benchmarks.watching [FILE] [--idle 30]

FILE is a snapshot (default: the sample beside the project, else the demo's library). The draft is the demo's, and
everything goes into a temporary folder. The first run embeds what it needs, and is not counted.
"""

import argparse
import json
import os
import queue
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import citeplug.demo
from benchmarks.ingest import SAMPLE

CONTENT = Path(citeplug.demo.__file__).parent
SENTENCE = "learns for each node how far to look"
ENDINGS = (
    "finds the hops that each node needs",
    "lets each node choose its depth",
    "stops where little is left to see",
)
DEEP = "is what the protocol is there to measure"  # in the conclusion, which no section is made from
RELEVANT, IRRELEVANT = 2.0, 0.05  # seconds


class Watched:
    """A watcher in a process of its own."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "citeplug", "watch", str(folder), "--offline", "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.told: queue.Queue[tuple[float, Any]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.told.put((time.perf_counter(), json.loads(line)))

    def next(self, *events: str) -> tuple[float, Any]:
        while True:
            at, told = self.told.get(timeout=300)
            if told["event"] in events:
                return at, told

    def after(self, save: Callable[[], object], *events: str) -> tuple[float, float]:
        """Seconds from a save to what is told of it, and those of them in which something was done."""
        time.sleep(1)  # a save in the moment of writing is looked at with what was written, and not told of
        start = time.perf_counter()
        save()
        at, told = self.next(*events)
        return at - start, told["seconds"]

    def cpu(self) -> float:
        """Seconds of processor time so far; only where the system tells (Linux)."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def replaced(file: Path, old: str, new: str) -> Callable[[], object]:
    text = file.read_text("utf-8")
    assert old in text, old
    return lambda: file.write_text(text.replace(old, new, 1), "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", nargs="?", type=Path, default=SAMPLE if SAMPLE.exists() else CONTENT / "library.jsonl")
    parser.add_argument("--idle", type=float, default=30.0)
    arguments = parser.parse_args()
    print(f"catalogue: {arguments.file}")
    with tempfile.TemporaryDirectory() as place:
        os.environ["CITEPLUG_HOME"] = str(Path(place) / "home")
        folder = Path(place) / "paper"
        shutil.copytree(CONTENT / "example", folder)
        draft = folder / "main.tex"
        for words in (["index", "add", str(arguments.file)], ["related", str(draft), "--offline", "--insert"]):
            subprocess.run([sys.executable, "-m", "citeplug", *words, "-q"], check=True, stdout=subprocess.DEVNULL)
        watched = Watched(folder)
        try:
            watched.next("watching")
            watched.after(replaced(draft, SENTENCE, "looks as far as it must"), "written", "current")
            sentence, relevant, irrelevant = "looks as far as it must", [], []
            for ending in ENDINGS:
                relevant.append(watched.after(replaced(draft, sentence, ending), "written", "current"))
                sentence = ending
            for number in range(5):
                save = replaced(draft, r"\begin{document}", f"% remark {number}\n\\begin{{document}}")
                irrelevant.append(watched.after(save, "unchanged"))
            deep, old = [], DEEP
            for number in range(5):
                deep.append(watched.after(replaced(draft, old, f"{DEEP} {number}"), "unchanged"))
                old = f"{DEEP} {number}"
            total, done = (statistics.median(column) for column in zip(*relevant, strict=True))
            print(f"an abstract that changed: {total:.2f} s after the save the section stands ({done:.2f} s of work)")
            idly = statistics.median(done for _, done in irrelevant)
            print(f"a comment that changed: {1000 * idly:.1f} ms of work")
            deeply = statistics.median(done for _, done in deep)
            print(f"a sentence of the conclusion that changed: {1000 * deeply:.1f} ms of work")
            time.sleep(2)
            if Path("/proc").is_dir():
                before = watched.cpu()
                time.sleep(arguments.idle)
                print(
                    f"{arguments.idle:.0f} s without a save: {1000 * (watched.cpu() - before):.0f} ms of processor time"
                )
            start = time.perf_counter()
            watched.process.send_signal(signal.SIGTERM)
            watched.process.wait(60)
            print(f"asked to end: {time.perf_counter() - start:.2f} s")
        finally:
            watched.process.kill()
            watched.process.wait()
    return int(total > RELEVANT or max(idly, deeply) > IRRELEVANT)


if __name__ == "__main__":
    raise SystemExit(main())
