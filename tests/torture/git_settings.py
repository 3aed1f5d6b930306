"""A project that came with hostile settings of git, synced and set up: no program is started."""

import os
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

from tests.harness.git_server import TOKEN, USER, GitServer, Web, git, identify
from tests.harness.hostile_git import ACCEPTED, HOOKS, REFUSED
from tests.torture.case import Case, Loss
from tests.torture.judge import restore, state_of
from tests.torture.kills import run_here
from tests.torture.merging import EXAMPLE

SETTINGS = (*REFUSED, *ACCEPTED)
_AS_A_PERSON = (["status"], ["diff"], ["commit", "-qam", "x"], ["log", "-1"], ["fetch"], ["push"])
_ATTRIBUTES = "* filter=x diff=x merge=x\n"


class GitSettings:
    """A clone from a server on loopback; each case has one setting. To be closed; needs git and a POSIX shell."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.evil = folder / "evil"
        self.mark = folder / "ran"
        self.evil.write_text(f"#!/bin/sh\ntouch '{self.mark}'\n", "utf-8")
        self.evil.chmod(0o755)
        hooks = folder / "evil-hooks"
        hooks.mkdir()
        for name in HOOKS:
            shutil.copy2(self.evil, hooks / name)
        server = GitServer(folder)
        Web(server, folder / "web").write(dict(state_of(EXAMPLE)), "draft")
        with ExitStack() as stack:
            address = stack.enter_context(server.serve()).replace("://", f"://{USER}@")
            stack.enter_context(patch.dict(os.environ, _settings(folder, address)))
            git(folder, "clone", "-q", address, str(folder / "clone"))
            self._open = stack.pop_all()
        identify(folder / "clone", "A")
        self.clone = state_of(folder / "clone")

    def close(self) -> None:
        self._open.close()

    def play(self, case: Case) -> None:
        """One setting; a change waits to be committed, so that there is something to do."""
        name, value = (part.format(evil=self.evil) for part in SETTINGS[case.number % len(SETTINGS)])
        clone = self._hostile(name, value)
        for words in (("overleaf", "sync", str(clone), "--offline"), ("init", str(clone / "main.tex"))):
            _, said = run_here(*words)
            if "Traceback" in said:
                raise Loss(f"{name}: citeplug {words[0]} ended with a traceback: {said[-2000:]}")
            if self.mark.exists():
                raise Loss(f"{name}={value}: citeplug {words[0]} started a program")
        case.counts["hostile settings of git"] += 1
        case.counts["  of these with a program that plain git starts"] += self._plain_git_starts(name, value)

    def _hostile(self, name: str, value: str) -> Path:
        clone = self.folder / "paper"
        restore(clone, self.clone)
        (clone / ".git" / "info").mkdir(exist_ok=True)
        (clone / ".git" / "info" / "attributes").write_text(_ATTRIBUTES, "utf-8")
        git(clone, "config", "--local", name, value)
        main = clone / "main.tex"
        main.write_bytes(main.read_bytes() + b"% more\n")
        self.mark.unlink(missing_ok=True)
        return clone

    def _plain_git_starts(self, name: str, value: str) -> bool:
        """Whether the trap is one: git by itself, doing the same, runs the program."""
        clone = self._hostile(name, value)
        for words in _AS_A_PERSON:
            subprocess.run(["git", *words], cwd=clone, capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
        return self.mark.exists()


def _settings(folder: Path, address: str) -> dict[str, str]:
    """The user's own settings of git, with the token for the server at `address`."""
    kept = folder / "credentials"
    kept.write_text(address.rpartition("/")[0].replace(f"{USER}@", f"{USER}:{TOKEN}@") + "\n", "utf-8")
    settings = folder / "gitconfig"
    settings.write_text(f"[credential]\n\thelper = store --file='{kept.as_posix()}'\n", "utf-8")
    return {"GIT_CONFIG_GLOBAL": str(settings), "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}
