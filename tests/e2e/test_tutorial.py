"""docs/tutorial.md, followed as a reader would: in an empty folder, without papers and without a network."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.md"
STEP = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)  # a command, and what the page shows of its output
# The page's only edit by hand: step 6 takes this paper out of the plan.
TAKEN_OUT = ", 1906.11994"


@pytest.mark.slow
@pytest.mark.own_interpreter
def test_each_step_of_the_tutorial_prints_what_the_page_shows(tmp_path: Path) -> None:
    text = TUTORIAL.read_text("utf-8")
    env = {**os.environ, "CITEPLUG_HOME": str(tmp_path / "home"), "CITEPLUG_ARXIV_URL": "http://127.0.0.1:9"}
    folder = tmp_path
    sections = 0
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for command, shown in STEP.findall(block):
            program, *words = shlex.split(command)
            if program == "cd":
                folder = folder / words[0]
                continue
            if words[0] == "related":
                sections += 1
                if sections == 2:
                    section = folder / "related.tex"
                    plan = section.read_text("utf-8")
                    assert f"`{TAKEN_OUT}`" in text and plan.count(TAKEN_OUT) == 1
                    section.write_text(plan.replace(TAKEN_OUT, ""), "utf-8")
            done = subprocess.run(
                [sys.executable, "-m", "citeplug", *words],
                cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False,
            )  # fmt: skip
            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
            printed = flat(done.stdout + done.stderr)
            for part in re.split(r"^\.\.\.$| \.\.\.$", shown, flags=re.MULTILINE):
                assert flat(part) in printed, f"{command}\n{printed}"
    assert "\\input{related}" in (folder / "main.tex").read_text("utf-8")


def flat(text: str) -> str:
    """In one line: the page folds long ones."""
    return " ".join(text.split())
