"""A whole `related.tex` printed from its parts, as a first run writes it."""

from collections.abc import Mapping

from citeplug.records.paper import Paper
from citeplug.records.plan import Plan
from citeplug.records.section import Section
from citeplug.section_file.cite_style import CiteStyle
from citeplug.section_file.grammar import HEADER
from citeplug.section_file.print_block import print_block, print_paragraph


def print_related(
    section: Section, plan: Plan, keys: Mapping[str, str], style: CiteStyle, papers: Mapping[str, Paper]
) -> str:
    """Each of the plan's paragraphs as a block, with its text where the section has one."""
    text = {each.id: print_paragraph(each, keys, style, papers) for each in section.paragraphs}
    return HEADER + "\n" + "\n".join(print_block(each, text.get(each.id, [])) for each in plan.paragraphs)
