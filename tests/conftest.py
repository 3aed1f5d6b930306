"""What every test stands on: no network, a home of its own, and no silent skip in CI."""

import gc
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.harness.arxiv_server import ArxivServer
from tests.harness.forked_processes import fork_commands

# Before any import of citeplug's dependencies: a test never reaches out.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.pop("CITEPLUG_OFFLINE", None)

# The command is started thousands of times: its modules are compiled for the first of them alone.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell that starts the tests in the background has them, and all that they start, ignore interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same cases every time in CI, so that a red run can be repeated; new cases on a developer's machine.
# CITEPLUG_LONG is the number of examples of a long run.
EXAMPLES = int(os.environ.get("CITEPLUG_LONG") or 30)
settings.register_profile("ci", max_examples=EXAMPLES, derandomize=True, deadline=None)
settings.register_profile("local", max_examples=EXAMPLES, deadline=None)
settings.load_profile("local" if os.environ.get("CITEPLUG_NO_SKIP", "0") in ("", "0") else "ci")

ALLOWED_SKIPS = ("shared_data", "optional")

# Rooms whose tests start an editor, a server, TeX or git, or whole runs of the command, the longest first. They are
# marked slow, which `make test-fast` leaves out, and begin before all others, so that no process waits for the last.
SLOW_ROOMS = (
    "vscode",
    "editor",
    "sync/watch",
    "web",
    "e2e",
    "typeset",
    "sync/overleaf",
    "torture",
    "sources",
    "llm",
    "corpus/vectors",
    "doctor",
)


def pytest_collection_finish() -> None:
    """Thousands of tests are never garbage: without this each collection of it would look at all of them."""
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    order: dict[pytest.Item, int] = {}
    for item in items:
        room = item.path.parent.relative_to(here).as_posix()
        found = (n for n, slow in enumerate(SLOW_ROOMS) if room == slow or room.startswith(f"{slow}/"))
        order[item] = next(found, len(SLOW_ROOMS))
        if order[item] < len(SLOW_ROOMS):
            item.add_marker("slow")
    items.sort(key=order.__getitem__)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Start each command of a test marked `own_interpreter` as a shell does. (A fixture would take longer for all.)"""
    fork_commands(item.get_closest_marker("own_interpreter") is None)


@pytest.fixture(autouse=True)
def fresh_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The data directory of a test: none reads or writes the user's catalogue, and none asks arXiv itself."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("CITEPLUG_HOME", str(home))
    # A closed port on loopback: a test that forgets its own server fails at once, and sends nothing out.
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", "http://127.0.0.1:9/api/query")
    monkeypatch.setenv("CITEPLUG_OAI_URL", "http://127.0.0.1:9/oai")
    monkeypatch.setenv("CITEPLUG_EPRINT_URL", "http://127.0.0.1:9/e-print")
    monkeypatch.setenv("CITEPLUG_PDF_URL", "http://127.0.0.1:9/pdf")
    monkeypatch.setenv("CITEPLUG_ARXIV_DELAY", "0")
    # Nor does any test send a draft to a language model, or use a key that lies about.
    for variable in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    for service in ("CROSSREF", "OPENALEX", "DBLP", "SEMANTICSCHOLAR", "ZOTERO"):
        monkeypatch.setenv(f"CITEPLUG_{service}_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("CITEPLUG_SOURCES_DELAY", "0")
    chosen = ("EMBEDDER", "RESCORER", "DEVICE", "CHROMA_URL", "MAILTO")
    for name in (*(f"CITEPLUG_{name}" for name in chosen), "OPENALEX_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    yield home
    shutil.rmtree(home, ignore_errors=True)  # there are thousands of tests


@pytest.fixture(scope="session")
def library_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's data directory with the demo's library taken in, and embedded once for all copies of it."""
    import citeplug.demo
    from citeplug.corpus.stores import open_corpus, settings
    from citeplug.corpus.vectors.background import EmbedRequest

    home = tmp_path_factory.mktemp("library-home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CITEPLUG_HOME", str(home))
        with open_corpus(settings(offline=True)) as corpus:
            corpus.add([Path(citeplug.demo.__file__).parent / "library.jsonl"], complete=False)
            corpus.embed_rest(EmbedRequest())
    return home


@pytest.fixture
def shared_data() -> Path:
    """The folder of real data beside the project; the test is skipped where it is not there."""
    folder = Path(__file__).resolve().parents[1].parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real data set is not beside the project")
    return folder


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):  # type: ignore[no-untyped-def]
    """With CITEPLUG_NO_SKIP=1 a skip is a failure, save for the marks that may be skipped."""
    outcome = yield
    report = outcome.get_result()
    if not report.skipped or hasattr(report, "wasxfail") or os.environ.get("CITEPLUG_NO_SKIP", "0") in ("", "0"):
        return
    if any(item.get_closest_marker(mark) for mark in ALLOWED_SKIPS):
        return
    report.outcome = "failed"
    report.longrepr = f"skipped, and CITEPLUG_NO_SKIP is set: {report.longrepr}"


@pytest.fixture
def arxiv_server() -> Iterator[ArxivServer]:
    """A server on loopback that speaks the arXiv API and knows no papers yet."""
    with ArxivServer().serve() as server:
        yield server
