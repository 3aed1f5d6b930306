import pytest

from citeplug.records.plan import PlanLine, PlanParagraph
from citeplug.records.section import Generated
from citeplug.section_file.grammar import read_related, text_hash
from citeplug.section_file.merge import as_printed, filled, hash_of, in_place_of, knows_note, merged

PLAN = PlanParagraph("p1", "Graphs", (PlanLine("say it", ("1706.02216",)), PlanLine("relate to the draft")), 50)
HEADING = "\\paragraph{Graphs.}"
A = "\\citet{a} sample the neighbours of a node."
B = "Attention weighs neighbours~\\citep{b}."
C = "Against this background, the present paper scales."
A2 = "\\citet{a} sample neighbours, and aggregate them."
B2 = "Others weigh neighbours by attention~\\citep{b}."
C2 = "In turn, the present paper proposes sampling."
MINE = "Nobody has compared them."


def generated(*lines: str) -> Generated:
    return Generated(PLAN, (), (HEADING, *lines))


def printed(block: Generated) -> str:
    return as_printed(block).rstrip("\n")


BASE = generated(A, B, C)
RAW = printed(BASE)


def inside(raw: str) -> list[str]:
    lines = raw.replace("\r\n", "\n").split("\n")
    assert lines[0].startswith("% citeplug:begin")
    assert lines[-1].startswith("% citeplug:end")
    plan = ("% citeplug:heading", "% citeplug:1", "% citeplug:2")
    return [line.strip() for line in lines[1:-1] if not line.strip().startswith(plan)][1:]


def test_a_sentence_that_the_author_left_alone_is_renewed() -> None:
    ours = RAW.replace(B, B + "\n" + MINE)
    assert inside(merged(ours, BASE, generated(A2, B, C2))) == [A2, B, MINE, C2]


def test_a_changed_sentence_stays_where_nothing_new_is_said() -> None:
    ours = RAW.replace("sample the", "look at all")
    assert merged(ours, BASE, BASE) == ours


def test_a_new_version_of_a_changed_sentence_is_offered_beneath_it() -> None:
    ours = RAW.replace("sample the", "look at all")
    once = merged(ours, BASE, generated(A2, B, C))
    mine = A.replace("sample the", "look at all")
    assert inside(once) == [mine, f"% citeplug:note new: {A2}", B, C]
    assert merged(once, generated(A2, B, C), generated(A2, B, C)) == once


def test_an_offer_gives_way_to_a_newer_one() -> None:
    ours = RAW.replace("sample the", "look at all")
    once = merged(ours, BASE, generated(A2, B, C))
    newest = A2.replace("aggregate", "average")
    twice = merged(once, generated(A2, B, C), generated(newest, B, C))
    assert [line for line in inside(twice) if "note" in line] == [f"% citeplug:note new: {newest}"]


def test_an_offer_that_was_taken_over_goes() -> None:
    once = merged(RAW.replace("sample the", "look at all"), BASE, generated(A2, B, C))
    taken = once.replace(A.replace("sample the", "look at all"), A2)
    assert inside(merged(taken, generated(A2, B, C), generated(A2, B, C))) == [A2, B, C]


def test_an_offer_that_the_author_deleted_does_not_come_back() -> None:
    once = merged(RAW.replace("sample the", "look at all"), BASE, generated(A2, B, C))
    without = once.replace(f"% citeplug:note new: {A2}\n", "")
    assert merged(without, generated(A2, B, C), generated(A2, B, C)) == without


def test_an_offer_in_which_the_author_wrote_is_the_author_s() -> None:
    once = merged(RAW.replace("sample the", "look at all"), BASE, generated(A2, B, C))
    noted = once.replace("aggregate them", "aggregate them WELL")
    assert "aggregate them WELL" in merged(noted, generated(A2, B, C), BASE)


def test_a_deleted_sentence_stays_deleted() -> None:
    ours = RAW.replace(B + "\n", "")
    assert inside(merged(ours, BASE, generated(A, B2, C2))) == [A, C2]


def test_a_sentence_that_is_new_follows_the_one_before_it() -> None:
    ours = RAW.replace(A, A + " " + MINE)
    more = "Expressive power is studied~\\citep{d}."
    assert inside(merged(ours, BASE, generated(A, more, B, C))) == [A, more, MINE, B, C]


def test_a_moved_sentence_is_renewed_where_it_stands() -> None:
    ours = RAW.replace(A + "\n", "").replace(C, C + "\n" + A + "\n" + MINE)
    assert inside(merged(ours, BASE, generated(A2, B, C))) == [B, C, A2, MINE]


def test_a_sentence_that_is_said_no_more_goes_unless_the_author_changed_it() -> None:
    ours = RAW.replace(A, A + "\n" + MINE)
    assert inside(merged(ours, BASE, generated(B, C))) == [MINE, B, C]
    ours = RAW.replace("sample the", "look at all")
    assert inside(merged(ours, BASE, generated(B, C))) == [A.replace("sample the", "look at all"), B, C]


X, Y = "\\citet{x} sample the neighbours of every node.", "\\citet{y} weigh the edges by attention."
BOTH = "While \\citet{x} sample neighbours, \\citet{y} weigh edges."
TOPIC = "Neighbours matter unequally."
SPLIT = generated(TOPIC, X, Y, C)
JOINED = generated(TOPIC, BOTH, C)


