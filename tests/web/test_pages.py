"""The review page by its forms alone, as a browser without script sends them."""

import io
import json
import os
import re
import shutil
import time
import zipfile
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from citeplug.corpus.stores import open_corpus, settings
from citeplug.errors import WouldOverwrite
from citeplug.project.find_project import find_project
from citeplug.project.kept_zips import DAYS, open_kept, prune_kept
from citeplug.records.passage import Mention, Reference, Resolved
from citeplug.related.section.choose import choose_paper
from citeplug.related.section.edit_section import reject
from citeplug.settings.project_toml import read_configuration
from citeplug.web.reviewing import Reviewing
from citeplug.web.runs import Run
from tests.e2e.conftest import DRAFT
from tests.harness.debates import record_debates
from tests.web.browser import Browser, reviewed


def section(main: Path) -> str:
    return (main.parent / "related.tex").read_text("utf-8")


def record(main: Path) -> Any:
    return json.loads((main.parent / ".citeplug" / "provenance.json").read_text("utf-8"))


def first(main: Path) -> Any:
    return record(main)["sentences"][0]


def home_of() -> Path:
    return settings(offline=True).home


def words(sentence: Any) -> str:
    return " ".join(sentence["text"].split())


def test_the_page_shows_each_sentence_and_the_marked_words_of_its_source(browser: Browser, written: Path) -> None:
    page = browser.open()
    for paragraph in {sentence["paragraph"] for sentence in record(written)["sentences"]}:
        assert f'id="text-{paragraph}"' in page
    assert page.count('class="sentence generated') == len(record(written)["sentences"])
    (source,) = first(written)["sources"]
    assert f"<blockquote>{source['quote']}</blockquote>" in page.replace("<mark>", "").replace("</mark>", "")
    assert f"https://arxiv.org/abs/{source['arxiv_id']}" in page
    assert "In its source’s words" in page and 'class="mark verbatim"' in page
    assert f"{round(first(written)['attribution'] * 100)} % of all its words are in the quoted source" in page
    assert 'aria-label="Entry ' in page and "@" in page


def test_each_sentence_has_a_mark_that_the_legend_counts_and_cites_as_its_command_prints(
    browser: Browser, written: Path
) -> None:
    browser.open()
    browser.send("/accept", p="p1", words=words(first(written)))
    text = browser.open().partition('<section class="text"')[2].partition("</section>")[0]
    legend, _, articles = text.partition("<article")
    marks = Counter(re.findall(r'<span class="mark (\w+)" title', articles))
    assert marks.total() == len(record(written)["sentences"]) and marks["accepted"] == 1 and marks["titles"] > 0
    assert dict(re.findall(r'<span class="mark (\w+)"></span>[^<]+<small>(\d+)', legend)) == {
        name: str(count) for name, count in marks.items()
    }
    in_text = re.search(r"\\citet\{", section(written))
    assert in_text is None or re.search(r">[^<]+ \(\d{4}\)</cite>", articles)
    assert re.search(r"\(<cite[^>]*>[^<]+, \d{4}</cite>\)", articles)


def test_every_sentence_can_be_opened(browser: Browser, written: Path) -> None:
    names = re.findall(r'href="/\?at=([^#"]+)#', browser.open())
    assert len(set(names)) == len(record(written)["sentences"])
    for name in sorted(set(names)):
        page = browser.open(f"/?at={name}")
        assert (page.count('aria-current="true"') == 1 and page.count("<mark>") >= 1) or "the draft" in page
    for odd in ("p1.0", "p1.99", "p1.", "p77.1", "../x", "%3Cb%3E", "p1.²"):
        assert browser.ask("GET", f"/?at={odd.replace('²', '%C2%B2')}").status == 200


def test_of_another_sentence_its_part_of_the_page_is_given_alone(browser: Browser, written: Path) -> None:
    whole, part = browser.open("/?at=p1.2"), browser.open("/?at=p1.2&part=1")
    for begin, end in (('<li id="p1.2"', "</li>"), ('<section id="source"', "</section>"), ('data-stamp="', '"')):
        wanted = begin + whole.partition(begin)[2].partition(end)[0]
        assert wanted in part
    assert "<nav" not in part and 'id="p1.1"' not in part
    assert "<nav" in browser.send("/reword?part=1", p="p1", was="not there", new="x", at="p1.1").text
    near = browser.open("/?at=p1.2&near=1")
    assert '<template data-at="p1.1">' in near and '<template data-at="p1.3">' in near and "<nav" not in near
    assert part.partition("<li")[2].partition("</li>")[0] in browser.open("/?at=p1.1&near=1")
    (written.parent / "related.tex").write_text("% citeplug: 2\n", "utf-8")
    assert "There is no section yet" in browser.open("/?at=p1.2&part=1")
    assert "There is no section yet" in browser.open("/?at=p1.2&near=1")


