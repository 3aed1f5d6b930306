"""The blocks of a `.bib` file, with the place of every part and of every error."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mend:
    """A certain correction: the text for the place of the code points `start` to `end` (half-open)."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Stumble:
    """A place, in code points, where the run of the bibliography goes wrong; `message` ends a sentence."""

    code: str
    at: int
    message: str
    fix: str
    mend: Mend | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its name in lower case, where the name is, and the pieces of its value between `#`.

    Pieces are spans with their delimiters; one that begins with neither brace, quote nor digit is a macro.
    """

    name: str
    start: int
    pieces: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Block:
    """An entry, `@string` or `@preamble`, from its `@` to the position after its closing delimiter.

    `kind` is in lower case, `key` None for what has none; it begins at `key_at`.
    """

    kind: str
    start: int
    end: int
    key: str | None = None
    key_at: int = 0
    fields: tuple[Field, ...] = ()
    stumbles: tuple[Stumble, ...] = ()

    @property
    def is_entry(self) -> bool:
        return self.kind not in ("string", "preamble")
