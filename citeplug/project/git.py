"""The git of this machine, run so that a project which is not trusted cannot make it start a program.

The executable and not a library: the user's credential helpers, ssh set-up, proxies and certificates are git's.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from citeplug.errors import GitUnusable, LeftToAuthor, RemoteUnavailable
from citeplug.project.git_addresses import redacted

LEAST = (2, 38)  # the first that merges without a work tree
LOCAL = 120.0  # seconds for a step on this machine
REMOTE = 900.0  # seconds for one over the network, which also ends after a minute of silence

# On the command line, so that they win over whatever the clone's own configuration says.
_SAFE = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "core.safecrlf=false",
    "core.pager=cat",
    "commit.gpgSign=false",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "push.recurseSubmodules=no",
    "safe.bareRepository=explicit",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.detachedHead=false",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=60",
    "user.useConfigOnly=true",
)
# Of git's own variables these are the user's settings; the others, as a hook inherits them, lead to another repository.
_KEPT = re.compile(
    r"GIT_(?:SSH(?:_COMMAND|_VARIANT)?|ASKPASS|TERMINAL_PROMPT|(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)|EXEC_PATH"
    r"|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|SSL_\w+|HTTP_PROXY_AUTHMETHOD|PROXY_COMMAND)"
)
_LOGIN = re.compile(
    r"Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|Permission denied"
    r"|returned error: 40[13]|HTTP Basic|[Ii]nvalid (?:username|credentials)|Host key verification failed"
)
_MISSING = re.compile(
    r"returned error: 404|[Rr]epository .*not found|does not appear to be a git repository|does not exist"
)


@dataclass(frozen=True, slots=True)
class Ran:
    """The result of a git command. `err` holds no secret."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode("utf-8", "surrogateescape").strip()


