"""Advisories from a file, evaluated as OSV evaluates them, and served as pip-audit asks for them."""

import json
import threading
import zipfile
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import requests
from packaging.version import Version

from audit_offline import _handler, is_affected, read_database


def advisory(*events: dict[str, str], versions: tuple[str, ...] = ()) -> dict[str, Any]:
    ranges = [{"type": "ECOSYSTEM", "events": list(events)}]
    package = {"ecosystem": "PyPI", "name": "Some_Package"}
    return {"id": "PYSEC-1", "affected": [{"package": package, "ranges": ranges, "versions": list(versions)}]}


@pytest.mark.parametrize(
    ("version", "affected"),
    [("0.9", False), ("1.0", True), ("1.4.9", True), ("1.5", False), ("2.0rc1", True), ("2.1", True), ("2.2", False)],
)
def test_a_version_in_a_range_is_affected_up_to_its_fix_or_its_last_version(version: str, affected: bool) -> None:
    ranges = advisory({"introduced": "1.0"}, {"fixed": "1.5"}, {"introduced": "2.0a1"}, {"last_affected": "2.1"})
    assert is_affected(ranges, "some-package", Version(version)) == affected


def test_a_version_that_is_named_is_affected_and_another_package_is_not() -> None:
    named = advisory(versions=("not a version", "3.0"))
    assert is_affected(named, "some-package", Version("3.0.0"))
    assert not is_affected(named, "other", Version("3.0"))


def test_pip_audit_is_answered_from_the_file(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("PYSEC-1.json", json.dumps(advisory({"introduced": "0"}, {"fixed": "1.5"})))
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(read_database(tmp_path / "all.zip"))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/v1/query"
        for version, ids in (("1.4", ["PYSEC-1"]), ("1.5", [])):
            query = {"package": {"name": "some-package", "ecosystem": "PyPI"}, "version": version}
            assert [each["id"] for each in requests.post(url, json=query).json().get("vulns", ())] == ids
        server.shutdown()