def test_a_script_gets_what_has_changed_in_the_section_that_it_shows(browser: Browser, written: Path) -> None:
    others = next(each for each in record(written)["sentences"] if each["paragraph"] == "p2")
    said = first(written)

    def stamp(page: str) -> str:
        return page.partition('data-stamp="')[2].partition('"')[0]

    def send(shown: str, path: str, **fields: object) -> str:
        form = urlencode({"token": browser.token, "at": "p1.1", **fields}).encode()
        return browser.ask("POST", path, form, citeplug_shown=shown).text

    shown = stamp(browser.open())
    part = send(shown, "/accept", p="p1", words=words(said))
    assert "<main" not in part and 'id="text-p1"' in part and 'id="text-p2"' not in part
    assert "The sentence was accepted." in part and "1 accepted" in part and "Undo: accept" in part
    browser.send("/accept", p="p2", words=words(others))  # in another tab
    part = browser.ask("GET", "/?at=p1.1", citeplug_shown=stamp(part)).text
    assert "<main" not in part and "2 accepted" in part and 'id="text-p1"' in part and 'id="text-p2"' in part
    part = send(stamp(part), "/undo")
    assert "1 accepted" in part and 'id="text-p2"' in part
    part = send(stamp(part), "/reject", p="p1", words=words(said))
    assert "<main" not in part and said["tex"] not in section(written) and 'id="source"' in part
    assert "<main" in send("a page of long ago", "/undo")
    page = browser.open()
    was = page.partition('/heading"')[2].partition('name="was" value="')[2].partition('"')[0]
    whole = send(stamp(page), "/heading", p="p1", was=was, new="Another heading")
    assert "<main" in whole and "Out of date: plan changed" in whole
    refused = send(stamp(whole), "/reject", p="p1", words="never said")
    assert "<main" in refused and 'role="alert"' in refused
    written.write_text(written.read_text("utf-8").replace("document}", "document}  ", 1), "utf-8")
    assert "<main" in send(stamp(refused), "/accept", p="p2", words=words(others))


def test_a_sentence_is_accepted_rejected_and_each_is_undone(browser: Browser, written: Path) -> None:
    before, said = section(written), first(written)
    browser.open()
    assert browser.send("/accept", p="p1", words=words(said)).status == 200
    assert first(written)["status"] == "accepted"
    reply = browser.send("/reject", p="p1", words=words(said))
    assert "will not be written again" in reply.text and "1 rejected" in reply.text
    assert said["tex"] not in section(written) and first(written)["status"] == "rejected"
    browser.send("/undo")
    assert section(written) == before and first(written)["status"] == "accepted"
    browser.send("/undo")
    assert first(written)["status"] == "unreviewed"
    assert browser.send("/undo").status == 409


def test_a_sentence_is_edited_and_is_the_author_s_then(browser: Browser, written: Path) -> None:
    browser.open()
    reply = browser.send("/reword", p="p1", was=first(written)["tex"], new="My words, <b>bold</b> & true.", at="p1.1")
    assert "My words, <b>bold</b> & true." in section(written)
    assert b"My words, &lt;b&gt;bold&lt;/b&gt; &amp; true." in reply.data and b"<b>bold" not in reply.data
    assert "This sentence is yours" in reply.text
    browser.send("/reword", p="p1", was="My words, <b>bold</b> & true.", new="Better words.")
    assert "Better words." in section(written)


def test_paragraphs_and_plan_lines_are_moved_changed_added_and_deleted(browser: Browser, written: Path) -> None:
    before = section(written)
    browser.open()
    order = re.findall(r"begin (p\d+)", before)
    browser.send("/down", p=order[0])
    assert re.findall(r"begin (p\d+)", section(written))[:2] == [order[1], order[0]]
    line = re.findall(r"% citeplug:1 (.*)", before)[0]
    browser.send("/line/save", p=order[0], number="1", was=line, new="describe sampling [1706.02216]")
    browser.send("/line/add", p=order[0], new="relate to the draft")
    browser.send("/heading", p=order[0], was="", new="A heading")
    browser.send("/add", heading="Depth", line="say how deep")
    text = section(written)
    for wanted in ("% citeplug:1 describe sampling", "relate to the draft", "heading A heading", "heading Depth"):
        assert wanted in text
    last = re.findall(r"begin (p\d+)", text)[-1]
    seen = re.findall(r'action="/delete">.*?name="was" value="([^"]*)"', browser.open(), re.DOTALL)
    browser.send("/delete", p=last, was=seen[-1])
    assert "heading Depth" not in section(written)
    for _ in range(6):
        assert browser.send("/undo").status == 200
    assert section(written) == before


