"""Finding the root document of a project.

No library finds it: latexmk is given the root, and editors read a magic comment, which few documents have.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from citeplug.errors import UnreadableInput
from citeplug.files.decode import decode, read_text
from citeplug.files.project_files import TooMany, as_given, leads_inside, names_in, read_beginning, unreadable, walk
from citeplug.latex.folders import DISK, Files, Folders, is_marked, project_folder
from citeplug.latex.include import Reader
from citeplug.latex.resources import BEGIN
from citeplug.latex.scan import without_comments
from citeplug.text.scanning import replace_spans

_SUFFIXES = (".tex", ".ltx", ".latex", ".rnw", ".rtex")
_MAGIC = re.compile(r"^[ \t]*%+\s*!\s*TEX\s+root\s*=\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)
_CLASS = re.compile(r"\\document(?:class|style)\s*(?:\[([^\]]*)\]\s*)?\{\s*([^{}]*?)\s*\}")
_VERBATIM = re.compile(r"\\begin\{(verbatim|lstlisting|comment)\*?\}")
_DEFAULT_FILES = re.compile(r"@default_files\s*=\s*\(?([^;)\r\n]*)")
USUAL_NAMES = ("main", "paper", "ms", "article", "manuscript", "thesis", "root", "report", "draft")
_MOST_FILES = 3000
_HEAD = 200_000  # bytes of a file in which its class is, where many are looked at
_MOST_FOLDERS_UP = 4
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "build", "_build", "out", "auxil"})


def find_root(path: Path, files: Files = DISK, held: Mapping[Path, str] | None = None) -> Path:
    """The root document of the project that `path`, a file or a folder, belongs to; absolute.

    In this order: the file itself if it is a root; its `%!TEX root`; the key `root` of `citeplug.toml`;
    `@default_files` of latexmkrc; the root whose inputs lead to it; the only `\\documentclass` here or one folder up.
    `files` reads `path` itself; of a `citeplug.toml` the text that an editor has `held` counts before the disk's.
    Raises UnreadableInput if there is none, or several and nothing to choose by.
    """
    path = as_given(path)
    if path.is_dir():
        return _root_of_folder(path, held)
    text = _readable(path, files)
    if _is_root(text):
        return path
    parent = _magic(path, text) or _subfile_parent(path, text)
    if parent is not None and parent != path:
        return parent
    bound = project_folder(path.parent)
    configured = configured_root(path.parent, held)
    if configured is not None:
        return configured
    roots = roots_in(bound)
    including = [root for root in roots if _leads_to(root, path, bound)]
    above = [] if is_marked(bound) else _roots_above(bound)
    including = including or [root for root in above if _leads_to(root, path, root.parent)]
    # A document farther up that does not read the file is another's.
    near = roots or [root for root in above if root.parent == bound.parent]
    if including or near:
        return _choose(including or near, path.parent)
    # Nothing else in sight: what is there is read, and the draft says that the class is missing.
    return path


def _readable(path: Path, files: Files) -> str:
    try:
        text = files.read(path).text
    except FileNotFoundError:
        fix = "give the main .tex file of the project"
        with suppress(UnreadableInput, OSError):
            if roots := _roots_here(path.parent):
                fix = f"did you mean {_choose(roots, path.parent).name}?"
        raise UnreadableInput(f"{path} does not exist", fix) from None
    except OSError as error:
        raise unreadable(path, error) from error
    if "\0" in text[:4000]:
        raise UnreadableInput(f"{path} is not a text file", "give the main .tex file of the project")
    return text


def _is_root(text: str) -> bool:
    # The class may be in an included preamble, and the body in an included file.
    text = _bare(text)
    match = _CLASS.search(text)
    return match[2] != "subfiles" if match else BEGIN.search(text) is not None


def _with_body(roots: list[Path]) -> list[Path]:
    """Those of the roots that have the body themselves, if there are any: the others may be preambles."""
    return [root for root in roots if BEGIN.search(_bare(_head(root)))] or roots


def _bare(text: str) -> str:
    return replace_spans(without_comments(text), _VERBATIM, _closing, lambda _: "")


def _closing(match: re.Match[str]) -> re.Pattern[str]:
    return re.compile(rf"\\end\{{{match[1]}\*?\}}")


def _magic(path: Path, text: str) -> Path | None:
    head = "\n".join(text[:20_000].splitlines()[:40])
    match = _MAGIC.search(head)
    if match is None:
        return None
    return _named(path.parent, match[1].strip("\"' "), project_folder(path.parent))


def _subfile_parent(path: Path, text: str) -> Path | None:
    match = _CLASS.search(_bare(text))
    if match is None or match[2] != "subfiles" or not match[1]:
        return None
    return _named(path.parent, match[1].strip(), project_folder(path.parent))


def _named(folder: Path, name: str, bound: Path) -> Path | None:
    # The file that points to its root may lie beneath it: `../main.tex` is inside a marked project,
    # or else one that is itself a root.
    lookup = Folders(folder, bound).find(name.replace("\\", "/"), _SUFFIXES)
    if lookup.exists:
        return lookup.path
    if lookup.outside:
        for candidate in (folder / name, (folder / name).with_suffix(".tex")):
            root = Path(candidate).resolve()
            if root.is_file() and folder.resolve().is_relative_to(root.parent):
                return root
    return None


def configured_root(folder: Path, held: Mapping[Path, str] | None = None) -> Path | None:
    """The root that the project's settings name for a folder; `held` as in `find_root`.

    Raises WrongConfiguration for one that is not there.
    """
    bound = project_folder(folder)
    for here in (folder, *folder.parents):
        root = _toml_root(here, bound, held) or _latexmk_root(here, bound)
        if root is not None:
            return root
        if here == bound:
            break
    return None


def _toml_root(folder: Path, bound: Path, held: Mapping[Path, str] | None) -> Path | None:
    from citeplug.settings.project_toml import FILE, WrongConfiguration, read_root

    magic = read_root(folder, held)
    if magic is None:
        return None
    root, line = magic
    lookup = Folders(folder, bound).find(root, _SUFFIXES)
    if not lookup.exists:
        what = f"root = {root!r} does not exist in the project"
        raise WrongConfiguration(folder / FILE, line, what, "correct the key `root` there")
    return lookup.path


def _latexmk_root(folder: Path, bound: Path) -> Path | None:
    for name in ("latexmkrc", ".latexmkrc"):
        path = folder / name
        if not path.is_file():
            continue
        try:
            lines = [line.split("#")[0] for line in read_text(path).text.splitlines()]
        except OSError:
            continue
        match = _DEFAULT_FILES.search("\n".join(lines))
        for quoted in re.findall(r"['\"]([^'\"]+)['\"]|qw\s*[(/]\s*([^\s)/]+)", match.group() if match else ""):
            lookup = Folders(folder, bound).find(quoted[0] or quoted[1], _SUFFIXES)
            if lookup.exists:
                return lookup.path
    return None


def _root_of_folder(folder: Path, held: Mapping[Path, str] | None) -> Path:
    bound = project_folder(folder)
    configured = _toml_root(folder, bound, held) or _latexmk_root(folder, bound)
    if configured is not None:
        return configured
    roots = roots_in(folder)
    if not roots:
        raise UnreadableInput(f"no file in {folder} has a \\documentclass", "give the main .tex file of the project")
    return _choose(roots, folder)


def roots_in(folder: Path) -> list[Path]:
    """The root documents in a folder and those beneath it. Raises UnreadableInput if there are too many files."""
    try:
        files = [path for path in walk(folder, _is_passed_over) if path.name.lower().endswith(_SUFFIXES)]
    except TooMany as error:
        raise UnreadableInput(
            f"{folder} was not searched: {error.why}",
            "give the main .tex file itself, or name it as `root` in citeplug.toml",
        ) from error
    return _with_body(_roots_among(files, folder))


def _roots_above(folder: Path) -> list[Path]:
    """The roots in the nearest folder above that has any: a chapter often lies in a folder of its own."""
    for above in list(folder.parents)[:_MOST_FOLDERS_UP]:
        if above == Path.home() or above == Path(above.anchor):
            break
        with suppress(OSError):
            if roots := _roots_here(above):
                return roots
    return []


def _roots_here(folder: Path) -> list[Path]:
    """The roots in a folder, and none beneath it. Raises OSError."""
    files = [folder / name for name in names_in(folder) if name.lower().endswith(_SUFFIXES)]
    return _with_body(_roots_among(files, folder))


def _roots_among(files: list[Path], folder: Path) -> list[Path]:
    """Those of the files, in a folder or beneath it, that are roots; no link is followed out of it."""
    roots = []
    for path in files[:_MOST_FILES]:
        with suppress(OSError):
            if leads_inside(path, folder) and _is_root(_head(path)):
                roots.append(path)
    return roots


def _head(path: Path) -> str:
    return decode(read_beginning(path, _HEAD)).text


def _is_passed_over(folder: str) -> bool:
    return folder.startswith(".") or folder in _SKIPPED_FOLDERS


def _leads_to(root: Path, path: Path, bound: Path) -> bool:
    try:
        stream = Reader(Folders(root.parent, bound)).read(root)
    except OSError:
        return False
    wanted = path.resolve()
    return any(file.resolve() == wanted for file in stream.files)


def _choose(roots: list[Path], folder: Path) -> Path:
    """The one root that stands out: the only one, the nearest, the one with a usual name."""
    if len(roots) > 1:
        roots = [root for root in roots if not is_standalone(root)] or roots
    steps = {root: _distance(root.parent, folder) for root in roots}
    nearest = [root for root in roots if steps[root] == min(steps.values())]
    if len(nearest) == 1:
        return nearest[0]
    named = [root for name in USUAL_NAMES for root in nearest if root.stem.lower() == name]
    if named:
        return named[0]
    listed = ", ".join(str(root.relative_to(root.parent)) for root in nearest[:6])
    raise UnreadableInput(
        f"{len(nearest)} files in {nearest[0].parent} could be the main document: {listed}",
        "give the main .tex file itself, or name it as `root` in citeplug.toml",
    )


def is_standalone(path: Path) -> bool:
    """True for the root of a figure, a chapter, a letter or slides."""
    match = _CLASS.search(_bare(_head(path)))
    return match is not None and match[2] in ("standalone", "subfiles", "letter", "beamer")


def _distance(one: Path, other: Path) -> int:
    one, other = one.resolve(), other.resolve()
    common = 0
    for left, right in zip(one.parts, other.parts, strict=False):
        if left != right:
            break
        common += 1
    return len(one.parts) + len(other.parts) - 2 * common
