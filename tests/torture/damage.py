"""What editors, mailers, sync tools and people do to .bib files, drawn at random. Works on bytes."""

import random
from collections.abc import Callable, Sequence

from tests.torture.judge import blocks

REMARKS = (
    b"% a remark\n", b"@comment{jabref-meta: databaseType:bibtex;}\n", b"some words outside of any entry\n", b"}\n",
    b'@string{zq = "Zeitschrift"}\n', b'@preamble{ "\\newcommand{\\zq}{q}" }\n', b"% @article{old, year = 1999}\n",
    b"@comment{@misc{hidden, title = {T}}}\n", b"   \t\n\n\n", "é ü ß — Łoś\n".encode(), b"@\n", b"@misc\n",
    b"@article(round, title = {In (round) brackets}, year = 2001)\n", b"@misc{,\n title = {Without a key}}\n",
    b"@misc{comma, title = {T}, year = 2001,,}\n", b'@misc{quotes, title = "A {"}quoted{"} word", note = "x"}\n',
    b"@misc{joined, title = {A} # { B} # zq}\n", b"@misc{open, title = {Never closed, year = {2001}\n",
)  # fmt: skip


def damaged(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """`data` after up to three mishaps; `others` are entries to put in."""
    for do in chance.choices(_MISHAPS, k=chance.randrange(4)):
        data = do(data, others, chance)
    return data


def with_entries(data: bytes, entries: Sequence[bytes], chance: random.Random) -> bytes:
    """`data` with entries put between its own, and before and behind them."""
    for entry in entries:
        at = _between(data, chance)
        data = data[:at] + b"\n" * (at > 0) + entry + data[at:]
    return data


def _between(data: bytes, chance: random.Random) -> int:
    return chance.choice([0, len(data), *(block.end for block in blocks(data))])


def _cut(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _hole(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + data[at + chance.randrange(200) :]


def _crlf(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _cr(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r")


def _mixed_ends(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    return b"".join(line + chance.choice([b"\n", b"\r\n", b"\n", b"\r"]) for line in lines)


def _mark(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    return b"\xef\xbb\xbf" + data


def _encoded(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    name = chance.choice(["cp1252", "latin-1", "utf-16", "utf-16-le", "cp1250", "mac_roman"])
    return data.decode("utf-8", "replace").replace("\ufffd", "ü").encode(name, "replace")


def _odd_bytes(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    odd = chance.choice([b"\xff", b"\x80\x81", b"\x00", b"\x0c", b"\xc3", b"\x1b[31m", "\u2028\u00a0".encode()])
    return data[:at] + odd + data[at:]


def _remark(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    return with_entries(data, [chance.choice(REMARKS)], chance)


def _another(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    return with_entries(data, [chance.choice(others)], chance) if others else data


def _twice(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    found = blocks(data)
    if not found:
        return data
    block = chance.choice(found)
    return with_entries(data, [data[block.start : block.end]], chance)


def _same_key(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    found = [block for block in blocks(data) if block.key]
    if len(found) < 2:
        return data
    one, other = chance.sample(found, 2)
    body = data[one.start : one.end].replace(one.key, other.key, 1)
    return data[: one.start] + body + data[one.end :]


def _swapped(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    found = blocks(data)
    if len(found) < 2:
        return data
    one, other = sorted(chance.sample(found, 2), key=lambda block: block.start)
    first, second = data[one.start : one.end], data[other.start : other.end]
    return data[: one.start] + second + data[one.end : other.start] + first + data[other.end :]


def _no_last_line_end(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    return data.rstrip(b"\r\n")


_MISHAPS: tuple[Callable[[bytes, Sequence[bytes], random.Random], bytes], ...] = (
    _cut, _hole, _crlf, _cr, _mixed_ends, _mark, _encoded, _odd_bytes, _remark, _remark, _another, _twice, _same_key,
    _swapped, _no_last_line_end,
)  # fmt: skip