def test_a_paragraph_and_a_plan_line_are_put_where_they_are_dropped(browser: Browser, written: Path) -> None:
    before = section(written)
    browser.open()
    order = re.findall(r"begin (p\d+)", before)
    assert len(order) > 1
    browser.send("/move", p=order[-1], before=order[0])
    assert re.findall(r"begin (p\d+)", section(written)) == [order[-1], *order[:-1]]
    browser.send("/move", p=order[-1], before="")
    assert section(written) == before
    lines = re.findall(r"% citeplug:\d+ (.*)", before.partition("% citeplug:end")[0])
    assert len(lines) > 2
    reply = browser.send("/line/move", p=order[0], number="1", was=lines[0], to=len(lines))
    assert reply.status == 200
    now = re.findall(r"% citeplug:\d+ (.*)", section(written).partition("% citeplug:end")[0])
    assert now == [*lines[1:], lines[0]]
    moved = section(written)
    for path, fields in (
        ("/line/move", {"number": "1", "was": lines[0], "to": 2}),  # another line is there by now
        ("/line/move", {"number": "1", "was": lines[1], "to": 99}),
        ("/line/move", {"number": "1", "was": lines[1], "to": "../2"}),
        ("/move", {"before": "p77"}),
        ("/move", {"p": "p77", "before": ""}),
    ):
        assert browser.send(path, **{"p": order[0], **fields}).status == 409
    assert section(written) == moved
    browser.send("/undo")
    assert section(written) == before


def test_what_was_changed_meanwhile_is_not_overwritten(browser: Browser, written: Path) -> None:
    """Two tabs, or a tab and an editor."""
    browser.open()
    said = first(written)
    mine = section(written).replace(said["tex"], "Written in the editor meanwhile.")
    (written.parent / "related.tex").write_text(mine, "utf-8")
    for path, fields in (("/reject", {"words": words(said)}), ("/reword", {"was": said["tex"], "new": "Page."})):
        reply = browser.send(path, p="p1", **fields)
        assert reply.status == 409 and "changed meanwhile" in reply.text and "in the editor meanwhile" in reply.text
    reply = browser.send("/line/save", p="p1", number="1", was="another line", new="mine")
    assert reply.status == 409
    assert section(written) == mine


def field_of(page: str, name: str) -> str:
    """What is in a field of the page, by its id."""
    found = re.search(
        rf'<textarea id="{name}"[^>]*>(.*?)</textarea>|<input id="{name}"[^>]* value="([^"]*)"', page, re.DOTALL
    )
    assert found is not None, name
    return found[1] or found[2] or ""


def test_what_was_typed_and_refused_is_in_its_field_beside_what_is_there_now(browser: Browser, written: Path) -> None:
    browser.open()
    said = first(written)
    line = re.findall(r"% citeplug:1 (.*)", section(written))[0]
    mine = section(written).replace(said["tex"], "Written in the editor meanwhile.").replace(line, "plan of mine", 1)
    headed = re.findall(r"% citeplug:begin (p\d+) [^\n]*\n% citeplug:heading", mine)[0]
    mine = re.sub(r"% citeplug:heading .*", "% citeplug:heading Heading of mine", mine)
    (written.parent / "related.tex").write_text(mine, "utf-8")
    typed = "Typed for <half> an hour & more."
    for path, field, now, fields in (
        ("/reword", "edit", "Written in the editor meanwhile.", {"p": "p1", "was": said["tex"], "at": "p1.1"}),
        ("/line/save", "l-p1-1", "plan of mine", {"p": "p1", "was": line, "number": "1"}),
        ("/heading", f"h-{headed}", "Heading of mine", {"p": headed, "was": "what it was"}),
    ):
        reply = browser.send(path, new=typed, **fields)
        assert reply.status == 409 and field_of(reply.text, field) == typed
        assert f"The file now says: <code>{now}</code>" in reply.text and "Its place is gone" not in reply.text
    # What the form of that page sends is saved.
    assert browser.send("/reword", p="p1", was="Written in the editor meanwhile.", new=typed, at="p1.1").status == 200
    assert typed in section(written)


