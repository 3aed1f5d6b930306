"""The .bib files that Better BibTeX keeps exporting from Zotero: a change of one would be undone, so none is made."""

import os
import re
from pathlib import Path
from urllib.parse import unquote

from citeplug.errors import UsageError

_PREFERENCE = re.compile(r'user_pref\("extensions\.zotero\.translators\.better-bibtex\.autoExport\.([^"\s]+)"')
_PROFILES = (".zotero/zotero", "Library/Application Support/Zotero/Profiles", "snap/zotero-snap/common/.zotero/zotero",
             ".var/app/org.zotero.Zotero/.zotero/zotero")  # fmt: skip


def is_exported(path: Path) -> bool:
    """True if Zotero's own settings name the file as one that is exported again after every change."""
    path = path.resolve()
    return any(path == exported.resolve() for exported in _exported())


def need_own(path: Path) -> None:
    """Raise UsageError if the file is exported from Zotero."""
    if is_exported(path):
        raise UsageError(
            f"{path.name} is exported from Zotero by Better BibTeX, which would undo a change; nothing was written",
            "change the entry in Zotero; 'citeplug library save ID --collection NAME' saves a paper there",
        )


def _exported() -> list[Path]:
    folders = [Path.home() / profiles for profiles in _PROFILES]
    if roaming := os.environ.get("APPDATA"):
        folders.append(Path(roaming, "Zotero", "Zotero", "Profiles"))
    paths: list[Path] = []
    for preferences in (file for folder in folders for file in folder.glob("*/prefs.js")):
        try:
            text = preferences.read_text("utf-8", "replace")
        except OSError:
            continue
        paths += [Path(unquote(name)) for name in _PREFERENCE.findall(text)]
    return paths
