import hashlib
import re
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section, SectionParagraph, Sentence
from citeplug.section_file.cite_style import CiteStyle, unfit_for_cite
from citeplug.section_file.grammar import plan_of, read_plan_line, read_related, text_hash, upgraded, was_generated
from citeplug.section_file.print_block import print_plan, print_plan_line
from citeplug.text.cleaning import plain
from tests.harness.papers import paper
from tests.harness.printed_section import print_related

KEYS = {"2004.04906": "karpukhin2020dense", "2005.11401": "lewis2020retrieval", "2007.01282": "izacard2020leveraging"}
PLAN = Plan(
    (
        PlanParagraph(
            "p1",
            "Retrieval-augmented generation",
            (
                PlanLine("introduce dense retrieval", ("2004.04906",)),
                PlanLine("contrast two ways of fusing passages", ("2005.11401", "2007.01282")),
                PlanLine("relate to the draft"),
            ),
            90,
        ),
    )
)
SECTION = Section(
    (
        SectionParagraph(
            "p1",
            "Retrieval-augmented generation",
            (
                Sentence("{{author:2004.04906}} retrieve 100% of it.", "paper", ("2004.04906",), (), 1.0),
                Sentence("Others fuse {{cite:2005.11401,2007.01282}}.", "paper", ("2005.11401", "2007.01282"), (), 1.0),
                Sentence("We differ.", "draft", (), (), 1.0),
            ),
        ),
    )
)
PRINTED = r"""% citeplug: 2
% citeplug:begin p1 sentences=3 words=90
% citeplug:heading Retrieval-augmented generation
% citeplug:1 introduce dense retrieval [2004.04906]
% citeplug:2 contrast two ways of fusing passages [2005.11401, 2007.01282]
% citeplug:3 relate to the draft
\paragraph{Retrieval-augmented generation.}
\citet{karpukhin2020dense} retrieve 100\% of it.
Others fuse~\citep{lewis2020retrieval,izacard2020leveraging}.
We differ.
% citeplug:end p1 sha256=HASH
"""
NATBIB = CiteStyle("citep", "citet", "Citet")


def untouched(text: str) -> bool:
    """Whether nothing in the file is a person's, as it is read, but for changes to the plan."""
    related = read_related(text)
    return (
        related.version in (None, 1, 2)
        and not related.outside.strip()
        and not any(b.edited or b.keep or (b.copied and b.text.strip()) for b in related.blocks)
    )


def section_text(style: CiteStyle = NATBIB) -> str:
    return print_related(SECTION, PLAN, KEYS, style, {"2004.04906": paper("2004.04906")})


def test_the_file_has_the_grammar_of_the_contract() -> None:
    text = PRINTED[PRINTED.index("\\paragraph") : PRINTED.index("% citeplug:end")]
    digest = hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:8]
    assert section_text() == PRINTED.replace("HASH", digest)


def test_a_planned_paragraph_without_text_is_a_block_to_be_written() -> None:
    text = print_plan(PLAN)
    assert "sha256" not in text
    assert plan_of(read_related(text)) == PLAN
    assert untouched(text)
    assert not read_related(text).blocks[0].edited


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("\n", "\r\n"),
        lambda t: t.replace("\n", "\r"),
        lambda t: "\ufeff" + t,
        lambda t: re.sub("^", "   \t", t, flags=re.MULTILINE),
        lambda t: t.replace("% citeplug:", "%%   citeplug: "),
        lambda t: t.replace("% citeplug:", "%citeplug:"),
        lambda t: t.replace("Others fuse~", "Others\n   fuse~").replace(".\nWe", ". We"),
        lambda t: t.replace("We differ.", "% citeplug:note something\nWe differ."),
        lambda t: t + "\n\n",
    ],
)
def test_what_editors_do_to_a_file_is_no_change(change: object) -> None:
    assert callable(change)
    text = change(section_text())
    assert untouched(text)
    assert plan_of(read_related(text)) == PLAN


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("We differ.", "We differ a lot."),
        lambda t: t.replace("We differ.", "We differ. % really?"),
        lambda t: t.replace("{Retrieval-", "{Better retrieval-"),
        lambda t: t + "My own words, as \\citet{knuth} says.\n",
        lambda t: t.replace("% citeplug:end", "% mine\n% citeplug:end"),
        lambda t: re.sub("% citeplug:end.*", "", t),
        lambda t: t.replace("sha256=", "sha="),
        lambda t: t.replace("% citeplug:heading", "% citeplug:keep\n% citeplug:heading"),
        lambda t: t + t[t.index("% citeplug:begin") :],
        lambda t: "My own words.\n",
        lambda t: t.replace("citeplug: 2", "citeplug: 3"),
    ],
)
def test_what_a_person_wrote_is_seen(change: object) -> None:
    assert callable(change)
    text = change(section_text())
    assert not untouched(text)


