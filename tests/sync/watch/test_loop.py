"""The watcher at work: a real catalogue, real files, real events."""

import json
import shutil
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from citeplug.corpus.index import Corpus
from citeplug.errors import StoreBusy
from citeplug.project.find_project import find_project
from citeplug.records.paper import Paper
from citeplug.related.section.status import state_of
from citeplug.section_file.grammar import was_generated
from citeplug.sync.watch.files import KnownFiles, Look
from citeplug.sync.watch.refresh import Ended, Refresh
from citeplug.sync.watch.upkeep import Upkeep
from tests.e2e.conftest import Run
from tests.sync.watch.projects import PATIENCE, change, changed, save_beside, save_like_emacs, save_like_vim, watching
from tests.torture.judge import restore
from tests.torture.judge import state_of as state_of_files

ABSTRACT = "learns node representations by attention"


def condition(main: Path) -> str:
    return state_of(find_project(main)).condition


def save_in_place(file: Path, data: bytes) -> None:
    file.write_bytes(data)


def test_what_counts_is_followed_and_what_does_not_is_passed_over(written: Path) -> None:
    section = written.parent / "related.tex"
    before = section.read_bytes()
    with watching(written) as heard:
        change(written, "We propose", "% not yet\nWe propose")
        assert heard.next("unchanged").files == (written,)
        change(written, "We conclude.", "We conclude, at last.")
        assert heard.next("unchanged", "running").kind == "unchanged"
        change(written, ABSTRACT, "tells the classes of nodes by gates and walks")
        assert heard.next("running").changed == ("abstract",)
        assert heard.next("written").files
        # Its own writes are nothing new to it.
        heard.silence(1.5)
    assert section.read_bytes() != before
    assert condition(written) == "current"


@pytest.mark.parametrize(
    ("poll", "saves"),
    [(False, (save_in_place, save_like_vim, save_like_emacs, save_beside)), (True, (save_in_place, save_beside))],
)
def test_every_editors_save_counts_once(
    written: Path, poll: bool, saves: tuple[Callable[[Path, bytes], None], ...]
) -> None:
    text = ABSTRACT
    with watching(written, poll=poll) as heard:
        for number, save in enumerate(saves):
            old, text = text, f"tells the {'very ' * number}different classes of nodes by gates"
            save(written, changed(written, old, text))
            # On a busy machine the watcher may see the moment in which an editor has moved the file away.
            assert heard.next("running").changed == ("abstract",)
            heard.next("written", "current")
        heard.silence(1.2)
    assert [event.kind for event in heard.all].count("running") == len(saves)
    assert condition(written) == "current"


def git(folder: Path, *words: str) -> None:
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def test_a_section_that_was_put_back_to_what_it_was_before_the_last_run_is_due_once_more(
    run: Run, written: Path
) -> None:
    change(written, ABSTRACT, "tells the classes of nodes by gates and walks")
    before = state_of_files(written.parent)
    assert run("watch", written.parent, "--offline", "--once").code == 0
    once = state_of_files(written.parent)
    assert once != before
    restore(written.parent, before)
    assert condition(written) == "due"
    assert run("watch", written.parent, "--offline", "--once").code == 0
    assert state_of_files(written.parent) == once
    assert condition(written) == "current"


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_checkout_of_a_branch_counts_once_and_may_ask_for_nothing(written: Path) -> None:
    folder = written.parent
    for number in range(200):
        (folder / f"figure{number}.tex").write_text("x", "utf-8")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "one")
    git(folder, "checkout", "-qb", "other")
    change(written, ABSTRACT, "tells the classes of nodes by gates")
    for number in range(200):
        (folder / f"figure{number}.tex").write_text("y", "utf-8")
    git(folder, "commit", "-qam", "two")
    with watching(written) as heard:
        heard.next("written", "current")
        git(folder, "commit", "-qam", "the section follows")
        git(folder, "checkout", "-q", "main")
        assert heard.next("unchanged", "running", "current").kind == "unchanged"
        git(folder, "checkout", "-q", "other")
        assert heard.next("unchanged", "running", "current").kind == "unchanged"
        heard.silence(1.5)
    assert condition(written) == "current"


def test_git_at_work_is_waited_for(written: Path) -> None:
    (written.parent / ".git").mkdir()
    lock = written.parent / ".git" / "index.lock"
    with watching(written) as heard:
        lock.touch()
        change(written, ABSTRACT, "tells the classes of nodes by gates")
        heard.silence(1.5)
        lock.unlink()
        heard.next("written", "current")


def test_a_section_that_a_model_wrote_is_marked_as_due(written: Path) -> None:
    record = written.parent / ".citeplug" / "provenance.json"
    document = json.loads(record.read_text("utf-8"))
    record.write_text(json.dumps({**document, "made_by": "language model"}), "utf-8")
    section = (written.parent / "related.tex").read_bytes()
    with watching(written) as heard:
        change(written, ABSTRACT, "tells the classes of nodes by gates")
        due = heard.next("running", "due")
        assert (due.kind, due.changed) == ("due", ("abstract",))
        assert "--llm NAME" in due.hint
        change(written, "classes of nodes", "kinds of nodes")
        assert heard.next("running", "unchanged", "due").kind == "unchanged"
    assert (written.parent / "related.tex").read_bytes() == section


def test_a_section_that_was_deleted_stays_deleted(written: Path) -> None:
    with watching(written) as heard:
        (written.parent / "related.tex").unlink()
        assert "not write it again" in heard.next("due", "running").message
        change(written, ABSTRACT, "tells the classes of nodes by gates")
        assert heard.next("unchanged", "running").kind == "unchanged"
    assert not (written.parent / "related.tex").exists()