def test_what_cannot_be_saved_as_it_is_stays_in_its_field(browser: Browser, written: Path) -> None:
    browser.open()
    said, bad = first(written)["tex"], "Mine, as far as it goes.\n% citeplug:end"
    reply = browser.send("/reword", p="p1", was=said, new=bad, at="p1.2")
    assert reply.status == 409 and field_of(reply.text, "edit") == bad
    assert (
        re.search(r'class="sentence generated selected"', reply.text) and 'id="p1.1" class="sentence gen' in reply.text
    )
    reply = browser.send("/add", heading="My heading", line="\t ")
    assert reply.status == 409 and field_of(reply.text, "add-heading") == "My heading"


def test_what_was_typed_where_nothing_is_any_more_can_be_copied(browser: Browser, written: Path) -> None:
    browser.open()
    said = first(written)
    browser.send("/reject", p="p1", words=words(said))
    after = section(written)
    reply = browser.send("/reword", p="p1", was=said["tex"], new="Typed in another tab.", at="p1.1")
    assert reply.status == 409 and field_of(reply.text, r"lost-\w+-1") == "Typed in another tab."
    assert "Typed in another tab." not in field_of(reply.text, "edit")
    for path in ("/line/add", "/heading", "/line/save"):
        reply = browser.send(path, p="p77", new="Typed.", was="", number="1")
        assert reply.status == 409 and field_of(reply.text, r"lost-\w+-1") == "Typed."
    assert section(written) == after


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [("citeplug.toml", "[related]\nbreadth = 'many'\n", "citeplug.toml:2"), ("citeplug.toml", "[[[", "citeplug.toml")],
)
def test_an_invalid_configuration_is_shown_and_nothing_typed_is_lost(
    browser: Browser, written: Path, name: str, content: str, said: str
) -> None:
    browser.open()
    (written.parent / name).write_text(content, "utf-8")
    for path in ("/", "/papers", "/entries", "/export"):
        reply = browser.ask("GET", path)
        assert reply.status == 409 and said in reply.text and "This page cannot be shown" in reply.text, path
    reply = browser.send("/reword", p="p1", was=first(written)["tex"], new="Typed.", at="p1.1")
    assert reply.status == 409 and said in reply.text and field_of(reply.text, r"lost-\w+-1") == "Typed."
    (written.parent / name).unlink()
    assert 'id="text-p1"' in browser.open()


def test_a_main_file_that_goes_while_the_page_is_open_is_shown(browser: Browser, written: Path) -> None:
    browser.open()
    away = written.rename(written.with_name("away.txt"))
    for path in ("/", "/papers", "/entries", "/export", "/stamp"):
        assert "main.tex" in browser.ask("GET", path).text
    assert browser.send("/undo").status == 409
    away.rename(written)
    assert 'id="text-p1"' in browser.open()


def test_an_undo_is_refused_once_the_editor_wrote_in_the_section(browser: Browser, written: Path) -> None:
    browser.open()
    said = first(written)
    browser.send("/reject", p="p1", words=words(said))
    after = section(written)
    (written.parent / "related.tex").write_text(after + "\nWritten since.\n", "utf-8")
    reply = browser.send("/undo")
    assert reply.status == 409 and "related.tex was changed since" in reply.text
    assert section(written) == after + "\nWritten since.\n"
    (written.parent / "related.tex").write_text(after, "utf-8")
    assert browser.send("/undo").status == 200
    assert said["tex"] in section(written)


def test_an_undo_of_an_acceptance_leaves_a_rejection_from_elsewhere(browser: Browser, written: Path) -> None:
    browser.open()
    said = first(written)
    browser.send("/accept", p="p1", words=words(said))
    reject(find_project(written), home_of(), ["p1:1"])
    assert browser.send("/undo").status == 409
    assert said["tex"] not in section(written) and first(written)["status"] == "rejected"


def test_a_paragraph_that_was_changed_meanwhile_is_neither_deleted_nor_renamed(browser: Browser, written: Path) -> None:
    page = browser.open()
    seen = re.search(r'action="/delete">.*?name="was" value="([^"]*)"', page, re.DOTALL)
    heading = re.search(r"% citeplug:heading (.*)", section(written))
    assert seen is not None and heading is not None
    mine = section(written).replace(first(written)["tex"], "Written in the editor meanwhile.")
    mine = mine.replace(heading[0], "% citeplug:heading Mine", 1)
    (written.parent / "related.tex").write_text(mine, "utf-8")
    for path, fields in (("/delete", ("p1", seen[1])), ("/heading", ("p2", heading[1]))):
        reply = browser.send(path, p=fields[0], was=fields[1], new="Another")
        assert reply.status == 409 and "changed meanwhile" in reply.text
    assert section(written) == mine


