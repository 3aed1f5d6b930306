import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from citeplug.errors import CannotWrite
from citeplug.files.atomic import Change, write_at_home, write_atomically, write_together
from tests.harness.waiting import outlives

posix_only = pytest.mark.skipif(os.name == "nt", reason="POSIX permission bits and signals")


def leftovers(folder: Path) -> list[Path]:
    return [entry for entry in folder.iterdir() if entry.name.endswith(".tmp")]


def link(source: Path, target: Path) -> None:
    """Make a symbolic link, or leave the test where the user may not (Windows without developer mode)."""
    try:
        source.symlink_to(target)
    except OSError:
        if os.name != "nt":
            raise
        pytest.xfail("this user may not make symbolic links")


def test_what_is_found_in_the_last_moment_leaves_everything_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "a.tex"
    file.write_bytes(b"old")

    def find() -> None:
        assert len(list(tmp_path.iterdir())) == 2
        raise ValueError

    with pytest.raises(ValueError):
        write_atomically(file, b"new", check=find)
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [b"old"]


@given(data=st.binary(max_size=2000))
@example(b"a\r\nb\xff\x00")
@settings(max_examples=20, deadline=None)
def test_any_bytes_come_back_from_a_new_file_and_from_an_old_one(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    place = tmp_path_factory.mktemp("any") / "related.tex"
    for content in (data, b"old and longer" * 200, data):
        write_atomically(place, content)
        assert place.read_bytes() == content
    assert leftovers(place.parent) == []


def test_a_name_as_long_as_the_system_allows_is_written(tmp_path: Path) -> None:
    place = tmp_path / ("n" * 250)
    write_atomically(place, b"x")
    assert place.read_bytes() == b"x"


@posix_only
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_permission_bits_of_an_old_file_stay(tmp_path: Path, mode: int) -> None:
    place = tmp_path / "main.tex"
    place.write_bytes(b"old")
    place.chmod(mode)
    write_atomically(place, b"new")
    assert stat.S_IMODE(place.stat().st_mode) == mode


@posix_only
def test_a_new_file_gets_the_bits_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "f", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == 0o640


@pytest.mark.parametrize("there", [True, False])
def test_a_link_to_a_file_in_the_same_folder_is_followed_and_stays(tmp_path: Path, there: bool) -> None:
    if there:
        (tmp_path / "real.tex").write_bytes(b"old")
    link(tmp_path / "related.tex", tmp_path / "real.tex")
    write_atomically(tmp_path / "related.tex", b"new")
    assert (tmp_path / "related.tex").is_symlink()
    assert (tmp_path / "real.tex").read_bytes() == b"new"


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    project.mkdir()
    elsewhere.mkdir()
    (elsewhere / "precious").write_bytes(b"old")
    link(project / "related.tex", elsewhere / "precious")
    with pytest.raises(CannotWrite, match="leads out of"):
        write_atomically(project / "related.tex", b"new")
    assert (elsewhere / "precious").read_bytes() == b"old"


def test_a_link_to_elsewhere_in_the_tree_is_followed_if_the_tree_is_named(tmp_path: Path) -> None:
    (tmp_path / "sections").mkdir()
    (tmp_path / "bib").mkdir()
    (tmp_path / "bib" / "refs.bib").write_bytes(b"old")
    link(tmp_path / "sections" / "refs.bib", tmp_path / "bib" / "refs.bib")
    write_atomically(tmp_path / "sections" / "refs.bib", b"new", within=tmp_path)
    assert (tmp_path / "bib" / "refs.bib").read_bytes() == b"new"


@pytest.mark.parametrize("way", ["../outside.tex", "sub/../../outside.tex"])
def test_a_path_that_climbs_out_of_the_tree_is_refused(tmp_path: Path, way: str) -> None:
    project = tmp_path / "project"
    (project / "sub").mkdir(parents=True)
    with pytest.raises(CannotWrite, match="outside"):
        write_atomically(project / way, b"x", within=project)
    assert not (tmp_path / "outside.tex").exists()


def test_a_folder_reached_by_a_link_out_of_the_tree_is_refused(tmp_path: Path) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    project.mkdir()
    elsewhere.mkdir()
    link(project / ".citeplug", elsewhere)
    with pytest.raises(CannotWrite, match="outside"):
        write_atomically(project / ".citeplug" / "provenance.json", b"{}", within=project)
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "words"), [("a", "loop"), ("folder", "not a regular file"), ("no/f", "folder does not exist")]
)
def test_a_place_where_no_file_can_be_is_a_clear_error(tmp_path: Path, name: str, words: str) -> None:
    link(tmp_path / "a", tmp_path / "b")
    link(tmp_path / "b", tmp_path / "a")
    (tmp_path / "folder").mkdir()
    with pytest.raises(CannotWrite, match=words):
        write_atomically(tmp_path / name, b"x")


