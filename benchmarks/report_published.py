"""Numbers of published systems, recomputed from their public outputs.

    python -m benchmarks.report_published --fetch [--outputs FILE.toml] [--home DIR]

`published.toml` names each output by an address that holds one commit, and by its SHA-256. Without --fetch nothing is
sent: what would be fetched is listed, and what was fetched before is used (`published` under --home). An output that
cannot be had, has other bytes or cannot be read is skipped, and the reason printed. Each row has mean and standard
deviation as published and as recomputed; a row that does not agree to the last printed digit is marked, and the command
ends with 1.
"""

import argparse
import csv
import hashlib
import io
import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, pstdev, stdev
from typing import Any

from citeplug.errors import SourceUnavailable
from citeplug.files.atomic import write_atomically
from citeplug.settings.environment import read_settings
from citeplug.sources.http import AskAgain, HttpClient, Patience, Reply
from citeplug.sources.pace import Clock, Pace

OUTPUTS = Path(__file__).with_name("published.toml")
SIZE = 8 * 2**20  # bytes of an output


class Skipped(Exception):
    """An output cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class Published:
    """Mean and standard deviation of a system as printed, and the column of the output that has its values."""

    column: str
    system: str
    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Output:
    """A file of values, an item a row. `over` says how the published deviation divides: "sample" or "population"."""

    what: str
    source: str
    url: str
    sha256: str
    over: str
    columns: tuple[Published, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """The outputs of a file, and what is to be known of them all."""

    note: str
    outputs: tuple[Output, ...]


def read_outputs(file: Path) -> Listed:
    with file.open("rb") as stream:
        said = tomllib.load(stream)
    return Listed(said.get("note", ""), tuple(_output(each) for each in said["output"]))


def _output(said: Mapping[str, Any]) -> Output:
    columns = tuple(Published(column, **rest) for column, rest in said["columns"].items())
    return Output(said["what"], said["source"], said["url"], said["sha256"], said["over"], columns)


def get(output: Output, kept: Path, http: HttpClient | None) -> bytes:
    """Return the bytes that were kept, or fetch them with `http`. Raises Skipped."""
    place = kept / output.sha256
    if place.is_file() and _digest(place.read_bytes()) == output.sha256:
        return place.read_bytes()
    if http is None:
        raise Skipped("it was not fetched: --fetch does")
    try:
        body = http.get(output.url, _examine).body
    except SourceUnavailable as error:
        raise Skipped(str(error)) from error
    if _digest(body) != output.sha256:
        raise Skipped(f"it has other bytes than those that were read (SHA-256 {_digest(body)[:12]})")
    kept.mkdir(parents=True, exist_ok=True)
    write_atomically(place, body)
    return body


def _examine(reply: Reply) -> None:
    if reply.status != 200:
        raise AskAgain(f"it answers {reply.status}", tries=1)


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def rows(output: Output, body: bytes) -> Iterator[tuple[Published, int, float, float]]:
    """Each system with the number of its values, their mean and standard deviation. Raises Skipped."""
    try:
        lines = list(csv.DictReader(io.StringIO(body.decode("utf-8")), strict=True))
        values = {each.column: [float(line[each.column]) for line in lines] for each in output.columns}
    except (ValueError, KeyError, TypeError, csv.Error) as error:
        raise Skipped(f"it is not of the form that was read: {error!r}") from error
    deviate = stdev if output.over == "sample" else pstdev
    for each in output.columns:
        found = values[each.column]
        if len(found) < 2 or not all(map(math.isfinite, found)):
            raise Skipped(f"{each.column} has fewer than two values, or one that is no number")
        yield each, len(found), fmean(found), deviate(found)


def main() -> int:
    """Print a table for each output, and what was skipped; 1 if a number is not the published one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fetch", action="store_true", help="fetch what is not on this machine")
    parser.add_argument("--outputs", type=Path, default=OUTPUTS)
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    chosen = parser.parse_args()
    kept = chosen.home / "published"
    pace = Pace(chosen.home / "locks", "published", 1.0, Clock())
    http = HttpClient("the public outputs", pace, patience=Patience(tries=2, size=SIZE)) if chosen.fetch else None
    listed = read_outputs(chosen.outputs)
    if listed.note:
        print(f"{listed.note}\n")
    differ = skipped = 0
    for output in listed.outputs:
        print(f"{output.source}: {output.what}\n  {output.url}\n  SHA-256 {output.sha256}")
        try:
            for published, count, mean, deviation in list(rows(output, get(output, kept, http))):
                agrees = f"{mean:.2f} {deviation:.2f}" == f"{published.mean:.2f} {published.deviation:.2f}"
                differ += not agrees
                print(
                    f"  {published.system:22} published {published.mean:.2f} ± {published.deviation:.2f}, recomputed"
                    f" {mean:.2f} ± {deviation:.2f} of {count}{'' if agrees else '  DIFFERS'}"
                )
        except Skipped as reason:
            skipped += 1
            print(f"  skipped: {reason}")
    print(f"{skipped} of {len(listed.outputs)} skipped" if skipped else "none skipped")
    return 1 if differ else 0


if __name__ == "__main__":
    raise SystemExit(main())
