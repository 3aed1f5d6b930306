"""The command where Python has no more than it has on Windows: no fork, no file locks of POSIX, few signals, cp1252."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.own_interpreter]

# Libraries have code of their own for Windows; the lock that they would take there is not to be had here.
RUN = """
import os, signal, sys
import asyncio, filelock, multiprocessing, platformdirs, shutil, subprocess, tarfile, tempfile
filelock.FileLock = filelock.SoftFileLock
for name in "fcntl grp posix pty pwd readline resource syslog termios tty".split():
    sys.modules[name] = None
for name in (
    "fork forkpty killpg setsid getpgid getpgrp geteuid getuid getegid getgid sched_getaffinity fchmod fchown chown "
    "mkfifo mknod pread pwrite O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK"
).split():
    vars(os).pop(name, None)
for name in "SIGHUP SIGALRM SIGUSR1 SIGUSR2 SIGCHLD SIGPIPE SIGQUIT SIGWINCH alarm setitimer pthread_sigmask".split():
    vars(signal).pop(name, None)
from citeplug.__main__ import main
main()
"""


def test_a_section_is_written_checked_and_written_again(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONIOENCODING": "cp1252"}

    def run(*arguments: str) -> None:
        command = [sys.executable, "-c", RUN, *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, encoding="cp1252")
        assert done.returncode == 0, done.stderr

    run("demo", "project")
    main = tmp_path / "project" / "main.tex"
    main.write_bytes(main.read_bytes().replace(b"\n", b"\r\n"))
    written = main.read_bytes()
    section = (main.parent / "related.tex").read_bytes()
    for command in ("check", "audit", "related", "papers"):
        run(command, str(main), "--offline")
    assert (main.read_bytes(), (main.parent / "related.tex").read_bytes()) == (written, section)
    assert not list(main.parent.glob("*.tmp"))
