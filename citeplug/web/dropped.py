"""Files that a browser sends: kept in the user's data directory, and a draft among them opened as a zip is."""

import io
import secrets
import unicodedata
import zipfile
from collections.abc import Sequence
from pathlib import Path

from citeplug.errors import UsageError
from citeplug.files.atomic import telling_of
from citeplug.project.any_draft import is_latex
from citeplug.project.kept_zips import FOLDER, open_kept
from citeplug.project.zips import Archive
from citeplug.text.file_names import why_no_name

_TEXTS = (".pdf", ".md", ".txt", ".docx")
LIST_KINDS = (".bib", ".bbl", *_TEXTS)
DRAFT_KINDS = (".zip", ".tex", ".bib", ".bbl", ".sty", ".cls", ".bst", *_TEXTS)


def keep_files(files: Sequence[tuple[str, bytes]], folder: Path, kinds: Sequence[str]) -> list[Path]:
    """Write files into a new folder of the user's data directory, readable by the user alone. Raises UsageError.

    A browser may send any name: of one that is a path its last part counts.
    """
    paths: list[Path] = []
    for filename, _ in files:
        name = unicodedata.normalize("NFC", filename.replace("\\", "/").rpartition("/")[2])  # as zips are unpacked
        if why := why_no_name(name):
            raise UsageError(f"{name!r} {why}", "give it another name")
        if Path(name).suffix.lower() not in kinds:
            raise UsageError(f"{name} is of another kind", f"choose files like {', '.join(kinds)}")
        paths.append(folder / name)
    if not paths or len(set(paths)) < len(paths):
        raise UsageError("two files have one name" if paths else "nothing was chosen", "choose the files again")
    with telling_of(folder, at_home=True):
        folder.mkdir(parents=True, mode=0o700)
        for path, (_, data) in zip(paths, files, strict=True):
            path.write_bytes(data)
    return paths


def are_lists(files: Sequence[tuple[str, bytes]]) -> bool:
    """True for .bib and .bbl files alone, in which there is no draft."""
    return bool(files) and all(name.lower().endswith((".bib", ".bbl")) for name, _ in files)


def open_dropped(files: Sequence[tuple[str, bytes]], home: Path) -> tuple[Archive, Path]:
    """A draft that was sent, with the folder or file to review. Raises UsageError, and as `open_kept` does.

    A zip is a project; other files are packed into one, in which a LaTeX document, or else a text, is the draft.
    """
    folder = home / FOLDER / f"sent-{secrets.token_hex(8)}"  # goes with the others when it is old
    paths = keep_files(files, folder, DRAFT_KINDS)
    if [path.suffix.lower() for path in paths] == [".zip"]:
        return open_kept(paths[0], home)
    if any(path.suffix.lower() == ".zip" for path in paths):
        raise UsageError("a zip is a whole project", "open it alone, or open its files without it")
    drafts = [path for path in paths if path.suffix.lower() == ".tex"]
    drafts = drafts or [path for path in paths if not is_latex(path)]
    if not drafts:
        raise UsageError(
            "there is no draft among these files",
            "add its .tex file or PDF",
        )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in paths:  # of one date, so that the same files are the same zip, and go on where they ended
            archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes())
    whole = folder / f"{drafts[0].stem}.zip"
    whole.write_bytes(packed.getvalue())
    opened, place = open_kept(whole, home)
    return opened, place if drafts[0].suffix.lower() == ".tex" else place / drafts[0].name