def test_nothing_is_made_of_a_draft_that_is_being_merged(written: Path) -> None:
    with watching(written) as heard:
        text = written.read_bytes()
        change(written, "We sample", "<<<<<<< HEAD\nWe sample\n=======\nWe draw\n>>>>>>> other\nWe sample")
        assert "main.tex" in heard.next("waiting", "running").message
        written.write_bytes(text)
        heard.next("current")


def test_a_missing_main_file_is_waited_for_and_a_renamed_one_is_found(written: Path) -> None:
    away = written.with_name("away.txt")
    with watching(written) as heard:
        written.rename(away)
        assert heard.next("waiting").message
        away.rename(written.with_name("paper.tex"))
        heard.next("current")
        change(written.with_name("paper.tex"), ABSTRACT, "tells the classes of nodes by gates")
        heard.next("written", "current")


def test_what_goes_wrong_is_told_with_a_hint_and_does_not_end_the_watcher(written: Path) -> None:
    section = written.parent / "related.tex"  # a change of the draft changes its sentence on the draft
    mode = section.stat().st_mode
    with watching(written) as heard:
        section.chmod(0o444)
        change(written, ABSTRACT, "samples the edges of heterogeneous graphs, for recommendation in social networks")
        assert heard.next("failed").hint
        section.chmod(mode)
        change(written, "recommendation in", "recommendations in")
        heard.next("written", "current")
    assert condition(written) == "current"


def test_an_included_file_that_is_made_later_is_seen(written: Path) -> None:
    change(written, r"\section{Method}", "\\section{Method}\n\\input{parts/method}")
    with watching(written) as heard:
        (written.parent / "parts").mkdir()
        text = "Walks on graphs are learned, and their lengths are drawn from a law that each node has of its own. " * 3
        (written.parent / "parts" / "method.tex").write_text(text, "utf-8")
        heard.next("written", "current")


def test_a_section_that_is_to_lie_elsewhere_is_written_there(written: Path) -> None:
    with watching(written) as heard:
        change(written, r"\section{Method}", "\\citeplugrelated[file=elsewhere.tex]\n\\section{Method}")
        heard.next("written", "current")
        assert was_generated((written.parent / "elsewhere.tex").read_text("utf-8"))


def test_a_run_is_cancelled_when_the_draft_changes_and_the_newest_state_wins(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered, leave, cancelled = threading.Event(), threading.Event(), threading.Event()
    asked, cancel = Corpus.papers, Refresh.cancel

    def noted(refresh: Refresh) -> None:
        cancel(refresh)
        cancelled.set()

    def slow(corpus: Corpus, ids: Sequence[str]) -> Mapping[str, Paper]:
        entered.set()
        leave.wait(PATIENCE)
        return asked(corpus, ids)

    monkeypatch.setattr(Corpus, "papers", slow)
    monkeypatch.setattr(Refresh, "cancel", noted)
    before = {file: file.read_bytes() for file in written.parent.glob("related.*")}
    with watching(written) as heard:
        change(written, ABSTRACT, "tells the classes of nodes by gates")
        heard.next("running")
        assert entered.wait(PATIENCE)
        change(written, "by gates", "by walks")
        # The run goes on only when the change was seen, however long a busy machine takes for that.
        assert cancelled.wait(PATIENCE)
        assert before == {file: file.read_bytes() for file in written.parent.glob("related.*")}
        leave.set()
        assert heard.next("cancelled", "written").kind == "cancelled"
        heard.next("written", "current")
    assert condition(written) == "current"


def test_a_file_that_is_read_in_the_middle_of_a_save_is_read_again(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = written.read_bytes()
    looked = KnownFiles.look

    def half(known: KnownFiles) -> Look:
        """The save that is under way comes to its end after the look."""
        if len(written.read_bytes()) < len(text) // 2:
            found = looked(known)
            written.write_bytes(text.replace(b"We conclude.", b"We conclude, at last."))
            return found
        return looked(known)

    monkeypatch.setattr(KnownFiles, "look", half)
    with watching(written) as heard:
        written.write_bytes(text[:100])
        heard.next("current", "unchanged")
        heard.silence(1.0)
    assert not [event for event in heard.all if event.kind in ("running", "cancelled", "waiting")]


def test_a_save_that_is_under_way_when_a_run_ends_comes_to_its_end_first(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    after = changed(written, ABSTRACT, "tells the classes of nodes by gates")
    finish = Upkeep.finish

    def truncated(upkeep: Upkeep, ended: Ended) -> float | None:
        """The editor has emptied the file when the draft is looked at after the run, and fills it afterwards."""
        wait = finish(upkeep, ended)
        if ended.error is None and written.read_bytes() == after:
            written.write_bytes(b"")
            threading.Timer(0.2, written.write_bytes, [after.replace(b"plainnat", b"unsrtnat")]).start()
        return wait

    monkeypatch.setattr(Upkeep, "finish", truncated)
    with watching(written) as heard:
        written.write_bytes(after)
        heard.next("written")
        assert heard.next("running").changed == ("style",)
        heard.next("written", "current")


def test_a_run_that_came_to_no_end_is_made_again(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*arguments: object) -> None:
        raise StoreBusy("something else is at work")

    with monkeypatch.context() as patch:
        patch.setattr("citeplug.related.run.write_paragraphs", killed)
        with watching(written) as heard:
            change(written, ABSTRACT, "tells the classes of nodes by gates")
            heard.next("failed")
    with watching(written) as heard:
        heard.next("written")
    assert condition(written) == "current"
