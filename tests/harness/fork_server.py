"""An interpreter with citeplug's libraries loaded, which forks for each command that a test starts.

`python -m tests.harness.fork_server FD` takes requests at a socket; `tests/harness/forked_processes.py` sends them.
Loading the libraries takes one to four seconds of a processor, and the tests start a command hundreds of times.
"""

import atexit
import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import signal
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any, NoReturn

from tests.harness import forked_processes

# torch and scikit-learn are not among them: few commands load them, and their threads would not come along.
LIBRARIES = """
    anthropic jinja2 jsonschema onnxruntime openai orjson pygls.lsp.server pylatexenc.latexwalker pypdf pypdfium2
    requests rich.console rich.progress safetensors.numpy starlette.applications tantivy threadpoolctl tokenizers
    tomlkit uvicorn watchdog.observers zstandard
""".split()
_PATH = sys.path[1:]


def load() -> None:
    """Import what commands, the language server and the review page import."""
    import citeplug
    from citeplug.corpus.vectors.chroma_rows import load_chroma

    load_chroma()
    for name in LIBRARIES:
        importlib.import_module(name)
    for module in pkgutil.walk_packages(citeplug.__path__, "citeplug."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def next_request(requests: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Serve; returns in each process that is to run a command: the request, and its standard streams."""
    while True:
        message, fds, _, _ = socket.recv_fds(requests, 1 << 20, 3)
        if not message:
            os._exit(0)  # the tests are over
        read, write = os.pipe()
        between = os.fork()
        if not between:
            child = os.fork()
            if child:
                os.write(write, str(child).encode())
                os._exit(0)
            os.close(read)
            os.close(write)
            requests.close()
            return json.loads(message), fds
        pid = os.read(read, 16)
        # Without the process between, its child goes to the process of the tests, which adopts orphans for so long.
        os.waitpid(between, 0)
        requests.send(pid)
        for fd in (read, write, *fds):
            os.close(fd)


def become(request: dict[str, Any], fds: list[int]) -> None:
    """Make this process what it would be if the process of the tests had started it."""
    deadline = time.monotonic() + 60
    while os.getppid() != request["parent"]:
        if time.monotonic() > deadline:
            os._exit(1)  # whoever asked for it is gone
        time.sleep(0.0005)
    if request["new_session"]:
        os.setsid()
    if request["group"] >= 0:
        os.setpgid(0, request["group"])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, fd in enumerate(fds):
        os.dup2(fd, number)
    os.closerange(3, 256)
    for name, number in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
        setattr(sys, name, _stream(number, getattr(sys, name)))
        setattr(sys, f"__{name}__", getattr(sys, name))
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    sys.path[:] = [str(Path.cwd())] * request["folder_on_path"] + _PATH


def _stream(number: int, like: io.TextIOWrapper) -> io.TextIOWrapper:
    """The standard stream of that number, as the interpreter opens it."""
    buffer = open(number, "rb" if number == 0 else "wb", closefd=False)  # noqa: SIM115
    lines = number == 2 or (number == 1 and buffer.isatty())
    return io.TextIOWrapper(buffer, like.encoding, like.errors, newline="\n", line_buffering=lines)


def run(module: str) -> int:
    """Run a module as `python -m` does; returns the exit status."""
    try:
        sys.modules.pop(module, None)
        runpy._run_module_as_main(module)  # type: ignore[attr-defined]
        return 0
    except SystemExit as end:
        if isinstance(end.code, int) or end.code is None:
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        sys.excepthook(*sys.exc_info())
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    return 1


def end(code: int) -> NoReturn:
    """What the interpreter does at its end, but for taking down what it has loaded, which takes a second."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        code = 120
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    before = dict(os.environ)
    load()
    set_by_libraries = {name: value for name, value in os.environ.items() if before.get(name) != value}
    gc.collect()
    gc.freeze()
    requests = socket.socket(fileno=int(sys.argv[1]))
    while True:
        request, fds = next_request(requests)
        request["environment"] |= set_by_libraries
        become(request, fds)
        if request["words"][:1] != ["lsp"]:
            break
        # The language server starts a process for each section: it gets a server like this one.
        requests, of_language_server = forked_processes.socket_pair()
        if os.fork():
            requests.close()
            forked_processes.fork_commands_by(of_language_server)
            break
        of_language_server.close()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with open(os.devnull, "r+b") as nothing:  # noqa: PTH123
            for fd in range(3):
                os.dup2(nothing.fileno(), fd)
    sys.argv[1:] = request["words"]
    end(run(request["module"]))


if __name__ == "__main__":
    # Under its own name: the module of a command takes the place of `__main__`.
    importlib.import_module("tests.harness.fork_server").main()
