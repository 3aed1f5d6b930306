"""The pre-commit hook and the GitHub Action, read from their files and run as those programs run them."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
RIGHT = "@article{a, author = {A B}, title = {A Title}, journal = {J}, year = {2000}}\n"
WRONG = RIGHT.replace("{A Title}", "{A & B}")


def load(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text("utf-8"))


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    """What a program of a user has, with this interpreter's `citeplug` first in the path."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path, "CITEPLUG_HOME": str(tmp_path / "home"), **more}


def hook(name: str = "citeplug-check") -> dict[str, Any]:
    (found,) = [each for each in load(".pre-commit-hooks.yaml") if each["id"] == name]
    assert isinstance(found, dict)
    return found


def test_the_hook_takes_bib_files_and_asks_nobody() -> None:
    assert hook()["id"] == "citeplug-check"
    assert re.search(hook()["files"], "paper/refs.bib")
    assert not re.search(hook()["files"], "paper/refs.bibtex.txt")
    assert "--offline" in shlex.split(hook()["entry"])


@pytest.mark.parametrize(("text", "code"), [(RIGHT, 0), (WRONG, 1)])
def test_the_entry_of_the_hook_stops_a_commit_of_what_breaks(tmp_path: Path, text: str, code: int) -> None:
    (tmp_path / "one.bib").write_text(RIGHT, "utf-8")
    (tmp_path / "two.bib").write_text(text, "utf-8")
    command = [*shlex.split(hook()["entry"]), "one.bib", "two.bib"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert ("two.bib:1: error" in done.stdout) == bool(code)


@pytest.mark.skipif(
    shutil.which("pre-commit") is None or shutil.which("git") is None, reason="pre-commit is not installed"
)
@pytest.mark.optional
def test_pre_commit_runs_the_hook_in_a_real_repository(tmp_path: Path) -> None:
    # `language: python` would build an environment with every dependency; the command and the files are the same.
    local = {"repo": "local", "hooks": [{**hook(), "language": "system"}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [local]}), "utf-8")
    (tmp_path / "refs.bib").write_text(WRONG, "utf-8")
    (tmp_path / "notes.txt").write_text(WRONG, "utf-8")
    env = environment(tmp_path, PRE_COMMIT_HOME=str(tmp_path / "pre-commit"))

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

    assert run("git", "init", "-q").returncode == 0
    assert run("git", "add", ".pre-commit-config.yaml", "refs.bib", "notes.txt").returncode == 0
    done = run("pre-commit", "run", "--all-files")
    assert done.returncode == 1
    assert "refs.bib:1: error" in done.stdout
    assert "notes.txt" not in done.stdout
    (tmp_path / "refs.bib").write_text(RIGHT, "utf-8")
    run("git", "add", "refs.bib")
    assert run("pre-commit", "run", "--all-files").returncode == 0


@pytest.fixture
def action() -> dict[str, Any]:
    found = load(".github/actions/check/action.yml")
    assert isinstance(found, dict)
    return found


def run_step(tmp_path: Path, action: dict[str, Any], **inputs: str) -> tuple[subprocess.CompletedProcess[str], str]:
    """Run the script of the step `check` as GitHub does, with its inputs; returns it and the outputs file."""
    (step,) = [step for step in action["runs"]["steps"] if step.get("id") == "check"]
    values = {name: str(each.get("default", "")) for name, each in action["inputs"].items()}
    values |= {name.replace("_", "-"): value for name, value in inputs.items()}
    given = {name: _filled(str(value), values, tmp_path) for name, value in step["env"].items()}
    script, output = tmp_path / "step.sh", tmp_path / "output"
    script.write_bytes(step["run"].encode())
    output.touch()
    env = environment(
        tmp_path, **given, GITHUB_OUTPUT=str(output), GITHUB_WORKSPACE=str(tmp_path), GITHUB_ACTIONS="true"
    )
    bash = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
    done = subprocess.run(bash, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    return done, output.read_text("utf-8")


def _filled(value: str, inputs: dict[str, str], temp: Path) -> str:
    value = re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: inputs[match[1]], value)
    return value.replace("${{ runner.temp }}", str(temp / "runner"))


needs_bash = pytest.mark.skipif(shutil.which("bash") is None or sys.platform == "win32", reason="bash is not installed")


@needs_bash
def test_the_action_annotates_what_it_finds_and_writes_sarif(tmp_path: Path, action: dict[str, Any]) -> None:
    (tmp_path / "my refs.bib").write_text(WRONG, "utf-8")
    done, output = run_step(tmp_path, action, files="my refs.bib\n", options="--offline", sarif="out.sarif")
    assert done.returncode == 1, done.stderr
    assert "::error file=my refs.bib,line=1," in done.stdout
    assert output == "exit-code=1\n"
    log = yaml.safe_load((tmp_path / "out.sarif").read_text("utf-8"))
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["raw_special"]


