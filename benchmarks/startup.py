"""How long `citeplug --help` takes, beside an empty Python process.

python -m benchmarks.startup [runs]
"""

import statistics
import subprocess
import sys
import time

LIMIT = 0.2


def seconds(command: list[str], runs: int) -> list[float]:
    """Wall-clock seconds of `runs` runs, after one that is not counted."""
    taken = []
    for number in range(runs + 1):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        if number:
            taken.append(time.perf_counter() - start)
    return taken


def main() -> int:
    """Print both medians; 1 if the help is above its limit."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    empty = seconds([sys.executable, "-c", "pass"], runs)
    shown = seconds([sys.executable, "-m", "citeplug", "--help"], runs)
    print(f"python -m benchmarks.startup {runs}")
    for name, taken in (("python -c pass", empty), ("citeplug --help", shown)):
        print(f"{name:16} median {statistics.median(taken):.3f} s  (min {min(taken):.3f}, max {max(taken):.3f})")
    late = statistics.median(shown) > LIMIT
    print(f"limit {LIMIT} s: {'missed' if late else 'kept'}")
    return int(late)


if __name__ == "__main__":
    raise SystemExit(main())