def test_two_sentences_left_alone_become_one_and_one_becomes_two() -> None:
    ours = printed(SPLIT).replace(C, f"{C}\n{MINE}")
    assert inside(merged(ours, SPLIT, JOINED)) == [TOPIC, BOTH, C, MINE]
    ours = printed(JOINED).replace(C, f"{C}\n{MINE}")
    assert inside(merged(ours, JOINED, SPLIT)) == [TOPIC, X, Y, C, MINE]


def test_what_becomes_two_is_offered_as_two_where_the_author_changed_it() -> None:
    mine = BOTH.replace("sample", "always sample")
    once = merged(printed(JOINED).replace(BOTH, mine), JOINED, SPLIT)
    assert inside(once) == [TOPIC, mine, f"% citeplug:note new: {X}", f"% citeplug:note new: {Y}", C]
    assert merged(once, SPLIT, SPLIT) == once
    newest = Y.replace("attention", "self-attention")
    assert inside(merged(once, SPLIT, generated(TOPIC, X, newest, C)))[3] == f"% citeplug:note new: {newest}"


def test_what_becomes_two_stays_deleted() -> None:
    ours = printed(JOINED).replace(BOTH + "\n", "")
    assert inside(merged(ours, JOINED, SPLIT)) == [TOPIC, C]


@pytest.mark.parametrize("deleted", [X, Y])
def test_a_sentence_left_alone_does_not_go_with_one_that_the_author_deleted(deleted: str) -> None:
    ours = printed(SPLIT).replace(deleted + "\n", "")
    assert inside(merged(ours, SPLIT, JOINED)) == [TOPIC, BOTH, C]


@pytest.mark.parametrize("changed", [X, Y])
def test_a_sentence_that_joins_two_is_not_said_beside_the_one_left_alone(changed: str) -> None:
    mine = changed.replace("the", "all the")
    made = inside(merged(printed(SPLIT).replace(changed, mine), SPLIT, JOINED))
    assert made == [mine if line == changed else BOTH if line in (X, Y) else line for line in (TOPIC, X, Y, C)]


def test_an_opening_is_no_version_of_a_closing_sentence() -> None:
    base = generated(TOPIC, X)
    mine = TOPIC.replace("unequally", "most unequally")
    assert inside(merged(printed(base).replace(TOPIC, mine), base, generated(Y, C))) == [Y, C, mine]


def test_comments_labels_and_blank_lines_stay() -> None:
    ours = RAW.replace(HEADING, HEADING + "\\label{par:graphs}").replace(A, f"{A} % true?\n\n% remember Hamilton")
    made = merged(ours, BASE, generated(A2, B2, C))
    assert HEADING + "\\label{par:graphs}\n" in made
    assert inside(made) == [A2 + " % true?", "", "% remember Hamilton", B2, C]


def test_a_text_on_one_line_is_merged_by_its_sentences() -> None:
    ours = RAW.replace(f"{A}\n{B}\n{C}", f"{A} {B}\n   {C} {MINE}").replace("weighs", "really weighs")
    made = merged(ours, BASE, generated(A2, B2, C2))
    mine = B.replace("weighs", "really weighs")
    assert inside(made) == [f"{A2} {mine}", f"% citeplug:note new: {B2}", f"{C2} {MINE}"]


def test_the_end_mark_records_what_was_generated() -> None:
    new = generated(A2, B, C)
    (block,) = read_related(merged(RAW.replace(B, MINE), BASE, new)).blocks
    assert block.recorded == hash_of(new) == text_hash("\n".join(new.lines))
    assert block.edited


def test_a_block_is_fresh_again_when_the_author_s_change_is_undone() -> None:
    (block,) = read_related(merged(RAW.replace(B + "\n", f"{B}\n% x\n"), BASE, BASE).replace("% x\n", "")).blocks
    assert not block.edited


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_line_ends_and_indentation_are_those_of_the_file(newline: str) -> None:
    old = ("  " + RAW.replace("\n", "\n  ")).replace("\n", newline)
    for made in (in_place_of(old, generated(A2, B, C)), merged(old, BASE, generated(A2, B, C))):
        assert all(line.startswith("  ") for line in made.split(newline))
        assert made.count("\n") == made.count(newline)
        assert A2 in made


def test_a_plan_gets_its_text_and_keeps_its_lines() -> None:
    raw = "% citeplug:begin mine words=50\n%   citeplug: 1) SAY it [1706.02216]\n% citeplug:end mine"
    made = filled(raw, generated(A))
    assert (
        made
        == raw.replace("\n% citeplug:end", f"\n{HEADING}\n{A}\n% citeplug:end") + f" sha256={hash_of(generated(A))}"
    )
    (block,) = read_related(filled(raw.rpartition("\n")[0], generated(A))).blocks
    assert (block.edited, block.ended, block.id) == (False, True, "mine")


def test_a_text_left_alone_under_a_plan_of_the_author_s_is_replaced_as_a_whole() -> None:
    ours = RAW.replace("% citeplug:2", "% citeplug:2 say MORE\n% citeplug:3")
    made = merged(ours, BASE, generated(C2, A2))
    assert made.index(C2) < made.index(A2)
    assert "say MORE" in made


def test_only_what_was_printed_counts_as_a_note_of_citeplug_s() -> None:
    note = "% citeplug:note close wording: eight or more words in a row are from arXiv:1; rephrase or quote"
    base = generated(note, A, B)
    assert knows_note(base, note.removeprefix("% citeplug:"))
    assert not knows_note(base, "note close wording: I know")
    changed = as_printed(base).rstrip("\n").replace(B, MINE)
    assert note in merged(changed, base, base)
    assert note not in merged(changed, base, generated(A2, B))