def test_of_two_equal_sentences_the_one_that_was_meant_is_changed(browser: Browser, written: Path) -> None:
    """The author has copied a sentence."""
    said = first(written)["tex"]
    end = section(written).index("% citeplug:end p1")
    (written.parent / "related.tex").write_text(section(written)[:end] + said + "\n" + section(written)[end:], "utf-8")
    names = re.findall(r'href="/\?at=(p1\.\d+)#', browser.open())
    page = browser.open(f"/?at={names[-1]}")
    place = re.search(r'action="/reword">.*?name="place" value="(\d+)"', page, re.DOTALL)
    assert place is not None
    reply = browser.send("/reword", p="p1", was=said, place=place[1], new="The copy alone.")
    assert reply.status == 200
    assert (
        section(written).index(said) < section(written).index("The copy alone.") and section(written).count(said) == 1
    )


def test_equal_sentences_are_not_mixed_up_after_a_change_elsewhere(browser: Browser, written: Path) -> None:
    said = first(written)["tex"]
    text = section(written).replace(said, f"{said}\n{said}", 1)
    (written.parent / "related.tex").write_text(text, "utf-8")
    browser.open()
    reply = browser.send("/reword", p="p1", was=said, place="1", new="Neither.")
    assert reply.status == 409 and "2 times" in reply.text and section(written) == text
    place = text.index(said, text.index(said) + 1) - text.index("% citeplug:begin p1")
    assert browser.send("/reject", p="p1", words=words(first(written)), place=place).status == 200
    assert section(written).count(said) == 1 and first(written)["status"] == "unreviewed"


@pytest.mark.parametrize(
    ("declared", "codec", "typed"), [("latin1", "cp1252", "Naïve Löwen."), ("latin2", "iso8859-2", "Łódź.")]
)
def test_a_section_is_read_and_written_in_the_draft_s_encoding(
    browser: Browser, written: Path, declared: str, codec: str, typed: str
) -> None:
    file = written.parent / "related.tex"
    written.write_bytes(
        written.read_bytes().replace(b"{article}", b"{article}\n\\usepackage[%s]{inputenc}" % declared.encode(), 1)
    )
    browser.open()
    said = first(written)["tex"]
    before = file.read_bytes()
    assert browser.send("/reword", p="p1", was=said, new=typed, at="p1.1").status == 200
    assert file.read_bytes() == before.replace(said.encode(), typed.encode(codec))
    assert typed in browser.open("/?at=p1.1") and typed in browser.open("/export")
    assert browser.send("/reword", p="p1", was=typed, new=f"{typed} {typed}", at="p1.1").status == 200
    assert file.read_bytes() == before.replace(said.encode(), f"{typed} {typed}".encode(codec))
    reply = browser.send("/reword", p="p1", was=f"{typed} {typed}", new="語", at="p1.1")
    assert reply.status == 409 and field_of(reply.text, "edit") == "語" and "語" in reply.text
    browser.send("/undo")
    browser.send("/undo")
    assert file.read_bytes() == before


def test_text_of_papers_and_drafts_is_no_markup(browser: Browser, written: Path) -> None:
    text = section(written)
    bad = "<script>alert(1)</script><img src=x onerror=y>\"'"
    text = text.replace(first(written)["tex"], first(written)["tex"] + f"\n% citeplug:note {bad}\nMine {bad}.")
    text = re.sub(r"(% citeplug:heading ).*", rf"\1{bad}", text)
    (written.parent / "related.tex").write_text(text, "utf-8")
    whole = record(written)
    whole["entries"][0]["evidence"] = [{"field": bad, "given": bad, "found": bad, "verdict": "differs"}]
    whole["sentences"][1]["sources"][0]["quote"] = bad
    (written.parent / ".citeplug" / "provenance.json").write_text(json.dumps(whole), "utf-8")
    for path in ("/", "/?at=p1.2", "/?at=p1.3", "/export", "/papers", "/entries"):
        page = browser.ask("GET", path).data
        assert b"<script>alert" not in page and b"<img" not in page, path


