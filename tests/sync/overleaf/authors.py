"""Authors who write at once: two in clones, one in the browser. Every word that is typed is known."""

import itertools
import random
import re
from collections.abc import Callable
from pathlib import Path

from tests.harness.git_server import Web, git

SENTENCE = re.compile(r"^(?!\s*[%\\]).*?\w.*\.$|^\\[Cc]ite\w*\{.*\.$", re.MULTILINE)
END = re.compile(r"^% citeplug:end", re.MULTILINE)
HEADING = re.compile(r"^% citeplug:heading .*$", re.MULTILINE)
# Each author has places of their own in the draft; in the section everybody writes everywhere.
NAMES = ("ada", "ben", "web")


def draft(text: str) -> str:
    """The draft with places in which each author writes, far enough from those of the others for git."""
    places = "".join(f"\n\nThe part of {name} begins.\n{name.capitalize()}'s place.\nIt ends.\n" for name in NAMES)
    abstract = "".join(f"Aim of {name}:\nscaling.\nAnd so on.\n" for name in NAMES)
    text = text.replace(r"\end{abstract}", f"{abstract}\\end{{abstract}}")
    return text.replace(r"\section{Conclusion}", f"{places}\n\\section{{Conclusion}}")


class Writer:
    """One author. `typed` are the words that were saved and must never be missing."""

    words = itertools.count(1)

    def __init__(self, name: str, chance: random.Random) -> None:
        self.name = name
        self.chance = chance
        self.typed: set[str] = set()
        self.log: list[str] = []

    def word(self) -> str:
        return f"author{next(self.words)}word"

    def write(self, read: Callable[[str], str], save: Callable[[str, str], None]) -> None:
        """One edit of the draft, the section, or a file of the author's own."""
        word = self.word()
        kind = self.chance.choice(["text", "abstract", "sentence", "sentence", "added", "heading", "file"])
        name = {"text": "main.tex", "abstract": "main.tex", "file": f"{self.name}.tex"}.get(kind, "related.tex")
        text = read(name)
        new = self._changed(kind, text, word)
        if new != text:
            save(name, new)
            self.typed.add(word)
            self.log.append(f"{self.name} {kind} {word}")

    def _changed(self, kind: str, text: str, word: str) -> str:
        if kind == "text":
            return text.replace(
                f"{self.name.capitalize()}'s place.", f"{self.name.capitalize()}'s place. It {word}.", 1
            )
        if kind == "abstract":
            topic = self.chance.choice(["recommendation", "molecules", "traffic", "attention", "spectra", "text"])
            return text.replace(f"Aim of {self.name}:", f"Aim of {self.name}: {topic} by {word},", 1)
        if kind == "file":
            return f"{text}Mine: {word}.\n"
        pattern = {"sentence": SENTENCE, "added": END, "heading": HEADING}[kind]
        found = list(pattern.finditer(text))
        if not found:
            return text
        chosen = self.chance.choice(found)
        if kind == "sentence":
            return f"{text[: chosen.start()]}{chosen[0][:-1]}, {word}.{text[chosen.end() :]}"
        if kind == "added":
            return f"{text[: chosen.start()]}A {word} is missing here.\n{text[chosen.start() :]}"
        return f"{text[: chosen.end()]} {word}{text[chosen.end() :]}"


class CloneWriter(Writer):
    """An author with a clone."""

    def __init__(self, main: Path, name: str, chance: random.Random) -> None:
        super().__init__(name, chance)
        self.main = main

    def edit(self, *, committed: bool) -> None:
        folder = self.main.parent

        def read(name: str) -> str:
            return (folder / name).read_bytes().decode() if (folder / name).exists() else ""

        def save(name: str, text: str) -> None:
            (folder / name).write_bytes(text.encode())

        self.write(read, save)
        if committed:
            self.commit()

    def commit(self) -> None:
        git(self.main.parent, "add", "-A")
        git(self.main.parent, "commit", "-q", "--allow-empty", "-m", f"{self.name} writes")


class WebWriter(Writer):
    """An author in the browser."""

    def __init__(self, web: Web, chance: random.Random) -> None:
        super().__init__("web", chance)
        self.web = web

    def edit(self) -> None:
        for attempt in range(5):
            try:
                self.web.pull()
                self.write(
                    lambda name: (
                        (self.web.folder / name).read_bytes().decode() if (self.web.folder / name).exists() else ""
                    ),
                    lambda name, text: self.web.write({name: text.encode()}, pull=False),
                )
                return
            except AssertionError:
                # Somebody pushed in just this moment; in the browser that does not happen.
                git(self.web.folder, "fetch", "-q", "origin")
                git(self.web.folder, "reset", "-q", "--hard", "origin/master")
                if attempt == 4:
                    raise
