"""What the bibliography style of a draft says: the order in which it declares fields, and how many authors it prints.

How many it prints is asked of BibTeX, on names that say nothing: of 317 styles of TeX Live 68 cut a list, in a dozen
ways, and what one does is no pattern in its text.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from citeplug.errors import UnreadableInput
from citeplug.latex.bibfiles import find_in_tex
from citeplug.latex.folders import DISK, Files
from citeplug.records.draft import Draft

_STANDARD = frozenset(
    "address annote author booktitle chapter crossref edition editor howpublished institution journal key month note"
    " number organization pages publisher school series title type volume year".split()
)
_MOST_NAMES = 60  # no style prints more of a list that it cuts
_SECONDS = 10
_PROBE = "".join(
    f", {name} = {{X}}" for name in ("title", "journal", "booktitle", "publisher", "school", "institution")
)


@dataclass(frozen=True, slots=True)
class StyleFile:
    """A .bst file by its `name` without extension; `text` is decoded from `encoding`."""

    name: str
    text: str
    encoding: str
    _printed: dict[tuple[str, int, bool], str | None] = field(default_factory=dict, compare=False, repr=False)

    @property
    def order(self) -> tuple[str, ...]:
        """The fields in the order in which the style declares them; empty if that is only the alphabet's.

        That of 305 of TeX Live's 317 styles is, and nobody writes an entry in it.
        """
        declared = re.search(r"\bENTRY\s*\{([^{}]*)\}", re.sub(r"%.*", "", self.text), re.IGNORECASE)
        fields = declared[1].lower().split() if declared else []
        known = [name for name in fields if name in _STANDARD]
        return tuple(dict.fromkeys(fields)) if known != sorted(known) else ()

    def prints_alike(self, kind: str, printed: int, whole: int) -> bool:
        """Return True if a list of `whole` authors is printed like its first `printed` and `others`, by BibTeX."""
        cut = self._print(kind, printed, others=True)
        return cut is not None and cut == self._print(kind, min(whole, _MOST_NAMES), others=False)

    def shown_of(self, kind: str, whole: int) -> int | None:
        """The number of names that are printed of `whole` ones; None without BibTeX."""
        printed = self._print(kind, min(whole, _MOST_NAMES), others=False)
        if printed is None:
            return None
        shown = sum(name.lower() in printed.lower() for name in _names(min(whole, _MOST_NAMES)))
        return whole if shown >= _MOST_NAMES else shown

    def _print(self, kind: str, names: int, *, others: bool) -> str | None:
        key = (kind.lower(), names, others)
        if key not in self._printed:
            people = " and ".join([*(f"{name}, Ann" for name in _names(names)), *(["others"] if others else [])])
            self._printed[key] = self._run(f"@{key[0]}{{k, author = {{{people}}}{_PROBE}, year = 2020}}\n")
        return self._printed[key]

    def _run(self, entry: str) -> str | None:
        """Return what BibTeX prints for an entry, without its label; None if there is no BibTeX, or it fails."""
        program = shutil.which("bibtex")
        if program is None:
            return None
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "style.bst").write_bytes(self.text.encode(self.encoding, "replace"))
            (folder / "x.bib").write_text(entry, "ascii")
            (folder / "x.aux").write_text("\\relax\n\\citation{k}\n\\bibstyle{style}\n\\bibdata{x}\n", "ascii")
            command = [program, "x"]
            if sys.platform != "win32":  # a style that somebody else wrote may print for ever
                command = ["sh", "-c", 'ulimit -f 2048; exec "$0" x', program]
            try:
                subprocess.run(
                    command, cwd=folder, capture_output=True, timeout=_SECONDS, check=False, stdin=subprocess.DEVNULL
                )
                printed = (folder / "x.bbl").read_bytes()[: 2**20].decode("utf-8", "replace")
            except (OSError, subprocess.TimeoutExpired):
                return None
        item = re.search(r"\{k\}(.*)", printed, re.DOTALL)
        return " ".join(item[1].split()) if item else None


def _names(count: int) -> list[str]:
    """Return names of which none is part of another."""
    return [f"Q{chr(97 + number // 26)}{chr(97 + number % 26)}zx" for number in range(count)]


def style_of(draft: Draft | None, files: Files = DISK) -> StyleFile | None:
    """Return the .bst file of a draft: its own beside it, else TeX's; None if there is none to be found."""
    if draft is None or draft.bib_engine == "biber" or not draft.bib_style:
        return None
    folder = draft.root.parent
    name = draft.bib_style.strip().removesuffix(".bst")
    own = folder / f"{name}.bst"
    path = own if own.is_file() and own.resolve().is_relative_to(folder.resolve()) else None
    path = path or find_in_tex(f"{name}.bst", folder, "bst")
    if path is None:
        return None
    try:
        decoded = files.read(path)
    except (OSError, UnreadableInput):
        return None
    return StyleFile(path.stem, decoded.text, decoded.encoding)
