"""Entries of the section's own file that are cited again, by a sentence that came back after a run took them out."""

from collections.abc import Callable, Collection

from citeplug.bib.write.layout import append_entries, ends_within_a_block, newline_of
from citeplug.bibtex.entries import parse_bib
from citeplug.errors import ChangedMeanwhile
from citeplug.files.atomic import Change
from citeplug.project.author_files import bytes_or_none, read_exactly
from citeplug.project.merge_bases import read_bases
from citeplug.project.targets import Targets
from citeplug.records.section import HEADER


def restored_entries(where: Targets, cited: Collection[str], elsewhere: Callable[[], Collection[str]]) -> list[Change]:
    """The change of the file that brings back the entries of `cited` keys, as they were last generated; none if all
    are there, or are defined `elsewhere`.

    Raises UnreadableInput.
    """
    if not cited:
        return []
    bases = read_bases(where.project).entries
    before = bytes_or_none(where.bib)
    text, encode = (HEADER, str.encode) if before is None else read_exactly(where.bib)
    there = {entry.key for entry in parse_bib(text, where.bib)}
    lacking = {key for key in cited if key in bases and key not in there}
    lacking -= set(elsewhere()) if lacking else set()
    if not lacking or ends_within_a_block(text):
        return []
    texts = [bases[key][0].text.strip() for key in sorted(lacking)]

    def need_same() -> None:
        if bytes_or_none(where.bib) != before:
            raise ChangedMeanwhile(f"{where.bib} was changed in the meantime; it is left alone", "do it again")

    newline = newline_of(text)
    after = append_entries(text, [each.replace("\n", newline) for each in texts])
    return [Change(where.bib, encode(after), check=need_same)]
