"""An author at work, by a script: every word that is typed is known, and must be found again."""

import itertools
import random
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.sync.watch.projects import save_beside, save_like_emacs, save_like_vim

_SENTENCE = re.compile(r"^(?!\s*[%\\]).*?\w.*\.$|^\\[Cc]ite\w*\{.*\.$", re.MULTILINE)
_HEADING = re.compile(r"^(% citeplug:heading .*)$", re.MULTILINE)
_PLAN_LINE = re.compile(r"^(% citeplug:1 .*?)( \[[^\]\n]*\])?$", re.MULTILINE)


class Author:
    """Edits a project in a random order that `seed` decides, with git, and with the manners of several editors.

    `typed` are the words of the branch that is checked out. More are put behind `where`, which stands in the abstract.
    """

    def __init__(self, main: Path, where: str, seed: int) -> None:
        self.main = main
        self.where = where
        self.random = random.Random(seed)
        self.branch = "main"
        self.branches: dict[str, set[str]] = {"main": set()}
        self.numbers = itertools.count(1)
        self.log: list[str] = []
        self.fresh: list[str] = []
        (main.parent / ".gitignore").write_text("*~\n.*.swp\n*.log\n*.aux\n*.bbl\n*.blg\n", "utf-8")
        self.git("init", "-q", "-b", "main")
        self.commit()

    @property
    def typed(self) -> set[str]:
        return self.branches[self.branch]

    @property
    def section(self) -> Path:
        return self.main.parent / "related.tex"

    def day(self, hours: int) -> Iterator[str]:
        """What is done, one thing after another, each sort at least once."""
        sorts: list[Callable[[], None]] = [
            self.revise_abstract,
            self.revise_text,
            self.revise_generated_sentence,
            self.add_sentence,
            self.revise_plan,
            self.remark,
            self.switch_branch,
        ]
        plan = [*sorts, *self.random.choices(sorts, k=max(0, hours - len(sorts)))]
        self.random.shuffle(plan)
        for do in plan:
            self.log.append(do.__name__)
            do()
            yield do.__name__

    def revise_abstract(self) -> None:
        self.edit(self.main, lambda text: text.replace(self.where, f"{self.where} {self.word()} and", 1))

    def revise_text(self) -> None:
        self.edit(self.main, lambda text: text.replace(r"\end{document}", f"{self.word()}.\n\\end{{document}}", 1))

    def remark(self) -> None:
        self.edit(self.main, lambda text: f"% {self.word()}\n{text}")

    def revise_generated_sentence(self) -> None:
        def revise(text: str) -> str:
            found = [match for match in _SENTENCE.finditer(text) if "citeplug" not in match[0]]
            if not found:
                return text
            chosen = self.random.choice(found)
            sentence = chosen[0]
            return text[: chosen.start()] + f"{sentence[:-1]}, {self.word()}." + text[chosen.end() :]

        self.edit(self.section, revise)

    def add_sentence(self) -> None:
        def add(text: str) -> str:
            ends = [match.start() for match in re.finditer(r"^% citeplug:end", text, re.MULTILINE)]
            if not ends:
                return text
            at = self.random.choice(ends)
            return f"{text[:at]}A {self.word()} is missing here.\n{text[at:]}"

        self.edit(self.section, add)

    def revise_plan(self) -> None:
        pattern = self.random.choice([_HEADING, _PLAN_LINE])

        def revise(text: str) -> str:
            found = list(pattern.finditer(text))
            if not found:
                return text
            chosen = self.random.choice(found)
            return f"{text[: chosen.end(1)]} {self.word()}{text[chosen.end(1) :]}"

        self.edit(self.section, revise)

    def switch_branch(self) -> None:
        """Commit what there is, then check out the other branch; git refuses while the watcher writes, so try again."""
        other = "other" if self.branch == "main" else "main"
        for _ in range(20):
            self.commit()
            new = other not in self.branches
            if self.git("checkout", "-q", *(["-b"] if new else []), other):
                self.branches.setdefault(other, set(self.typed))
                self.branch = other
                return
        raise AssertionError("git does not let the branch be left")

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "work")

    def git(self, *words: str) -> bool:
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(["git", *identity, *words], cwd=self.main.parent, capture_output=True, timeout=60)
        return done.returncode == 0

    def word(self) -> str:
        """A word that nobody else writes."""
        word = f"author{next(self.numbers)}word"
        self.fresh.append(word)
        return word

    def edit(self, file: Path, change: Callable[[str], str]) -> None:
        """Save a change, as one of the editors does; what is typed counts once it is saved."""
        self.fresh = []
        text = file.read_bytes().decode()
        new = change(text)
        if new == text:
            return
        save = self.random.choice([_in_place, save_like_vim, save_like_emacs, save_beside])
        save(file, new.encode())
        self.typed.update(self.fresh)

    def missing(self) -> set[str]:
        """Words of this branch that are not in the files any more."""
        there = self.main.read_text("utf-8") + self.section.read_text("utf-8")
        return {word for word in self.typed if word not in there}


def _in_place(file: Path, data: bytes) -> None:
    file.write_bytes(data)
