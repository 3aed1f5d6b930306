"""A scripted author, and runs of citeplug on the file that the author works on: everything but the search is real."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from citeplug.errors import WouldOverwrite
from citeplug.records.draft import Draft
from citeplug.records.paper import Paper, Shortlisted
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.provenance import RecordedBlock
from citeplug.records.section import Generated, Judgement, Section, SectionParagraph, Sentence
from citeplug.related.write.standing import WritingInputs
from citeplug.related.write.write_paragraphs import keep_unchanged
from citeplug.section_file.arrange import arrange, free_papers, with_papers
from citeplug.section_file.cite_style import CiteStyle
from citeplug.section_file.current import papers_of, read_current
from citeplug.section_file.grammar import read_related
from citeplug.section_file.merge import hash_of
from citeplug.section_file.merged_section import regenerate
from tests.harness.papers import paper
from tests.torture.judge import TOKEN, tokens_in

IDS = [f"2001.0000{number}" for number in range(1, 8)]
PAPERS: dict[str, Paper] = {value: paper(value, title=f"Paper {value[-1]}") for value in IDS}
KEYS = {value: f"key{value[-1]}" for value in IDS}
STYLE = CiteStyle("citep", "citet", "Citet")
DRAFT = Draft(Path("/project/main.tex"), (Path("main.tex"),), "Title", "Abstract.")
FILE = Path("/project/related.tex")


@dataclass
class Project:
    """`text` is the section's file; the bases and the record lie beside it, as they do on disk."""

    text: str = ""
    bases: dict[str, tuple[Generated, ...]] = field(default_factory=dict)
    record: list[RecordedBlock] = field(default_factory=list)
    typed: int = 0

    def run(self, seed: int) -> None:
        """Regenerate the section for a draft and a catalogue that `seed` stands for."""
        current = read_current(self.text, self.bases, self.record, FILE)
        new = Plan(())
        if current.wants_new(()):
            chosen = _shortlist(seed)
            free = free_papers(chosen, current, {key: value for value, key in KEYS.items()}, len(chosen))
            new = with_papers(_plan([item.paper.id.value for item in chosen], seed), free, _planner(seed))
        plan, _ = arrange(current, current.wishes.paragraphs, new.paragraphs)
        section = Section(tuple(_write(paragraph, seed) for paragraph in plan.paragraphs))
        work = WritingInputs(current, DRAFT, PAPERS, {**KEYS, "own": "own"}, STYLE)
        written = keep_unchanged(plan, section, work)
        done = regenerate(current, written.printed(written.section, work), work.keys, STYLE, PAPERS)
        for base in done.bases:
            known = self.bases.get(hash_of(base), ())
            self.bases[hash_of(base)] = known if base in known else (*known, base)
        papers = {hash_of(base): papers_of(base) for base in done.bases}
        there = [block.recorded for block in read_related(done.text).blocks if block.recorded]
        self.record = [RecordedBlock(sha, "", papers[sha]) for sha in there if sha in papers]
        self.record += current.gone
        self.text = done.text

    def tokens(self) -> dict[str, int]:
        """What the author typed and has not deleted, with how often it stands there."""
        return tokens_in(self.text)


def _shortlist(seed: int) -> list[Shortlisted]:
    chosen = [IDS[(seed + number) % len(IDS)] for number in range(5)]
    return [Shortlisted(PAPERS[value], 1 - number / 10) for number, value in enumerate(chosen)]


def _planner(seed: int) -> Callable[[Sequence[Shortlisted], Sequence[str]], Plan]:
    def make(items: Sequence[Shortlisted], _taken: Sequence[str]) -> Plan:
        return _plan([item.paper.id.value for item in items], seed)

    return make


def _plan(values: list[str], seed: int) -> Plan:
    size = 2 + seed % 2
    groups = [values[start : start + size] for start in range(0, len(values), size)]
    return Plan(
        tuple(
            PlanParagraph(
                f"p{number}",
                f"Topic {group[0][-1]}{'b' if seed % 5 == 0 else ''}",
                _planned_prose(group) if seed % 3 == 2 else _planned(group),
                50,
            )
            for number, group in enumerate(groups, 1)
        )
    )


