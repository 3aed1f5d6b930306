"""Files of grammar 1, as citeplug 0.1 wrote them before there was a grammar 2; `edited` was then worked on by hand."""

from pathlib import Path

import pytest

from citeplug.project.merge_bases import base_changes, read_bases
from citeplug.project.provenance import read_provenance, recorded_blocks
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Generated, Judgement, SectionParagraph, Sentence, Source
from citeplug.related.section.accept import recorded_sentences
from citeplug.section_file.cite_style import CiteStyle
from citeplug.section_file.current import CurrentSection, read_current
from citeplug.section_file.grammar import read_related
from citeplug.section_file.merge import hash_of
from citeplug.section_file.merged_section import Regenerated, generated, planned_file, regenerate

FILES = Path(__file__).parent / "grammar1"
NATBIB = CiteStyle("citep", "citet", "Citet")
# What the author typed into `edited`.
TYPED = (
    "%citeplug:2. tell what Graph Star relays [1906.12330]\n",
    "\\paragraph{Graph neural networks.}\\label{par:gnn}\n",
    "% TODO: ask Anna whether REGAL belongs here\n",
    "Nobody has put the two side by side.",
    "Heterogeneous graphs have been attended to as well~\\citep{wang2019heterogeneous}.",
    "\\citet{hamilton2017inductive}, on whose sampler we build, introduce ``GraphSAGE, an inductive framework",
    "% citeplug:keep\n\\paragraph{Walks.} Before all this there were walks.\n% citeplug:end p3\n\\endinput\n",
)


def text_of(name: str) -> str:
    return (FILES / name / "related.tex").read_text("utf-8")


def current_of(name: str) -> CurrentSection:
    record = read_provenance(FILES / name / ".citeplug" / "provenance.json")
    text = text_of(name)
    return read_current(
        text, read_bases(FILES / name).blocks, recorded_blocks(record, "related.tex", text), Path("related.tex")
    )


def again(current: CurrentSection, made: list[Generated]) -> Regenerated:
    keys = {cite: key for base in made for cite, key in base.keys.items()}
    return regenerate(current, made, keys, NATBIB, {})


def in_grammar_2(base: Generated) -> Generated:
    """What a writer might make of a paragraph of grammar 1 now: every kind of sentence, two of the lines in one."""
    cites = [cite for line in base.plan.lines for cite in line.cites]
    first, second, *rest = cites
    span = Source(first, 1, "words of the abstract", 0, 21)
    title = Source(rest[0], 1, "A title", 0, 7, "title")
    plan = PlanParagraph(
        base.plan.id,
        base.plan.heading,
        (
            PlanLine("what is at stake", kind="topic"),
            PlanLine("the first", (first,), weight="core"),
            PlanLine("the second", (second,)),
            PlanLine("the others", tuple(rest), weight="passing"),
            PlanLine("what they leave open", (first,), "draft"),
        ),
        base.plan.words,
    )
    doubted = Judgement(None, suspicion="'all' is not in the source")
    sentences = (
        Sentence("Graphs are large, and labels are few.", "topic", (), (), None),
        Sentence(f"{{{{author:{first}}}}} open the matter.", "paper", (first,), (span,), 0.7, judgement=doubted),
        Sentence(f"Theirs and another answer agree {{{{cite:{first},{second}}}}}.", "paper", (first, second), (span,)),
        Sentence(f"More is known {{{{cite:{','.join(rest)}}}}}.", "group", tuple(rest), (title,), None),
        Sentence(f"Unlike {{{{author:{first}}}}}, we scale.", "contrast", (first,), (span,), 0.5, by_model=True),
    )
    written = SectionParagraph(plan.id, plan.heading, sentences)
    return generated(plan, written, base.keys, NATBIB, {}, "0123456789abcdef")


@pytest.mark.parametrize(("name", "states"), [("demo", ["fresh", "fresh"]), ("edited", ["text", "text", "keep"])])
def test_it_is_read_with_its_bases_and_its_record(name: str, states: list[str]) -> None:
    current = current_of(name)
    assert read_related(text_of(name)).version == 1
    assert [block.state for block in current.blocks] == states
    assert not current.findings
    record = read_provenance(FILES / name / ".citeplug" / "provenance.json")
    sentences = recorded_sentences(record, read_related(text_of(name)))
    assert sum(sentence.stands for sentence in sentences) == (11 if name == "demo" else 8)
    assert {sentence.kind for sentence in sentences} == {"paper", "draft"}


@pytest.mark.parametrize("name", ["demo", "edited"])
def test_where_nothing_else_changes_not_a_byte_does(name: str) -> None:
    current = current_of(name)
    bases = [block.base for block in current.blocks if block.base is not None]
    done = again(current, bases)
    assert done.text == text_of(name)
    assert base_changes(FILES / name, done.bases, ()) == []


def test_a_section_left_alone_is_written_in_grammar_2() -> None:
    current = current_of("demo")
    made = [in_grammar_2(block.base) for block in current.blocks if block.base is not None]
    done = again(current, made)
    assert done.text.startswith("% citeplug: 2\n% citeplug:begin p1 sentences=6 words=150\n")
    assert done.plan == Plan(tuple(base.plan for base in made))
    assert [[s.kind for s in p.sentences] for p in done.section.paragraphs] == [
        ["topic", "paper", "paper", "group", "contrast"]
    ] * 2
    assert "% citeplug:1 topic: what is at stake\n% citeplug:2 core: the first [1905.10224]\n" in done.text
    assert "% citeplug:note its meaning was not compared with its sources: 'all' is not" in done.text
    assert Plan(tuple(block.plan for block in read_related(done.text).blocks)) == done.plan


def test_what_the_author_made_of_it_survives_the_upgrade() -> None:
    current = current_of("edited")
    made = [in_grammar_2(block.base) for block in current.blocks if block.base is not None]
    done = again(current, made)
    assert done.text.startswith("% citeplug: 2\n")
    assert [typed for typed in TYPED if typed not in done.text] == []
    assert "BiasedWalk, a scalable" not in done.text
    kept = text_of("edited").partition("% citeplug:begin p3")[2]
    assert done.text.endswith(kept)
    # Merged once more, with the bases that were written, nothing changes.
    bases = {hash_of(base): (base,) for base in done.bases}
    current = read_current(done.text, bases, (), Path("related.tex"))
    assert again(current, [b.base for b in current.blocks if b.base is not None]).text == done.text


def test_a_plan_alone_is_written_in_grammar_2() -> None:
    current = current_of("demo")
    plan = Plan(tuple(in_grammar_2(block.base).plan for block in current.blocks if block.base is not None))
    text = planned_file(current, plan)
    assert text.startswith("% citeplug: 2\n")
    assert Plan(tuple(block.plan for block in read_related(text).blocks)) == plan
