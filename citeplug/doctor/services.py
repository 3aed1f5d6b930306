"""Checks of the network, language models, settings files and editors."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from citeplug.doctor.checks import Result, hint, ok, problem, skipped
from citeplug.doctor.machine import program, run_program
from citeplug.errors import SourceUnavailable, UsageError
from citeplug.llm.api_keys import VARIABLES, find_key
from citeplug.llm.chosen_model import consents
from citeplug.settings.environment import Settings
from citeplug.settings.hosts import on_loopback, shown
from citeplug.settings.project_toml import find_configuration, read_configuration
from citeplug.settings.user_toml import FILE, read_preferences
from citeplug.sources.http import AskAgain, HttpClient, Patience, Reply
from citeplug.sources.pace import Clock, Pace

if TYPE_CHECKING:
    from citeplug.llm.known_models import Service

_SECONDS = 5.0
_EXTENSION = "citeplug.citeplug"


def network(settings: Settings) -> Result:
    """Send one request to the arXiv API, unless offline."""
    if settings.offline:
        return skipped("not checked: offline")
    url = settings.arxiv_url.rstrip("?&")
    pace = Pace(settings.home / "pace", url.split("/")[2], settings.arxiv_delay, Clock())
    patience = Patience(tries=1, total=4.0, connect=4.0, silence=6.0, transfer=6.0)

    def examine(reply: Reply) -> None:
        if reply.status != 200:
            raise AskAgain(f"it answers with status {reply.status}")

    try:
        HttpClient("arXiv", pace, patience=patience).get(f"{url}?id_list=1706.03762&max_results=1", examine)
    except SourceUnavailable as error:
        fix = "check your connection or proxy, or use --offline or CITEPLUG_OFFLINE=1"
        return problem(f"{shown(url)}: {error}", fix)
    return ok(f"{shown(url)} answers; Crossref, OpenAlex and DBLP are only asked with --sources")


def language_model(settings: Settings) -> Result | None:
    """Report the language model that `related`, `plan` and `watch` would use."""
    use = _model_in_use(settings)
    consented = sorted(str(place)[:80] for place in consents(settings.home))
    where = f"; first request was shown for: {', '.join(consented)}" if consented else ""
    if use is None:
        return None
    if use == "none":
        return ok(f"none, unless --llm names one{where}")
    return ok(f"related and plan use {use}, from your config.toml{where}")


def key(settings: Settings, service: "Service") -> Result | None:
    """Report where the key of a service is, which is not shown."""
    use = _model_in_use(settings)
    if use is None:
        return None
    url = settings.anthropic_url if service == "anthropic" else settings.openai_url
    if find_key(service) is not None:
        source = next((v for v in VARIABLES[service] if os.environ.get(v, "").strip()), "your keyring")
        return ok(f"set, in {source}; for {shown(url)}")
    if on_loopback(url):
        return ok(f"not set; {shown(url)} on this machine may not need one")
    if service == use.partition(":")[0]:
        return problem("not set, but your config.toml uses the service", f"set {VARIABLES[service][0]}")
    return skipped("not set; needed only with --llm")


def user_settings(home: Path) -> Result:
    """Check the user's config.toml."""
    read_preferences(home)
    return ok(f"{home / FILE} is valid") if (home / FILE).exists() else skipped(f"no {home / FILE}")


def project_settings(folder: Path) -> Result:
    """Check the citeplug.toml that applies in this folder."""
    place = find_configuration(folder)
    if place is None:
        return skipped("none here; 'citeplug init' writes one")
    count = len(read_configuration(folder).values)
    return ok(f"{place} is valid, with {count} setting{'s' * (count != 1)}")


def language_server(quick: bool) -> Result:
    """Start the language server as an editor does, and wait for its first answer."""
    try:
        pygls = metadata.version("pygls")
    except metadata.PackageNotFoundError:
        return problem("pygls is not installed", "run 'pip install --upgrade citeplug'")
    if quick:
        return ok(f"pygls {pygls}; not started, with --quick")
    ask = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"processId": None, "rootUri": None, "capabilities": {}},
    }
    messages = [ask, {"jsonrpc": "2.0", "id": 2, "method": "shutdown"}, {"jsonrpc": "2.0", "method": "exit"}]
    bodies = [json.dumps(message).encode() for message in messages]
    data = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)
    command = [sys.executable, "-P", "-m", "citeplug", "lsp"]  # -P: nothing is imported from the current folder
    try:
        ran = subprocess.run(command, input=data, capture_output=True, timeout=_SECONDS)
        out, how = ran.stdout, f"ended with {ran.returncode}"
    except subprocess.TimeoutExpired as error:
        out, how = error.stdout or b"", f"did not answer within {_SECONDS:g} seconds"
    except OSError as error:
        return problem(f"it cannot be started: {error}", "please report it")
    if b'"capabilities"' in out:
        return ok(f"'citeplug lsp' starts and answers; pygls {pygls}")
    return problem(f"'citeplug lsp' {how}", "run 'citeplug lsp' in a terminal to see its output")


def vs_code(quick: bool) -> Result | None:
    """Check for the extension if VS Code is installed."""
    code = program("code") or program("codium")
    if code is None:
        return skipped("the command 'code' was not found; any other editor can run 'citeplug lsp'")
    if quick:
        return None
    ran = run_program(code, "--list-extensions", seconds=_SECONDS)
    if ran is None:
        return skipped("'code --list-extensions' gave no list")
    if _EXTENSION in ran.stdout.lower().split():
        return ok("the extension is installed")
    return hint("the extension is not installed", "install the .vsix file of the release, or of 'make vscode'")


def _model_in_use(settings: Settings) -> str | None:
    """`language_model.use` of the user's config.toml; None if that is invalid, which another check reports."""
    with suppress(UsageError):
        return read_preferences(settings.home).use
    return None