def test_a_file_marked_read_only_is_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "related.tex"
    place.write_bytes(b"old")
    place.chmod(stat.S_IREAD)
    try:
        with pytest.raises(CannotWrite, match="read-only") as caught:
            write_atomically(place, b"new")
        assert caught.value.hint
        assert place.read_bytes() == b"old"
    finally:
        place.chmod(stat.S_IREAD | stat.S_IWRITE)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EDQUOT, "quota"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "permission denied"),
        (errno.EIO, "error"),
    ],
)
def test_what_the_system_refuses_is_said_and_the_old_content_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    place = tmp_path / "related.tex"
    place.write_bytes(b"old")

    def refuse(_handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("os.fsync", refuse)
    with pytest.raises(CannotWrite, match=words) as caught:
        write_atomically(place, b"new")
    assert caught.value.hint
    assert place.read_bytes() == b"old"
    assert leftovers(tmp_path) == []


@posix_only
def test_a_file_that_cannot_grow_leaves_the_old_content(tmp_path: Path) -> None:
    place = tmp_path / "related.tex"
    place.write_bytes(b"old")
    script = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from citeplug.files.atomic import write_atomically\n"
        "from citeplug.errors import CannotWrite\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try:\n"
        "    write_atomically(Path(sys.argv[1]), b'x' * 100_000)\n"
        "except CannotWrite as error:\n"
        "    print(error, error.hint)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(place)], capture_output=True, encoding="utf-8", timeout=60, check=True
    )
    assert "larger than this system allows" in done.stdout
    assert place.read_bytes() == b"old"
    assert leftovers(tmp_path) == []


def test_ctrl_c_leaves_the_old_content_and_no_rubbish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "f"
    place.write_bytes(b"old")

    def interrupt(_handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(place, b"new")
    assert place.read_bytes() == b"old"
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("delay", [0.0, 0.004, 0.013])
def test_a_writer_killed_at_any_moment_leaves_one_whole_content(tmp_path: Path, delay: float) -> None:
    place = tmp_path / "related.tex"
    size = 1_000_000
    place.write_bytes(b"a" * size)
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from citeplug.files.atomic import write_atomically\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        f"    write_atomically(Path(sys.argv[1]), b'b' * {size})\n"
        f"    write_atomically(Path(sys.argv[1]), b'a' * {size})\n"
    )
    writer = subprocess.Popen([sys.executable, "-c", script, str(place)], stdout=subprocess.PIPE)
    try:
        assert writer.stdout is not None
        writer.stdout.readline()
        outlives(writer, delay)
    finally:
        writer.kill()
        writer.wait(30)
        writer.communicate()
    assert place.read_bytes() in (b"a" * size, b"b" * size)
    write_atomically(place, b"c")
    assert place.read_bytes() == b"c"
    if os.name != "nt":
        assert writer.returncode == -signal.SIGKILL


def test_of_several_files_none_is_changed_when_one_cannot_be(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a", "b")]
    for file in files:
        file.write_bytes(b"old")
    (tmp_path / "folder").mkdir()
    changes = [Change(files[0], b"new"), Change(files[1], None), Change(tmp_path / "folder", b"new")]
    new = Change(tmp_path / "made" / "for it" / "c", b"new", makes_folder=True)
    with pytest.raises(CannotWrite, match="folder"):
        write_together([new, *changes])
    assert [file.read_bytes() for file in files] == [b"old", b"old"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "folder"]


def test_several_files_are_written_made_and_deleted_together(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "b").write_bytes(b"old")
    made = tmp_path / "x" / "y" / "c"
    write_together(
        [Change(tmp_path / "a", b"new"), Change(tmp_path / "b", None), Change(made, b"c", makes_folder=True)]
    )
    assert ((tmp_path / "a").read_bytes(), (tmp_path / "b").exists(), made.read_bytes()) == (b"new", False, b"c")


@pytest.mark.parametrize("number", [errno.EXDEV, errno.EBUSY, errno.EIO, errno.ENOSPC])
@pytest.mark.parametrize("fails_at", [1, 2, 3])
def test_a_rename_that_fails_in_the_middle_gives_the_others_their_old_content_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, fails_at: int
) -> None:
    names = ["a", "b", "c"]
    for name in names[:2]:
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "a").chmod(0o600)
    replace, done = Path.replace, []

    def failing(source: Path, target: Path) -> Path:
        done.append(target)
        if len(done) == fails_at:
            raise OSError(number, os.strerror(number))
        return replace(source, target)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(CannotWrite, match=f"/{names[fails_at - 1]}: "):
        write_together([Change(tmp_path / name, b"new") for name in names])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"a", "b": b"b"}
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


