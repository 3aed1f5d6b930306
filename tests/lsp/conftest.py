"""One server for the tests of a module: each works on a project of its own."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.lsp.editor import Editor, start


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def editor(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    async with start(tmp_path_factory.mktemp("workspace"), tmp_path_factory.mktemp("home")) as editor:
        yield editor
