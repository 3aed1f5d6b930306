"""Printer of `related.tex`: blocks, each a plan in comments with its text beneath it (`grammar.py`)."""

import re
from collections.abc import Mapping, Sequence

from citeplug.records.paper import Paper
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import SectionParagraph
from citeplug.section_file.cite_style import CiteStyle
from citeplug.section_file.grammar import HEADER, find_cites, read_plan_line, text_hash
from citeplug.section_file.print_sentence import print_sentence
from citeplug.section_file.units import DIRECTIVE
from citeplug.text.cleaning import plain
from citeplug.text.tex_print import to_latex

_PUNCTUATES = frozenset({"ieeetran", "elsarticle"})  # classes that set a mark behind a paragraph's heading themselves
_PARTS = re.compile(r"[,;\[\]]")


def print_plan(plan: Plan) -> str:
    """The contents of a `related.tex` that is all plan."""
    return HEADER + "\n" + "\n".join(print_block(paragraph, []) for paragraph in plan.paragraphs)


def print_paragraph(
    paragraph: SectionParagraph, keys: Mapping[str, str], style: CiteStyle, papers: Mapping[str, Paper]
) -> list[str]:
    """The lines of a paragraph's text, notes among them. Raises ValueError on a cited arXiv id that has no key."""
    heading = to_latex(plain(paragraph.heading), style.packages)
    stop = "" if heading.endswith((".", "?", "!", ":")) or _PUNCTUATES.intersection(style.packages) else "."
    lines = [f"\\paragraph{{{heading}{stop}}}"] if heading else []
    for sentence in paragraph.sentences:
        lines += print_sentence(sentence, keys, style, papers)
    return lines


def print_block(plan: PlanParagraph, text: Sequence[str]) -> str:
    """One block, its last line ended; without `text` it is a plan to be written."""
    name = re.sub(r"[\s=%]", "", plain(plan.id)) or "p"
    lines = [f"% citeplug:begin {name} sentences={plan.sentences} words={plan.words}"]
    if plain(plan.heading):
        lines.append(f"% citeplug:heading {plain(plan.heading)}")
    lines += [f"% citeplug:{number} {print_plan_line(line)}".rstrip() for number, line in enumerate(plan.lines, 1)]
    if plan.keep:
        lines.append("% citeplug:keep")
    own = "\n".join(line for line in text if not DIRECTIVE.fullmatch(line))
    end = f"% citeplug:end {name}" + (f" sha256={text_hash(own)}" if own.strip() else "")
    return "\n".join([*lines, *text, end]) + "\n"


def print_plan_line(line: PlanLine) -> str:
    """The line as an author would type it: a word in front only where the rest does not say it."""
    intent = plain(line.intent)
    if line.cites:
        # Braces around a key in which a comma or a bracket would end it, as BibTeX protects what they hold.
        cites = ("{" + cite + "}" if _PARTS.search(cite) else cite for cite in line.cites)
        intent = f"{intent} [{', '.join(cites)}]".strip()
    elif find_cites(intent) is not None:
        # An empty pair tells that a bracket at the end of the intent is part of it.
        intent = f"{intent} []"
    role = line.kind or line.weight
    if role is None and read_plan_line(intent).intent != plain(line.intent):
        role = line.role  # a word in front of the intent is its own
    return intent if role is None else f"{role}: {intent}".strip()
