"""`citeplug overleaf sync` against a server that behaves like Overleaf's bridge."""

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.conftest import Done
from tests.harness.git_server import LARGEST, TOKEN, Fault, git
from tests.sync.overleaf.conftest import ABSTRACT, Project
from tests.sync.watch.projects import change

Sync = Callable[..., Done]
OWN = ("related.tex", "related.bib", ".citeplug/")


def commit(main: Path, message: str = "mine") -> None:
    git(main.parent, "commit", "-q", "-a", "-m", message)


def is_clean(main: Path) -> bool:
    return git(main.parent, "status", "--porcelain") == ""


def files_of(main: Path, commit: str = "HEAD") -> list[str]:
    """The files that a commit changed."""
    return git(main.parent, "show", "--name-only", "--format=", commit).split("\n")


def everything(main: Path) -> dict[str, bytes]:
    """All files of a work tree, and what git would say of it."""
    files = {str(f): f.read_bytes() for f in sorted(main.parent.rglob("*")) if f.is_file() and ".git/" not in str(f)}
    return files | {"status": git(main.parent, "status", "--porcelain").encode()}


def test_the_first_sync_writes_the_section_and_pushes_it_and_the_second_does_nothing(
    bare_project: Project, sync: Sync
) -> None:
    main = bare_project.clone()
    done = sync(main)
    assert done.code == 0, done.err
    assert "citeplug:begin" in bare_project.web.read("related.tex")
    assert all(name.startswith(OWN) for name in files_of(main))
    assert is_clean(main)
    assert "does not read the section yet" in done.out
    head = git(main.parent, "rev-parse", "HEAD")
    done = sync(main)
    assert done.code == 0
    assert head == git(main.parent, "rev-parse", "HEAD")


def test_insert_commits_the_one_change_to_the_draft_too(bare_project: Project, sync: Sync) -> None:
    main = bare_project.clone()
    assert sync(main, "--insert").code == 0
    assert r"\input{related}" in bare_project.web.read("main.tex")
    assert files_of(main) == ["main.tex"]
    assert is_clean(main)


def test_what_comes_from_the_other_side_makes_the_section_anew(project: Project, sync: Sync) -> None:
    main = project.clone()
    project.web.change("main.tex", ABSTRACT, "tells the classes of nodes by gates")
    done = sync(main)
    assert done.code == 0, done.err
    assert "gates" in main.read_text("utf-8")
    assert "the abstract changed" in done.out
    assert project.web.read("related.tex") == main.with_name("related.tex").read_text("utf-8")
    assert is_clean(main)


def test_changes_of_both_sides_are_merged_and_no_history_is_rewritten(project: Project, sync: Sync) -> None:
    main = project.clone()
    change(main, r"\bibliography{", "% by gates\n\\bibliography{")
    commit(main)
    mine = git(main.parent, "rev-parse", "HEAD")
    project.web.change("main.tex", "We conclude.", "We conclude at the web.")
    theirs = git(project.web.folder, "rev-parse", "HEAD")
    assert sync(main).code == 0
    text = project.web.read("main.tex")
    assert "by gates" in text
    assert "at the web" in text
    for old in (mine, theirs):
        git(project.server.bare, "merge-base", "--is-ancestor", old, "master")


def test_an_edit_at_the_other_side_in_the_middle_of_a_sync_is_merged(project: Project, sync: Sync) -> None:
    main = project.clone()
    for moment in ("before_push", "in_push"):
        change(main, r"\bibliography{", f"% {moment} here\n\\bibliography{{")
        commit(main)
        new = f"We conclude {moment} at the web."
        setattr(project.server, moment, lambda new=new: project.web.change("main.tex", "We conclude", new))
        done = sync(main)
        assert done.code == 0, done.err
        text = project.web.read("main.tex")
        assert f"{moment} here" in text
        assert f"{moment} at the web" in text
        assert text == main.read_text("utf-8")