@needs_bash
def test_the_action_passes_what_is_right_and_takes_the_only_file(tmp_path: Path, action: dict[str, Any]) -> None:
    (tmp_path / "refs.bib").write_text(RIGHT, "utf-8")
    done, output = run_step(tmp_path, action, options="--offline", fail_on="warning")
    assert (done.returncode, output) == (0, "exit-code=0\n"), done.stderr


DRAFT = r"\documentclass{article}\begin{document}As shown \cite{a}.\bibliography{refs}\end{document}"


@pytest.mark.parametrize(("text", "code"), [(RIGHT, 0), (WRONG, 1)])
def test_the_hook_of_the_audit_takes_the_main_file_from_its_arguments(tmp_path: Path, text: str, code: int) -> None:
    found = hook("citeplug-audit")
    assert found["pass_filenames"] is False and re.search(found["files"], "paper/main.tex")
    (tmp_path / "main.tex").write_text(DRAFT, "utf-8")
    (tmp_path / "refs.bib").write_text(text, "utf-8")
    command = [*shlex.split(found["entry"]), "main.tex"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr


@needs_bash
def test_the_action_audits_a_draft(tmp_path: Path, action: dict[str, Any]) -> None:
    (tmp_path / "main.tex").write_text(DRAFT, "utf-8")
    (tmp_path / "refs.bib").write_text(WRONG, "utf-8")
    done, output = run_step(tmp_path, action, command="audit", files="main.tex", options="--offline", sarif="out.sarif")
    assert (done.returncode, output) == (1, "exit-code=1\n"), done.stderr
    assert "::error file=refs.bib,line=1," in done.stdout
    log = yaml.safe_load((tmp_path / "out.sarif").read_text("utf-8"))
    assert "raw_special" in [result["ruleId"] for result in log["runs"][0]["results"]]


@needs_bash
def test_the_action_takes_no_other_command(tmp_path: Path, action: dict[str, Any]) -> None:
    done, output = run_step(tmp_path, action, command="fix; touch owned", files="main.tex")
    assert (done.returncode, output, (tmp_path / "owned").exists()) == (2, "exit-code=2\n", False)


@needs_bash
@pytest.mark.parametrize("name", ["$(touch owned).bib", "`touch owned`.bib", "; touch owned", "--help", "*.bib"])
def test_no_input_of_the_action_is_taken_for_a_command(tmp_path: Path, action: dict[str, Any], name: str) -> None:
    (tmp_path / "refs.bib").write_text(RIGHT, "utf-8")
    done, _ = run_step(tmp_path, action, files=name, options="--offline")
    assert done.returncode == 2
    assert not (tmp_path / "owned").exists()
    (step,) = [step for step in action["runs"]["steps"] if step.get("id") == "check"]
    assert "${{" not in step["run"]


def test_the_action_installs_the_project_that_it_belongs_to(action: dict[str, Any]) -> None:
    (step,) = [step for step in action["runs"]["steps"] if step.get("name") == "Install citeplug"]
    source = step["env"]["CITEPLUG_SOURCE"].replace("${{ github.action_path }}", str(ROOT / ".github/actions/check"))
    assert (Path(source) / "pyproject.toml").is_file()


WEEKLY = ROOT / "docs" / "examples"


def test_the_weekly_workflow_runs_its_script_on_the_main_file() -> None:
    workflow = load("docs/examples/weekly.yml")
    (job,) = workflow["jobs"].values()
    runs = [step["run"] for step in job["steps"] if "run" in step]
    assert 'python .github/workflows/weekly.py "$MAIN" --sources crossref,dblp > "$RUNNER_TEMP/body.md"' in runs
    assert all("${{" not in run for run in runs)
    assert workflow["permissions"] == {"contents": "write", "pull-requests": "write"}


def test_the_weekly_text_has_each_correction_with_the_sentence_that_it_touches(tmp_path: Path) -> None:
    text = "@misc{a,title={T` & @you},author={A. B},howpublished={X},year=2000}\n@misc{b,title={U},year=2001}\n"
    (tmp_path / "refs.bib").write_text(text, "utf-8")
    (tmp_path / "main.tex").write_text(
        r"\documentclass{article}\begin{document}\section{Paths}All paths are short \cite{a}.\bibliography{refs}"
        r"\end{document}",
        "utf-8",
    )
    env = environment(tmp_path, CITEPLUG_OFFLINE="1")
    run = [sys.executable, str(WEEKLY / "weekly.py"), "main.tex"]
    done = subprocess.run(run, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "## Corrected in the bibliography\n\n- **`a`**" in done.stdout
    assert "cited in main.tex:1: `Paths: All paths are short [*].`" in done.stdout
    assert "b is defined but never cited` (uncited_entry)" in done.stdout
    assert r"\&" in (tmp_path / "refs.bib").read_text("utf-8")
