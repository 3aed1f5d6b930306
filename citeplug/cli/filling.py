"""Words with their styles, broken into lines; what a line says and how it looks stay together."""

from collections.abc import Iterator, Sequence

from citeplug.cli.console import Part

_CUT = "..."


def fill(
    parts: Sequence[Part], width: int, *, indent: str = "", further: str = "", most: int | None = None, end: Part = ""
) -> list[Sequence[Part]]:
    """Break parts at spaces into lines of at most `width` columns, `most` lines if that is given.

    The first line begins with `indent`, the others with `further`. `end` stands behind the last line, also where words
    are left out before it, which "..." marks. A word that is too long for a line is broken.
    """
    first, others = (max(width - len(before), 1) for before in (indent, further))
    words = [piece for part in (*parts, end) for piece in _words(part, min(first, others))]
    last = list(_words(end, min(first, others)))
    lines: list[list[tuple[str, str]]] = [[]]
    for word in words:
        if lines[-1] and _length([*lines[-1], word]) > (first if len(lines) == 1 else others):
            lines.append([])
        lines[-1].append(word)
    if most is not None and len(lines) > most:
        lines = lines[:most]
        while lines[-1] and _length([*lines[-1], (_CUT, ""), *last]) > (first if most == 1 else others):
            lines[-1].pop()
        lines[-1] += [(_CUT, ""), *last]
    return [((further if at else indent), *_spaced(line)) for at, line in enumerate(lines)]


def one_line(parts: Sequence[Part], indent: str, end: Part = "") -> Sequence[Part]:
    """Return the parts on one line, however long it is."""
    return indent, *_spaced([(words, kind) for words, kind in map(_styled, (*parts, end)) if words])


def _styled(part: Part) -> tuple[str, str]:
    return part if isinstance(part, tuple) else (part, "")


def _words(part: Part, room: int) -> Iterator[tuple[str, str]]:
    text, kind = _styled(part)
    for word in text.split():
        yield from ((word[at : at + room], kind) for at in range(0, len(word), room))


def _length(words: Sequence[tuple[str, str]]) -> int:
    return sum(len(word) for word, _ in words) + len(words) - 1


def _spaced(words: Sequence[tuple[str, str]]) -> Iterator[Part]:
    """Yield the words with a space between each two, those of one style in a row as one part."""
    text, style = "", ""
    for word, kind in words:
        if text and kind == style:
            text = f"{text} {word}"
            continue
        if text:
            yield text, style
            yield " "
        text, style = word, kind
    if text:
        yield text, style
