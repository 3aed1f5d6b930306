"""A real sentence-transformers model that is made in a moment: the mean of random vectors of words."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

WIDTH = 48


def make_model(folder: Path, texts: Sequence[str], prompts: Mapping[str, str] | None = None) -> Path:
    """Save a model that knows the words of `texts` into `folder`; the same words give the same model."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.normalizers import Lowercase
    from tokenizers.pre_tokenizers import Whitespace

    words = sorted({word for text in texts for word in re.findall(r"\w+", text.lower())})
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(["[UNK]", *words])}, "[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    weights = torch.randn(len(words) + 1, WIDTH, generator=torch.Generator().manual_seed(7))
    model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=weights)], device="cpu")
    model.prompts.update(prompts or {})
    model.save(str(folder))
    return folder
