import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from citeplug.files.atomic import write_together
from citeplug.project.merge_bases import FOLDER, Bases, base_changes, prune_bases, prune_entries, read_bases
from citeplug.records.plan import PlanLine, PlanParagraph
from citeplug.records.section import Generated, GeneratedEntry, Judgement, Sentence, Source
from citeplug.section_file.merge import directives_of, hash_of

PLAN = PlanParagraph("p1", "Über Graphen", (PlanLine("say it", ("1706.02216",)), PlanLine("relate")), 50)
SENTENCE = Sentence(
    "{{author:1706.02216}} sample.", "paper", ("1706.02216",), (Source("1706.02216", 2, "we sample", 3, 12),), 0.5
)


def block(line: str = "\\citet{a} sample.", inputs: str | None = "0123") -> Generated:
    made = Generated(PLAN, (), ("\\paragraph{Über Graphen.}", line), inputs, (SENTENCE,), {"1706.02216": "a"})
    return Generated(made.plan, directives_of(made), made.lines, made.inputs, made.sentences, made.keys)


ENTRY = GeneratedEntry("a", "@misc{a,\n  title = {Ü}\n}\n", "1706.02216")


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    write_together(base_changes(tmp_path, [block()], [ENTRY]))
    assert read_bases(tmp_path) == Bases({hash_of(block()): (block(),)}, {"a": (ENTRY,)})


def test_branches_write_different_files(tmp_path: Path) -> None:
    write_together(base_changes(tmp_path, [block(inputs="one"), block(inputs="two")], []))
    assert {base.inputs for base in read_bases(tmp_path).blocks[hash_of(block())]} == {"one", "two"}


def test_of_one_text_the_newest_base_stays(tmp_path: Path) -> None:
    write_together(base_changes(tmp_path, [block(inputs="one")], []))
    write_together(base_changes(tmp_path, [block(inputs="two")], []))
    assert [base.inputs for base in read_bases(tmp_path).blocks[hash_of(block())]] == ["two"]


def test_writing_the_same_again_touches_nothing(tmp_path: Path) -> None:
    write_together(base_changes(tmp_path, [block()], [ENTRY]))
    before = [(file, file.stat().st_mtime_ns) for file in sorted((tmp_path / FOLDER).iterdir())]
    write_together(base_changes(tmp_path, [block()], [ENTRY]))
    assert before == [(file, file.stat().st_mtime_ns) for file in sorted((tmp_path / FOLDER).iterdir())]


def test_kinds_passages_and_judgements_are_read_again(tmp_path: Path) -> None:
    title = Source("1706.02216", 2, "Inductive", 0, 9, "title")
    passage = Source("1706.02216", 2, "We sample", 3, 12, "full text", "Method", 4)
    judged = Judgement("partly", "every", "judge-model")
    sentences = (
        Sentence("Graphs differ.", "topic", (), (), None),
        Sentence("{{cite:1706.02216}} sample.", "group", ("1706.02216",), (title,), None),
        replace(SENTENCE, sources=(passage,), judgement=judged),
        replace(SENTENCE, kind="contrast", judgement=Judgement(None, suspicion="a hedge was left out")),
    )
    lines = (PlanLine("graphs", kind="topic"), PlanLine("say it", ("1706.02216",), weight="core"))
    made = Generated(replace(PLAN, lines=lines), (), ("One.",), None, sentences)
    write_together(base_changes(tmp_path, [made], []))
    assert read_bases(tmp_path).blocks == {hash_of(made): (made,)}


def test_a_base_in_the_bytes_of_an_earlier_citeplug_is_read_and_left_alone(tmp_path: Path) -> None:
    write_together(base_changes(tmp_path, [block()], []))
    (file,) = (tmp_path / FOLDER).iterdir()
    said = json.loads(file.read_bytes())
    for line in said["plan"]["lines"]:
        del line["kind"], line["weight"]
    for sentence in said["sentences"]:
        del sentence["judgement"]
        for source in sentence["sources"]:
            del source["of"], source["section"], source["page"]
    file.write_text(json.dumps(said))
    assert read_bases(tmp_path).blocks == {hash_of(block()): (block(),)}
    assert base_changes(tmp_path, [block()], []) == []


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: b"<<<<<<< HEAD\n" + data,
        lambda data: data.replace(b"sample.", b"pay the author."),
        lambda data: data.replace(b'"format": 1', b'"format": 2'),
        lambda data: b"[" * 100_000,
        lambda data: b"[]",
        lambda data: b"\xff\xfe" + data,
        lambda data: data + b" " * 500_000,
        lambda data: b"{}",
    ],
)
def test_a_damaged_base_counts_as_none(damage: object, tmp_path: Path) -> None:
    assert callable(damage)
    write_together(base_changes(tmp_path, [block()], [ENTRY]))
    for file in (tmp_path / FOLDER).iterdir():
        file.write_bytes(damage(file.read_bytes()))
    assert not read_bases(tmp_path).blocks


def test_line_ends_that_git_changed_are_no_damage(tmp_path: Path) -> None:
    write_together(base_changes(tmp_path, [block()], [ENTRY]))
    for file in (tmp_path / FOLDER).iterdir():
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert read_bases(tmp_path).blocks
    assert read_bases(tmp_path).entries


def test_a_folder_that_is_no_folder_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / ".citeplug").mkdir()
    (tmp_path / FOLDER).write_text("mine", "utf-8")
    assert read_bases(tmp_path) == Bases()


def test_superseded_bases_go_when_there_are_many_and_no_text_needs_them(tmp_path: Path) -> None:
    made = [block(f"Sentence {number}.") for number in range(60)]
    write_together(base_changes(tmp_path, made, []))
    (tmp_path / FOLDER / "mine.json").write_text("mine", "utf-8")
    for number, base in enumerate(made):
        for file in (tmp_path / FOLDER).glob(f"{hash_of(base)}-*"):
            os.utime(file, (number, number))
    needed = hash_of(made[0])
    prune_bases(tmp_path, [hash_of(base) for base in made], [f"% citeplug:end p1 sha256={needed}"])
    left = read_bases(tmp_path).blocks
    assert len(left) == 41
    assert needed in left
    assert hash_of(made[1]) not in left
    assert (tmp_path / FOLDER / "mine.json").exists()


def test_of_superseded_entries_the_newest_two_hundred_stay(tmp_path: Path) -> None:
    made = [GeneratedEntry("a", f"@misc{{a,\n  year = {{{number}}}\n}}\n", "1706.02216") for number in range(210)]
    for number, entry in enumerate(made):
        before = set((tmp_path / FOLDER).glob("entry-*"))
        write_together(base_changes(tmp_path, [], [entry]))
        for file in set((tmp_path / FOLDER).glob("entry-*")) - before:
            os.utime(file, (number, number))
    prune_entries(tmp_path, [made[0]])
    left = read_bases(tmp_path).entries["a"]
    assert len(left) == 201
    assert made[0] in left
    assert made[-1] in left
    assert made[1] not in left
