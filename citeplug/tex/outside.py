"""What the author wrote in `related.tex` outside the blocks, carried over into a new version of the file."""

from collections.abc import Sequence

from citeplug.tex.edits import HEADER, RelatedBlock, read_related


def around_blocks(old: str, new: str) -> str:
    """`new`, with what stands outside the blocks of `old` in its place around them, byte for byte.

    Blocks answer to each other by their order; further ones follow the last that has a counterpart.
    """
    before = read_related(old)
    if not before.outside.strip() or not before.blocks:
        return new
    newline = "\r\n" if "\r\n" in old else "\n"
    blocks = [new[block.start : block.end].rstrip("\n") for block in read_related(new).blocks]
    gaps = _gaps(old, before.blocks)
    shared = min(len(blocks), len(before.blocks))
    parts = [gaps[0] if before.version is not None else f"{HEADER}{newline}{gaps[0]}"]
    for number, block in enumerate(blocks, 1):
        parts.append(block.replace("\n", newline))
        if number < shared:
            parts.append(_from_a_new_line(gaps[number], newline))
        elif number < len(blocks):
            parts.append(newline * 2)
    return "".join(parts) + "".join(_from_a_new_line(gap, newline) for gap in gaps[max(shared, 1) :])


def _gaps(text: str, blocks: Sequence[RelatedBlock]) -> list[str]:
    """What stands before the first block, between two, and behind the last."""
    starts, ends = [block.start for block in blocks], [block.end for block in blocks]
    return [text[end:start] for end, start in zip([0, *ends], [*starts, len(text)], strict=True)]


def _from_a_new_line(gap: str, newline: str) -> str:
    # A block without an end mark swallowed the line end behind it.
    return gap if gap.startswith(("\n", "\r")) else newline + gap