def test_a_record_with_half_a_letter_is_shown_and_its_sentence_accepted(browser: Browser, written: Path) -> None:
    path = written.parent / ".citeplug" / "provenance.json"
    said = first(written)
    half = json.dumps(said["text"])[:-1] + '\\ud800"'
    path.write_text(path.read_text("utf-8").replace(json.dumps(said["text"], ensure_ascii=False), half), "utf-8")
    browser.open()
    assert browser.send("/accept", p="p1", words=words(said) + "?").status == 200
    assert first(written)["status"] == "accepted" and first(written)["text"] == said["text"] + "?"


def test_a_paper_is_pinned_excluded_and_undone(browser: Browser, written: Path) -> None:
    page = browser.open("/papers")
    found = re.findall(r'name="id" value="([^"]+)"', page)
    assert len(found) > 3 and "<h2>New in the section" in page
    browser.send("/choose", id=found[0], choice="pin")
    reply = browser.send("/choose", id=found[1], choice="exclude")
    assert reply.text.index("<h2>Pinned") < reply.text.index("<h2>New in the section") < reply.text.index("<h2>Excl")
    values = read_configuration(written.parent).values
    assert (values["pin"], values["exclude"]) == ((found[0],), (found[1],))
    choose_paper(written, found[1], "pin", home_of())
    assert browser.send("/undo").status == 409 and found[1] in read_configuration(written.parent).values["pin"]
    choose_paper(written, found[1], "exclude", home_of())
    browser.send("/undo")
    assert not read_configuration(written.parent).values.get("exclude")
    assert browser.send("/choose", id="not an id", choice="pin").status == 409
    assert browser.send("/choose", id=found[0], choice="love").status == 409


def test_entries_are_shown_with_their_corrections_which_are_made(browser: Browser, written: Path) -> None:
    bib = written.parent / "related.bib"
    text = bib.read_text("utf-8")
    bib.write_text(re.sub(r"(\n\s*year\s*=\s*\{?)\d{4}", r"\g<1>1950", text, count=1), "utf-8")
    page = browser.open("/entries")
    assert "differs" in page and "<del>-" in page and "1950" in page
    wrong = bib.read_bytes()
    browser.send("/fix")
    right = bib.read_bytes()
    assert b"1950" not in right
    bib.write_bytes(right + b"% mine\n")
    assert browser.send("/undo").status == 409 and bib.read_bytes() == right + b"% mine\n"
    bib.write_bytes(right)
    assert "Undo: corrections" in browser.open("/entries")
    assert browser.send("/undo").status == 200 and bib.read_bytes() == wrong


def test_an_entry_gets_the_title_of_its_record_and_the_page_marks_the_words_that_differ(
    browser: Browser, written: Path
) -> None:
    bib = written.parent / "related.bib"
    right = bib.read_text("utf-8")
    title = re.search(r"title\s*=\s*\{(.+)\}", right)
    assert title is not None
    words = title[1].split()
    bib.write_text(right.replace(title[1], " ".join(["Ponds", "and", *words[2:]])), "utf-8")
    page = browser.open("/entries")
    assert "<del>Ponds and</del>" in page and "Use the record’s title" in page
    key = re.search(r'name="key" value="([^"]+)"', page)
    assert key is not None
    browser.send("/fix", key=key[1], record="yes")
    assert " ".join(words[:2]) in bib.read_text("utf-8") and "Ponds" not in bib.read_text("utf-8")
    assert browser.send("/fix", key=key[1], record="yes").status == 409  # nothing differs any more
    browser.send("/undo")
    assert "Ponds" in bib.read_text("utf-8")


def test_a_year_that_the_author_changes_during_the_check_is_not_written_over(written: Path) -> None:
    bib = written.parent / "related.bib"
    right = bib.read_text("utf-8")
    year = re.search(r"\n\s*year\s*=\s*\{?(\d{4})", right)
    assert year is not None
    wrong = right[: year.start(1)] + "1950" + right[year.end(1) :]
    bib.write_text(wrong, "utf-8")

    class Typing(Run):
        def report(self, stage: str, done: int, total: int | None) -> None:
            bib.write_text(right, "utf-8")

    reviewing = Reviewing(written, settings(offline=True))
    with pytest.raises(WouldOverwrite, match="was changed while it was checked"):
        reviewing.check_entries(Typing("Checking", "/entries"))
    assert not reviewing.entries_are_checked()
    reviewing.fix()
    assert bib.read_text("utf-8") == right
    assert all(entry.check.verdict != "differs" for entry in reviewing.entries()[0].entries)


