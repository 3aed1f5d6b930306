"""Known vulnerabilities of the lock file without a network: `make audit OSV=all.zip`.

pip-audit asks a server and reads no file. This one answers it on this machine from a copy of OSV's database for PyPI,
https://osv-vulnerabilities.storage.googleapis.com/PyPI/all.zip: https://ossf.github.io/osv-schema says what is in it.
"""

import json
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

Advisory = Mapping[str, Any]
AUDIT = ("--no-deps", "--disable-pip", "--requirement", "requirements.lock", "--vulnerability-service", "osv")


def main(database: Path) -> int:
    """Run pip-audit on the lock file; returns its exit code."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(read_database(database)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    program = ("pip-audit",) if shutil.which("pip-audit") else ("pipx", "run", "pip-audit")
    url = f"http://127.0.0.1:{server.server_port}/v1/query"
    return subprocess.run([*program, *AUDIT, "--osv-url", url], cwd=Path(__file__).parent).returncode


def read_database(path: Path) -> dict[str, list[Advisory]]:
    """The advisories by the normalized name of each package that they are about."""
    by_name: dict[str, list[Advisory]] = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            advisory = json.loads(archive.read(name))
            for package in {canonicalize_name(each["package"]["name"]) for each in advisory.get("affected", ())}:
                by_name.setdefault(package, []).append(advisory)
    return by_name


def is_affected(advisory: Advisory, name: str, version: Version) -> bool:
    """Return True if the advisory names the version, or a range that it is in, as OSV evaluates them."""
    for affected in advisory.get("affected", ()):
        if affected["package"]["ecosystem"] != "PyPI" or canonicalize_name(affected["package"]["name"]) != name:
            continue
        if version in map(_parsed, affected.get("versions", ())):
            return True
        ranges = (each["events"] for each in affected.get("ranges", ()) if each["type"] == "ECOSYSTEM")
        if any(_is_within(version, events) for events in ranges):
            return True
    return False


def _is_within(version: Version, events: Sequence[Mapping[str, str]]) -> bool:
    within = False
    dated = [(_parsed(value), kind) for event in events for kind, value in event.items()]
    for at, kind in sorted((at, kind) for at, kind in dated if at is not None):
        if kind == "introduced" and version >= at:
            within = True
        elif (kind == "fixed" and version >= at) or (kind == "last_affected" and version > at):
            within = False
    return within


def _parsed(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:  # there are old ones on PyPI
        return None


def _handler(by_name: Mapping[str, Sequence[Advisory]]) -> type[BaseHTTPRequestHandler]:
    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            name, version = canonicalize_name(query["package"]["name"]), Version(query["version"])
            found = [each for each in by_name.get(name, ()) if is_affected(each, name, version)]
            body = json.dumps({"vulns": found} if found else {}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Answer


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
