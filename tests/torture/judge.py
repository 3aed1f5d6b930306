"""What was lost between two states of an author's files, told by their bytes.

Nothing here is citeplug's: a judge that reads as the accused does would share its mistakes. Each function gives what is
wrong, in words, or None.
"""

import re
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TOKEN = re.compile(r"Zq\d+q")
_HEAD = re.compile(rb"@[ \t]*([A-Za-z]+)\s*[{(]\s*([^\s,{}()=]*)")
_LINE_HEAD = re.compile(rb"(?:^|[\r\n])[ \t]*@[ \t]*[A-Za-z]+\s*[{(]")
_NO_ENTRY = (b"comment", b"string", b"preamble")
_FIELD = re.compile(rb"\s*([A-Za-z][\w:.+/-]*)\s*=\s*")
_WHEN = re.compile(rb'"when": "[^"]*"')
_SPACE = b" \t\r\n"
_LEFTOVER = re.compile(r"(?:.*/)?\.citeplug-[0-9a-f]+\.tmp")


@dataclass(frozen=True, slots=True)
class Block:
    """An entry: bytes `start` to `end` (half-open), as far as its braces go or else to the next one's line."""

    key: bytes
    start: int
    end: int


def bytes_of(data: bytes) -> bytes:
    """The bytes in which entries can be looked for: those of UTF-16, however mangled, without the zeros of ASCII."""
    return data.replace(b"\0", b"") if data.count(0) * 3 > len(data) else data


def blocks(data: bytes) -> list[Block]:
    """The entries of a .bib file, in their order; macros and comments are none."""
    found, position = [], 0
    while head := _HEAD.search(data, position):
        end = _end(data, head.start(), head.end(2))
        if head[1].lower() not in _NO_ENTRY:
            found.append(Block(head[2], head.start(), end))
        position = max(end, head.end(1))
    return found


def kept_outside(before: bytes, after: bytes, changed: Collection[bytes]) -> str | None:
    """Whether all bytes outside the entries whose keys are `changed` stand there still, and nothing new beside them.

    Where one of these was not closed, nobody can tell its end: then what is outside of them has to follow in its order.
    """
    before, after = bytes_of(before), bytes_of(after)
    old, new = blocks(before), blocks(after)
    numbers = [number for number, block in enumerate(old) if block.key in changed]
    if len(old) != len(new):
        return f"there were {len(old)} entries, now {len(new)}: {_difference(before, after)}"
    pieces = _between(before, [old[number] for number in numbers])
    if pieces == _between(after, [new[number] for number in numbers]):
        return None
    if all(before[: old[number].end].endswith((b"}", b")")) for number in numbers):
        return f"something else than {sorted(changed)} changed: {_difference(before, after)}"
    if not after.startswith(pieces[0]) or not after.endswith(pieces[-1]):
        return f"the file begins or ends otherwise: {_difference(before, after)}"
    lost = _first_missing(pieces, after)
    return None if lost is None else f"this is not there as it was: {lost!r}"


def kept_but_for(before: bytes, after: bytes, gone: Collection[bytes]) -> str | None:
    """As `kept_outside`, for a file to which entries of the keys `gone` may come and from which they may go: white
    space beside them goes too, and what comes stands anywhere."""
    before, after = bytes_of(before), bytes_of(after)
    pieces = _between(before, [block for block in blocks(before) if block.key in gone])
    lost = _first_missing([piece.strip(_SPACE) for piece in pieces if piece.strip(_SPACE)], after)
    return None if lost is None else f"this is not there as it was: {lost!r}"


def fields_kept(before: bytes, after: bytes, changed: Mapping[bytes, Collection[bytes]]) -> str | None:
    """Whether each entry that is named once has all fields but the `changed` ones (in small letters), byte by byte."""
    before, after = bytes_of(before), bytes_of(after)
    new: dict[bytes, list[bytes]] = {}
    for block in blocks(after):
        new.setdefault(block.key, []).append(after[block.start : block.end])
    for block in blocks(before):
        if block.key not in changed or len(new.get(block.key, ())) != 1:
            continue
        pieces = [piece for name, piece in fields(before[block.start : block.end]) if name not in changed[block.key]]
        if (lost := _first_missing(pieces, new[block.key][0])) is not None:
            return f"in {block.key!r} this is not there as it was: {lost!r}"
    return None


