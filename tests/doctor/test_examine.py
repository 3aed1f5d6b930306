"""`citeplug doctor`: each thing by itself, with what to do."""

import os
import re
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from citeplug import __version__
from citeplug.corpus.database import Database
from citeplug.doctor import machine, services, stores
from citeplug.doctor.checks import Result, ok, run_checks
from citeplug.doctor.examine import checks
from citeplug.errors import StoreBroken
from citeplug.settings.environment import Settings, read_settings
from tests.e2e.conftest import Run, run
from tests.harness.arxiv_server import ArxivServer

__all__ = ["run"]  # fixtures


def result_of(check: Callable[..., Result | None], *given: Any) -> Result:
    (result,) = run_checks([("it", partial(check, *given))], limit=60)
    return result


def settings(home: Path, **more: Any) -> Settings:
    from dataclasses import replace

    return replace(read_settings(), home=home, **more)


def test_one_check_that_breaks_or_hangs_leaves_the_others_alone() -> None:
    def breaks() -> Result:
        raise StoreBroken("it is gone", "make it anew")

    def surprises() -> Result:
        raise KeyError("x")

    def hangs() -> Result:
        threading.Event().wait(30)
        return ok("")

    start = time.monotonic()
    checks = [
        ("breaks", breaks),
        ("none", lambda: None),
        ("surprises", surprises),
        ("hangs", hangs),
        ("fine", lambda: ok("all")),
    ]
    found = run_checks(checks, limit=0.5)
    assert time.monotonic() - start < 20
    assert [(result.name, result.state) for result in found] == [
        ("breaks", "problem"),
        ("surprises", "problem"),
        ("hangs", "problem"),
        ("fine", "ok"),
    ]
    assert found[0].message == "it is gone" and found[0].fix == "make it anew"


def test_python_and_the_disk_are_told(tmp_path: Path) -> None:
    assert result_of(machine.python).state == "ok"
    assert result_of(machine.disk, tmp_path / "not" / "yet").state in ("ok", "hint")


def test_an_empty_home_has_hints_and_no_problems(tmp_path: Path) -> None:
    chosen = settings(tmp_path)
    assert result_of(stores.catalogue, tmp_path).state == "hint"
    assert result_of(stores.lexical, tmp_path).state == "skipped"
    assert result_of(stores.vectors, chosen).state == "skipped"
    assert not list(tmp_path.iterdir())


def test_a_home_with_papers_is_fine(library_home: Path) -> None:
    found = result_of(stores.catalogue, library_home)
    assert found.state == "ok" and "152 records" in found.message