def test_what_is_found_at_a_later_file_puts_the_earlier_ones_back(tmp_path: Path) -> None:
    saved = tmp_path / "b"
    (tmp_path / "a").write_bytes(b"old")
    saved.write_bytes(b"old")
    calls = []

    def check() -> None:
        calls.append(1)
        if len(calls) == 2:  # the author saves when the first file has changed already
            assert (tmp_path / "a").read_bytes() == b"new"
            saved.write_bytes(b"the author's")
            raise ValueError

    with pytest.raises(ValueError):
        write_together([Change(tmp_path / "a", b"new"), Change(saved, b"new", check=check)])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"old", "b": b"the author's"}


def test_what_the_author_saved_meanwhile_is_not_put_back_and_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")

    def check() -> None:
        if (tmp_path / "a").read_bytes() == b"new":
            (tmp_path / "a").write_bytes(b"the author's")
            raise ValueError("stop")

    with pytest.raises(CannotWrite, match=r"stop; .*/a could not be restored"):
        write_together([Change(tmp_path / "a", b"new"), Change(tmp_path / "b", b"new", check=check)])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"the author's"}


def test_of_the_users_own_directory_the_variable_is_told(tmp_path: Path) -> None:
    (tmp_path / "home").write_bytes(b"a file in its place")
    with pytest.raises(CannotWrite, match="not a folder") as caught:
        write_at_home(tmp_path / "home" / "locks" / "x", b"")
    assert "CITEPLUG_HOME" in caught.value.hint


@posix_only
def test_a_batch_that_is_killed_leaves_files_whole_and_the_first_ones_new(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}" for number in range(12)]
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from citeplug.files.atomic import Change, write_together\n"
        "files = [Path(name) for name in sys.argv[1:]]\n"
        "print('ready', flush=True)\n"
        "for round in range(1, 100_000):\n"
        "    write_together([Change(file, b'%09d' % round * 2000) for file in files])\n"
    )
    for delay in (0.03, 0.07, 0.011):
        for file in files:
            file.write_bytes(b"%09d" % 0 * 2000)
        writer = subprocess.Popen([sys.executable, "-c", script, *map(str, files)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        outlives(writer, delay)
        writer.kill()
        writer.communicate(timeout=30)
        contents = [file.read_bytes() for file in files]
        assert all(content == content[:9] * 2000 for content in contents)
        rounds = [int(content[:9]) for content in contents]
        assert rounds == sorted(rounds, reverse=True)
        assert rounds[0] - rounds[-1] <= 1


WAITING = """
import sys, time
from pathlib import Path
from citeplug.files.atomic import write_atomically

def wait():
    print("waiting", flush=True)
    sys.stdin.readline()

write_atomically(Path(sys.argv[1]), b"theirs", check=wait)
"""


@posix_only
@pytest.mark.parametrize("killed", [True, False])
def test_what_a_killed_process_left_is_removed_and_what_a_live_one_holds_is_not(tmp_path: Path, killed: bool) -> None:
    arguments = [sys.executable, "-c", WAITING, str(tmp_path / "theirs.tex")]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert len(leftovers(tmp_path)) == 1
        if killed:
            other.kill()
            other.wait(30)
        write_together([Change(tmp_path / "a.tex", b"a"), Change(tmp_path / "b.tex", b"b")])
        assert len(leftovers(tmp_path)) == (0 if killed else 1)
        other.communicate(b"\n\n", timeout=30)
    assert (tmp_path / "theirs.tex").exists() is not killed
    assert leftovers(tmp_path) == []


@posix_only
def test_of_what_lies_in_the_folder_only_leftovers_are_removed(tmp_path: Path) -> None:
    others = [tmp_path / name for name in (".citeplug-notes.tmp", "a.tmp", f".citeplug-{'0' * 16}.tmp.tex")]
    for other in others:
        other.touch()
    (tmp_path / f".citeplug-{'1' * 16}.tmp").symlink_to(others[0])
    os.mkfifo(tmp_path / f".citeplug-{'2' * 16}.tmp")
    (tmp_path / f".citeplug-{'3' * 16}.tmp").touch()
    before = {path.name for path in tmp_path.iterdir()}
    write_atomically(tmp_path / "a.tex", b"a")
    assert {path.name for path in tmp_path.iterdir()} == before - {f".citeplug-{'3' * 16}.tmp"} | {"a.tex"}
