"""How long `citeplug --help` takes, beside an empty Python process, and the demo, beside loading Chroma alone.

    python -m benchmarks.startup [runs]

The demo runs with a home of its own: cold with nothing in it, warm with what the cold run left there, each time in a
new folder, and with its PDF where TeX is installed.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HELP_LIMIT, WARM_LIMIT, COLD_LIMIT = 0.2, 3.0, 15.0


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """Wall-clock seconds of one run."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - start


def main() -> int:
    """Print the medians; 1 if one is above its limit."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    # As installed: Python keeps what it compiled, which this variable, where it is set, forbids.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    print(f"python -m benchmarks.startup {runs}")
    citeplug = [sys.executable, "-m", "citeplug"]
    late = False
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        environment["CITEPLUG_HOME"] = str(Path(folder, "home"))
        demo = [*citeplug, "demo", str(Path(folder, "demo"))]
        for name, command, limit in (
            ("python -c pass", [sys.executable, "-c", "pass"], None),
            ("citeplug --help", [*citeplug, "--help"], HELP_LIMIT),
            ("import chromadb", [sys.executable, "-c", "import chromadb"], None),
            ("demo, cold", demo, COLD_LIMIT),
            ("demo, warm", demo, WARM_LIMIT),
        ):
            cold = name == "demo, cold"
            taken = []
            for number in range(runs + (not cold)):
                shutil.rmtree(Path(folder, "demo"), ignore_errors=True)
                if cold:
                    shutil.rmtree(Path(folder, "home"), ignore_errors=True)
                passed = seconds(command, environment)
                if number or cold:  # the first fills the caches of the disk
                    taken.append(passed)
            median = statistics.median(taken)
            over = limit is not None and median > limit
            said = "" if limit is None else f"  limit {limit:g} s: {'missed' if over else 'kept'}"
            print(f"{name:16} median {median:.3f} s  (min {min(taken):.3f}, max {max(taken):.3f}){said}", flush=True)
            late = late or over
    print(f"with {'a PDF' if shutil.which('pdflatex') else 'no PDF: TeX is not installed'}")
    return int(late)


if __name__ == "__main__":
    raise SystemExit(main())
