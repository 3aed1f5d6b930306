"""Passages: at the borders of paragraphs, about 200 words, none lost."""

from hypothesis import given
from hypothesis import strategies as st

from citeplug.corpus.fulltext.passages import cut, placed_passages
from citeplug.records.passage import PaperText, TextSection

SENTENCE = "The nodes of a graph pass messages to their neighbours in each round. "  # 13 words


def section(*paragraphs: str, captions: int = 0) -> TextSection:
    text = "\n\n".join(each.strip() for each in paragraphs)
    begin = len(text) if not captions else len("\n\n".join(each.strip() for each in paragraphs[:-captions])) + 2
    return TextSection(1, "Method", text, begin)


def words(found: TextSection) -> list[int]:
    return [len(found.text[start:end].split()) for start, end in cut(found)]


def test_short_paragraphs_are_taken_together_and_long_ones_cut_at_sentences() -> None:
    assert words(section(SENTENCE * 5, SENTENCE * 5, SENTENCE * 5)) == [195]
    assert words(section(SENTENCE * 10, SENTENCE * 20)) == [130, 260]
    assert words(section(SENTENCE * 50)) == [221, 221, 208]


def test_captions_are_passages_of_their_own() -> None:
    found = section(SENTENCE, "A curve.", "A table.", captions=2)
    assert [found.text[start:end] for start, end in cut(found)] == [SENTENCE.strip(), "A curve.", "A table."]


def test_a_sentence_without_end_is_cut_all_the_same() -> None:
    assert max(words(section("word " * 3_000))) <= 300


def test_a_passage_names_its_page_and_its_place() -> None:
    text = section(SENTENCE * 25, SENTENCE * 25).text
    paged = TextSection(1, "Method", text, len(text), ((0, 3), (len(text) // 2, 4)))
    found = [
        each
        for _, each in placed_passages(PaperText("1801.00001", 2, "pdf", "T", (paged, TextSection(1, "End", "x", 1))))
    ]
    assert [each.number for each in found] == list(range(1, len(found) + 1))
    assert [each.page for each in found] == [3, 3, 4, 4, None]
    assert all(each.text == text[each.start : each.end] for each in found[:-1])


PARAGRAPHS = st.lists(st.sampled_from(["a", "Bc.", "d", "$x$", "et al.", "E"]), min_size=1)


@given(st.lists(PARAGRAPHS, min_size=1, max_size=20))
def test_no_word_is_lost_or_doubled(paragraphs: list[list[str]]) -> None:
    found = section(*(" ".join(each) for each in paragraphs))
    parts = [found.text[start:end] for start, end in cut(found)]
    assert " ".join(parts).split() == found.text.split()
    assert all(part == part.strip() and part for part in parts)


def test_a_citation_can_name_a_numbered_section_else_the_pages_of_arxiv_s_pdf() -> None:
    text = section(SENTENCE * 20, SENTENCE * 20).text
    pages = ((0, 3), (len(text) // 3, 4))
    unnumbered = TextSection(1, "Method", text, len(text), pages)
    places = {
        kind: [p.place for _, p in placed_passages(PaperText("1801.00001", 2, kind, "T", (unnumbered,)))]
        for kind in ("pdf", "own")
    }
    assert places == {"pdf": ["pp. 3-4", "p. 4"], "own": ["", ""]}
    numbered = TextSection(1, "Method", text, len(text), pages, "Sec. 3.2")
    assert {p.place for _, p in placed_passages(PaperText("1801.00001", 2, "pdf", "T", (numbered,)))} == {"Sec. 3.2"}