def test_the_fix_of_one_entry_alone_is_accepted_and_entries_are_filtered(browser: Browser, written: Path) -> None:
    bib = written.parent / "related.bib"
    right = bib.read_bytes()
    bib.write_text(re.sub(r"(\n\s*year\s*=\s*\{?)\d{4}", r"\g<1>1950", bib.read_text("utf-8"), count=2), "utf-8")
    page = browser.open("/entries")
    keys = re.findall(r'name="key" value="([^"]+)"', page)
    assert len(keys) == 2 and page.index(keys[0]) < page.index("<b>Verified</b>")
    only = browser.open("/entries?verdict=verified")
    assert 'name="key"' not in only and "verified" in only
    browser.send("/fix", key=keys[0])
    assert bib.read_bytes().count(b"1950") == 1
    browser.send("/fix", key=keys[1])
    assert bib.read_bytes() == right
    assert browser.send("/fix", key="nothing").status == 409


def test_what_was_done_is_said_once(browser: Browser, written: Path) -> None:
    browser.open()
    form = {"token": browser.token, "at": "", "p": "p1", "words": words(first(written))}
    reply = browser.ask("POST", "/accept", urlencode(form).encode())
    there = reply.headers["location"].partition("#")[0]
    assert "The sentence was accepted." in browser.open(there)
    assert "The sentence was accepted." not in browser.open(there)
    assert "The sentence was accepted." not in browser.open("/?done=accept")


def test_the_section_is_written_again_by_its_plan(browser: Browser, written: Path) -> None:
    before = section(written)
    browser.open()
    browser.send("/line/add", p="p1", new="describe DropEdge [1907.10903]")
    assert "Out of date: " in browser.open()
    assert browser.send("/write").status == 200
    assert section(written) != before
    assert "Out of date: " not in browser.open()


def test_a_draft_without_a_section_gets_one(project: Path, home: Path) -> None:
    with reviewed(project) as browser:
        browser.start()
        assert "There is no section yet" in browser.open()
        reply = browser.send("/write")
        assert reply.status == 200 and 'class="sentence generated' in reply.text
        page = browser.open("/export?comments=yes")
        assert "% citeplug: 2" in page and "@" in page


def test_a_zip_gives_its_changed_files_and_stays_as_it_was(written: Path, tmp_path: Path) -> None:
    packed = Path(shutil.make_archive(str(tmp_path / "project"), "zip", written.parent))
    before = packed.read_bytes()
    archive, folder = open_kept(packed, tmp_path / "home")
    with reviewed(folder, archive) as browser:
        browser.start()
        browser.open()
        browser.send("/reject", p="p1", words=words(first(written)))
        replaced, _, kept = browser.open("/export?comments=yes").partition("The record of the section")
        assert "<li><code>related.tex</code>" in replaced and ".citeplug/" not in replaced
        assert "<li><code>.citeplug/provenance.json</code>" in kept
        reply = browser.ask("GET", "/changed.zip?comments=yes")
        with zipfile.ZipFile(io.BytesIO(reply.data)) as changed:
            assert {"related.tex", ".citeplug/provenance.json"} == set(changed.namelist())
            assert first(written)["tex"] not in changed.read("related.tex").decode()
    assert packed.read_bytes() == before


def test_the_review_of_a_zip_goes_on_where_it_ended(written: Path, tmp_path: Path) -> None:
    packed = Path(shutil.make_archive(str(tmp_path / "project"), "zip", written.parent))
    archive, folder = open_kept(packed, tmp_path / "home")
    with reviewed(folder, archive) as browser:
        browser.start()
        browser.open()
        browser.send("/reword", p="p1", was=first(written)["tex"], new="An evening's work.")
    again = Path(shutil.copy(packed, tmp_path / "downloaded again.zip"))
    archive, folder = open_kept(again, tmp_path / "home")
    with reviewed(folder, archive) as browser:
        browser.start()
        assert "An evening's work." in browser.open()
        assert "related.tex" in browser.open("/export")
    with zipfile.ZipFile(packed, "a") as other:
        other.writestr("note.txt", "another zip")
    assert "An evening's work." not in (open_kept(packed, tmp_path / "home")[1] / "related.tex").read_text("utf-8")


