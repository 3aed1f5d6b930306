"""For how many entries of real .bib files the learned style gives the key that the author chose.

    python -m benchmarks.key_styles FOLDER

Each entry is left out in turn, the style learned from the others of its file, and its key made and compared; letters
that tell two papers of one year apart do not count. Files with the same keys are read once.
"""

import argparse
import re
from pathlib import Path

from citeplug.bibliography.key_parts import KeyFacts
from citeplug.bibliography.keystyle import DEFAULT, KeyStyle, learn_style
from citeplug.errors import UnreadableInput
from citeplug.records.draft import BibEntry
from citeplug.usecases.bib_file import read_bib_file

_LETTERS = re.compile(r"[a-z]{0,3}")


def is_made(style: KeyStyle, entry: BibEntry, facts: KeyFacts) -> bool:
    """Whether `style` gives the entry's key, letters at the end aside."""
    made = style.key(facts)
    return bool(made) and entry.key.startswith(made) and _LETTERS.fullmatch(entry.key[len(made) :]) is not None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    seen: set[tuple[str, ...]] = set()
    total = learned = usual = 0
    print("entries learned default file")
    for path in sorted(folder.glob("**/*.bib")):
        try:
            entries = read_bib_file(path).entries()
        except UnreadableInput:
            continue
        keys = tuple(entry.key for entry in entries)
        if keys in seen:
            continue
        seen.add(keys)
        counts = [0, 0, 0]
        for number, entry in enumerate(entries):
            facts = KeyFacts.of_entry(entry)
            if facts.names and facts.year is not None and facts.title:
                style = learn_style([*entries[:number], *entries[number + 1 :]]) or DEFAULT
                counts = [
                    counts[0] + 1,
                    counts[1] + is_made(style, entry, facts),
                    counts[2] + is_made(DEFAULT, entry, facts),
                ]
        print(f"{counts[0]:7} {counts[1]:7} {counts[2]:7} {path.relative_to(folder)}", flush=True)
        total, learned, usual = total + counts[0], learned + counts[1], usual + counts[2]
    print(f"{total:7} {learned:7} {usual:7} all")


if __name__ == "__main__":
    main()
