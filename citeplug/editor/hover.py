"""Hover cards of keys, in citations and .bib files, and of generated sentences."""

from citeplug.editor.cards import Card, entry_card
from citeplug.editor.snapshot import Snapshot, Stretch
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import EntryCheck
from citeplug.records.paper import Paper
from citeplug.related.section.accept import Recorded, source_in_words
from citeplug.text.cleaning import plain

_MOST_PLACES = 8
_LONGEST_QUOTE = 600


def key_card(
    entry: BibEntry, here: Stretch, snapshot: Snapshot, record: Paper | None, check: EntryCheck | None
) -> Card:
    """Make the card of an entry with the places, other than `here`, that cite it."""
    places = []
    for mention in snapshot.mentions.get(entry.key, ()):
        lined = snapshot.texts.get(mention.place.file)
        if lined is not None and mention.place != here:
            places.append(f"{mention.place.file.name}:{lined.line_of(mention.place.start) + 1}")
    shown = list(dict.fromkeys(places))
    if len(shown) > _MOST_PLACES:
        shown = [*shown[:_MOST_PLACES], f"{len(shown) - _MOST_PLACES} more"]
    return entry_card(entry, record, check, shown)


def sentence_card(sentence: Recorded) -> Card:
    """Make the card of a generated sentence with its sources."""
    lines = []
    if sentence.kind == "topic":
        lines.append("Its sources are those of the sentences below it")
    for source in sentence.sources:
        of = source_in_words(source)
        said = plain(source.quote)
        lines.append(f"From {of}: “{said[:_LONGEST_QUOTE]}{'…' if len(said) > _LONGEST_QUOTE else ''}”")
    if sentence.attribution is not None:
        lines.append(f"Attribution: {100 * sentence.attribution:.0f} %")
    if (judgement := sentence.judgement) is not None and (judged := judgement.doubt or judgement.verdict):
        by = f" ({plain(judgement.by)})" if judgement.by else ""
        lines.append(f"{'Judged' if judgement.verdict else 'Doubt'}: {plain(judged)}{by}")
    lines.append("Accepted" if sentence.status == "accepted" else "Not accepted yet")
    return Card(title=f"Generated sentence {sentence.place}", lines=tuple(lines))
