"""Pin or exclude a paper in `citeplug.toml`, with all else in the file left as it is."""

from typing import Literal

from citeplug.errors import UsageError

Choice = Literal["pin", "exclude", "none"]
CHOSEN = ("pin", "exclude", "none")

_TABLE = "related"
_HEAD = "# Settings of this project for citeplug (docs/configuration.md).\n\n"


def with_choice(text: str, arxiv_id: str, choice: Choice) -> str:
    """Return the text of a `citeplug.toml` ("" for a new one) with this choice for a paper, in place of any other.

    Comments and layout stay. Raises UsageError if the text is not TOML, or has values of another type there.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError
    from tomlkit.items import Array, Table

    try:
        document = tomlkit.parse(text or _HEAD)
        if _TABLE not in document:
            if choice == "none":
                return text
            document[_TABLE] = tomlkit.table()
        table = document[_TABLE]
        if not isinstance(table, Table):
            raise UsageError("[related] in citeplug.toml is not a table", "correct it by hand")
        for name in ("pin", "exclude"):
            wanted = name == choice
            names = table.get(name)
            if names is None:
                if wanted:
                    table[name] = _array([arxiv_id])
                continue
            if isinstance(names, str):  # one name may be a string instead of a list
                others = [names] if names != arxiv_id else []
                if wanted or not others:
                    table[name] = _array([*others, *([arxiv_id] if wanted else [])])
                continue
            if not isinstance(names, Array):
                raise UsageError(f"{name} in citeplug.toml is not a list", "correct it by hand")
            for place in reversed([n for n, each in enumerate(names) if each == arxiv_id and not wanted]):
                names.pop(place)
            if wanted and arxiv_id not in names:
                names.append(arxiv_id)
        return tomlkit.dumps(document)
    except TOMLKitError as error:
        raise UsageError(f"citeplug.toml is not TOML: {error}", "correct it by hand") from error


def _array(names: list[str]) -> "object":
    import tomlkit

    array = tomlkit.array()
    array.extend(names)
    return array
