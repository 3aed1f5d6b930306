"""Everything that is published of the commit that is checked out, into dist/, with SHA-256 sums: `make release`.

    citeplug-V.tar.gz, citeplug-V-*.whl   the program, with its model; the wheel is made of the source archive
    citeplug_check-V-*.whl                what check, fix, cite and references need, for hooks and for CI
    citeplug-V.vsix                       the VS Code extension
    citeplug-overleaf-V-*.zip             the browser extension for Overleaf's page, for Chromium and for Firefox
    citeplug-ctan.zip                     the LaTeX package as CTAN takes it, with its TDS archive
    citeplug-shell-V.tar.gz               manual pages, and completions for bash, zsh and fish
    citeplug-V.cdx.json                   what an installation with the review page consists of (CycloneDX)
    SHA256SUMS

CITEPLUG_URL is the address of the repository, which the metadata of all of them then names: it is in no file, so that
a fork names its own.

Two builds of one commit give the same bytes: times are the commit's, archives are written again in one order, and the
SBOM names what requirements.lock names.
"""

import copy
import gzip
import hashlib
import inspect
import io
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import venv
import zipfile
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path

import click
from click import shell_completion
from click_man.core import write_man_pages

from build_backend import WEIGHTS_SHA256
from citeplug import __version__
from citeplug.cli.help_groups import ADVANCED_COMMANDS, EVERYDAY_COMMANDS
from citeplug.cli.main import cli

ROOT = Path(__file__).parent
SHELLS = ("bash", "zsh", "fish")
NAME = f"citeplug-{__version__}"


def main(dist: Path = ROOT / "dist") -> None:
    """Fill `dist` anew. Raises CalledProcessError if a tool fails, FileNotFoundError if npm or l3build is missing."""
    if _run("git", "status", "--porcelain"):
        raise SystemExit("commit your changes first: a release is made of a commit")
    epoch = int(_run("git", "log", "-1", "--format=%ct"))
    # TeX heeds the first only with the second.
    os.environ |= {"SOURCE_DATE_EPOCH": str(epoch), "FORCE_SOURCE_DATE": "1"}
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir()
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as temporary:
        sources = export(Path(temporary) / "citeplug")
        if url := os.environ.get("CITEPLUG_URL", "").rstrip("/"):
            name_repository(sources, url)
        else:
            print("warning: CITEPLUG_URL is not set, so the metadata names no repository", file=sys.stderr)
        wheel = build_python(sources, dist, epoch)
        write_tar(dist / f"citeplug-shell-{__version__}.tar.gz", shell_files(epoch), epoch)
        write_sbom(wheel, dist / f"{NAME}.cdx.json")
        build_extensions(sources / "vscode-bridge", dist)
        latex = sources / "latex" / "citeplug"
        _run("l3build", "ctan", folder=latex)
        rewrite_zip(latex / "citeplug-ctan.zip", dist / "citeplug-ctan.zip", epoch)
    files = sorted(dist.iterdir())
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (dist / "SHA256SUMS").write_text(sums, "utf-8")
    print(sums, end="")


def export(folder: Path) -> Path:
    """The files of the commit in a folder of their own, with the node modules that are installed."""
    packed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    modules = Path("vscode-bridge") / "node_modules"
    shutil.copytree(ROOT / modules, folder / modules, symlinks=True, copy_function=os.link)
    return folder


def name_repository(sources: Path, url: str) -> None:
    """Name the repository in the metadata of the Python package and of both extensions; latex/ reads the variable."""
    project = sources / "pyproject.toml"
    urls = f'[project.urls]\nHomepage = "{url}"\nRepository = "{url}"\nIssues = "{url}/issues"\n\n[project.scripts]'
    project.write_text(project.read_text("utf-8").replace("[project.scripts]", urls, 1), "utf-8")
    repository = {"type": "git", "url": f"{url}.git", "directory": "vscode-bridge"}
    for name, values in {
        "package.json": {"homepage": url, "repository": repository, "bugs": {"url": f"{url}/issues"}},
        "overleaf/static/manifest.json": {"homepage_url": url},
    }.items():
        file = sources / "vscode-bridge" / name
        file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | values, indent=2) + "\n", "utf-8")


def build_python(sources: Path, dist: Path, epoch: int) -> Path:
    """Build the source archive, and from it, as an index or a distribution does, both wheels. Returns the whole one."""
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        _run(*build, str(folder), "--sdist", str(sources))
        (made,) = folder.glob("*.tar.gz")
        with tarfile.open(made) as archive:
            archive.extractall(folder, filter="data")
            members = {
                member.name: (archive.extractfile(member) or io.BytesIO()).read()
                for member in archive
                if member.isfile()
            }
        write_tar(dist / made.name, members, epoch)
        for more in ((), ("-C", "distribution=check")):
            _run(*build, str(dist), "--wheel", *more, str(folder / NAME))
    (wheel,) = dist.glob("citeplug-*.whl")
    return wheel


def build_extensions(folder: Path, dist: Path) -> None:
    """Build the extensions of VS Code and of browsers."""
    for script in ("package", "overleaf"):
        _run("npm", "run", "--silent", script, folder=folder)
    shutil.copy(folder / "citeplug.vsix", dist / f"{NAME}.vsix")
    for packed in (folder / "overleaf" / "dist").glob("*.zip"):
        shutil.copy(packed, dist / packed.name.replace("overleaf", f"overleaf-{__version__}"))