def test_damaged_stores_are_problems_with_a_way_out(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    (corpus / "chroma" / "x").mkdir(parents=True)
    (corpus / "lexical" / "y").mkdir(parents=True)
    (corpus / "catalogue.sqlite3").write_bytes(b"rubbish" * 500)
    (corpus / "chroma" / "x" / "chroma.sqlite3").write_bytes(b"rubbish" * 500)
    (corpus / "lexical" / "y" / "meta.json").write_text("{", "utf-8")
    for found in (
        result_of(stores.catalogue, tmp_path),
        result_of(stores.lexical, tmp_path),
        result_of(stores.vectors, settings(tmp_path)),
    ):
        assert found.state == "problem" and "index verify" in found.fix


def test_a_catalogue_of_a_newer_citeplug_is_a_problem_and_stays_as_it_is(tmp_path: Path) -> None:
    file = newer_catalogue(tmp_path)
    before = file.read_bytes()
    found = result_of(stores.catalogue, tmp_path)
    assert found.state == "problem" and "newer" in found.message and "update" in found.fix
    assert file.read_bytes() == before


def newer_catalogue(home: Path) -> Path:
    file = home / "corpus" / "catalogue.sqlite3"
    Database(file).close()
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA user_version = 99")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file


def test_a_catalogue_without_records_is_a_hint(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    with sqlite3.connect(tmp_path / "corpus" / "catalogue.sqlite3") as db:
        db.execute("CREATE TABLE papers (published)")
        db.execute("CREATE TABLE vectors (number)")
    assert "start" in result_of(stores.catalogue, tmp_path).fix


def test_the_weights_are_compared_with_the_published_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert result_of(stores.model, settings(tmp_path), False).state == "ok"
    (tmp_path / "model.safetensors").write_bytes(b"other")
    monkeypatch.setattr("citeplug.corpus.vectors.minilm.model_folder", lambda: tmp_path)
    assert result_of(stores.model, settings(tmp_path), False).state == "problem"
    assert result_of(stores.model, settings(tmp_path), True).state == "ok"


def test_models_that_the_user_named_are_looked_for(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "modules.json").write_text("[]", "utf-8")
    there, lacking = str(tmp_path / "model"), str(tmp_path / "none")
    chosen = settings(tmp_path, embedder=there, rescorer=lacking, device="cuda:99")
    names = "device", "rescorer", "model"
    device, rescorer, embedder = (check() for name, check in checks(chosen, tmp_path, True) if name in names)
    assert device and rescorer and embedder
    assert device.state == "problem" and "CITEPLUG_DEVICE" in device.fix
    assert embedder.state == "ok" and there in embedder.message
    assert rescorer.state == "problem" and lacking in rescorer.message and "CITEPLUG_RESCORER" in rescorer.fix


def test_arxiv_is_asked_once_and_not_at_all_offline(
    tmp_path: Path, arxiv_server: ArxivServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    assert result_of(services.network, settings(tmp_path, offline=True)).state == "skipped"
    assert not arxiv_server.requests
    assert result_of(services.network, settings(tmp_path)).state == "ok"
    assert len(arxiv_server.requests) == 1


def test_no_connection_is_a_problem_with_the_way_without(tmp_path: Path) -> None:
    found = result_of(services.network, settings(tmp_path))
    assert found.state == "problem" and "--offline" in found.fix


def test_a_key_is_said_to_be_set_and_never_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret-secret")
    found = result_of(services.key, settings(tmp_path), "anthropic")
    assert "set, in ANTHROPIC_API_KEY" in found.message and "secret" not in f"{found.message}{found.fix}"


def test_a_service_that_is_used_and_has_no_key_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[language_model]\nuse = "anthropic"\n', "utf-8")
    chosen = settings(tmp_path, anthropic_url="https://api.anthropic.com")
    assert result_of(services.key, chosen, "anthropic").state == "problem"
    assert result_of(services.key, chosen, "openai").state != "problem"


def test_wrong_files_are_told_with_their_lines(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[language_model]\nuze = 3\n", "utf-8")
    (tmp_path / "citeplug.toml").write_text("[related]\nbredth = 3\n", "utf-8")
    assert result_of(services.user_settings, tmp_path).state == "problem"
    found = result_of(services.project_settings, tmp_path)
    assert found.state == "problem" and "citeplug.toml:2" in found.message


def test_the_command_ends_with_one_only_if_there_is_a_problem(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("doctor", "--offline", "--quick", "--json")
    assert done.code == 0, done.out
    assert done.json["problems"] == 0
    names = {check["name"] for check in done.json["checks"]}
    assert {"python", "disk", "model", "catalogue", "network", "tex", "git", "language server"} <= names
    monkeypatch.setenv("CITEPLUG_ARXIV_DELAY", "soon")
    done = run("doctor", "--offline", "--quick")
    assert done.code == 1 and "CITEPLUG_ARXIV_DELAY" in done.out


def test_a_report_says_which_checks_fail_and_names_no_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "of-a-person"
    home.mkdir()
    (home / "config.toml").write_text("offline = ", "utf-8")
    monkeypatch.setenv("CITEPLUG_HOME", str(home))
    done = run("doctor", "--offline", "--quick", "--report")
    assert done.code == 1
    assert done.out.startswith(f"citeplug {__version__}, Python 3.")
    assert re.search(r"^problem: .*config\.toml", done.out, re.MULTILINE)
    assert home.name not in done.out


@pytest.mark.skipif(os.name == "nt", reason="Windows runs no scripts of this kind")
def test_a_program_that_came_with_the_project_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pdflatex", "code"):
        (tmp_path / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n", "utf-8")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "citeplug").mkdir()
    (tmp_path / "citeplug" / "__init__.py").write_text("raise SystemExit(5)\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".{os.pathsep}{tmp_path}{os.pathsep}{os.environ['PATH']}")
    machine.tex()
    services.vs_code(False)
    assert services.language_server(False).state == "ok"
    assert not (tmp_path / "ran").exists()


def test_what_other_programs_say_cannot_move_the_cursor(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "citeplug.toml").write_text('"\\u001b[2J" = 1\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    done = run("doctor", "--offline", "--quick")
    assert "\x1b" not in done.out and done.code == 1
