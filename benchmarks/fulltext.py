"""Full texts: sources unpacked, cut and indexed, and passages searched among all of them.

    python -m benchmarks.fulltext [PAPERS] [--vectors N]

Replicas of the real papers in ../shared/data/latex, each under another id and with the paragraphs of its sections in
another order, packed as arXiv packs sources, lengthened or cut to about 8,000 words. No text is fetched. Prints the
time and memory of reading them, the time of a search by words and by words and meaning, and the space on disk of a
paper with its vectors. `--vectors`: passages that are really embedded, to measure the rate (default 400); all others
get vectors of chance, which take the same space and time.
"""

import argparse
import gzip
import io
import os
import random
import re
import resource
import statistics
import tarfile
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import numpy as np

from citeplug.corpus.fulltext.search import PassageSearch
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.fulltext.text_reader import Reading, TextReader
from citeplug.corpus.fulltext.upkeep import facts_of
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.corpus.vectors.table import VectorTable
from citeplug.latex.full_text import read_full_text
from citeplug.latex.roots import is_standalone, roots_in
from citeplug.records.passage import PaperText

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "latex"
WORDS = 8_000
_READERS = 2
QUERIES = (
    "convolution on graphs and pooling of their nodes",
    "maximum entropy distribution of neural activity",
    "state abstraction in Markov decision processes that keeps the value of a policy",
    "alignment of long noisy reads to a reference genome",
    "how storage on a blockchain should be priced",
    "rate adaptation and stalls in adaptive streaming over an unordered transport",
    "sparse matrix formats and their linear algebra routines",
    "kernel structure search for Gaussian process regression",
    "We thank the reviewers",
    "equivariance of spherical convolutions to rotations, and the sampling of the sphere that it asks for",
)


def originals() -> list[tuple[str, str]]:
    """Preamble and body of each real paper with enough text to permute."""
    found = []
    for folder in sorted(path for path in DATA.iterdir() if path.is_dir()):
        for root in roots_in(folder):
            if is_standalone(root) or sum(len(s.text.split()) for s in read_full_text(root).sections) < 2_000:
                continue
            text = root.read_text("utf-8", errors="replace")
            parts = re.split(r"(\\begin\s*\{document\})", text, maxsplit=1)
            if len(parts) == 3 and "\\section" in parts[2]:
                found.append((parts[0] + parts[1], parts[2].split("\\end{document}")[0]))
    return found


def replica_tex(original: tuple[str, str], seed: int, most: int = WORDS) -> bytes:
    """A .tex file of about `most` words with the paragraphs of each section in an order of chance."""
    chance = random.Random(seed)
    head, body = original
    sections = re.split(r"(?=\\section\b)", body)
    made: list[str] = []
    words = 0
    while words < most:
        for section in sections:
            paragraphs = re.split(r"\n[ \t]*\n", section)
            rest = paragraphs[1:]
            # An environment that spans paragraphs stays where it is.
            free = [n for n, each in enumerate(rest) if each.count("\\begin") == each.count("\\end")]
            for place, taken in zip(free, chance.sample(free, len(free)), strict=True):
                rest[place] = paragraphs[1 + taken]
            made.append("\n\n".join([paragraphs[0], *rest]))
            words += len(section.split())
            if words > most:
                break
    return f"{head}\n{''.join(made)}\n\\end{{document}}\n".encode()


def replica(original: tuple[str, str], seed: int) -> bytes:
    """A replica packed as arXiv packs sources, of about as many words as a paper has."""
    tex = replica_tex(original, seed)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo("main.tex")
        member.size = len(tex)
        archive.addfile(member, io.BytesIO(tex))
    return gzip.compress(packed.getvalue())


def read_all(sources: list[bytes]) -> Iterator[Reading]:
    """All sources, read by two processes."""
    readers = [TextReader() for _ in range(_READERS)]
    with ThreadPoolExecutor(len(readers)) as pool:
        for start in range(0, len(sources), len(readers)):
            part = sources[start : start + len(readers)]
            yield from pool.map(lambda pair: pair[0].read_eprint(pair[1]), zip(readers, part, strict=False))
    for reader in readers:
        reader.close()


def memory() -> float:
    """MB that this process and two of its children, each as large as the largest, took at most."""
    own, child = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return (own + _READERS * child) / 1e3


def work() -> float:
    """Seconds of CPU that this process and its children that have ended took."""
    return sum(os.times()[:4])


def timed(search: PassageSearch, tries: int, *, meaning: bool) -> list[tuple[float, float]]:
    """Milliseconds of each search: by the clock, and of CPU, which other work on the machine does not change."""
    found = []
    for _ in range(tries):
        for query in QUERIES:
            began, worked = time.perf_counter(), time.process_time()
            _ = search.find(query, 20, seconds=0) if meaning else search.by_words(query, 20)
            found.append(((time.perf_counter() - began) * 1e3, (time.process_time() - worked) * 1e3))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", nargs="?", type=int, default=500)
    parser.add_argument("--vectors", type=int, default=400)
    asked = parser.parse_args()
    real = originals()
    sources = [replica(real[number % len(real)], number) for number in range(asked.papers)]
    packed = sum(map(len, sources)) / len(sources) / 1e3
    print(f"{asked.papers} papers made of {len(real)} in {DATA}, {packed:.0f} kB each as sources")
    with tempfile.TemporaryDirectory() as name:
        store = TextStore(Path(name))
        began, worked, words = time.perf_counter(), work(), 0
        for number, reading in enumerate(read_all(sources)):
            text = reading.text
            words += text.words
            paper = PaperText(f"2601.{number:05}", 1, "eprint", text.title, text.sections, text.references)
            store.put(paper, date.today(), reading.original)
        seconds = time.perf_counter() - began
        facts = facts_of(store)
        papers, passages = facts.papers, facts.passages
        print(f"read, cut and indexed: {seconds:.1f} s, CPU {work() - worked:.1f} s, {memory():.0f} MB at most")
        print(f"{words / papers:,.0f} words a paper; passages: {passages:,}, {words / passages:.0f} words each")
        model = open_embedder(None)
        search = PassageSearch(store, lambda: model)
        search.embed([1], None)
        began = time.perf_counter()
        done = search.embed(list(range(2, asked.vectors + 2)), None)
        print(f"vectors: {done / (time.perf_counter() - began):.0f} passages a second")
        with store.database.reading() as db:
            keys = sorted({row[0] for row in db.execute("SELECT key FROM passages")})
        table = VectorTable(store.database, model.name)
        chance = np.random.default_rng(1).standard_normal((len(keys), model.dimensions)).astype(np.float32)
        table.put(keys, chance / np.linalg.norm(chance, axis=1, keepdims=True))
        with store.database.reading() as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for label, meaning in (("by words", False), ("by words and meaning", True)):
            first, worked = timed(search, 1, meaning=meaning)[0]
            clock, cpu = zip(*timed(search, 3, meaning=meaning), strict=True)
            print(
                f"search {label}: {statistics.median(clock):.0f} ms, {max(clock):.0f} at most, the first {first:.0f};"
                f" CPU {statistics.median(cpu):.0f}, {max(cpu):.0f} at most, the first {worked:.0f}"
            )
        size = sum(file.stat().st_size for file in Path(name, "fulltext").iterdir())
        print(f"on disk: {size / papers / 1e3:.0f} kB a paper, with its vectors and its packed source")
        store.close()


if __name__ == "__main__":
    main()