def _planned(group: list[str]) -> tuple[PlanLine, ...]:
    return (*(PlanLine(f"say {value[-1]}", (value,)) for value in group), PlanLine("relate to the draft"))


def _planned_prose(group: list[str]) -> tuple[PlanLine, ...]:
    core = PlanLine(f"say {group[0][-1]}", (group[0],), weight="core")
    passing = PlanLine("name the rest", tuple(group[1:]), weight="passing")
    closing = PlanLine("what they leave open", (group[0],), "draft")
    return (PlanLine("the matter", kind="topic"), core, *([passing] if group[1:] else []), closing)


def _write(paragraph: PlanParagraph, seed: int) -> SectionParagraph:
    """Sentences of all kinds; by `seed`, a core paper has one or two, and two lines may share one."""
    sentences: list[Sentence] = []
    for number, line in enumerate(paragraph.lines):
        cites = tuple(cite for cite in line.cites if cite in PAPERS)
        marks = ",".join(cites)
        if line.role == "topic":
            sentences.append(Sentence(f"Matters of weight {('differ', 'abound')[seed % 2]}.", "topic", (), (), None))
        elif line.role == "draft" and cites:
            text = f"Unlike {{{{author:{marks}}}}}, the present paper {('scales', 'is exact')[seed % 2]}."
            judged = Judgement(None, suspicion="'exact' is not in the source") if seed % 4 else None
            sentences.append(Sentence(text, "contrast", cites, (), 1.0, judgement=judged))
        elif line.weight == "passing" and cites and seed % 4 == 3 and sentences and sentences[-1].cites:
            both = dict.fromkeys((*sentences[-1].cites, *cites))
            text = f"Weighty matters are studied too {{{{cite:{','.join(both)}}}}}."
            sentences[-1] = Sentence(text, "group", tuple(both), (), None)
        elif line.weight == "passing" and cites:
            sentences.append(Sentence(f"Further work is known {{{{cite:{marks}}}}}.", "group", cites, (), None))
        elif line.weight == "core" and cites and seed % 2:
            sentences.append(Sentence(f"{{{{author:{marks}}}}} pose the matter.", "paper", cites, (), 1.0))
            sentences.append(Sentence(f"They solve it {{{{cite:{marks}}}}} at once.", "paper", cites, (), 1.0))
        elif cites:
            how = "carefully" if (seed + int(cites[0][-1])) % 3 else "by another way of thinking"
            text = f"{{{{author:{','.join(cites)}}}}} study matter {cites[0][-1]} of some weight {how}."
            sentences.append(Sentence(text, "paper", cites, (), 1.0, quoted=seed % 4 == 1 and number == 0))
        elif not line.cites:
            aim = ("scales", "is exact", "is small")[seed % 3]
            sentences.append(Sentence(f"Against this background, the present paper {aim}.", "draft", (), (), 1.0))
    return SectionParagraph(paragraph.id, paragraph.heading, tuple(sentences))


Step = tuple[str, int, int]
_SHAPES = (
    "{t}", " {t} ", "{t}. ", "\n{t}\n", "\n% {t}\n", " % {t}\n", "\\citep{{{t}}}", "${t}$", "{{{t}", "{t}}}", "$ {t}",
    "\\{t}", "\n\n{t}\n\n", "\n\\begin{{{t}}}\n", "\n\\end{{{t}}}\n", "A whole sentence {t}. ", "\r{t}",
    "\x0b{t}\u2028",
    "\n% citeplug:2 {t} [2001.00003]\n", "\n% citeplug:note {t}\n", "\n% citeplug:note new: {t}\n",
    "\n% citeplug:end {t}\n", "\n% citeplug:begin {t}\n", "\n% citeplug:keep {t}\n",
    "\n% citeplug:begin {t}\n% citeplug:1 say {t} [2001.00006]\n% citeplug:end {t}\n",
)  # fmt: skip


