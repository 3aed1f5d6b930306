"""What a catalogue of millions of records costs, and how fast it answers.

    python -m benchmarks.scale [--records 3000000] [--vectors 100000] [--home DIR] [--data DIR] [--ask] [--again COUNT]

The records are those of the sample, repeated with other ids and dates, each with the words of its title and abstract
shuffled and a third of them taken from another record's; from a million on these come again. Vectors are those of
chance, of unit length: where they lie does not change what it costs to look for them. With `--home` what is there
already is used again. About 4 KB of disk are needed for each record. `--ask` only asks the catalogue in `--home`, which
may be any; `--again` also measures how fast so many of its records are taken in by a new one.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.gold import DATA, SAMPLE
from benchmarks.ingest import corpus_size, peak_memory
from citeplug.corpus.database import Database
from citeplug.corpus.index import Corpus
from citeplug.corpus.lexical.index import NAME
from citeplug.corpus.update import AddReport
from citeplug.corpus.vectors.chroma import ChromaStore
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.corpus.vectors.paper_vectors import PaperVectors
from citeplug.corpus.vectors.table import VectorTable
from citeplug.records.paper import Filter, Paper
from citeplug.related.retrieve.candidates import search
from citeplug.sources.snapshot import SnapshotReader

FIRST_YEAR = 2015  # from here on ids have five digits
PER_MONTH = 30_000
VARIANTS = 1_000_000  # of the texts; above, they come again with other ids and dates
QUERIES = 40
PARSED = 100_000  # records read for nothing, to see how fast that is
FILTERS = {
    "no filter": Filter(),
    "before 2018": Filter(before=date(2018, 1, 1)),
    "cs.LG": Filter(categories=("cs.LG",)),
    "cs.LG before 2018": Filter(before=date(2018, 1, 1), categories=("cs.LG",)),
}
# An empty process that opens the catalogue, and asks one question of it.
COLD = """
import sys, time
from pathlib import Path
began = time.perf_counter()
from benchmarks.scale import open_corpus, resident
from citeplug.records.paper import Filter
corpus = open_corpus(Path(sys.argv[1]))
opened = time.perf_counter()
corpus.lexical(sys.argv[2], 20, Filter())
print(f"cold: open {1000 * (opened - began):,.0f} ms, first answer by words"
      f" {1000 * (time.perf_counter() - opened):,.0f} ms, {resident():,.0f} MB of memory")
from citeplug.related.retrieve.candidates import search
began = time.perf_counter()
search(sys.argv[2], corpus, Filter(), 20, seconds=0.0)
print(f"cold: first answer by meaning too {1000 * (time.perf_counter() - began):,.0f} ms, {resident():,.0f} MB")
corpus.close()
"""


@dataclass(frozen=True, slots=True)
class Asked:
    records: int
    vectors: int
    home: Path
    data: Path
    again: int = 0


def open_corpus(home: Path) -> Corpus:
    return Corpus(home, lambda: open_embedder(None), lambda model: ChromaStore(home, model))


def resident() -> float:
    """Megabytes of memory that this process holds just now; of files mapped into it, what is in memory counts too."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return float("nan")
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def make_records(sample: Path, count: int) -> Iterator[str]:
    """Lines of a snapshot."""
    papers = [paper for paper in SnapshotReader(sample) if paper.abstract and paper.categories]
    chance = random.Random(1)
    for number in range(count):
        paper, other = papers[number % len(papers)], papers[chance.randrange(len(papers))]
        value, day = id_and_day(number, chance.randint(1, 28))
        record = {
            "id": value,
            "title": shuffled(paper.title, other.title, chance),
            "authors": paper.authors,
            "abstract": shuffled(paper.abstract, other.abstract, chance),
            "categories": " ".join(paper.categories),
            "versions": [{"version": "v1", "created": day}],
            "update_date": day,
        }
        yield json.dumps(record, ensure_ascii=False)


def shuffled(text: str, other: str, chance: random.Random) -> str:
    words, theirs = text.split(), other.split()
    cut = len(words) // 3
    words[:cut] = theirs[:cut]
    chance.shuffle(words)
    return " ".join(words)


def make(asked: Asked, file: Path) -> None:
    part = file.with_suffix(".part")
    with part.open("w", encoding="utf-8", newline="\n") as stream:
        for line in make_records(asked.data / SAMPLE, min(asked.records, VARIANTS)):
            stream.write(line + "\n")
    repeat(part, asked.records)
    part.replace(file)