def test_a_plan_line_may_be_copied_with_its_block() -> None:
    text = print_plan(PLAN)
    twice = text + text[text.index("% citeplug:begin") :]
    assert untouched(twice)
    assert len(read_related(twice).blocks) == 2


def test_a_changed_plan_is_a_wish_and_no_text() -> None:
    text = section_text().replace("% citeplug:3 relate to the draft\n", "").replace("introduce dense", "explain sparse")
    assert untouched(text)
    plan = plan_of(read_related(text))
    assert plan is not None
    assert [line.intent for line in plan.paragraphs[0].lines] == [
        "explain sparse retrieval",
        "contrast two ways of fusing passages",
    ]


def test_other_files_are_not_generated() -> None:
    assert not was_generated("")
    assert not was_generated("\\section{Related Work}\n% citeplug is nice\nText.")
    assert plan_of(read_related("Text.")) is None


def test_a_plan_in_the_author_s_own_words_is_understood() -> None:
    plan = plan_of(
        read_related(
            "%citeplug:begin\n% citeplug:heading My Heading\n% citeplug: say what RAG is [2005.11401; own:key]\n"
            "% citeplug:7) see also [the appendix]\n% citeplug:keep\n"
        )
    )
    assert plan is not None
    (paragraph,) = plan.paragraphs
    assert (paragraph.id, paragraph.heading, paragraph.keep, paragraph.words) == ("p1", "My Heading", True, 50)
    assert paragraph.lines == (
        PlanLine("say what RAG is", ("2005.11401", "own:key")),
        PlanLine("see also [the appendix]"),
    )


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("topic: which neighbours count", PlanLine("which neighbours count", kind="topic")),
        ("Topic : which neighbours count", PlanLine("which neighbours count", kind="topic")),
        ("(topic) which neighbours count", PlanLine("which neighbours count", kind="topic")),
        ("core: dense retrieval [2004.04906]", PlanLine("dense retrieval", ("2004.04906",), weight="core")),
        ("(passing) others [a, b]", PlanLine("others", ("a", "b"), weight="passing")),
        ("draft: what they leave open [a]", PlanLine("what they leave open", ("a",), "draft")),
        ("draft: relate", PlanLine("relate")),
        ("paper: core: see [a]", PlanLine("core: see", ("a",))),
        # A word that says nothing of such a line is the author's.
        ("topic: dense retrieval [a]", PlanLine("topic: dense retrieval", ("a",))),
        ("core: nothing to cite", PlanLine("core: nothing to cite")),
        ("see: the appendix [a]", PlanLine("see: the appendix", ("a",))),
        ("topic", PlanLine("topic")),
    ],
)
def test_a_word_in_front_of_a_plan_line_says_its_kind_or_weight(written: str, line: PlanLine) -> None:
    assert read_plan_line(written) == line
    assert read_plan_line(print_plan_line(line)) == line


def test_a_line_that_no_grammar_has_loses_neither_intent_nor_papers() -> None:
    for line in (
        PlanLine("see", ("a",), "topic"),
        PlanLine("see", ("a",), "draft", "core"),
        PlanLine("see", (), weight="core"),
        PlanLine("see", (), "paper"),
    ):
        read = read_plan_line(print_plan_line(line))
        assert "see" in read.intent
        assert read.cites == line.cites


def test_a_length_may_be_given_in_sentences() -> None:
    text = "% citeplug:begin p1 {}\n% citeplug:1 say it [a]\n% citeplug:end p1\n"
    for mark, words in (("sentences=4", 100), ("words=30 sentences=4", 30), ("", 25)):
        assert read_related(text.format(mark)).blocks[0].plan.words == words


@pytest.mark.parametrize("header", ["% citeplug: 1\n", "\ufeff%%citeplug:1 \r\n", "\n  % CitePlug :  1\r\n\r\n"])
def test_an_upgrade_changes_the_header_s_number_alone(header: str) -> None:
    block = "% citeplug:begin\n% citeplug:1\n% citeplug:1 say [1706.02216]\n1 % citeplug: 1\n% citeplug:end\n% 1\n"
    assert upgraded(header + block) == header.replace("1", "2") + block
    assert read_related(upgraded(header + block)).version == 2
    assert upgraded(block) == block


def test_of_two_headers_the_newer_counts() -> None:
    related = read_related("% citeplug: 1\n% citeplug:begin p1\nText.\n% citeplug:end p1\n% citeplug: 3\n")
    assert related.version == 3
    assert not related.outside.strip()


def test_blocks_know_their_place() -> None:
    text = "Intro.\n" + section_text()
    (block,) = read_related(text).blocks
    assert text[block.start : block.end].startswith("% citeplug:begin p1")
    assert text[block.start : block.end].endswith(f"sha256={text_hash(block.text)}")
    assert block.line == 3
    assert read_related(text).outside.strip() == "Intro."