def take(project: Project, step: Step) -> None:
    """One thing that an author, an editor or a formatter does; `a` says where, `b` how much, or which."""
    name, a, b = step
    if name == "run":
        before = project.text
        try:
            project.run(a)
        except WouldOverwrite:
            assert project.text == before
    elif name == "type":
        project.typed += 1
        token = _SHAPES[b % len(_SHAPES)].format(t=f"Zq{project.typed}q")
        at = a % (len(project.text) + 1)
        if not _within_token(project.text, at):
            project.text = project.text[:at] + token + project.text[at:]
    elif name == "forget":
        project.bases = {sha: found for number, (sha, found) in enumerate(project.bases.items()) if (a >> number) & 1}
    else:
        project.text = _CHANGES[name](project.text, a, b)


def _within_token(text: str, at: int) -> bool:
    return any(match.start() < at < match.end() for match in TOKEN.finditer(text))


def _delete(text: str, a: int, b: int) -> str:
    at = a % (len(text) + 1)
    return text[:at] + text[at + b % 60 :]


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _delete_line(text: str, a: int, b: int) -> str:
    lines = _lines(text)
    at = a % (len(lines) + 1)
    return "".join(lines[:at] + lines[at + 1 + b % 3 :])


def _double_lines(text: str, a: int, b: int) -> str:
    lines = _lines(text)
    at = a % (len(lines) + 1)
    return "".join(lines[: at + 1 + b % 4] + lines[at:])


def _move_line(text: str, a: int, b: int) -> str:
    lines = _lines(text)
    if not lines:
        return text
    line = lines.pop(a % len(lines))
    lines.insert(b % (len(lines) + 1), line)
    return "".join(lines)


def _blocks(text: str) -> list[tuple[int, int]]:
    return [(block.start, block.end) for block in read_related(text).blocks]


def _delete_block(text: str, a: int, b: int) -> str:
    blocks = _blocks(text)
    if not blocks:
        return text
    start, end = blocks[a % len(blocks)]
    return text[:start] + text[end:]


def _copy_block(text: str, a: int, b: int) -> str:
    blocks = _blocks(text)
    if not blocks:
        return text
    start, end = blocks[a % len(blocks)]
    at = (0, start, end, len(text))[b % 4]
    return f"{text[:at]}\n{text[start:end]}\n{text[at:]}"


def _move_block(text: str, a: int, b: int) -> str:
    blocks = _blocks(text)
    if not blocks:
        return text
    start, end = blocks[a % len(blocks)]
    return f"{text[:start]}{text[end:]}\n{text[start:end]}\n"


def _keep_block(text: str, a: int, b: int) -> str:
    blocks = _blocks(text)
    if not blocks:
        return text
    first = text.find("\n", blocks[a % len(blocks)][0]) + 1
    return f"{text[:first]}% citeplug:keep\n{text[first:]}"


def _join(text: str, a: int, b: int) -> str:
    """Join lines of text, as filling a paragraph does."""
    return re.sub(r"(?<=[a-z.}])\n(?=[^%\s\\])", " " if b % 2 else "\n   ", text)


def _wrap(text: str, a: int, b: int) -> str:
    width = 20 + b % 60
    lines = []
    for line in text.split("\n"):
        if not line.lstrip().startswith("%") and "%" not in line:
            line = re.sub(rf"(.{{{width},}}?) ", r"\1\n", line)
        lines.append(line)
    return "\n".join(lines)


_CHANGES: dict[str, Callable[[str, int, int], str]] = {
    "delete": _delete,
    "delete line": _delete_line,
    "double lines": _double_lines,
    "move line": _move_line,
    "delete block": _delete_block,
    "copy block": _copy_block,
    "move block": _move_block,
    "keep block": _keep_block,
    "join": _join,
    "wrap": _wrap,
    "indent": lambda text, a, b: re.sub(r"^(?=.)", " " * (1 + b % 4), text, flags=re.MULTILINE),
    "crlf": lambda text, a, b: text.replace("\r\n", "\n").replace("\n", "\r\n"),
    "lf": lambda text, a, b: text.replace("\r\n", "\n"),
    "strip": lambda text, a, b: re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE),
}
NAMES = ("type", "type", "type", "type", "run", "run", "forget", *_CHANGES)
