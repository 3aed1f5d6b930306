"""Projects for the tests: several files at once, written where the test runs."""

from pathlib import Path

from citeplug.latex.project import read_draft
from citeplug.records.draft import Draft


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Write the files, by name relative to the folder; returns the first one's path."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return folder / next(iter(files))


def article(body: str, preamble: str = "") -> str:
    """An article with this body."""
    return f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def read(folder: Path, body: str, preamble: str = "", files: dict[str, str | bytes] | None = None) -> Draft:
    """Read an article with this body, with these files beside it."""
    return read_draft(write(folder, {"main.tex": article(body, preamble), **(files or {})}))


def keys(draft: Draft) -> list[str]:
    """All cited keys, in reading order."""
    return [key for cite in draft.cites for key in cite.keys]


def codes(draft: Draft) -> set[str]:
    """The codes of the draft's findings, without those of a title or abstract that a test does not have."""
    return {finding.code for finding in draft.findings} - {"no_title", "no_abstract"}


def spanned(draft: Draft, number: int = 0) -> str:
    """What stands in the file where the citation's span says."""
    span = draft.cites[number].span
    return span.file.read_bytes().decode("utf-8")[span.start : span.end]
