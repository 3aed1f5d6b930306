"""Writers of the sentences and date of the section, for authors who must disclose them."""

from dataclasses import replace
from datetime import date

from citeplug.records.provenance import UNNAMED, Provenance


def credited(record: Provenance, before: Provenance, model: str | None, today: date) -> Provenance:
    """The record with a date, `made_on`, and the name of the `model` for each sentence that is `by` one.

    A sentence that was in the record `before` keeps its writer: a run leaves alone what is current. The date stays
    too, unless the section changes.
    """
    known = {each.name[1]: each.by for each in before.sentences}
    sentences = tuple(
        replace(each, by=known.get(each.name[1]) or (model or UNNAMED if each.by else None))
        for each in record.sentences
    )
    new = replace(record, sentences=sentences)
    unchanged = before.made_on is not None and _section_of(new) == _section_of(before)
    return replace(new, made_on=before.made_on if unchanged else today.isoformat())


def _section_of(record: Provenance) -> Provenance:
    return replace(record, made_on=None, inserted=())
