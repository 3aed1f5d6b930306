"""`citeplug overleaf sync --watch`: both sides, one at a time, and an end that leaves a clean tree."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from citeplug.corpus.stores import open_corpus, settings
from citeplug.sync.overleaf.loop import Watching
from citeplug.sync.overleaf.sync import Sync
from citeplug.sync.watch.context import WatchContext, WatchOverrides
from tests.e2e.conftest import Done, Run
from tests.harness.git_server import Fault, git
from tests.harness.waiting import outlives
from tests.sync.overleaf.conftest import ABSTRACT, Project
from tests.sync.watch.projects import PATIENCE, Heard, change


@contextmanager
def watching(main: Path, every: float = 1.0) -> Iterator[Heard]:
    heard = Heard()
    chosen = settings(offline=True)
    with open_corpus(chosen) as corpus:
        sync = Sync(main.parent, WatchContext(WatchOverrides(), chosen, corpus, heard.queue.put))
        loop = Watching(sync, heard.queue.put, every)
        thread = threading.Thread(target=loop.run)
        thread.start()
        try:
            yield heard
        finally:
            loop.end()
            thread.join(PATIENCE)
        assert not thread.is_alive()


def test_both_sides_are_followed_and_what_is_not_committed_is_waited_for(project: Project) -> None:
    main = project.clone()
    with watching(main) as heard:
        heard.next("synced")
        project.web.change("main.tex", ABSTRACT, "tells the classes of nodes by gates")
        heard.next("pulled")
        heard.next("pushed")
        change(main, "We conclude.", "We conclude here.")
        assert "main.tex" in heard.next("waiting").message
        assert "here" not in project.web.read("main.tex")
        git(main.parent, "commit", "-q", "-a", "-m", "mine")
        heard.next("pushed")
    assert "We conclude here." in project.web.read("main.tex")


def test_a_remote_that_is_away_is_waited_for_longer_and_told_once(project: Project) -> None:
    main = project.clone()
    with watching(main, every=0.3) as heard:
        heard.next("synced")
        project.server.fail_always(Fault(503))
        told = heard.next("failed")
        assert "next try in" in told.hint
        heard.silence(2.0)
        project.server.fail_always(None)
        heard.next("synced")


@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_it_ends_as_it_is_asked_and_leaves_a_clean_tree(project: Project, number: int, code: int) -> None:
    main = project.clone()
    change(main, ABSTRACT, "tells the classes of nodes by gates")
    git(main.parent, "commit", "-q", "-a", "-m", "mine")
    command = [sys.executable, "-m", "citeplug", "overleaf", "sync", str(main.parent), "--offline", "--watch", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        events: list[str] = []
        assert process.stdout is not None
        for line in process.stdout:
            events.append(json.loads(line)["event"])
            if events[-1] == "running":
                outlives(process, 0.3)
                process.send_signal(number)
        assert process.wait(PATIENCE) == code
    assert events[0] == "watching"
    assert git(main.parent, "status", "--porcelain") == ""


def test_clone_gets_the_project_and_says_how_to_go_on(project: Project, run: Run, tmp_path: Path) -> None:
    done: Done = run("overleaf", "clone", project.url, tmp_path / "mine")
    assert done.code == 0, done.err
    assert (tmp_path / "mine" / "main.tex").is_file()
    assert "overleaf sync" in done.out
    again = run("overleaf", "clone", project.url, tmp_path / "mine")
    assert again.code == 1
    assert "not empty" in again.err


def test_clone_refuses_and_explains(project: Project, run: Run, tmp_path: Path) -> None:
    for url, code, said in (
        ("ext::sh -c id", 2, "helper"),
        ("https://git:olp_secretsecret@git.overleaf.com/0123456789abcdef01234567", 2, "credential helper"),
        (project.url.replace("project.git", "other.git"), 3, "no such repository"),
        (str(tmp_path / "nowhere"), 2, "neither a folder"),
    ):
        done = run("overleaf", "clone", "--", url, tmp_path / "mine")
        assert done.code == code, done.err
        assert said in done.err
        assert "secretsecret" not in done.err
        assert not (tmp_path / "mine").exists()
    assert run("overleaf", "clone", "--", "--upload-pack=touch x", tmp_path / "mine").code == 2
