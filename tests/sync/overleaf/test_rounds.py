"""Two clones and a server, rounds of random concurrent edits and kills: no word is lost, the remote compiles."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.conftest import DRAFT, Run
from tests.harness.git_server import git
from tests.sync.overleaf.authors import CloneWriter, WebWriter, draft
from tests.sync.overleaf.conftest import Project
from tests.sync.watch.test_simulated_day import TEX, typeset

# A long run has as many rounds as CITEPLUG_LONG says, up to a hundred.
ROUNDS = min(int(os.environ.get("CITEPLUG_LONG") or 2), 100)
SEED = int(os.environ.get("CITEPLUG_SEED") or 1)
OWN = ("related.tex", "related.bib", ".citeplug/")
MADE = "Made by citeplug overleaf sync."


def start(main: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "citeplug", "overleaf", "sync", str(main.parent), "--offline", "-q"]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=os.name != "nt")


def kill(process: "subprocess.Popen[bytes]", *, all_of_it: bool) -> None:
    if all_of_it and os.name != "nt":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait(60)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_no_word_is_lost_no_foreign_file_is_committed_and_the_remote_compiles(
    project: Project, run: Run, tmp_path: Path
) -> None:
    chance = random.Random(SEED)
    text = project.web.read("main.tex")
    assert DRAFT.splitlines()[0] in text
    project.web.write({"main.tex": draft(text).encode()})
    web = WebWriter(project.web, chance)
    clones = [CloneWriter(project.clone(name), name, chance) for name in ("ada", "ben")]
    for number in range(ROUNDS):
        one_round(number, clones, web, chance)
        settle(run, clones)
        check(project, [*clones, web])
        no_foreign_file(project)
        if ROUNDS > 10 or number == ROUNDS - 1:
            compiles(project, tmp_path / f"typeset{number}")
            shutil.rmtree(tmp_path / f"typeset{number}", ignore_errors=True)


def one_round(number: int, clones: list[CloneWriter], web: WebWriter, chance: random.Random) -> None:
    """Everybody writes, both clones sync at once, the web goes on writing, and some syncs are killed."""
    for writer in clones:
        for _ in range(chance.randint(0, 2)):
            writer.edit(committed=chance.random() < 0.8)
    for _ in range(chance.randint(0, 2)):
        web.edit()
    syncing = [(start(writer.main), writer) for writer in clones if chance.random() < 0.8]
    if chance.random() < 0.7:
        time.sleep(chance.uniform(0, 3))
        web.edit()
    for process, writer in syncing:
        if chance.random() < 0.5:
            time.sleep(chance.uniform(0, 3))
            if chance.random() < 0.5:
                writer.edit(committed=False)
            kill(process, all_of_it=chance.random() < 0.5)
            writer.log.append(f"round {number}: {writer.name} was killed")
    for process, _ in syncing:
        process.wait(120)


def settle(run: Run, clones: list[CloneWriter]) -> None:
    """Everybody commits and syncs until both clones are the same as the remote."""
    for writer in (*clones, *clones):
        if git(writer.main.parent, "ls-files", "--others", "--exclude-standard"):
            writer.commit()  # a file that is new, and no part of the draft, is not asked for
        done = run("overleaf", "sync", writer.main.parent, "--offline")
        if done.code == 1 and "git commit" in done.out + done.err:
            writer.commit()
            done = run("overleaf", "sync", writer.main.parent, "--offline")
        assert done.code == 0, (done.out, done.err, [each.log[-8:] for each in clones])


def check(project: Project, writers: list[CloneWriter | WebWriter]) -> None:
    project.web.pull()
    folder = project.web.folder
    there = "".join(file.read_text("utf-8") for file in sorted(folder.glob("*.tex")))
    for writer in writers:
        lost = {word for word in writer.typed if word not in there}
        assert not lost, (writer.name, lost, writer.log[-12:])
    for main in (writer.main for writer in writers if isinstance(writer, CloneWriter)):
        assert git(main.parent, "status", "--porcelain", "--untracked-files=no") == ""
    assert "<<<<<<<" not in there


def no_foreign_file(project: Project) -> None:
    """What citeplug committed changes its own files alone; its merges are git's, but for those."""
    listed = git(
        project.server.bare, "log", "--format=%H %P", f"--grep={MADE}", "--fixed-strings", "master", "-n", "20"
    )
    for line in listed.splitlines():
        commit, *parents = line.split()
        if len(parents) == 1:
            changed = git(project.server.bare, "diff-tree", "-r", "--name-only", parents[0], commit)
        else:
            made = subprocess.run(
                ["git", "merge-tree", "--write-tree", *parents],
                cwd=project.server.bare,
                capture_output=True,
                check=False,
            )
            tree = made.stdout.decode().splitlines()[0]
            changed = git(project.server.bare, "diff-tree", "-r", "--name-only", tree, commit)
        assert all(name.startswith(OWN) for name in changed.splitlines()), (commit, changed)


def compiles(project: Project, folder: Path) -> None:
    if any(shutil.which(program) is None for program in TEX):
        return
    git(project.folder, "clone", "-q", str(project.server.bare), str(folder))
    typeset(folder / "main.tex")
