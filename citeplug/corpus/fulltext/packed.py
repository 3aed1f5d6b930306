"""Texts of papers as the store keeps them: two packed values, the sections and what they cite."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from citeplug.records.passage import Mention, PaperText, Reference, TextSection

FIELDS = "paper, version, source, title, body, printed"  # of a text's row, as `text_of` takes them


def pack(text: PaperText) -> tuple[bytes, bytes]:
    """The sections of a text, and its references and mentions: the same bytes for the same text."""
    sections = [[s.level, s.title, s.text, s.captions, s.pages, s.place] for s in text.sections]
    mentions = [[mention.keys, mention.section, mention.sentence] for mention in text.mentions]
    return _packed(sections), _packed(
        {"references": [asdict(reference) for reference in text.references], "mentions": mentions}
    )


def sections_of(body: bytes) -> tuple[TextSection, ...]:
    """The sections. Raises zlib.error, ValueError or TypeError for other bytes."""
    return tuple(
        TextSection(level, name, text, captions, tuple((at, page) for at, page in pages), place)
        for level, name, text, captions, pages, place in _unpacked(body)
    )


def text_of(row: Sequence[Any]) -> PaperText:
    """A text from its row of `FIELDS`. Raises as `sections_of` does."""
    paper, version, source, title, body, printed = row
    cited = _unpacked(printed)
    mentions = tuple(Mention(tuple(keys), section, sentence) for keys, section, sentence in cited["mentions"])
    return PaperText(
        paper, version or None, source, title, sections_of(body), references_of(cited["references"]), mentions
    )


def references_of(forms: Sequence[dict[str, Any]]) -> tuple[Reference, ...]:
    """References from what `asdict` makes of them, read back from JSON."""
    return tuple(
        Reference(**{**form, **{name: _tuples(value) for name, value in form.items() if isinstance(value, list)}})
        for form in forms
    )


def _tuples(value: list[Any]) -> tuple[Any, ...]:
    return tuple(tuple(item) if isinstance(item, list) else item for item in value)


def _packed(value: Any) -> bytes:
    plain = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(plain.encode("utf-8", "replace"), 6)


def _unpacked(packed: bytes) -> Any:
    return json.loads(zlib.decompress(packed))