def test_text_of_papers_cannot_speak_to_citeplug_or_latex() -> None:
    evil = "ignore\n% citeplug:end p1 sha256=00000000\n\\input{/etc/passwd} \x1b[31m"
    plan = Plan((replace(PLAN.paragraphs[0], heading=evil, lines=(PlanLine(evil),)),))
    section = Section(
        (replace(SECTION.paragraphs[0], heading=evil, sentences=(Sentence(evil, "paper", (), (), 0.0),)),)
    )
    text = print_related(section, plan, KEYS, NATBIB, {})
    assert len(read_related(text).blocks) == 1
    assert untouched(text)
    assert "\\input" not in text.replace("% citeplug:", "").split("\\paragraph")[1]
    assert "\x1b" not in text


@pytest.mark.parametrize("document_class", ["ieeetran", "elsarticle"])
def test_a_class_that_ends_headings_itself_gets_none_that_is_ended(document_class: str) -> None:
    text = section_text(CiteStyle("citep", "citet", "Citet", packages=("natbib", document_class)))
    assert "\\paragraph{Retrieval-augmented generation}" in text
    assert "\\paragraph{Retrieval-augmented generation.}" in section_text()


_words = st.text(st.characters(codec="utf-8"), max_size=30).map(plain)
_intent = _words.filter(lambda t: t == t.strip() and not re.match(r"[.):]", t))
_ids = st.sampled_from(["2004.04906", "hep-th/9901001", "Smith:2001+a", "k_1"])
_front = st.sampled_from(["", "", "topic: ", "Core:", "(draft) ", "passing : ", "paper: ", "topic", "see: "])
_said = st.builds(lambda front, intent: (front + intent).strip(), _front, _intent)
_cites = st.lists(_ids, min_size=1, max_size=3).map(tuple)
_lines = st.one_of(
    st.builds(PlanLine, _said, st.lists(_ids, max_size=3).map(tuple), st.sampled_from([None, "draft"])),
    st.builds(PlanLine, _said, _cites, st.none(), st.sampled_from(["core", "passing"])),
    st.builds(PlanLine, _said, st.just(()), st.just("topic")),
)
_paragraphs = st.builds(
    PlanParagraph, st.just("p"), _words, st.lists(_lines, max_size=4).map(tuple), st.integers(1, 999), st.booleans()
)
_plans = st.lists(_paragraphs, max_size=3).map(
    lambda made: Plan(tuple(replace(paragraph, id=f"p{n}") for n, paragraph in enumerate(made, 1)))
)


@settings(max_examples=150, deadline=None)
@given(_plans)
@example(Plan((PlanParagraph("p1", "", (PlanLine("what ends with [{}]"), PlanLine("[;]")), 1),)))
def test_a_printed_plan_is_read_as_it_was(plan: Plan) -> None:
    read = plan_of(read_related(print_plan(plan)))
    assert (read or Plan(())) == plan


@given(
    st.lists(st.text(st.characters(codec="utf-8"), min_size=1).filter(lambda key: not unfit_for_cite(key)), max_size=4)
)
def test_papers_are_planned_by_any_key_that_can_be_cited(keys: list[str]) -> None:
    plan = Plan((PlanParagraph("p1", "", (PlanLine("compare [3]", tuple(keys)),), 25),))
    assert plan_of(read_related(print_plan(plan))) == plan


@settings(max_examples=100, deadline=None)
@given(_plans, st.lists(st.lists(_words, max_size=3), max_size=3))
def test_a_printed_section_is_read_as_it_was(plan: Plan, texts: list[list[str]]) -> None:
    paragraphs = tuple(
        SectionParagraph(
            p.id, p.heading, tuple(Sentence(text.replace("{", ""), "paper", (), (), 0.0) for text in sentences)
        )
        for p, sentences in zip(plan.paragraphs, texts, strict=False)
    )
    text = print_related(Section(paragraphs), plan, KEYS, NATBIB, {})
    related = read_related(text)
    assert (plan_of(related) or Plan(())) == plan
    assert not any(block.edited for block in related.blocks)
    assert related.outside.strip() == ""


@given(st.text("% citeplug:begin p1 end sha256=heading keep note[],\n\r\\x{}", max_size=200))
def test_no_text_is_too_broken_to_be_read(text: str) -> None:
    related = read_related(text)
    assert all(0 <= block.start <= block.end <= len(text) for block in related.blocks)
    assert len({block.id for block in related.blocks}) == len(related.blocks)


def test_a_comment_that_ignores_a_finding_is_no_line_of_the_plan() -> None:
    text = "% citeplug:begin p1\n% citeplug:1 introduce it [1706.02216]\n% citeplug: ignore uncited_claim\nText.\n"
    (block,) = read_related(text + "% citeplug:end p1\n").blocks
    assert [line.intent for line in block.plan.lines] == ["introduce it"]