class Git:
    """Runs git in `folder`. `protocols` are those that it may use over the network, separated by colons.

    Without `interactive` it asks nobody for a password. Raises GitUnusable where git is missing or too old.
    """

    def __init__(self, folder: Path, *, protocols: str = "", interactive: bool = False) -> None:
        self.folder = folder
        self.protocols = protocols
        self.interactive = interactive
        self._program = find_git()
        _need_version(self._program)

    def run(
        self,
        *words: str,
        data: bytes | None = None,
        env: Mapping[str, str] | None = None,
        may_fail: bool = False,
        whole: bool = False,
        seconds: float = LOCAL,
    ) -> Ran:
        """Run `git WORDS...` and wait. With `whole` an interrupt is held back until it has ended.

        Raises GitUnusable if it fails, unless it `may_fail`.
        """
        options = [part for setting in _SAFE for part in ("-c", setting)]
        environment = {**self._environment(), **(env or {})}
        # Apart from the terminal's group, Ctrl-C does not reach it: a step that writes the work tree comes to its end.
        apart: dict[str, Any] = {"start_new_session": whole}
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP if whole else 0}
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        command = [str(self._program), "--no-pager", *options, *words]
        try:
            process = subprocess.Popen(command, cwd=self.folder, env=environment, **pipes, **apart)
        except OSError as error:
            raise GitUnusable(f"git cannot be started: {error.strerror}", "check its installation") from error
        try:
            with _held_back() if whole else contextlib.nullcontext():
                out, err = process.communicate(data, timeout=seconds)
        except subprocess.TimeoutExpired:
            _kill(process)
            raise RemoteUnavailable(
                f"git {words[0]} did not finish within {seconds:.0f} s", "try again later"
            ) from None
        except BaseException:
            _kill(process)
            raise
        ran = Ran(process.returncode, out, redacted(err.decode("utf-8", "replace")))
        if ran.code and not may_fail:
            raise _failed(words[0], ran)
        return ran

    def over_network(self, *words: str, may_fail: bool = False) -> Ran:
        """As `run`, for what speaks to the remote. Raises RemoteUnavailable."""
        ran = self.run(*words, may_fail=True, seconds=REMOTE)
        if ran.code and not may_fail:
            raise trouble(words[0], ran.err)
        return ran

    def _environment(self) -> dict[str, str]:
        env = {
            name: value for name, value in os.environ.items() if not name.startswith("GIT_") or _KEPT.fullmatch(name)
        }
        env |= {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_ALLOW_PROTOCOL": self.protocols or "none"}
        env |= {"NoDefaultCurrentDirectoryInExePath": "1", "GIT_MERGE_AUTOEDIT": "no", "GIT_EDITOR": "true"}
        if not self.interactive:
            env |= {"GIT_TERMINAL_PROMPT": "0", "GCM_INTERACTIVE": "never", "SSH_ASKPASS_REQUIRE": "never"}
            env.pop("GIT_ASKPASS", None)
        return env


@cache
def find_git() -> Path:
    """The git of the user's PATH; never one that lies in the folder where citeplug happens to run."""
    names = ["git.exe"] if os.name == "nt" else ["git"]
    here = Path.cwd().resolve()
    for part in os.environ.get("PATH", "").split(os.pathsep):
        folder = Path(part.strip('"'))
        if not part or not folder.is_absolute() or folder.resolve() == here:
            continue
        for name in names:
            if (folder / name).is_file() and os.access(folder / name, os.X_OK):
                return folder / name
    raise GitUnusable(
        "git is not installed",
        "install it (https://git-scm.com/downloads), or send the project as a zip: citeplug related project.zip -o"
        " out.zip",
    )


@cache
def _need_version(program: Path) -> None:
    output = subprocess.run(
        [str(program), "--version"], capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=30
    ).stdout
    version = re.search(r"(\d+)\.(\d+)", output)
    if version is None or (int(version[1]), int(version[2])) < LEAST:
        needed = ".".join(map(str, LEAST))
        raise GitUnusable(f"{output.strip() or program} is too old", f"git {needed} or newer is needed")


@contextlib.contextmanager
def _held_back() -> Iterator[None]:
    """Hold back the signals that end a process until the block has run."""
    held: list[int] = []
    before: dict[int, Any] = {}
    try:
        for number in (int(signal.SIGINT), int(signal.SIGTERM)):
            before[number] = signal.signal(number, lambda got, _frame: held.append(got))
    except ValueError:  # not the main thread, which alone is interrupted
        pass
    try:
        yield
    finally:
        for number in before:
            signal.signal(number, before[number])
        for number in held:
            signal.raise_signal(number)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """Ask git to end, so that it takes its locks away, and insist after a moment."""
    with contextlib.suppress(OSError):
        process.terminate()
    try:
        process.communicate(timeout=5)
    except (subprocess.TimeoutExpired, ValueError):
        with contextlib.suppress(OSError):
            process.kill()
        process.wait()


def _failed(step: str, ran: Ran) -> GitUnusable | LeftToAuthor:
    if "dubious ownership" in ran.err:
        return LeftToAuthor(
            "this folder belongs to another user, and git does not work in it",
            "clone it yourself: citeplug overleaf clone URL",
        )
    if lock := re.search(r"Unable to create '([^']*\.lock)': File exists", ran.err):
        return LeftToAuthor(
            f"another git is at work here, or was killed: {lock[1]} exists",
            "wait for it; if no git is running, delete that file",
        )
    return GitUnusable(f"git {step} failed: {git_message(ran.err)}", "see what 'git status' says there")


def trouble(step: str, err: str) -> RemoteUnavailable:
    """The error for a remote that failed, with what to do."""
    if _LOGIN.search(err):
        hint = "for Overleaf: user git, and a token of yours as password (docs/overleaf-git.md); then run it once more"
        return RemoteUnavailable(f"the remote refused access: {git_message(err)}", hint)
    if _MISSING.search(err):
        return RemoteUnavailable(
            f"there is no such repository, or it is not shared with you: {git_message(err)}", "check the address"
        )
    return RemoteUnavailable(f"the remote cannot be reached (git {step}): {git_message(err)}", "try again later")


def git_message(err: str) -> str:
    """The lines of git's own words that say something, shortened."""
    lines = [line.strip() for line in err.splitlines() if re.match(r"(?:fatal|error|remote|ERROR):", line.strip())]
    lines = lines or [line.strip() for line in err.splitlines() if line.strip()]
    return "; ".join(lines)[:400] or "git gave no reason"
