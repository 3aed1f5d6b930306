"""Archives that are not trusted, and what stays of those that are written again."""

import io
import stat
import struct
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.errors import CannotWrite, UnreadableInput, UnsafeProject
from citeplug.project import zips
from citeplug.project.zips import Archive


def packed(path: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in entries:
            out.writestr(name, data)
    return path


@pytest.mark.parametrize(
    "name",
    ["../up.tex", "a/../../up.tex", "/etc/passwd", "C:/x.tex", "C:x.tex", "a\\b.tex", "..\\up.tex", "a//b.tex",
     "./a.tex", "a\nb.tex", "nul", "con.tex", "a/COM1.tex", "trailing.", "trailing ", "what?.tex", "a/" * 40 + "b",
     "x" * 300],
)  # fmt: skip
def test_a_name_that_could_lead_elsewhere_is_refused_before_anything_is_written(tmp_path: Path, name: str) -> None:
    path = packed(tmp_path / "a.zip", ("main.tex", b"x"), (name, b"x"))
    with pytest.raises(UnsafeProject):
        Archive(path).unpack(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_name_with_nul_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", ("maiX.tex", b"x"))
    path.write_bytes(path.read_bytes().replace(b"maiX", b"mai\0"))
    with pytest.raises(UnsafeProject):
        Archive(path)


@pytest.mark.parametrize(
    ("one", "other"),
    [("a.tex", "A.tex"), ("a.tex", "a.tex"), ("é.tex", "e\u0301.tex"), ("a", "a/b.tex"), ("a", "A/b.tex")],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_that_are_one_on_some_system_are_refused(tmp_path: Path, one: str, other: str) -> None:
    with pytest.raises(UnsafeProject):
        Archive(packed(tmp_path / "a.zip", (one, b"x"), (other, b"y")))


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_other_special_files_are_refused(tmp_path: Path, kind: int) -> None:
    info = zipfile.ZipInfo("link.tex")
    info.external_attr = (kind | 0o777) << 16
    info.create_system = 3
    with pytest.raises(UnsafeProject):
        Archive(packed(tmp_path / "a.zip", (info, b"/etc/passwd")))


def test_an_archive_is_bounded_by_what_is_really_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "MOST_BYTES", 1_000_000)
    path = packed(tmp_path / "a.zip", ("main.tex", b"\0" * 900_000), ("more.tex", b"\0" * 900_000))
    # It claims to hold next to nothing.
    data = path.read_bytes().replace(struct.pack("<L", 900_000), struct.pack("<L", 9))
    path.write_bytes(data)
    with pytest.raises((UnsafeProject, UnreadableInput)):
        Archive(path).unpack(tmp_path / "out")
    assert sum(file.stat().st_size for file in (tmp_path / "out").rglob("*")) <= 1_000_000


def test_too_many_entries_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "MOST_ENTRIES", 3)
    with pytest.raises(UnsafeProject):
        Archive(packed(tmp_path / "a.zip", *((f"{number}.tex", b"x") for number in range(4))))


def test_entries_that_overlap_are_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", ("a.tex", b"x" * 9), ("b.tex", b"y" * 9))
    data = bytearray(path.read_bytes())
    second = data.rindex(b"PK\1\2")
    data[second + 42 : second + 46] = struct.pack("<L", 0)
    path.write_bytes(bytes(data))
    with pytest.raises((UnsafeProject, UnreadableInput)):
        Archive(path).unpack(tmp_path / "out")


@pytest.mark.parametrize("data", [b"", b"PK", b"no zip at all", b"PK\5\6" + b"\0" * 18 + b"x"])
def test_what_is_no_archive_is_told_so(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    with pytest.raises(UnreadableInput):
        Archive(path).unpack(tmp_path)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_entry_is_the_archives_fault_and_not_the_disks(tmp_path: Path, method: int) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("main.tex", packed_text := bytes(range(256)) * 3)
    content = path.read_bytes()
    for at in range(40, content.rindex(b"PK\1\2")):
        path.write_bytes(content[:at] + bytes([content[at] ^ 255]) + content[at + 1 :])
        with suppress(UnreadableInput):
            Archive(path).unpack(tmp_path / str(at))
            # Some bits of a packed entry bear nothing.
            assert (tmp_path / str(at) / "main.tex").read_bytes() == packed_text


def test_a_directory_of_the_archive_that_lies_before_its_start_is_told(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", ("main.tex", b"text " * 30), ("a/b.tex", b"more"))
    content = bytearray(path.read_bytes())
    end = content.rindex(b"PK\5\6")
    content[end + 16 : end + 20] = struct.pack("<L", 220 + struct.unpack_from("<L", content, end + 16)[0])
    path.write_bytes(bytes(content))
    with pytest.raises(UnreadableInput, match=r"main\.tex"):
        Archive(path).unpack(tmp_path / "out")


@given(data=st.data())
def test_a_damaged_archive_is_never_more_than_an_error(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("zip")
    path = packed(folder / "a.zip", ("main.tex", b"text " * 30), ("a/b.tex", b"more"))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(content[: data.draw(st.integers(len(content) // 2, len(content)))]))
    try:
        Archive(path).unpack(folder / "out")
    except (UnreadableInput, UnsafeProject):
        return
    assert all(file.resolve().is_relative_to(folder) for file in folder.rglob("*"))


def test_what_is_not_changed_keeps_its_content_order_and_date(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("paper/main.tex", (2019, 2, 3, 4, 5, 6))
    info.external_attr = (stat.S_IFREG | 0o640) << 16
    info.comment = b"a comment"
    stored = zipfile.ZipInfo("paper/figure.png", (2001, 1, 1, 0, 0, 0))
    path = packed(
        tmp_path / "a.zip", ("paper/", b""), (info, b"main " * 99), (stored, bytes(range(256))), ("z.tex", b"z")
    )
    out, folder = tmp_path / "out.zip", tmp_path / "project"
    archive = Archive(path)
    archive.unpack(folder)
    (folder / "z.tex").write_bytes(b"new")
    (folder / "paper" / "related.tex").write_text("é", encoding="utf-8")
    archive.write(out, folder)
    with zipfile.ZipFile(path) as before, zipfile.ZipFile(out) as after:
        assert after.testzip() is None
        assert after.namelist() == ["paper/", "paper/main.tex", "paper/figure.png", "z.tex", "paper/related.tex"]
        for old, new in zip(before.infolist()[:3], after.infolist()[:3], strict=True):
            assert before.read(old) == after.read(new)
            for name in ("date_time", "external_attr", "compress_type", "comment", "CRC"):
                assert getattr(old, name) == getattr(new, name)
        assert after.read("z.tex") == b"new"
        assert after.read("paper/related.tex").decode() == "é"


def test_a_link_beside_the_project_s_files_is_not_packed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"a key")
    archive = Archive(packed(tmp_path / "a.zip", ("a.tex", b"a")))
    archive.unpack(tmp_path / "project")
    (tmp_path / "project" / "link.tex").symlink_to(secret)
    archive.write(tmp_path / "out.zip", tmp_path / "project")
    with zipfile.ZipFile(tmp_path / "out.zip") as after:
        assert after.namelist() == ["a.tex"]


def test_files_are_taken_out_and_a_streamed_archive_is_read(tmp_path: Path) -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def tell(self) -> int:
            raise OSError

        def seek(self, *_: int) -> int:
            raise OSError

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("a.tex", b"a" * 99)
        out.writestr("b.tex", b"b" * 99)
    path = tmp_path / "a.zip"
    path.write_bytes(pipe.getvalue())
    archive = Archive(path)
    archive.unpack(tmp_path / "project")
    (tmp_path / "project" / "a.tex").unlink()
    archive.write(tmp_path / "out.zip", tmp_path / "project")
    with zipfile.ZipFile(tmp_path / "out.zip") as after:
        assert after.namelist() == ["b.tex"]
        assert after.read("b.tex") == b"b" * 99


@pytest.mark.parametrize(
    ("written", "name"),
    [(b"\x81\x81.tex", "üü.tex"), ("ü.tex".encode(), "ü.tex")],  # the code page of old archives, and Apple's
)
def test_names_in_another_encoding_are_read(tmp_path: Path, written: bytes, name: str) -> None:
    path = packed(tmp_path / "a.zip", ("XY.tex", b"x"), ("b.tex", b"b"))
    path.write_bytes(path.read_bytes().replace(b"XY.tex", written))
    archive = Archive(path)
    archive.unpack(tmp_path / "out")
    assert (tmp_path / "out" / name).read_bytes() == b"x"
    archive.write(tmp_path / "out.zip", tmp_path / "out")
    with zipfile.ZipFile(tmp_path / "out.zip") as after:
        assert after.namelist() == [name, "b.tex"]


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = packed(tmp_path / "a.zip", ("a.tex", b"a"))
    out = tmp_path / "out.zip"
    out.write_bytes(b"before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    archive = Archive(path)
    archive.unpack(tmp_path / "project")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CannotWrite):
        archive.write(out, tmp_path / "project")
    assert out.read_bytes() == b"before"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.zip", "out.zip", "project"]


def test_a_file_whose_name_the_volume_decomposes_is_packed_once_under_its_name(tmp_path: Path) -> None:
    archive = Archive(packed(tmp_path / "a.zip", ("main.tex", b"x"), ("é.tex", b"y")))
    archive.unpack(tmp_path / "out")
    (tmp_path / "out" / "é.tex").rename(tmp_path / "out" / "e\u0301.tex")  # as HFS+ does
    archive.write(tmp_path / "b.zip", tmp_path / "out")
    with zipfile.ZipFile(tmp_path / "b.zip") as again:
        assert again.namelist() == ["main.tex", "é.tex"]