def test_what_a_zip_s_review_left_is_private_and_goes_when_it_is_old(written: Path, tmp_path: Path) -> None:
    packed = Path(shutil.make_archive(str(tmp_path / "project"), "zip", written.parent))
    _, folder = open_kept(packed, tmp_path / "home")
    assert folder.parent.stat().st_mode & 0o077 == 0 or os.name == "nt"
    assert prune_kept(tmp_path / "home", dry_run=False) == [] and folder.is_dir()
    os.utime(folder.parent, (0, time.time() - (DAYS + 1) * 86400))
    (found,) = prune_kept(tmp_path / "home", dry_run=True)
    assert (found.count, folder.is_dir()) == (1, True)
    prune_kept(tmp_path / "home", dry_run=False)
    assert not folder.exists()
    assert open_kept(packed, tmp_path / "home")[1].is_dir()


def test_a_conflict_is_shown_and_nothing_is_changed(browser: Browser, written: Path) -> None:
    browser.open()
    torn = section(written).replace("\n\\paragraph", "\n<<<<<<< ours\n=======\n>>>>>>> theirs\n\\paragraph", 1)
    (written.parent / "related.tex").write_text(torn, "utf-8")
    assert "unresolved merge" in browser.open()
    assert browser.send("/down", p="p1").status == 409
    assert section(written) == torn


def test_without_papers_the_page_offers_ways_to_get_some(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "empty"))
    with reviewed(written) as browser:
        browser.start()
        assert 'id="text-p1"' in browser.open()
        assert browser.ask("GET", "/papers").headers["location"] == "/get"
        page = browser.open("/get")
        assert "Get the first papers" in page and 'action="/get/own"' in page and "citeplug is offline" in page


def test_the_draft_is_made_to_read_the_section_where_it_does_not(browser: Browser, written: Path) -> None:
    assert "Add it to your document" not in browser.open()
    written.write_text(DRAFT, "utf-8")
    page = browser.open()
    assert "Add it to your document" in page and r"\input{related}</code>" in page
    assert r"<code>\bibliography{refs,related}</code>" in page
    before = section(written)
    assert "Your document now includes the section." in browser.send("/insert").text
    main = written.read_text("utf-8")
    assert r"\input{related}" in main and r"\bibliography{refs,related}" in main and section(written) == before
    assert "Add it to your document" not in browser.open()


def test_a_paper_is_listed_with_what_it_contributes_without_quotation_marks(browser: Browser) -> None:
    page = browser.open("/papers")
    assert re.findall(r'class="contribution">(?:We|This|The|In) [^<”]{30,}<', page)


def test_a_paper_has_what_a_model_said_for_and_against_it_as_text(browser: Browser, written: Path) -> None:
    assert 'class="debate"' not in browser.open("/papers")
    record_debates(written)
    browser.open("/papers")
    near = "for: It is &lt;b&gt;near&lt;/b&gt; &amp; \\input{x} [it](http://evil.example) “"
    page = browser.ask("GET", "/papers").data.decode()
    cards = page.count('class="contribution"')
    assert page.count("debated by a model: cited with probability 82.5 %") >= cards > 3
    browser.open()
    source = browser.ask("GET", "/?at=p1.1").data.decode()
    assert "Arguments for and against citing it" in source
    for text in (page, source):
        assert near in text and "It is made up." not in text
        assert not any(sign in text for sign in ("<b>near", "\x1b", "\u202e"))


def test_a_source_has_what_other_papers_say_of_it(
    written: Path, library_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(shutil.copytree(library_home, tmp_path / "home", symlinks=True)))
    (source,), citing = first(written)["sources"], "1706.02216"
    cited = Resolved(Reference(1, "k", "An entry", source["arxiv_id"]), source["arxiv_id"], "printed_id")
    with open_corpus(settings(offline=True)) as corpus:
        mentions = [Mention(("k",), "Related Work", f"Number {n} of [*] is <b>so</b>.") for n in range(5)]
        corpus.graph.put_text(citing, [cited], mentions, date(2026, 1, 1))
    with reviewed(written) as browser:
        browser.start()
        browser.open()
        data = browser.ask("GET", "/?at=p1.1").data.decode()
    assert "How others describe it (3)" in data and "Number 0 of [*] is &lt;b&gt;so&lt;/b&gt;." in data
    assert re.search(r"<small>Inductive Representation Learning[^<]*, Related Work</small>", data)


def test_the_first_load_is_at_most_64_kilobytes(browser: Browser) -> None:
    page = browser.ask("GET", "/").data
    files = re.findall(rb'(?:src|href)="(/static/[^"]+)"', page)
    sent = [len(browser.ask("GET", file.decode(), accept_encoding="gzip").data) for file in files]
    assert len(files) > 3 and len(page) + sum(sent) <= 64_000
