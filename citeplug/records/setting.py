"""A setting of a run: its default, its bounds, its help, and who may set it, declared once."""

from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

Kind = Literal["whole", "number", "switch", "day", "one", "text", "names", "papers", "topics", "codes", "path"]
_FROM_NAME: Any = object()


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting. `name` is the field of the record that it sets; `help` is for the user.

    `option` is that of the command line, `document` the key of `\\citeplugrelated` or a command of its own, `toml` the
    table and key in `citeplug.toml`, or in config.toml for what only the user may set; None: it cannot be set there.
    `least` and `most` bound a number; `among` are the possible names; `suffix` is that of a file, "" for any.
    """

    name: str
    kind: Kind
    default: Any
    option: str | None = None
    document: str | None = None
    toml: str | None = None
    least: float = 0
    most: float = 0
    among: tuple[str, ...] = ()
    suffix: str = ""
    help: str = ""

    @property
    def range(self) -> str:
        """Possible values, in words."""
        if self.kind in ("whole", "number"):
            return f"{self.least:.15g} to {self.most:.15g}"
        return {
            "switch": "true or false",
            "day": "a day, YYYY-MM-DD, or a year",
            "one": ", ".join(self.among),
            "text": "a name",
            "names": "arXiv categories; `cs` means the whole archive",
            "papers": "arXiv ids, keys of a bibliography, or titles",
            "topics": "numbers, names, or words of names, of the topics on this machine",
            "codes": "codes of findings",
            "path": f"the relative path of a {self.suffix or 'LaTeX'} file in the project, as LaTeX can read it",
        }[self.kind]


def setting(
    default: Any,
    kind: Kind,
    help_text: str,
    *,
    between: tuple[float, float] = (0, 0),
    among: tuple[str, ...] = (),
    option: str | None = _FROM_NAME,
    document: str | None = _FROM_NAME,
    toml: str | None = _FROM_NAME,
) -> Any:
    """A field that a user may set: as an option, and, unless None is given, in the document and `citeplug.toml`."""
    declared = Setting("", kind, default, option, document, toml, *between, among, help=help_text)
    return field(default=default, metadata={"setting": declared})


def settings_of(record: type) -> tuple[Setting, ...]:
    """The settings among the fields of a dataclass, in their order."""
    return tuple(_named(entry.metadata["setting"], entry.name) for entry in fields(record) if entry.metadata)


def _named(declared: Setting, name: str) -> Setting:
    places: dict[str, Any] = {"option": f"--{name.replace('_', '-')}", "document": name, "toml": f"related.{name}"}
    from_name = {place: text for place, text in places.items() if getattr(declared, place) is _FROM_NAME}
    return replace(declared, name=name, **from_name)
