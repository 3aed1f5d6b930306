"""A git server on loopback with the manners of Overleaf's bridge: one branch, no force-push, no large file, and a
token as password. It is git's own `http-backend` behind a small HTTP server."""

import base64
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from tests.harness.loopback import Loopback, LoopbackHandler

USER, TOKEN = "git", "olp_" + "s3cret" * 6
BRANCH = "master"
LARGEST = 1_000_000  # bytes; 50 MiB at Overleaf

HOOK = r"""#!/bin/sh
case "$1" in refs/heads/%(branch)s) ;; *) echo "wrong branch: only %(branch)s is there" >&2; exit 1;; esac
git merge-base --is-ancestor "$2" "$3" || { echo "forced push prohibited" >&2; exit 1; }
git rev-list --objects "$3" --not "$2" | cut -d' ' -f1 | git cat-file --batch-check='%%(objecttype) %%(objectsize)' |
while read kind size; do
  if [ "$kind" = blob ] && [ "$size" -gt %(largest)d ]; then echo "a file is larger than 50 MiB" >&2; exit 1; fi
done
"""


@dataclass(frozen=True)
class Fault:
    """How a request is answered: with a status, or by a connection that breaks, at once (`drop`) or in the reply."""

    status: int = 0
    how: Literal["status", "drop", "cut"] = "status"


class GitServer(Loopback[Fault]):
    """Serves the bare repository in `folder`. `before_push` is called once, when a push is about to begin; `in_push`
    once, when the client has seen the branches and sends its commits."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.bare = folder / "project.git"
        self.before_push: Callable[[], None] | None = None
        self.in_push: Callable[[], None] | None = None
        self.paths: list[str] = []
        git(folder, "init", "-q", "--bare", "-b", BRANCH, str(self.bare))
        for name, value in (("http.receivepack", "true"), ("receive.denyDeletes", "true")):
            git(self.bare, "config", name, value)

    def guard(self) -> None:
        """From now on the hook decides what is taken."""
        hook = self.bare / "hooks" / "update"
        hook.write_bytes((HOOK % {"branch": BRANCH, "largest": LARGEST}).encode())
        hook.chmod(0o755)

    @contextmanager
    def serve(self) -> Iterator[str]:
        """Yields the address of the repository, without user or token."""
        server = self

        class Handler(_Handler):
            owner = server

        with self.listening(Handler) as address:
            yield f"{address}/{self.bare.name}"


class _Handler(LoopbackHandler):
    owner: GitServer

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        with self.owner.counting() as answered:
            self.answered = answered
            self.owner.paths.append(self.path)
            body = self._body()
            wanted = base64.b64encode(f"{USER}:{TOKEN}".encode()).decode()
            if self.headers.get("Authorization") != f"Basic {wanted}":
                self._status(401, b"who are you?", ("WWW-Authenticate", 'Basic realm="git"'))
                return
            if self.path.endswith("info/refs?service=git-receive-pack"):
                self._call("before_push")
            if self.path.endswith("/git-receive-pack"):
                self._call("in_push")
            fault = self.owner.next_fault()
            if fault is not None and fault.how == "drop":
                self.drop()
                return
            if fault is not None and fault.how == "status":
                self._status(fault.status, b"no")
                return
            self._backend(body, cut=fault is not None)

    def _call(self, name: str) -> None:
        what = getattr(self.owner, name)
        setattr(self.owner, name, None)
        if what is not None:
            what()

    def _body(self) -> bytes:
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _status(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in (*headers, ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.answered()
        self.wfile.write(body)

    def _backend(self, body: bytes, *, cut: bool) -> None:
        parts = urlsplit(self.path)
        env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            "GIT_PROJECT_ROOT": str(self.owner.bare.parent),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": parts.path,
            "QUERY_STRING": parts.query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REMOTE_USER": USER,
            "REMOTE_ADDR": "127.0.0.1",
        }
        done = subprocess.run(["git", "http-backend"], input=body, env=env, capture_output=True, timeout=60)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode("latin-1").split("\r\n") if ": " in line)
        status = int(fields.pop("Status", "200").split()[0])
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if cut:
            self.wfile.write(content[: len(content) // 2])
            self.drop()
            return
        self.answered()
        self.wfile.write(content)


class Web:
    """The other side: somebody who writes in the browser. Each change is a commit at the server at once."""

    def __init__(self, server: GitServer, folder: Path) -> None:
        self.folder = folder
        git(folder.parent, "clone", "-q", str(server.bare), str(folder))
        identify(folder, "Web")

    def pull(self) -> None:
        git(self.folder, "pull", "-q", "--ff-only", "origin", BRANCH)

    def write(self, files: dict[str, bytes | None], message: str = "web", *, pull: bool = True) -> None:
        """Make files so, or, where None, remove them.

        Without `pull` they were made of what was read here, and the push fails if somebody else has pushed since: a
        pull would write over what that brought.
        """
        if pull and git(self.folder, "ls-remote", "origin"):
            self.pull()
        for name, data in files.items():
            path = self.folder / name
            if data is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        git(self.folder, "add", "-A", "--force")
        git(self.folder, "commit", "-q", "--allow-empty", "-m", message)
        git(self.folder, "push", "-q", "origin", f"HEAD:{BRANCH}")

    def change(self, name: str, old: str, new: str) -> None:
        self.pull()
        text = (self.folder / name).read_bytes().decode()
        assert old in text, (old, text)
        self.write({name: text.replace(old, new, 1).encode()})

    def read(self, name: str) -> str:
        self.pull()
        return (self.folder / name).read_bytes().decode()


def identify(folder: Path, name: str) -> None:
    git(folder, "config", "user.name", name)
    git(folder, "config", "user.email", f"{name.lower()}@example.org")


def git(folder: Path, *words: str) -> str:
    """Run git as an author does; raises with what it said."""
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, timeout=120, check=False)
    if done.returncode:
        raise AssertionError((words, done.stderr.decode("utf-8", "replace"), done.stdout.decode("utf-8", "replace")))
    return done.stdout.decode("utf-8", "replace").strip()
