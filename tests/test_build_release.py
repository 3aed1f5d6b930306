"""What is published: two builds of one commit give the same bytes, and the manual has the commands that help shows."""

import gzip
import json
import shutil
import subprocess
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import build_release
from build_release import rewrite_zip, shell_files, write_tar

EPOCH = 1_700_000_000


def test_an_archive_depends_on_its_members_and_the_time_alone(tmp_path: Path) -> None:
    for name, order in (("one", "ab"), ("two", "ba")):
        write_tar(tmp_path / f"{name}.tar.gz", {letter: letter.encode() for letter in order}, EPOCH)
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as archive:
            for number, letter in enumerate(order):
                archive.writestr(zipfile.ZipInfo(letter, (2000 + number, 1, 1, 0, 0, 0)), letter)
        with zipfile.ZipFile(tmp_path / f"{name}-outer.zip", "w") as archive:
            archive.write(tmp_path / f"{name}.zip", "inner.zip")
        for kind in ("", "-outer"):
            rewrite_zip(tmp_path / f"{name}{kind}.zip", tmp_path / f"{name}{kind}-again.zip", EPOCH)
    for pattern in ("{}.tar.gz", "{}-again.zip", "{}-outer-again.zip"):
        assert (tmp_path / pattern.format("one")).read_bytes() == (tmp_path / pattern.format("two")).read_bytes()
    with tarfile.open(tmp_path / "one.tar.gz") as archive:
        assert {(member.name, member.mtime, member.uid) for member in archive} == {("a", EPOCH, 0), ("b", EPOCH, 0)}


def test_the_manual_has_the_commands_that_help_shows_and_no_earlier_names() -> None:
    files = shell_files(EPOCH)
    assert {"man/man1/citeplug.1", "man/man1/citeplug-related.1", "man/man1/citeplug-index-add.1"} <= files.keys()
    assert "man/man1/citeplug-news.1" not in files
    page = files["man/man1/citeplug-check.1"].decode()
    assert r"citeplug\-check \- Compare every entry of a bibliography with arXiv's record." in page
    assert "2023-11-14" in page
    assert shell_files(EPOCH) == files


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_the_manual_is_formatted_without_a_warning() -> None:
    for path, text in shell_files(EPOCH).items():
        if path.startswith("man/"):
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=text, capture_output=True)
            assert done.returncode == 0 and not done.stderr, (path, done.stderr)


def test_the_repository_is_named_where_a_release_has_one(tmp_path: Path) -> None:
    root = build_release.ROOT
    for name in ("pyproject.toml", "vscode-bridge/package.json", "vscode-bridge/overleaf/static/manifest.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, tmp_path / name)
    build_release.name_repository(tmp_path, "https://example.org/us/citeplug")
    before, after = (
        tomllib.loads((place / "pyproject.toml").read_text("utf-8"))["project"] for place in (root, tmp_path)
    )
    assert after.pop("urls")["Issues"] == "https://example.org/us/citeplug/issues"
    assert after == before
    package = json.loads((tmp_path / "vscode-bridge" / "package.json").read_text("utf-8"))
    assert package["repository"]["url"] == "https://example.org/us/citeplug.git"
    assert package["bugs"] == {"url": "https://example.org/us/citeplug/issues"}
    assert package["homepage"] == "https://example.org/us/citeplug"


@pytest.mark.slow
def test_two_builds_of_the_python_package_give_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(EPOCH))
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        build_release.build_python(build_release.ROOT, tmp_path / name, EPOCH)
    for pattern in ("*.tar.gz", "citeplug-*.whl", "citeplug_check-*.whl"):
        (one,), (two,) = ((tmp_path / name).glob(pattern) for name in ("one", "two"))
        assert one.name == two.name and one.read_bytes() == two.read_bytes()
    with gzip.open(next((tmp_path / "one").glob("*.tar.gz"))) as archive:
        assert b"all-MiniLM-L6-v2/model.safetensors" in archive.read()
