"""Checks of the embedding model, the catalogue and its indexes. Nothing is written."""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from citeplug.doctor.checks import Result, hint, ok, problem, skipped
from citeplug.errors import CiteplugError
from citeplug.settings.environment import Settings

_FILL = "add papers: citeplug start"
_REPAIR = "run 'citeplug index verify', which repairs it"


def model(chosen: Settings, quick: bool) -> Iterator[Result]:
    """Check the embedding models: those that the user named are installed, the built-in weights are as published."""
    from citeplug.corpus.vectors.embedders import check_device, check_model

    if chosen.device:
        yield _check_setting("device", chosen.device, "CITEPLUG_DEVICE", check_device)
    if chosen.rescorer:
        yield _check_setting("rescorer", chosen.rescorer, "CITEPLUG_RESCORER", check_model)
    if chosen.embedder:
        yield _check_setting("model", chosen.embedder, "CITEPLUG_EMBEDDER", check_model)
        return
    from citeplug.corpus.vectors.minilm import REINSTALL, WEIGHTS_SHA256, model_folder

    weights = model_folder() / "model.safetensors"
    if not weights.is_file():
        yield problem("model", f"{weights} is not there", REINSTALL)
        return
    if not quick:
        with weights.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest != WEIGHTS_SHA256:
            yield problem("model", f"{weights} is not the published all-MiniLM-L6-v2", REINSTALL)
            return
    yield ok("model", f"all-MiniLM-L6-v2, weights {'present' if quick else 'as published'}")


def _check_setting(part: str, name: str, variable: str, check: Callable[[str], None]) -> Result:
    """Check that a model or device named in the environment variable is on this machine."""
    try:
        check(name)
    except CiteplugError as error:
        return problem(part, str(error), f"{error.hint}; or unset {variable}")
    return ok(part, f"{name}, from {variable}")


def catalogue(home: Path) -> Iterator[Result]:
    """Check that the catalogue can be read, and count its records."""
    file = home / "corpus" / "catalogue.sqlite3"
    if not file.exists():
        yield hint("catalogue", "there is no catalogue yet", _FILL)
        return
    try:
        with closing(_open(file)) as db:
            records = int(db.execute("SELECT count(*) FROM papers").fetchone()[0])
            newest = db.execute("SELECT max(published) FROM papers").fetchone()[0]
            vectors = int(db.execute("SELECT count(*) FROM vectors").fetchone()[0])
            graph = db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'edges'").fetchone()
            citations = int(db.execute("SELECT count(*) FROM edges").fetchone()[0]) if graph else 0
    except sqlite3.Error as error:
        yield problem("catalogue", f"{file} cannot be read: {error}", _REPAIR)
        return
    if not records:
        yield hint("catalogue", "the catalogue is empty", _FILL)
        return
    known = f"{vectors:,} of their texts embedded; {citations:,} citations between papers"
    yield ok("catalogue", f"{records:,} records, the newest of {newest}; {known}")


def lexical(home: Path) -> Iterator[Result]:
    """Open the lexical index as a search does, and count its records."""
    folder = home / "corpus" / "lexical"
    builds = sorted(path.parent for path in folder.glob("*/meta.json"))
    if not builds:
        yield skipped("lexical index", "not made yet; the first search makes it")
        return
    import tantivy

    try:
        count = max(tantivy.Index.open(str(build)).searcher().num_docs for build in builds)
    except (ValueError, OSError) as error:
        yield problem("lexical index", f"{folder} cannot be read: {error}", _REPAIR)
        return
    yield ok("lexical index", f"{count:,} records")


