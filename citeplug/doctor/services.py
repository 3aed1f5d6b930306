"""Checks of the network, language models, settings files and editors."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import get_args

from citeplug.doctor.checks import Result, hint, ok, problem, skipped
from citeplug.doctor.machine import program, run_program
from citeplug.errors import ModelUnavailable, SourceUnavailable, UnreadableInput, UsageError
from citeplug.settings.environment import Settings

_SECONDS = 5.0
_EXTENSION = "citeplug.citeplug"


def network(chosen: Settings) -> Iterator[Result]:
    """Send one request to the arXiv API, unless offline."""
    from citeplug.settings.hosts import shown
    from citeplug.sources.http import AskAgain, HttpClient, Patience, Reply
    from citeplug.sources.pace import Clock, Pace

    if chosen.offline:
        yield skipped("network", "not checked: offline")
        return
    url = chosen.arxiv_url.rstrip("?&")
    pace = Pace(chosen.home / "pace", url.split("/")[2], chosen.arxiv_delay, Clock())
    patience = Patience(tries=1, total=4.0, connect=4.0, silence=6.0, transfer=6.0)

    def examine(reply: Reply) -> None:
        if reply.status != 200:
            raise AskAgain(f"it answers with status {reply.status}")

    client = HttpClient("arXiv", pace, patience=patience)
    try:
        client.get(f"{url}?id_list=1706.03762&max_results=1", examine)
    except SourceUnavailable as error:
        fix = "check your connection or proxy; or work without: --offline, or CITEPLUG_OFFLINE=1"
        yield problem("network", f"{shown(url)}: {error}", fix)
        return
    yield ok("network", f"{shown(url)} answers; Crossref, OpenAlex and DBLP are only asked with --sources")


def language_models(chosen: Settings) -> Iterator[Result]:
    """Report the language model that `related`, `plan` and `watch` would use, and its key, which is not shown."""
    from citeplug.llm.api_keys import VARIABLES, find_key
    from citeplug.llm.known_models import Service
    from citeplug.settings.hosts import on_loopback, shown
    from citeplug.settings.user_toml import read_preferences

    try:
        settled = read_preferences(chosen.home)
    except UsageError:
        return  # reported by the check of the files
    use = settled.use.partition(":")[0]
    consented = _consented(chosen.home)
    where = f"; first request was shown for: {', '.join(consented)}" if consented else ""
    if use == "none":
        yield ok("language model", f"none, unless --llm names one{where}")
    else:
        yield ok("language model", f"related and plan use {settled.use}, from your config.toml{where}")
    for service in get_args(Service):
        url = chosen.anthropic_url if service == "anthropic" else chosen.openai_url
        name = f"key of {service}"
        try:
            key = find_key(service)
        except ModelUnavailable as error:
            yield problem(name, str(error), error.hint)
            continue
        if key is not None:
            source = next((v for v in VARIABLES[service] if os.environ.get(v, "").strip()), "your keyring")
            yield ok(name, f"set, in {source}; for {shown(url)}")
        elif on_loopback(url):
            yield ok(name, f"not set; {shown(url)} on this machine may not need one")
        elif service == use:
            yield problem(name, "not set, but your config.toml uses the service", f"set {VARIABLES[service][0]}")
        else:
            yield skipped(name, "not set; needed only with --llm")


def files(chosen: Settings, folder: Path) -> Iterator[Result]:
    """Check the user's config.toml, and the citeplug.toml that applies in this folder."""
    from citeplug.settings.project_toml import find_configuration, read_configuration
    from citeplug.settings.user_toml import FILE, read_preferences

    mine = chosen.home / FILE
    try:
        read_preferences(chosen.home)
        yield ok("config.toml", f"{mine} is valid") if mine.exists() else skipped("config.toml", f"no {mine}")
    except UsageError as error:
        yield problem("config.toml", str(error), error.hint)
    place = find_configuration(folder)
    if place is None:
        yield skipped("citeplug.toml", "none here; 'citeplug init' writes one")
        return
    try:
        count = len(read_configuration(folder).values)
    except UnreadableInput as error:
        yield problem("citeplug.toml", str(error), error.hint)
        return
    yield ok("citeplug.toml", f"{place} is valid, with {count} setting{'s' * (count != 1)}")


def editor(quick: bool) -> Iterator[Result]:
    """Check the language server, and the extension if VS Code is installed."""
    try:
        version = metadata.version("pygls")
    except metadata.PackageNotFoundError:
        yield problem("language server", "pygls is not installed", "run 'pip install --upgrade citeplug'")
        return
    if quick:
        yield ok("language server", f"pygls {version}; not started, with --quick")
    else:
        yield from _language_server(version)
    code = program("code") or program("codium")
    if code is None:
        yield skipped("VS Code", "the command 'code' was not found; for other editors see docs/lsp.md")
    elif not quick:
        yield _extension(code)


def _language_server(pygls: str) -> Iterator[Result]:
    """Start the language server as an editor does, and wait for its first answer."""
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
    except subprocess.TimeoutExpired as error:
        out, code = error.stdout or b"", None
    except OSError as error:
        yield problem("language server", f"it cannot be started: {error}", "please report it")
        return
    else:
        out, code = ran.stdout, ran.returncode
    if b'"capabilities"' in out:
        yield ok("language server", f"'citeplug lsp' starts and answers; pygls {pygls}")
    else:
        how = f"did not answer within {_SECONDS:g} seconds" if code is None else f"ended with {code}"
        yield problem("language server", f"'citeplug lsp' {how}", "run 'citeplug lsp' in a terminal to see its output")


def _extension(code: str) -> Result:
    ran = run_program(code, "--list-extensions", seconds=_SECONDS)
    if ran is None:
        return skipped("VS Code", "'code --list-extensions' gave no list")
    if _EXTENSION in ran.stdout.lower().split():
        return ok("VS Code", "the extension is installed")
    return hint("VS Code", "the extension is not installed", "see docs/lsp.md")


def _consented(home: Path) -> list[str]:
    """Return the services for which the user has been shown the first request."""
    with suppress(OSError, ValueError):
        read = json.loads((home / "consent.json").read_text(encoding="utf-8"))
        if isinstance(read, dict):
            return sorted(str(place)[:80] for place in read)
    return []
