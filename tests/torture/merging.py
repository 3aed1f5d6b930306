"""related on a .bib file of its own that the author wrote into and mishandled: what is the author's stays."""

import random
import re
from contextlib import ExitStack
from pathlib import Path

import citeplug.demo
from citeplug.corpus.stores import open_corpus, settings
from citeplug.errors import CiteplugError
from citeplug.records.outcome import Options
from citeplug.related.job import write_related
from citeplug.related.tools import Job
from tests.torture.case import Case, demand
from tests.torture.damage import REMARKS, damaged, with_entries
from tests.torture.judge import blocks, bytes_of, kept_but_for, restore, state_of, words_lost

EXAMPLE = Path(citeplug.demo.__file__).parent / "example"
LIBRARY = Path(citeplug.demo.__file__).parent / "library.jsonl"
_TITLE = re.compile(rb"(title\s*=\s*\{)")
_BLOCK = re.compile(rb"^% citeplug:begin.*?^% citeplug:end[^\n]*\n", re.MULTILINE | re.DOTALL)


class Section:
    """A project whose section is written, and the catalogue in CITEPLUG_HOME. To be closed."""

    def __init__(self, folder: Path) -> None:
        self.main = folder / "paper" / "main.tex"
        self.chosen = settings(offline=True)
        restore(self.main.parent, state_of(EXAMPLE))
        with ExitStack() as stack:
            self.corpus = stack.enter_context(open_corpus(self.chosen))
            self.corpus.add([LIBRARY], complete=False)
            self._run(insert=True)
            self._open = stack.pop_all()
        self.written = state_of(self.main.parent)
        self.keys = {block.key for block in blocks(self.written["related.bib"])}

    def close(self) -> None:
        self._open.close()

    def play(self, case: Case) -> None:
        """The author writes into both files, and related runs."""
        chance, folder = case.chance, self.main.parent
        restore(folder, self.written)
        tex, bib = folder / "related.tex", folder / "related.bib"
        if chance.random() < 0.5:
            gone = chance.choice(list(_BLOCK.finditer(tex.read_bytes())))
            tex.write_bytes(tex.read_bytes().replace(gone[0], b"", 1))
        bib.write_bytes(self._mishandled(chance))
        before = state_of(folder)
        try:
            self._run()
        except CiteplugError:
            case.counts["related into a .bib, refused"] += 1
            demand(None if state_of(folder) == before else "it was refused, and files changed all the same")
            return
        old, new = before["related.bib"], bib.read_bytes()
        case.counts[f"related into a .bib, {'changed' if old != new else 'nothing to do'}"] += 1
        files = {"before.bib": old, "after.bib": new}
        demand(kept_but_for(old, new, self.keys), **files)
        demand(words_lost(*(bytes_of(each).decode("utf-8", "replace") for each in (old, new))), **files)

    def _mishandled(self, chance: random.Random) -> bytes:
        data = self.written["related.bib"]
        words = iter(range(1, 100))
        for _ in range(chance.randrange(3)):
            field = chance.choice(list(_TITLE.finditer(data)))
            data = data[: field.end()] + f"Zq{next(words)}q ".encode() + data[field.end() :]
        own = [
            f"@misc{{own{n},\n  title = {{Zq{n}q}},\n  year = 2001\n}}\n".encode() for n in (next(words), next(words))
        ]
        data = with_entries(data, [*own, chance.choice(REMARKS)], chance)
        return damaged(data, own, chance)

    def _run(self, *, insert: bool = False) -> None:
        job = Job(self.main, Options(), insert=insert)
        write_related(job, self.chosen, online=False, report=lambda *_: None, corpus=self.corpus)
