"""Commands that tests start, forked from an interpreter that has loaded its libraries already.

`fork_commands()` takes the place of `subprocess.Popen`: `[sys.executable, "-m", "citeplug", ...]` becomes a process of
its own with its own arguments, streams, folder and environment, a child of the process of the tests like any other.
Only its libraries are there before it begins. All other programs are started as ever, and so are commands whose
interpreter is to be another one: with limits, other options, or another environment for Python itself.
"""

import atexit
import ctypes
import inspect
import json
import os
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RealPopen = subprocess.Popen
MODULES = """
    citeplug citeplug.editor.writer citeplug.corpus.lexical.child tests.harness.only_loopback tests.e2e.hostile_child
    tests.harness.nothing
""".split()
WORTH_A_SERVER = 3  # commands in one environment: a server takes as long to load as four of them
_PR_SET_CHILD_SUBREAPER = 36
# Read by the interpreter, the C library, or a library while it is loaded.
_FOR_INTERPRETERS = ("PYTHON", "LANG", "LC_", "LD_", "MALLOC_", "OMP_", "OPENBLAS_", "MKL_")


class ForkServers:
    """One for each environment of an interpreter in which enough commands are started."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._servers: dict[frozenset[tuple[str, str]], socket.socket] = {}
        self._commands: Counter[frozenset[tuple[str, str]]] = Counter()

    def use(self, server: socket.socket) -> None:
        self._servers[_for_interpreters(os.environ)] = server

    def start(self, request: dict[str, Any], fds: list[int]) -> int | None:
        """The process id of the command; None if it needs an interpreter of its own."""
        with self._lock:
            environment = _for_interpreters(request["environment"])
            if environment not in self._servers:
                self._commands[environment] += 1
                if self._commands[environment] < WORTH_A_SERVER:
                    return None
                self._servers[environment] = _start_server(request["environment"])
            server = self._servers[environment]
            message = json.dumps(request | {"parent": os.getpid()}).encode()
            _adopt_orphans(True)
            try:
                socket.send_fds(server, [message], fds)
                return int(server.recv(16))
            finally:
                _adopt_orphans(False)


def socket_pair() -> tuple[socket.socket, socket.socket]:
    """Two ends that hand on a request whole."""
    pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in pair:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    return pair


def _start_server(environment: dict[str, str]) -> socket.socket:
    ours, its = socket_pair()
    with its:
        command = [sys.executable, "-m", "tests.harness.fork_server", str(its.fileno())]
        server = RealPopen(command, cwd=ROOT, env=environment, pass_fds=[its.fileno()], stdin=subprocess.DEVNULL)
    atexit.register(server.wait)
    atexit.register(ours.close)
    return ours


_servers = ForkServers()
_parameters = inspect.signature(RealPopen._execute_child)  # type: ignore[attr-defined]


class ForkedPopen(RealPopen[Any]):
    """`subprocess.Popen`, for whatever process it starts."""

    def _execute_child(self, *arguments: Any) -> None:
        given = _parameters.bind(self, *arguments).arguments
        pid = _fork(given)
        if pid is None:
            super()._execute_child(*arguments)  # type: ignore[misc]
            return
        self.pid = pid
        self._child_created = True
        ends = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
        self._close_pipe_fds(*(given[end] for end in ends))  # type: ignore[attr-defined]


def fork_commands(fork: bool = True) -> None:
    """Whether commands of this process are forked from now on."""
    subprocess.Popen = ForkedPopen if fork and sys.platform == "linux" else RealPopen  # type: ignore[misc]


def fork_commands_by(server: socket.socket) -> None:
    """The same, with a server that runs already, loaded in the environment of this process."""
    _servers.use(server)
    fork_commands()


def _fork(given: dict[str, Any]) -> int | None:
    command = given["args"]
    words = [os.fspath(word) for word in command] if isinstance(command, list | tuple) else []
    safe_path = words[1:2] == ["-P"]
    if safe_path:
        del words[1]
    if words[:2] != [sys.executable, "-m"] or words[2] not in MODULES:
        return None
    if given["shell"] or given["executable"] or given["preexec_fn"] or given["pass_fds"] or not given["close_fds"]:
        return None
    streams = (given["p2cread"], given["c2pwrite"], given["errwrite"])
    fds = [number if fd == -1 else fd for number, fd in enumerate(streams)]
    folder = os.fspath(given["cwd"]) if given["cwd"] is not None else str(Path.cwd())
    request = {
        "module": words[2],
        "words": words[3:],
        "folder": folder,
        "folder_on_path": not safe_path,
        "environment": dict(os.environ if given["env"] is None else given["env"]),
        "new_session": bool(given["start_new_session"]),
        "group": given["process_group"],
    }
    return _servers.start(request, fds)


def _for_interpreters(environment: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    return frozenset(
        (name, value)
        for name, value in environment.items()
        if name.startswith(_FOR_INTERPRETERS) and name != "PYTHON_KEYRING_BACKEND"
    )


def _adopt_orphans(adopt: bool) -> None:
    """Whether orphans of this process's children become its own children."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, int(adopt), 0, 0, 0)
