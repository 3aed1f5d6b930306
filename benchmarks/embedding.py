"""How fast papers are embedded, and how far quantised vectors change who is near whom.

    python -m benchmarks.embedding [--data ../shared/data] [--records 256] [--among 1000] [--mpnet FOLDER]

In one run and on the same records, drawn with a fixed seed: the built-in model as it runs (int8 through ONNX
Runtime), in fp32, and by sentence-transformers; with --mpnet, a folder of all-mpnet-base-v2, as Citegeist embeds
(abstracts, 256 in a call). Nothing is downloaded. Then, among --among records: of the ten that are nearest by fp32,
how many are by int8, queries being fp32 in both. What it costs in recall to embed papers only when a query brings
them up is in `python -m benchmarks.retrieval --full`.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.gold import DATA, SAMPLE, machine, read_lines
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.corpus.vectors.minilm import model_folder
from citeplug.protocols import Embedder, Vectors

NEAREST = 10
CITEGEIST_BATCH = 256  # its data_embedding.py
WARMING = 8  # texts before the clock starts: models are loaded by the first


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help=f"folder of {SAMPLE}")
    parser.add_argument("--records", type=int, default=256, help="records for the speed (default: %(default)s)")
    parser.add_argument("--among", type=int, default=1000, help="records for the neighbours (default: %(default)s)")
    parser.add_argument("--mpnet", type=Path, help="folder of all-mpnet-base-v2, for the peer")
    chosen = parser.parse_args()
    if not (chosen.data / SAMPLE).is_file():
        parser.error(f"{chosen.data} has no {SAMPLE}: give its folder with --data")
    print("python -m benchmarks.embedding " + " ".join(sys.argv[1:]))
    print(machine())
    drawn = random.Random(2025).sample(sorted(read_lines(chosen.data)), max(chosen.records, chosen.among))
    records = [json.loads(line) for _, line in drawn]
    texts = [" ".join(f"{record['title']}. {record['abstract']}".split()) for record in records]

    int8, fp32 = (open_embedder(f"all-MiniLM-L6-v2/onnx-{kind}") for kind in ("int8", "fp32"))
    part = texts[: chosen.records]
    speed("MiniLM, ONNX int8: as it runs", int8.embed, part)
    speed("MiniLM, ONNX fp32", fp32.embed, part)
    speed("MiniLM, torch fp32", open_embedder(str(model_folder())).embed, part)
    if chosen.mpnet is not None:
        abstracts = [record["abstract"] for record in records[: chosen.records]]
        speed("all-mpnet-base-v2, torch: Citegeist's way", citegeist(chosen.mpnet), abstracts)
    neighbours(texts[: chosen.among], int8, fp32)
    return 0


def speed(name: str, embed: Callable[[Sequence[str]], object], texts: Sequence[str]) -> None:
    """A line with texts a second, of the clock and of one core's work."""
    embed(texts[:WARMING])
    start, work = time.perf_counter(), time.process_time()
    embed(texts)
    seconds, work = time.perf_counter() - start, time.process_time() - work
    rate = f"{len(texts) / seconds:7.1f} records/s, {1000 * work / len(texts):5.0f} ms of processor time each"
    print(f"  {name:44}{rate}", flush=True)


def citegeist(folder: Path) -> Callable[[Sequence[str]], object]:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu")

    def embed(abstracts: Sequence[str]) -> None:
        for start in range(0, len(abstracts), CITEGEIST_BATCH):
            model.encode(list(abstracts[start : start + CITEGEIST_BATCH]), show_progress_bar=False)

    return embed


def neighbours(texts: Sequence[str], int8: Embedder, fp32: Embedder) -> None:
    exact, quantised = fp32.embed(texts), int8.embed(texts)
    right, found = nearest(exact, exact, NEAREST), nearest(exact, quantised, len(texts) - 1)
    same = np.mean([len(set(a) & set(b[:NEAREST])) for a, b in zip(right, found, strict=True)]) / NEAREST
    # How far down the quantised ranking one has to go to have all ten.
    deepest = [max(np.flatnonzero(np.isin(b, a))) + 1 for a, b in zip(right, found, strict=True)]
    cosines = (exact * quantised).sum(axis=1)
    print(f"\nint8 beside fp32, {len(texts):,} records")
    print(f"  cosine {cosines.mean():.4f} on average, {cosines.min():.4f} at least")
    print(
        f"  of the {NEAREST} nearest {100 * same:.1f} % are the same; all of them are among the first"
        f" {np.percentile(deepest, 50):.0f} (median), {np.percentile(deepest, 99):.0f} (99 % of records)"
    )


def nearest(asked: Vectors, vectors: Vectors, k: int) -> list[list[int]]:
    """For each row of `asked` the `k` nearest other rows, best first."""
    cosines = asked @ vectors.T
    np.fill_diagonal(cosines, -2)
    ranked: list[list[int]] = np.argsort(-cosines, axis=1, kind="stable")[:, :k].tolist()
    return ranked


if __name__ == "__main__":
    raise SystemExit(main())
