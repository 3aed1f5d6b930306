"""A paper's text from LaTeX: the files of a source, or a document of the author's own."""

import json
import re
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from citeplug.bibtex.reference_list import merged, read_bbl, read_list
from citeplug.corpus.fulltext.sections import Builder
from citeplug.errors import Unfit, UnreadableInput
from citeplug.files.decode import decode
from citeplug.files.project_files import leads_inside, read_bytes
from citeplug.latex.full_text import PARTS_MISSING, WrittenText, read_full_text
from citeplug.latex.roots import USUAL_NAMES, is_standalone, roots_in
from citeplug.records.passage import Mention, ReadText, Reference
from citeplug.text.cleaning import plain
from citeplug.text.file_names import is_device

_SUFFIXES = (".tex", ".ltx", ".latex")
_FEW = 30  # words; a text of fewer is a sign that its parts are missing
_TOLD = 3  # findings of a kind that are named


def read_source(files: Mapping[str, bytes]) -> ReadText:
    """Read the files of a source, by their names in it. Raises Unfit without a main file, or one with text."""
    with tempfile.TemporaryDirectory(prefix="citeplug-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        for path, content in files.items():
            if any(map(is_device, PurePosixPath(path).parts)):
                continue
            place = folder / PurePosixPath(path)
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
            except (FileExistsError, NotADirectoryError, IsADirectoryError):
                continue  # a file and a folder of one name: the first counts
        main, others = _main_file(folder)
        doubts = []
        if others:
            also = ", ".join(path.relative_to(folder).as_posix() for path in others[:_TOLD])
            shown = main.relative_to(folder).as_posix()
            doubts.append(("full_text_partial", f"{shown} was read of {len(others) + 1} main files; not read: {also}"))
        return _as_read(main, doubts, within=folder)


def read_document(main: Path) -> ReadText:
    """Read a LaTeX document of the author's own. Raises Unfit if it cannot be read."""
    return _as_read(main, [], within=main.parent)


def _as_read(main: Path, doubts: list[tuple[str, str]], within: Path) -> ReadText:
    try:
        written = read_full_text(main)
    except UnreadableInput as error:
        raise Unfit("unreadable", str(error), error.hint) from None
    builder = Builder()
    for section in written.sections:
        builder.head(section.level, section.title, section.place)
        for paragraph in (*section.text.split("\n\n"), *section.rows):
            builder.paragraph(paragraph)
        for caption in section.captions:
            builder.paragraph(caption, caption=True)
    read = ReadText(plain(written.title), builder.sections(), tuple(_references(main, written, within)))
    if read.words < _FEW:
        raise Unfit("no_text", "there is no text in its source")
    counts = Counter(finding.code for finding in written.findings if finding.code in PARTS_MISSING)
    for code, count in counts.items():
        told = [finding.message for finding in written.findings if finding.code == code][:_TOLD]
        more = f", and {count - len(told)} more" if count > len(told) else ""
        doubts.append(("full_text_partial", "; ".join(told) + more))
    mentions = tuple(
        Mention(mention.keys, plain(mention.section), plain(mention.sentence)) for mention in written.mentions
    )
    return replace(read, doubts=tuple(doubts), mentions=mentions)


def _references(main: Path, written: WrittenText, within: Path) -> list[Reference]:
    """The printed list: in the text, else in the .bbl of the main file, else in the only ones that there are.

    Without any, what the text cites of its .bib files.
    """
    lists = [read_bbl(text) for text in written.lists]
    if not any(lists):
        own = main.with_suffix(".bbl")
        bbl_files = [own] if own.is_file() else sorted(main.parent.glob("*.bbl"))[:20]
        for path in bbl_files:
            if leads_inside(path, within):
                try:
                    lists.append(read_bbl(decode(read_bytes(path)).text))
                except OSError:
                    continue
    return merged(lists) if any(lists) else _of_bib_files(main, written, within)


def _of_bib_files(main: Path, written: WrittenText, within: Path) -> list[Reference]:
    cited = {key for mention in written.mentions for key in mention.keys}
    lists = []
    for path in sorted(main.parent.glob("*.bib"))[:20]:
        if cited and leads_inside(path, within):
            try:
                lists.append(
                    [
                        reference
                        for reference in read_list(decode(read_bytes(path)).text, path)
                        if reference.key in cited
                    ]
                )
            except OSError:
                continue
    return merged(lists)


def _main_file(folder: Path) -> tuple[Path, list[Path]]:
    """The main file of a source, and those that could be as well. Raises Unfit if there is none."""
    roots = roots_in(folder)
    roots = [root for root in roots if not is_standalone(root)] or roots
    named = _named_first(folder, roots)
    if named is not None:
        return named, []
    if not roots:
        texts = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in _SUFFIXES and path.is_file()]
        if not texts:
            raise Unfit("no_main_file", "its source has no LaTeX")
        # Plain TeX has no \documentclass; a source of one file is that file.
        ends = [path for path in texts if re.search(rb"\\(?:bye|end)(?![A-Za-z])", path.read_bytes())]
        if len(texts) > 1 and len(ends) != 1:
            raise Unfit("no_main_file", f"its source has {len(texts)} LaTeX files, and none of them is a main file")
        return (ends or texts)[0], []
    if len(roots) == 1:
        return roots[0], []
    best = max(roots, key=lambda path: _likelihood(path, folder))
    return best, [path for path in roots if path != best]


def _likelihood(path: Path, folder: Path) -> tuple[bool, bool, bool, int]:
    """How likely a main file is the paper itself and not its supplement or cover letter."""
    return (
        path.parent == folder,
        path.with_suffix(".bbl").is_file(),
        path.stem.lower() in USUAL_NAMES,
        path.stat().st_size,
    )


def _named_first(folder: Path, roots: list[Path]) -> Path | None:
    """The main file that arXiv's 00README names."""
    for readme in sorted(folder.glob("00[Rr][Ee][Aa][Dd][Mm][Ee]*")):
        text = decode(readme.read_bytes()[:100_000]).text
        names = re.findall(r"^(\S+)\s+toplevelfile\b", text, re.MULTILINE)
        try:
            sources = json.loads(text)["sources"]
            names += [str(source["filename"]) for source in sources if source.get("usage") == "toplevel"]
        except (ValueError, KeyError, TypeError, AttributeError):
            pass
        main = next((root for name in names for root in roots if root == folder / name), None)
        if main is not None:
            return main
    return None