def shell_files(epoch: int) -> dict[str, bytes]:
    """Manual pages of the commands that `--help` and `advanced --help` show, and completions, by their paths."""
    shown = [name for groups in (EVERYDAY_COMMANDS, ADVANCED_COMMANDS) for group in groups.values() for name in group]
    commands = {name: cli.commands[name] for name in shown if name != "advanced"}
    whole = _for_manual(click.Group("citeplug", commands, params=cli.params, help=cli.help))
    with tempfile.TemporaryDirectory() as temporary:
        day = datetime.fromtimestamp(epoch, UTC).date().isoformat()
        write_man_pages("citeplug", whole, version=__version__, target_dir=temporary, date=day)
        files = {f"man/man1/{page.name}": page.read_bytes() for page in Path(temporary).iterdir()}
    for shell in SHELLS:
        completion = shell_completion.get_completion_class(shell)
        assert completion is not None
        script = completion(cli, {}, "citeplug", "_CITEPLUG_COMPLETE").source()
        files[f"completions/citeplug.{shell}"] = script.encode()
    return files


def _for_manual(command: click.Command) -> click.Command:
    """A copy with its example, help in one line that is not cut after 45 characters, and all text as troff reads it."""
    page = copy.copy(command)
    page.short_help = command.get_short_help_str(limit=200)
    page.help = _for_troff("\n\n".join(map(inspect.cleandoc, filter(None, (command.help, command.epilog)))))
    page.params = [copy.copy(parameter) for parameter in command.params]
    for option in page.params:
        if isinstance(option, click.Option):
            option.help = _for_troff(option.help or "")
    if isinstance(page, click.Group):
        page.commands = {name: _for_manual(part) for name, part in page.commands.items()}
    return page


def _for_troff(text: str) -> str:
    """Text with no escape sequence and no line that is a request; without click's marks of lines kept as they are."""
    return text.replace("\b\n", "").replace("\\", r"\e").replace("\n.", "\n\\&.").replace("\n'", "\n\\&'")


def write_sbom(wheel: Path, file: Path) -> None:
    """Install the wheel with the review page, in the versions of the lock, and list what is there (CycloneDX)."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        lock = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
        locked = [line.split()[0] for line in lock if "==" in line]
        (folder / "versions.txt").write_text("\n".join(locked), "utf-8")
        venv.create(folder / "env")
        python = folder / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
        pip = (sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-compile")
        # By its name: by its path, the list would name that.
        here = ("-c", str(folder / "versions.txt"), "--find-links", str(wheel.parent))
        _run(*pip, *here, f"citeplug[web]=={__version__}")
        project = ("--pyproject", str(ROOT / "pyproject.toml"))
        _run("cyclonedx-py", "environment", "--output-reproducible", *project, "-o", str(file), str(python))
        packages = sysconfig.get_path("purelib", "venv", {"base": str(folder / "env")})
        installed = {package.name: package.metadata for package in distributions(path=[packages])}
    listed = json.loads(file.read_text("utf-8"))
    for part in listed["components"]:
        if not part.get("licenses"):  # what is no expression of SPDX is left out
            part["licenses"] = [{"license": {"name": installed[part["name"]]["License"]}}]
    listed["metadata"]["component"] |= {"version": __version__, "purl": f"pkg:pypi/citeplug@{__version__}"}
    listed["components"] += bundled()
    file.write_text(json.dumps(listed, indent=2) + "\n", "utf-8")


def bundled() -> list[dict[str, object]]:
    """The parts of the wheel that are others' work, in CycloneDX's form."""
    version = (ROOT / "citeplug/web/static/pdfjs/README.md").read_text("utf-8").split("\n")[0].split()[-1]
    terms: dict[str, object] = {"licenses": [{"license": {"id": "Apache-2.0"}}]}
    weights = {"hashes": [{"alg": "SHA-256", "content": WEIGHTS_SHA256}]}
    return [
        {"type": "machine-learning-model", "group": "sentence-transformers", "name": "all-MiniLM-L6-v2"}
        | terms
        | weights,
        {"type": "library", "name": "pdfjs-dist", "version": version, "purl": f"pkg:npm/pdfjs-dist@{version}"} | terms,
    ]


def write_tar(file: Path, members: dict[str, bytes], epoch: int) -> None:
    """Write a .tar.gz that depends on its members and `epoch` (seconds since 1970) alone."""
    with (
        file.open("wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=epoch) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for name, content in sorted(members.items()):
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(content), epoch
            archive.addfile(member, io.BytesIO(content))


def rewrite_zip(source: Path | io.BytesIO, target: Path | io.BytesIO, epoch: int) -> None:
    """Write an archive again, and the archives in it, members in order and of one time."""
    time = datetime.fromtimestamp(epoch, UTC).timetuple()[:6]
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist()):
            member = zipfile.ZipInfo(name, time)
            member.compress_type, member.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            content = old.read(name)
            if name.endswith(".zip"):
                rewrite_zip(io.BytesIO(content), rewritten := io.BytesIO(), epoch)
                content = rewritten.getvalue()
            new.writestr(member, content)


def _run(*command: str, folder: Path = ROOT) -> str:
    return subprocess.run(command, cwd=folder, check=True, text=True, stdout=subprocess.PIPE).stdout


if __name__ == "__main__":
    main()
