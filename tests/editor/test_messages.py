"""What the author is told: nothing in it is a link that others have made, and no failure is without words."""

import re
import shutil
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from citeplug.editor.messages import harmless
from tests.editor.editor import Editor, start
from tests.editor.test_generation import demo
from tests.editor.test_previews import ask

pytestmark = pytest.mark.asyncio(loop_scope="module")

# As VS Code finds links in notifications.
LINK = re.compile(r"\[[^\]]+\]\((?:https?://|command:|file:)[^)\s]+")
COMMAND = "[Mend it](command:workbench.action.quit)"


async def test_a_message_is_one_line_in_which_nothing_is_a_link() -> None:
    assert LINK.search(COMMAND)
    assert not LINK.search(harmless(f"a {COMMAND} b"))
    assert harmless("one\ntwo \x1b[31mred") == "one two red"
    assert harmless("[1] (see f(x)[2])") == "[1] (see f(x)[2])"


async def test_a_project_puts_no_link_into_what_is_told(own: Editor) -> None:
    folder = demo(own, "link-in-settings")
    (folder / "citeplug.toml").write_text(f'"{COMMAND}" = 1\n', "utf-8")
    result = await ask(own, "generate", folder, breadth=3)
    assert result["done"] is False and "Mend it" in result["message"]
    await own.until(lambda: any("Mend it" in each.message for each in own.client.messages))
    assert not any(LINK.search(each.message) for each in own.client.messages)


async def test_a_failure_of_the_disk_is_told_in_words(tmp_path: Path) -> None:
    def creates_nothing(capabilities: lsp.ClientCapabilities) -> None:
        assert capabilities.workspace is not None and capabilities.workspace.workspace_edit is not None
        capabilities.workspace.workspace_edit.resource_operations = None

    async with start(tmp_path, tmp_path / "home", change=creates_nothing) as editor:
        folder = demo(editor, "gone")
        shutil.rmtree(folder)
        result = await ask(editor, "choose", folder, arxiv_id="1706.03762", choice="pin")
        assert result["done"] is False and "citeplug.toml" in result["message"]
        assert not editor.applied
