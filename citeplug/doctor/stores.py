"""Checks of the embedding model, the catalogue and its indexes. Nothing is written."""

import hashlib
import sqlite3
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

from citeplug.doctor.checks import Result, hint, ok, problem, skipped
from citeplug.errors import CiteplugError, StoreBroken
from citeplug.settings.environment import Settings
from citeplug.settings.hosts import on_loopback, shown

_FILL = "add papers: citeplug start"
_REPAIR = "run 'citeplug index verify', which repairs it"


def setting(name: str | None, variable: str) -> Result | None:
    """Check that a model or device named in the environment variable is on this machine."""
    from citeplug.corpus.vectors.embedders import check_device, check_model

    if not name:
        return None
    try:
        (check_device if variable == "CITEPLUG_DEVICE" else check_model)(name)
    except CiteplugError as error:
        return problem(str(error), f"{error.hint}; or unset {variable}")
    return ok(f"{name}, from {variable}")


def model(settings: Settings, quick: bool) -> Result | None:
    """Check the embedding model: one that the user named is installed, the built-in weights are as published."""
    from citeplug.corpus.vectors.minilm import REINSTALL, WEIGHTS_SHA256, model_folder

    if settings.embedder:
        return setting(settings.embedder, "CITEPLUG_EMBEDDER")
    weights = model_folder() / "model.safetensors"
    if not weights.is_file():
        return problem(f"{weights} is missing", REINSTALL)
    if not quick:
        with weights.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest != WEIGHTS_SHA256:
            return problem(f"{weights} is not the published all-MiniLM-L6-v2", REINSTALL)
    return ok(f"all-MiniLM-L6-v2, weights {'present' if quick else 'as published'}")


def catalogue(home: Path) -> Result:
    """Check that the catalogue can be read, and count its records."""
    file = home / "corpus" / "catalogue.sqlite3"
    if not file.exists():
        return hint("there is no catalogue yet", _FILL)
    records, newest, vectors, graph = _values(
        file,
        "cannot be read",
        _REPAIR,
        "SELECT count(*) FROM papers",
        "SELECT max(published) FROM papers",
        "SELECT count(*) FROM vectors",
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'edges'",
    )
    if not records:
        return hint("the catalogue is empty", _FILL)
    (citations,) = _values(file, "cannot be read", _REPAIR, "SELECT count(*) FROM edges") if graph else (0,)
    known = f"{vectors:,} of their texts embedded; {citations:,} citations between papers"
    return ok(f"{records:,} records, the newest of {newest}; {known}")


def lexical(home: Path) -> Result:
    """Open the lexical index as a search does, and count its records."""
    folder = home / "corpus" / "lexical"
    builds = sorted(path.parent for path in folder.glob("*/meta.json"))
    if not builds:
        return skipped("not made yet; the first search makes it")
    import tantivy

    try:
        count = max(tantivy.Index.open(str(build)).searcher().num_docs for build in builds)
    except (ValueError, OSError) as error:
        return problem(f"{folder} cannot be read: {error}", _REPAIR)
    return ok(f"{count:,} records")


def vectors(settings: Settings) -> Result:
    """Check the embedded Chroma store's database file, or that the Chroma server answers."""
    if settings.chroma_url:
        return _server(settings.chroma_url.rstrip("/"), settings.offline)
    folder = settings.home / "corpus" / "chroma"
    files = sorted(folder.glob("*/chroma.sqlite3"))
    if not files:
        return skipped("not made yet; the first search by meaning makes it")
    count = "SELECT count(*) FROM collections"
    collections = [_values(file, "is damaged", _REPAIR, count, sound=True)[0] for file in files][-1]
    return ok(f"{len(files)} in {folder}, {collections} collection{'s' * (collections != 1)} in the last")


def full_texts(home: Path) -> Result:
    """Check the file of the full texts, and count them."""
    advice = "move the file away, then run 'citeplug fetch' again"
    return _texts(home, "papers", "none yet; 'citeplug fetch' gets them", advice)


def documents(home: Path) -> Result:
    """Check the file of the texts of files that were asked, and count them."""
    advice = "move the file away; files are read again when they are asked"
    return _texts(home / "documents", "files", "none yet; 'citeplug ask QUESTION FILES' reads them", advice)


def _texts(folder: Path, kind: str, none: str, advice: str) -> Result:
    file = folder / "fulltext" / "texts.sqlite3"
    if not file.is_file():
        return skipped(none)
    counts = "SELECT count(DISTINCT paper) FROM texts", "SELECT count(*) FROM passages"
    papers, passages = _values(file, "is damaged", advice, *counts, sound=True)
    return ok(f"of {papers:,} {kind}, in {passages:,} passages") if papers else skipped(none)


def _server(url: str, offline: bool) -> Result:

    server = f"the server at {shown(url)}"
    if offline and not on_loopback(url):
        return skipped(f"{server} was not checked: offline")
    try:
        with urllib.request.urlopen(f"{url}/api/v2/heartbeat", timeout=4) as reply:  # an http(s) address, as checked
            reply.read(200)
    except urllib.error.HTTPError as error:
        return hint(f"{server} answers with status {error.code}", "it may need CITEPLUG_CHROMA_TOKEN")
    except (OSError, ValueError) as error:
        return problem(f"{server} does not answer: {error}", "start it, or unset CITEPLUG_CHROMA_URL")
    return ok(f"{server} answers")


def _values(file: Path, trouble: str, advice: str, *queries: str, sound: bool = False) -> list[Any]:
    """The value of each query; with `sound` the file is checked before. Raises StoreBroken, with this advice.

    Also for a file of a newer citeplug: all stores of this one have the catalogue's number, and Chroma's has none.
    """
    from citeplug.corpus.database import Database, made_by_newer

    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=4)) as db:
            if db.execute("PRAGMA user_version").fetchone()[0] > Database.schema:
                raise made_by_newer(file)
            damage = db.execute("PRAGMA quick_check(1)").fetchone()[0] if sound else "ok"
            if damage == "ok":
                return [db.execute(query).fetchone()[0] for query in queries]
    except sqlite3.Error as error:
        damage = str(error)
    raise StoreBroken(f"{file} {trouble}: {damage}", advice)