def fields(entry: bytes) -> list[tuple[bytes, bytes]]:
    """Names, in small letters, and bytes of an entry's fields; none where the entry is not of the usual form."""
    head = _HEAD.match(entry)
    if head is None:
        return []
    found, position = [], head.end(2)
    for end in _commas(entry, position):
        piece = entry[position:end].lstrip(_SPACE + b",").rstrip(_SPACE)
        position = end
        if not piece:
            continue
        name = _FIELD.match(piece)
        if name is None:
            return []
        found.append((name[1].lower(), piece))
    names = [name for name, _ in found]
    return found if len(set(names)) == len(names) else []


def appended(before: bytes, after: bytes, count: int) -> str | None:
    """Whether `after` is `before` with `count` entries behind it."""
    if not after.startswith(before):
        return f"what was there is not there any more: {_difference(before, after)}"
    new = len(blocks(bytes_of(after[len(before) :])))
    if new != count:
        return f"{count} entries were to come, and {new} came"
    return None


def words_lost(before: str, after: str, printed: Collection[str] = ()) -> str | None:
    """Whether each word of the author's stands there as often as before. Lines that citeplug `printed`, word for word,
    are its own."""
    own = "\n".join(line for line in before.splitlines() if line.strip() not in printed)
    there = tokens_in(after)
    lost = sorted(word for word, count in tokens_in(own).items() if there.get(word, 0) < count)
    return f"lost words of the author's: {', '.join(lost)}" if lost else None


def tokens_in(text: str) -> dict[str, int]:
    """The words of the author's in a text, with how often they stand there."""
    found = TOKEN.findall(text)
    return {token: found.count(token) for token in found}


def state_of(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by its name from there."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def restore(folder: Path, state: Mapping[str, bytes]) -> None:
    """Make a folder hold these files and no other."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in state.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def torn(before: Mapping[str, bytes], after: Mapping[str, bytes], now: Mapping[str, bytes]) -> str | None:
    """Whether every file is as before or as after; the writer's own unfinished files may be left."""
    for name in sorted({*before, *after, *now}):
        if _LEFTOVER.fullmatch(name):
            continue
        if _timeless(now.get(name)) not in (_timeless(before.get(name)), _timeless(after.get(name))):
            return f"{name} is neither as before nor as after: {len(now.get(name, b''))} bytes"
    return None


def _timeless(data: bytes | None) -> bytes | None:
    """Without the moments that a record notes: the same command, done later, is the same."""
    return None if data is None else _WHEN.sub(b"", data)


def _end(data: bytes, start: int, position: int) -> int:
    """Where a block ends: behind its closing brace, or before the next line that begins one, whichever is first."""
    following = _LINE_HEAD.search(data, position)
    limit = following.start() + 1 if following else len(data)
    opening = data.find(b"{", start, position)
    depth = int(opening >= 0)
    for place in re.finditer(rb"[{}()]", data[position:limit]):
        sign = place[0]
        depth += (sign == b"{") - (sign == b"}")
        if depth <= 0 and sign == (b"}" if opening >= 0 else b")"):
            return position + place.end()
    return limit


def _commas(entry: bytes, position: int) -> Iterator[int]:
    """Where the fields of an entry end: at commas outside of braces and quotes, and before its last sign."""
    depth, quoted = 0, False
    for place in range(position, len(entry) - 1):
        sign = entry[place : place + 1]
        if sign == b'"' and depth == 0:
            quoted = not quoted
        depth += (sign == b"{") - (sign == b"}")
        if sign == b"," and depth == 0 and not quoted:
            yield place
    yield len(entry) - 1


def _between(data: bytes, taken: Sequence[Block]) -> list[bytes]:
    """What stands before, between and behind the blocks that are `taken`."""
    starts, ends = [0, *(block.end for block in taken)], [*(block.start for block in taken), len(data)]
    return [data[start:end] for start, end in zip(starts, ends, strict=True)]


def _first_missing(pieces: Collection[bytes], there: bytes) -> bytes | None:
    """The first of the pieces that does not follow the others."""
    position = 0
    for piece in pieces:
        place = there.find(piece, position)
        if place < 0:
            return piece[:300]
        position = place + len(piece)
    return None


def _difference(before: bytes, after: bytes) -> str:
    place = next((n for n, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), None)
    place = min(len(before), len(after)) if place is None else place
    around = slice(max(0, place - 40), place + 80)
    return f"at byte {place} {before[around]!r} became {after[around]!r}"
