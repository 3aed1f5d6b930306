from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from citeplug.settings.environment import Settings
from citeplug.sources.arxiv import ArxivSource
from tests.harness.arxiv_server import ArxivServer, FastClock

Open = Callable[..., ArxivSource]


@pytest.fixture
def server() -> Iterator[ArxivServer]:
    with ArxivServer().serve() as running:
        yield running


@pytest.fixture
def clock() -> FastClock:
    return FastClock()


@pytest.fixture
def open_source(server: ArxivServer, clock: FastClock, tmp_path: Path) -> Open:
    """Opens sources on the test server; keyword arguments are fields of `Settings`, or `patience`."""

    def opened(patience: Any = None, **changes: Any) -> ArxivSource:
        settings = replace(Settings(tmp_path / "home", server.url, arxiv_delay=0.0), **changes)
        return ArxivSource(settings, patience=patience, clock=clock)

    return opened


@pytest.fixture
def source(open_source: Open) -> ArxivSource:
    return open_source()
