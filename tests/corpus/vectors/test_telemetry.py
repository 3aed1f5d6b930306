"""No dependency reports its use: none leaves a device id or a queue of reports, nor starts to ask the network."""

import os
import subprocess
import sys
from pathlib import Path

SEARCH = """
import socket, sys
from pathlib import Path

reached = []
sys.addaudithook(lambda event, _: reached.append(event) if event in ("socket.connect", "socket.getaddrinfo") else None)
from citeplug.corpus.stores import open_corpus, settings
from citeplug.records.paper import Filter
from citeplug.related.retrieve.candidates import search

with open_corpus(settings(offline=True)) as corpus:
    corpus.add([Path(sys.argv[1])], complete=False)
    assert search("graph attention", corpus, Filter(), 3, seconds=1.0)
assert not reached, reached
"""


def test_a_search_with_model_and_store_leaves_nothing_outside_its_home(tmp_path: Path) -> None:
    import citeplug.demo

    library = Path(citeplug.demo.__file__).parent / "library.jsonl"
    few = tmp_path / "few.jsonl"
    few.write_bytes(b"".join(library.read_bytes().splitlines(keepends=True)[:12]))
    user = tmp_path / "user"
    user.mkdir()
    # Some libraries report nothing where they find themselves tested.
    environ = {k: v for k, v in os.environ.items() if "TELEMETRY" not in k and k not in ("CI", "DO_NOT_TRACK")}
    for name in ("HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        environ[name] = str(user)
    environ["CITEPLUG_HOME"] = str(tmp_path / "home")
    done = subprocess.run(
        [sys.executable, "-c", SEARCH, str(few)], env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [str(path.relative_to(user)) for path in user.rglob("*")] == []