def test_a_remote_that_changes_all_the_time_is_given_up_with_nothing_lost(
    project: Project, sync: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.sync.overleaf.sync.ATTEMPTS", 2)
    monkeypatch.setattr("citeplug.sync.overleaf.sync._PAUSE", 0.0)
    main = project.clone()
    change(main, "We conclude.", "We conclude here.")
    commit(main)
    numbers = iter(range(100))

    def again() -> None:
        project.web.write({f"other{next(numbers)}.tex": b"more\n"})
        project.server.in_push = again

    project.server.in_push = again
    done = sync(main)
    assert done.code == 1
    assert "run it again" in done.err
    assert "We conclude here." in main.read_text("utf-8")
    assert is_clean(main)
    project.server.in_push = None
    assert sync(main).code == 0
    assert "We conclude here." in project.web.read("main.tex")


def test_work_that_is_not_committed_stays_as_it_is_and_the_author_is_told(project: Project, sync: Sync) -> None:
    main = project.clone()
    change(main, ABSTRACT, "is being rewritten")
    git(main.parent, "add", "main.tex")
    change(main, "We conclude.", "We conclude, half a sen")
    (main.parent / "notes.txt").write_text("mine\n", "utf-8")
    project.web.write({"method.tex": b"From the other side.\n"})
    before = everything(main)
    done = sync(main)
    assert done.code == 1
    assert "main.tex" in done.out
    assert "git commit" in done.out
    after = everything(main)
    assert after.pop(str(main.parent / "method.tex")) == b"From the other side.\n"
    assert after == before
    assert "half a sen" not in project.web.read("main.tex")


def test_work_that_is_not_committed_and_meets_the_other_sides_is_left_alone(project: Project, sync: Sync) -> None:
    main = project.clone()
    change(main, "We conclude.", "We conclude, half a sen")
    project.web.change("main.tex", ABSTRACT, "tells the classes of nodes by gates")
    before = everything(main)
    done = sync(main)
    assert done.code == 1
    assert "main.tex" in done.err
    assert "commit your changes" in done.err
    assert everything(main) == before


def test_a_conflict_in_the_authors_files_is_told_before_anything_is_touched(project: Project, sync: Sync) -> None:
    main = project.clone()
    change(main, "We conclude.", "We end.")
    commit(main)
    project.web.change("main.tex", "We conclude.", "We finish.")
    before, head = everything(main), git(main.parent, "rev-parse", "HEAD")
    done = sync(main)
    assert done.code == 1
    assert "main.tex" in done.err
    assert "git pull --no-rebase" in done.err
    assert everything(main) == before
    assert git(main.parent, "rev-parse", "HEAD") == head


def test_sections_that_both_sides_made_anew_become_one(project: Project, sync: Sync) -> None:
    one, other = project.clone("one"), project.clone("other")
    change(one, ABSTRACT, "tells the classes of nodes by gates")
    commit(one)
    change(other, "We conclude.", "We conclude with walks.")
    change(other.with_name("related.tex"), "% citeplug:end p1", "An authored sentence of the other.\n% citeplug:end p1")
    commit(other)
    assert sync(one).code == 0
    done = sync(other)
    assert done.code == 0, done.err
    text = project.web.read("related.tex")
    assert text.count("An authored sentence of the other.") == 1
    assert "<<<<<<<" not in text
    assert sync(one).code == 0
    assert one.with_name("related.tex").read_bytes() == other.with_name("related.tex").read_bytes()


def test_words_that_both_authors_wrote_into_one_paragraph_both_stay(project: Project, sync: Sync) -> None:
    one, other = project.clone("one"), project.clone("other")
    for main, word in ((one, "first"), (other, "second")):
        section = main.with_name("related.tex")
        change(section, "% citeplug:end p1", f"A {word} word is missing here.\n% citeplug:end p1")
        change(main, "We conclude.", "We conclude so.")
        commit(main)
    assert sync(one).code == 0
    done = sync(other)
    assert done.code == 0, done.err
    text = project.web.read("related.tex")
    assert text.count("A first word is missing here.") == 1
    assert text.count("A second word is missing here.") == 1


def test_edits_of_the_section_that_are_not_committed_are_merged_and_committed_with_it(
    project: Project, sync: Sync
) -> None:
    main = project.clone()
    change(main.with_name("related.tex"), "% citeplug:end p1", "A word of mine.\n% citeplug:end p1")
    project.web.change("related.tex", "% citeplug:end p2", "A word of the web.\n% citeplug:end p2")
    project.web.change("main.tex", ABSTRACT, "tells the classes of nodes by gates")
    assert sync(main).code == 0
    text = project.web.read("related.tex")
    assert "A word of mine." in text
    assert "A word of the web." in text
    assert is_clean(main)


def test_a_section_that_the_other_side_deleted_stays_deleted(project: Project, sync: Sync) -> None:
    main = project.clone()
    project.web.write({"related.tex": None})
    done = sync(main)
    assert done.code == 1
    assert "does not write it again" in done.out
    assert not main.with_name("related.tex").exists()


def test_a_merge_left_unfinished_in_the_section_is_told(project: Project, sync: Sync) -> None:
    main = project.clone()
    change(main.with_name("related.tex"), "% citeplug:end p1", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n% citeplug:end p1")
    done = sync(main)
    assert done.code == 1
    assert "related.tex" in done.err
    assert "related.tex" in git(main.parent, "status", "--porcelain")


def test_what_the_author_has_staged_is_not_committed(project: Project, sync: Sync) -> None:
    main = project.clone()
    (main.parent / "new.tex").write_text("new\n", "utf-8")
    git(main.parent, "add", "new.tex")
    change(main.with_name("related.tex"), "% citeplug:end p1", "A word of mine.\n% citeplug:end p1")
    sync(main)
    assert "A  new.tex" in git(main.parent, "status", "--porcelain")
    assert "new.tex" not in git(project.server.bare, "ls-tree", "-r", "--name-only", "master")


def test_the_token_is_in_no_output_and_no_file_of_the_clone(project: Project, sync: Sync) -> None:
    main = project.clone()
    change(main, "We conclude.", "We conclude by gates.")
    commit(main)
    shown = sync(main, "-v")
    project.server.fail(Fault(403))
    failed = sync(main)
    assert failed.code == 3
    for done in (shown, failed):
        assert TOKEN not in done.out + done.err
    assert not any(TOKEN in path for path in project.server.paths)
    for file in (main.parent / ".git").rglob("*"):
        assert not file.is_file() or TOKEN.encode() not in file.read_bytes()


def test_a_remote_that_fails_is_told_with_a_hint_and_nothing_is_lost(project: Project, sync: Sync) -> None:
    main = project.clone()
    change(main, "We conclude.", "We conclude here.")
    commit(main)
    before = everything(main)
    for fault, word in (
        (Fault(403), "refused access"),
        (Fault(404), "no such repository"),
        (Fault(500), "cannot be reached"),
        (Fault(how="drop"), "cannot be reached"),
        (Fault(how="cut"), "cannot be reached"),
    ):
        project.server.fail_always(fault)
        done = sync(main)
        assert done.code == 3
        assert word in done.err
        assert done.err.count("\n") >= 2
        assert everything(main) == before
    project.server.fail_always(None)
    assert sync(main).code == 0


def test_a_wrong_token_is_told_as_that(project: Project, sync: Sync) -> None:
    main = project.clone()
    credentials = project.folder / "credentials"
    credentials.write_text(credentials.read_text("utf-8").replace(TOKEN, "olp_wrong_and_old"), "utf-8")
    done = sync(main)
    assert done.code == 3
    assert "refused access" in done.err
    assert "token" in done.err
    assert "olp_wrong" not in done.err


def test_a_push_that_breaks_off_is_done_by_the_next_sync(project: Project, sync: Sync) -> None:
    main = project.clone()
    change(main, "We conclude.", "We conclude by gates.")
    commit(main)
    project.server.in_push = lambda: project.server.fail(Fault(how="cut"))
    assert sync(main).code == 3
    assert is_clean(main)
    assert sync(main).code == 0
    assert "by gates" in project.web.read("main.tex")


def test_a_file_that_is_too_large_for_the_remote_is_named(
    project: Project, sync: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.sync.overleaf.repository.LARGEST", LARGEST)
    main = project.clone()
    (main.parent / "figure.pdf").write_bytes(os.urandom(LARGEST + 1))
    git(main.parent, "add", "figure.pdf")
    commit(main)
    done = sync(main)
    assert done.code == 3
    assert "50 MiB" in done.err
    assert "figure.pdf" in done.err


def test_line_ends_of_windows_are_kept_and_make_no_endless_changes(
    project: Project, sync: Sync, git_settings: Path
) -> None:
    with git_settings.open("a", encoding="utf-8") as stream:
        stream.write("[core]\n\tautocrlf = true\n")
    main = project.clone()
    assert b"\r\n" in main.with_name("related.tex").read_bytes()
    project.web.change("main.tex", ABSTRACT, "tells the classes of nodes by gates")
    assert sync(main).code == 0
    assert is_clean(main)
    assert "\r" not in project.at_the_server("related.tex")
    head = git(main.parent, "rev-parse", "HEAD")
    assert sync(main).code == 0
    assert git(main.parent, "rev-parse", "HEAD") == head


def test_files_that_the_project_ignores_are_told_of(bare_project: Project, sync: Sync) -> None:
    bare_project.web.write({".gitignore": b"related.*\n"})
    main = bare_project.clone()
    done = sync(main)
    assert done.code == 1
    assert ".gitignore" in done.out


def test_a_second_sync_of_the_same_clone_is_told_of_the_first(project: Project, sync: Sync, home: Path) -> None:
    from citeplug.sync.overleaf.steps import Steps

    main = project.clone()
    with Steps(home, main.parent.resolve()).alone():
        done = sync(main)
    assert done.code == 1
    assert "already being synced" in done.err


@pytest.mark.skipif(os.name == "nt", reason="the mode of a file")
def test_no_hook_of_the_clone_runs(project: Project, sync: Sync) -> None:
    main = project.clone()
    for name in ("pre-commit", "post-commit", "post-merge", "post-checkout", "pre-push", "reference-transaction"):
        hook = main.parent / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch '{project.folder}/ran-{name}'\nexit 1\n", "utf-8")
        hook.chmod(hook.stat().st_mode | stat.S_IXUSR)
    project.web.change("main.tex", "We conclude.", "We conclude at the web.")
    change(main.with_name("related.tex"), "% citeplug:end p1", "A word of mine.\n% citeplug:end p1")
    done = sync(main)
    assert done.code == 0, done.err
    assert not list(project.folder.glob("ran-*"))


def test_a_remote_that_drops_hidden_files_does_not_make_the_section_stand_still(project: Project, sync: Sync) -> None:
    main = project.clone()
    change(main, ABSTRACT, "tells the classes of nodes by gates")
    commit(main)
    assert sync(main).code == 0
    files = git(project.server.bare, "ls-tree", "-r", "--name-only", "master").split("\n")
    project.web.write({name: None for name in files if name.startswith(".citeplug")})
    assert sync(main).code == 0
    head = git(main.parent, "rev-parse", "HEAD")
    assert sync(main).code == 0
    assert git(main.parent, "rev-parse", "HEAD") == head
    project.web.change("main.tex", "by gates", "by random walks on hypergraphs")
    section = (main.parent / "related.tex").read_text("utf-8")
    end = next(line.split(" sha256=")[0] for line in section.splitlines() if line.startswith("% citeplug:end "))
    project.web.change("related.tex", end, f"A word of the web.\n{end}")
    done = sync(main)
    assert done.code == 0, done.err
    assert "the abstract changed" in done.out
    assert "A word of the web." in project.web.read("related.tex")
    assert ".citeplug" not in git(project.server.bare, "ls-tree", "-r", "--name-only", "master")


def test_a_draft_that_is_not_under_version_control_is_told_of(project: Project, sync: Sync) -> None:
    main = project.clone()
    change(main, r"\section{Conclusion}", "\\input{new}\n\\section{Conclusion}")
    commit(main)
    (main.parent / "new.tex").write_text("A new part.\n", "utf-8")
    done = sync(main)
    assert done.code == 1
    assert "new.tex" in done.out
    assert "git add" in done.out


@pytest.mark.skipif(os.name == "nt", reason="links need a right of their own there")
@pytest.mark.parametrize("name", ["related.tex", "related.bib", ".citeplug"])
def test_nothing_is_written_through_a_link_that_the_project_carries(project: Project, sync: Sync, name: str) -> None:
    outside = project.folder / "outside"
    outside.mkdir()
    folder = project.web.folder
    if (folder / name).is_dir():
        shutil.rmtree(folder / name)
    else:
        (folder / name).unlink()
    (folder / name).symlink_to(outside if name == ".citeplug" else outside / "file")
    project.web.write({})
    project.web.change("main.tex", ABSTRACT, "tells the classes of nodes by gates")
    main = project.clone()
    done = sync(main)
    assert done.code == 2, done.out
    assert "link" in done.err or "outside the clone" in done.err
    assert not list(outside.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="names that Windows does not have")
def test_odd_names_in_the_project_are_names_and_reach_no_terminal(project: Project, sync: Sync) -> None:
    names = ["--exec=id.tex", "-o.tex", ":(top)x.tex", "a\x1b[2Jb.tex", "$(touch ran).tex", "*.tex"]
    project.web.write(dict.fromkeys(names, b"odd\n"))
    main = project.clone()
    for name in names:
        (main.parent / name).write_text("changed\n", "utf-8")
    done = sync(main)
    assert done.code == 1
    assert "\x1b" not in done.out + done.err
    assert "--exec=id.tex" in done.out
    assert not list(project.folder.rglob("ran"))


def test_what_the_latex_package_reads_is_committed_too(project: Project, sync: Sync) -> None:
    project.web.change("main.tex", r"\usepackage{natbib}", "\\usepackage{natbib}\n\\usepackage{citeplug}")
    project.web.change("main.tex", ABSTRACT, "tells the classes of nodes by gates")
    main = project.clone()
    done = sync(main)
    assert done.code == 0, done.err
    assert project.at_the_server("related-citeplug.tex").startswith("%citeplug 1")
    assert is_clean(main)
