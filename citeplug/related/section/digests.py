"""Digests of the files as they were written: a later run sees by them what the author has changed."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from citeplug.project.targets import Targets
from citeplug.records.plan import Plan
from citeplug.records.provenance import Provenance


def plan_digest(plan: Plan) -> str:
    """The digest that is recorded of a section: that of its plan, without ids and lengths."""
    return _digest(json.dumps([[p.heading, [li.content for li in p.lines]] for p in plan.paragraphs]))


def entries_digest(text: str) -> str:
    """The digest that is recorded of the file of entries; its line ends do not count."""
    return _digest(text.replace("\r\n", "\n"))


def is_recorded(record: Provenance, path: Path, where: Targets, digest: str) -> bool:
    """True if the file was last written with this digest."""
    return record.written.get(where.name_of(path)) == digest


def with_written(record: Provenance, where: Targets, digests: Mapping[Path, str]) -> Provenance:
    """The record with the digests of files that were written; those of other --out and --bib files stay."""
    new = {where.name_of(path): digest for path, digest in digests.items()}
    return replace(record, written={**record.written, **new})


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