def repeat(part: Path, count: int) -> None:
    """Lines of the file under other ids and dates behind it, until there are so many."""
    number = min(count, VARIANTS)
    while number < count:
        with part.open(encoding="utf-8") as lines, part.open("a", encoding="utf-8", newline="\n") as stream:
            for line in islice(lines, min(VARIANTS, count - number)):
                value, day = id_and_day(number, number % 28 + 1)
                start, end = line.index('"title"'), line.rindex('"versions"')
                rest = f'"versions": [{{"version": "v1", "created": "{day}"}}], "update_date": "{day}"}}\n'
                stream.write(f'{{"id": "{value}", {line[start:end]}{rest}')
                number += 1


def id_and_day(number: int, day: int) -> tuple[str, str]:
    month = number // PER_MONTH
    year, month = FIRST_YEAR + month // 12, month % 12 + 1
    return f"{year % 100:02d}{month:02d}.{number % PER_MONTH + 1:05d}", date(year, month, day).isoformat()


def take_in(asked: Asked, file: Path) -> None:
    size = file.stat().st_size
    began = time.perf_counter()
    with file.open("rb") as stream:
        while stream.read(1 << 20):
            pass
    reading = time.perf_counter() - began
    began = time.perf_counter()
    read = sum(1 for _ in islice(SnapshotReader(file), PARSED))
    parsing = time.perf_counter() - began
    print(
        f"limits: {size / 1e9:.2f} GB read in {reading:.1f} s, read as records in {parsing:.1f} s"
        f" ({read / parsing:,.0f} records/s)",
        flush=True,
    )
    report, marks = add(asked.home, file)
    for share in (0.1, 0.5, 0.9):
        at = next(index for index, (done, _) in enumerate(marks) if done >= share)
        before = next(index for index, (done, _) in enumerate(marks) if done >= share - 0.1)
        seconds = marks[at][1] - marks[before][1]
        if seconds > 0:
            rate = (marks[at][0] - marks[before][0]) * report.added / seconds
            print(f"    at {share:.0%} of the file: {rate:,.0f} records/s")
    for name in ("catalogue.sqlite3", "lexical"):
        path = asked.home / "corpus" / name
        bytes_ = corpus_size(path) if path.is_dir() else path.stat().st_size
        print(f"on disk: {name} {bytes_ / 1e9:.2f} GB, {bytes_ / max(report.added, 1):,.0f} bytes a record", flush=True)


def add(home: Path, file: Path) -> tuple[AddReport, list[tuple[float, float]]]:
    """Take the file in; what came of it, and (share of the file, seconds) after each batch."""
    size = file.stat().st_size
    corpus = open_corpus(home)
    marks: list[tuple[float, float]] = []
    began, cpu = time.perf_counter(), spent()
    report = corpus.add([file], progress=lambda done, total: marks.append((done / size, time.perf_counter() - began)))
    own, beside = (after - before for before, after in zip(cpu, spent(), strict=True))
    corpus.close()
    print(
        f"taken in: {report.added:,} records in {report.seconds:,.0f} s, {report.added / report.seconds:,.0f} a second;"
        f" CPU {own:,.0f} s here and {beside:,.0f} s in the process that indexes, so"
        f" {report.added / max(own, beside):,.0f} records for each second of the busier one; peak {peak_memory()} here",
        flush=True,
    )
    return report, marks


def spent() -> tuple[float, float]:
    """Seconds of the processor: this process's, and those of processes that it started and that ended."""
    times = os.times()
    return times.user + times.system, times.children_user + times.children_system


def take_in_again(asked: Asked, file: Path) -> None:
    """The first records of the file, by an empty catalogue."""
    with tempfile.TemporaryDirectory(dir=asked.home, ignore_cleanup_errors=True) as folder:
        part = Path(folder) / "part.jsonl"
        with file.open("rb") as lines, part.open("wb") as stream:
            stream.writelines(islice(lines, asked.again))
        add(Path(folder), part)


