"""What a look at the known files finds."""

import os
from pathlib import Path

from citeplug.sync.watch.files import KnownFiles, Look


def known(*files: Path, exact: tuple[Path, ...] = ()) -> KnownFiles:
    found = KnownFiles()
    assert found.know(files, exact)
    assert not found.know(files, exact)
    return found


def test_nothing_is_found_where_nothing_happened(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text("A", "utf-8")
    files = known(tmp_path / "a.tex", tmp_path / "absent.tex")
    assert not files.stirred()
    assert files.look() == Look()


def test_comments_and_layout_tell_nothing_in_a_draft_and_everything_in_a_section(tmp_path: Path) -> None:
    draft, section = tmp_path / "a.tex", tmp_path / "related.tex"
    for file in (draft, section):
        file.write_text("One two.\n% say more\nThree.\n", "utf-8")
    files = known(draft, exact=(section,))
    for file in (draft, section):
        file.write_text("One\n  two. % at the end\n% say something else\nThree.\n", "utf-8")
    assert files.stirred()
    assert files.look() == Look((draft, section), (section,))
    assert files.look() == Look()


def test_a_file_that_is_saved_as_it_was_tells_nothing(tmp_path: Path) -> None:
    file = tmp_path / "a.bib"
    file.write_text("@misc{a}", "utf-8")
    files = known(file)
    other = tmp_path / "new"
    other.write_text("@misc{a}", "utf-8")
    other.replace(file)
    assert files.look() == Look((file,), ())


def test_a_change_that_leaves_size_and_time_is_seen_in_a_young_file(tmp_path: Path) -> None:
    file = tmp_path / "a.bib"
    file.write_text("one", "utf-8")
    files = known(file)
    stamp = file.stat()
    file.write_text("two", "utf-8")
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert files.look().telling == (file,)


def test_a_file_may_go_and_come_and_so_may_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    file = folder / "a.tex"
    file.write_text("A", "utf-8")
    files = known(file)
    file.unlink()
    folder.rmdir()
    assert files.look().telling == (file,)
    folder.mkdir()
    file.write_text("A", "utf-8")
    assert files.look().telling == (file,)
    assert files.folders == {folder}


def test_a_folder_in_the_place_of_a_file_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "a.tex"
    file.mkdir()
    files = known(file)
    file.rmdir()
    file.write_text("A", "utf-8")
    assert files.look().telling == (file,)