def vectors(chosen: Settings) -> Iterator[Result]:
    """Check the embedded Chroma store's database file, or that the Chroma server answers."""
    if chosen.chroma_url:
        yield from _server(chosen)
        return
    folder = chosen.home / "corpus" / "chroma"
    found = sorted(folder.glob("*/chroma.sqlite3"))
    if not found:
        yield skipped("vector store", "not made yet; the first search by meaning makes it")
        return
    for file in found:
        try:
            with closing(_open(file)) as db:
                damage = db.execute("PRAGMA quick_check(1)").fetchone()[0]
                collections = int(db.execute("SELECT count(*) FROM collections").fetchone()[0])
        except sqlite3.Error as error:
            damage, collections = str(error), 0
        if damage != "ok":
            yield problem("vector store", f"{file} is damaged: {damage}", _REPAIR)
            return
    yield ok(
        "vector store", f"{len(found)} in {folder}, {collections} collection{'s' * (collections != 1)} in the last"
    )


def full_texts(home: Path) -> Iterator[Result]:
    """Check the file of the full texts, and count them."""
    file = home / "fulltext" / "texts.sqlite3"
    if not file.is_file():
        yield skipped("full texts", "none yet; 'citeplug fetch' gets them")
        return
    yield from _texts("full texts", "papers", file, "move the file away, then run 'citeplug fetch' again")


def documents(home: Path) -> Iterator[Result]:
    """Check the file of the texts of files that were asked, and count them."""
    file = home / "documents" / "fulltext" / "texts.sqlite3"
    if not file.is_file():
        yield skipped("documents", "none yet; 'citeplug ask QUESTION FILES' reads them")
        return
    yield from _texts("documents", "files", file, "move the file away; files are read again when they are asked")


def _texts(part: str, of: str, file: Path, advice: str) -> Iterator[Result]:
    try:
        with closing(_open(file)) as db:
            damage = db.execute("PRAGMA quick_check(1)").fetchone()[0]
            papers = int(db.execute("SELECT count(DISTINCT paper) FROM texts").fetchone()[0])
            passages = int(db.execute("SELECT count(*) FROM passages").fetchone()[0])
    except sqlite3.Error as error:
        damage, papers, passages = str(error), 0, 0
    if damage == "ok":
        yield ok(part, f"of {papers:,} {of}, in {passages:,} passages")
    else:
        yield problem(part, f"{file} is damaged: {damage}", advice)


def _server(chosen: Settings) -> Iterator[Result]:
    import urllib.error
    import urllib.request

    from citeplug.settings.hosts import on_loopback, shown

    url = (chosen.chroma_url or "").rstrip("/")
    if chosen.offline and not on_loopback(url):
        yield skipped("vector store", f"the server at {shown(url)} was not checked: offline")
        return
    try:
        with urllib.request.urlopen(f"{url}/api/v2/heartbeat", timeout=4) as reply:  # an http(s) address, as checked
            reply.read(200)
    except urllib.error.HTTPError as error:
        yield hint(
            "vector store",
            f"the server at {shown(url)} answers with status {error.code}",
            "it may need CITEPLUG_CHROMA_TOKEN",
        )
        return
    except (OSError, ValueError) as error:
        yield problem(
            "vector store",
            f"the server at {shown(url)} does not answer: {error}",
            "start it, or unset CITEPLUG_CHROMA_URL",
        )
        return
    yield ok("vector store", f"the server at {shown(url)} answers")


def locks(home: Path) -> Iterator[Result]:
    """Report locks held by other citeplug processes: no fault, but another job may have to wait."""
    from filelock import FileLock, Timeout

    held: list[str] = []
    for path in [
        *home.glob("corpus/**/*.lock"),
        *home.glob("fulltext/*.lock"),
        *home.glob("locks/*.lock"),
        *home.glob("watchers/*.lock"),
    ]:
        lock = FileLock(path, timeout=0)
        try:
            lock.acquire()
            lock.release()
        except Timeout:
            held.append(f"{path.relative_to(home).as_posix()}{_holder(path)}")
        except OSError:
            continue
    if held:
        yield hint("locks", f"another citeplug process is writing: {', '.join(held)}", "wait for it, or stop it")
    else:
        yield ok("locks", "no other citeplug process is writing")


def _holder(lock: Path) -> str:
    try:
        return f" (process {int(lock.with_suffix('.pid').read_text(encoding='ascii'))})"
    except (OSError, ValueError):
        return ""


def _open(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=4)
