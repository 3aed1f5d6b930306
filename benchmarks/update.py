"""`index update` against a server on this machine: records a second, CPU and memory.

    python -m benchmarks.update [--records 10000] [--days 10]

The server runs in this process and the update in another one, at no pace, so that what is measured is reading,
comparing, writing and indexing. The records are made up: abstracts of 200 words out of 5,000.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta

from tests.harness.arxiv_server import paper
from tests.harness.oai_server import OaiServer


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--days", type=int, default=10)
    given = parser.parse_args()
    today = datetime.now(UTC).date()
    server = OaiServer(today=today, page=1000)
    chance = random.Random(7)
    words = [f"{chance.choice('bcdfglmnprst')}{chance.choice('aeiou')}{number:x}" for number in range(5000)]
    for number in range(given.records):
        day = today - timedelta(days=number % given.days)
        text = " ".join(chance.choices(words, k=200))
        month = f"25{number // 50_000 % 12 + 1:02d}"
        server.touch(day, paper(f"{month}.{number % 50_000:05d}", " ".join(chance.choices(words, k=9)), text))
    with server.serve(), tempfile.TemporaryDirectory() as home:
        environment = {
            **os.environ,
            "CITEPLUG_HOME": home,
            "CITEPLUG_OAI_URL": server.url,
            "CITEPLUG_ARXIV_URL": server.url,
            "CITEPLUG_ARXIV_DELAY": "0",
        }
        since = (today - timedelta(days=given.days - 1)).isoformat()
        for name in ("new", "unchanged"):
            began, worked = time.monotonic(), _work()
            command = [sys.executable, "-m", "citeplug", "index", "update", "--since", since, "-q"]
            subprocess.run(command, env=environment, check=True)
            seconds = time.monotonic() - began
            own, rate = _work() - worked, given.records / seconds
            print(
                f"{name:10} {given.records:,} records in {seconds:.1f} s, {rate:,.0f}/s, CPU {own:.1f} s, {_memory()}"
            )


def _work() -> float:
    """Seconds of CPU that child processes have used."""
    spent = os.times()
    return spent.children_user + spent.children_system


def _memory() -> str:
    """The most that a child process held."""
    try:
        import resource
    except ImportError:  # Windows
        return "memory not known"
    unit = 1 if sys.platform == "darwin" else 1024
    return f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit / 1e6:.0f} MB"


if __name__ == "__main__":
    main()