def put_vectors(asked: Asked) -> None:
    """Vectors of chance for the first records, through the catalogue into the store."""
    database = Database(asked.home / "corpus" / "catalogue.sqlite3")
    model = open_embedder(None)
    table = VectorTable(database, model.name)
    with database.reading() as db:
        # Spread over all that there is; records with one text share a vector.
        wanted = asked.vectors // -(-asked.records // VARIANTS)
        step = max(1, min(asked.records, VARIANTS) // wanted)
        query = "SELECT text FROM papers WHERE number <= ? AND number % ? = 0 LIMIT ?"
        keys = [row[0] for row in db.execute(query, (VARIANTS, step, wanted))]
    rng = np.random.default_rng(1)
    began = time.perf_counter()
    for start in range(0, len(keys), 1000):
        part = keys[start : start + 1000]
        rows = rng.standard_normal((len(part), model.dimensions), dtype=np.float32)
        table.put(part, rows / np.linalg.norm(rows, axis=1, keepdims=True))
    kept = time.perf_counter() - began
    vectors = PaperVectors(database, model, ChromaStore(asked.home, model.name))
    began = time.perf_counter()
    vectors.sync.bring_up_to_date()
    stored = time.perf_counter() - began
    vectors.close()
    with database.reading() as db:
        there = int(db.execute("SELECT coalesce(max(rows), 0) FROM derived WHERE name <> ?", (NAME,)).fetchone()[0])
    database.close()
    size = corpus_size(asked.home / "corpus" / "chroma")
    print(
        f"vectors: {len(keys):,} kept in {kept:.0f} s; {there:,} rows given to Chroma in {stored:.0f} s"
        f" ({size / 1e6:,.0f} MB there, {size / max(there, 1):,.0f} bytes each)",
        flush=True,
    )


def ask(asked: Asked) -> None:
    papers = queries(asked.data / SAMPLE)
    corpus = open_corpus(asked.home)
    search("graph attention", corpus, Filter(), 20, seconds=0.0)
    texts = {
        "a sentence": [paper.abstract.split(". ")[0] for paper in papers],
        "a whole abstract": [f"{paper.title}. {paper.abstract}" for paper in papers],
    }
    for name, asked_for in texts.items():
        for said, where in FILTERS.items():
            words = timed(partial(by_words, corpus, where), asked_for)
            cpu = time.process_time()
            whole = timed(partial(by_both, corpus, where), asked_for)
            cpu = time.process_time() - cpu
            print(
                f"{name}, {said}: by words p50 {words[0]:.0f} p95 {words[1]:.0f} ms;"
                f" the whole search p50 {whole[0]:.0f} p95 {whole[1]:.0f} ms, CPU {1000 * cpu / len(asked_for):.0f} ms",
                flush=True,
            )
    corpus.close()


def by_words(corpus: Corpus, where: Filter, text: str) -> object:
    return corpus.lexical(text, 1000, where)


def by_both(corpus: Corpus, where: Filter, text: str) -> object:
    """As an editor asks: nothing but the question is embedded."""
    return search(text, corpus, where, 20, seconds=0.0)


def exact(asked: Asked) -> None:
    """The limit for search by meaning: one product with all vectors, which lie in memory."""
    rng = np.random.default_rng(2)
    matrix = rng.standard_normal((asked.vectors, 384), dtype=np.float32)
    one = rng.standard_normal(384, dtype=np.float32)
    taken = timed(lambda _: np.argpartition(matrix @ one, -20)[-20:], [""] * 20)
    print(
        f"limit: exact cosine with numpy over {asked.vectors:,} vectors p50 {taken[0]:.0f} p95 {taken[1]:.0f} ms,"
        f" {matrix.nbytes / 1e6:,.0f} MB"
    )


def queries(sample: Path) -> list[Paper]:
    papers = [paper for paper in SnapshotReader(sample) if len(paper.abstract) > 600]
    return random.Random(3).sample(papers, QUERIES)


def timed(run: Callable[[str], object], texts: Sequence[str]) -> tuple[float, float]:
    """Median and 95th percentile, in milliseconds."""
    taken = []
    for text in texts:
        start = time.perf_counter()
        run(text)
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken), sorted(taken)[int(0.95 * (len(taken) - 1) + 0.5)]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale")
    parser.add_argument("--records", type=int, default=3_000_000)
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--ask", action="store_true")
    parser.add_argument("--again", type=int, default=0)
    said = parser.parse_args()
    if not (said.data / SAMPLE).exists():
        print(f"{said.data / SAMPLE} is not there: name its folder with --data")
        return 0
    print(f"python -m benchmarks.scale {' '.join(sys.argv[1:])}")
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the beginning" if hasattr(os, "getloadavg") else ""
    )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        asked = Asked(said.records, said.vectors, said.home or Path(folder), said.data, said.again)
        if said.ask:
            ask(asked)
            return 0
        asked.home.mkdir(parents=True, exist_ok=True)
        room = shutil.disk_usage(asked.home).free
        if room < 4_000 * asked.records and not (asked.home / "corpus").exists():
            print(f"{room / 1e9:.0f} GB of disk are too little: give --home, or fewer --records")
            return 1
        file = asked.home / "records.jsonl"
        if not file.exists():
            make(asked, file)
        if not (asked.home / "taken-in").exists():
            take_in(asked, file)
            (asked.home / "taken-in").touch()
        if not (asked.home / "corpus" / "chroma").exists():
            put_vectors(asked)
        query = queries(asked.data / SAMPLE)[0].title
        subprocess.run([sys.executable, "-c", COLD, str(asked.home), query], check=True)
        ask(asked)
        exact(asked)
        if asked.again:
            take_in_again(asked, file)
    if hasattr(os, "getloadavg"):
        print(f"load {os.getloadavg()[0]:.1f} at the end")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
