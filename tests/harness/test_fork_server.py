"""A command that is forked is, for whoever started it, the command that a shell starts."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.forked_processes import WORTH_A_SERVER, fork_commands

CASES = {
    "done": ["citeplug", "--version"],
    "wrong usage": ["citeplug", "rleated"],
    "unreadable input": ["citeplug", "draft", "nothing.tex"],
    "a module that only returns": ["tests.harness.nothing"],
}

pytestmark = pytest.mark.slow


def ended(words: list[str]) -> tuple[int, bytes, bytes]:
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-m", *words], cwd=root, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="commands are forked on Linux alone")
@pytest.mark.parametrize("words", CASES.values(), ids=list(CASES))
def test_it_ends_and_says_what_the_real_one_does(words: list[str]) -> None:
    for _ in range(WORTH_A_SERVER):
        ended(CASES["done"])
    forked = ended(words)
    fork_commands(False)
    assert ended(words) == forked
