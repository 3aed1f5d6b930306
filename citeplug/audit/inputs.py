"""What an audit depends on: it is out of date once one of these is another."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from citeplug.corpus.stores import open_corpus
from citeplug.latex.project import find_root, read_draft
from citeplug.project.author_files import bytes_or_none
from citeplug.settings.environment import Settings
from citeplug.settings.project_toml import find_configuration


def audit_inputs(main: Path, settings: Settings) -> Mapping[str, object]:
    """Values that are other ones when the draft, its bibliography, its settings or the catalogue have changed.

    Raises UnreadableInput without a main file, StoreBroken.
    """
    draft = read_draft(find_root(main))
    folder = draft.root.parent
    with open_corpus(settings) as corpus:
        records = corpus.records, corpus.last_change
    return {
        "the draft": _digest(folder / name for name in draft.files),
        "the bibliography": _digest(draft.bib_files),
        "the settings": _digest(filter(None, [find_configuration(folder)])),
        "the catalogue": records,
    }


def _digest(files: Iterable[Path]) -> str:
    digest = sha256()
    for file in files:
        data = bytes_or_none(file)
        digest.update(f"{file}\0{'none' if data is None else len(data)}\0".encode("utf-8", "replace") + (data or b""))
    return digest.hexdigest()
