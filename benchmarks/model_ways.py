"""Ways to run a larger embedding model on a processor: what each takes, and how far its vectors are from fp32.

    python -m benchmarks.model_ways FOLDER [--records 64] [--data ../shared/data] [--ways fp32,int8,bf16]

FOLDER holds a sentence-transformers model such as all-mpnet-base-v2; nothing is downloaded. `fp32` is as citeplug runs
it; `int8` is PyTorch's dynamic quantisation of all linear layers with a scale for each output, `int8-tensor` with one
for each matrix, `int8-some` leaves the layers named `output.dense` in fp32; `bf16` is the model in bfloat16.
"""

import argparse
import json
import random
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.embedding import nearest, speed
from benchmarks.gold import DATA, SAMPLE, machine, read_lines
from citeplug.protocols import Vectors

NEAREST = 10
WAYS = ("fp32", "int8", "int8-tensor", "int8-some", "bf16")


def main() -> int:
    """A line for each way; fp32 is always run, for the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, metavar="FOLDER")
    parser.add_argument("--data", type=Path, default=DATA, help=f"folder of {SAMPLE}")
    parser.add_argument("--records", type=int, default=64)
    parser.add_argument("--ways", default="fp32,int8,int8-tensor,int8-some", help=f"of {', '.join(WAYS)}")
    chosen = parser.parse_args()
    print("python -m benchmarks.model_ways " + " ".join(sys.argv[1:]))
    print(machine())
    drawn = random.Random(2025).sample(sorted(read_lines(chosen.data)), chosen.records)
    records = [json.loads(line) for _, line in drawn]
    texts = [" ".join(f"{record['title']}. {record['abstract']}".split()) for record in records]
    exact: Vectors | None = None
    for way in dict.fromkeys(("fp32", *chosen.ways.split(","))):
        model, kept = opened(chosen.model, way), list[Vectors]()

        def embed(part: Sequence[str], model: Any = model, kept: list[Vectors] = kept) -> None:
            kept.append(model.encode(list(part), normalize_embeddings=True, show_progress_bar=False))

        speed(way, embed, texts)
        vectors = np.asarray(kept[-1], np.float32)
        exact = vectors if exact is None else exact
        compare(exact, vectors)
    return 0


def opened(folder: Path, way: str) -> Any:
    """The model as that way has it."""
    import torch
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder.resolve()), device="cpu")
    if way == "bf16":
        return model.to(torch.bfloat16)
    if way.startswith("int8"):
        from torch.ao import quantization

        by_tensor = way == "int8-tensor"
        how = quantization.default_dynamic_qconfig if by_tensor else quantization.per_channel_dynamic_qconfig
        linear = [name for name, layer in model.named_modules() if isinstance(layer, torch.nn.Linear)]
        left = "output.dense" if way == "int8-some" else "\0"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what a coming PyTorch will have no more
            quantization.quantize_dynamic(model, {name: how for name in linear if left not in name}, inplace=True)
    return model


def compare(exact: Vectors, vectors: Vectors) -> None:
    """How near the vectors are to the exact ones, and how many of the ten nearest they have in common."""
    cosines = (exact * vectors).sum(axis=1)
    pairs = zip(nearest(exact, exact, NEAREST), nearest(vectors, vectors, NEAREST), strict=True)
    same = np.mean([len(set(a) & set(b)) for a, b in pairs]) / NEAREST
    print(
        f"    cosine to fp32 {cosines.mean():.3f}, at least {cosines.min():.3f}; {100 * same:.0f} % of the ten nearest"
    )


if __name__ == "__main__":
    raise SystemExit(main())
