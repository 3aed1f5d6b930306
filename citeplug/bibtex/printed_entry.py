"""Title, year, authors and identifiers of the work that one printed entry names, in whatever style it is set."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from citeplug.bibtex.bbl import braced
from citeplug.records.draft import BibEntry, Span
from citeplug.records.passage import Reference
from citeplug.text.cleaning import plain
from citeplug.text.compare import entry_title, years_in
from citeplug.text.folding import split_name
from citeplug.text.identifiers import clean_doi, find_arxiv_id, find_doi
from citeplug.text.people import split_authors
from citeplug.text.tex_text import decode_tex

_MOST_RAW = 2_000  # characters that are kept of an entry
_MOST_AUTHORS = 20  # surnames that are kept
_MOST_OTHERS = 3
_MARKS = re.compile(
    r"\{?\\natexlab\s*\{[^{}]*\}\}?|\\penalty\s*-?\d*|\\(?:BIBentry\w+|bibinitperiod|bibnamedelim\w|BibitemOpen|protect"
    r"|bibrangedash|relax|urlstyle\s*\{\w*\})(?![A-Za-z])"
)
# What revtex and ACM put around every part, and links around titles.
_WRAPPERS = re.compile(
    r"\\(?:bibinfo|bibfield)\s*\{\w+\}\s*(?=\{)|\\(?:bibf?namefont|citenamefont)(?![A-Za-z])\s*"
    r"|\\href(?:@noop)?\s*\{[^{}]*\}\s*|\\(?:url|path|doi)\s*\{[^{}]*\}"
)
_BLOCK = re.compile(r"\\newblock(?![A-Za-z])")
_MARKED_TITLE = re.compile(r"\\(?:bibinfo\s*\{title\}|show(?:article)?title|bibtitle|Btitle|Title)\s*\{")
_QUOTED = re.compile(r"(?:``|“)\s*(.{8,400}?)[,.]?\s*(?:''|”)", re.DOTALL)
_SLANTED = re.compile(r"\\(?:emph|textit|textsl)\s*\{|\{\s*\\(?:em|it|sl|itshape)(?![A-Za-z])\s*")
_BEHIND = re.compile(  # a title: a date, where nothing else is printed
    r"[,.(]?\s*(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?,?\s+)?\(?(?:19|20)\d\d[a-z]?\)?\s*[.,]*\s*$"
)
_LAST_YEAR = re.compile(r"(?<![\d./:-])((?:19|20)\d\d)(?![\d/-]|\.\d)")
# A period ends no sentence behind an initial or an abbreviation.
_END_OF_SENTENCE = re.compile(
    r"(?<!\b[A-Z])(?<!\b(?:St|Dr|Mr|Ms|No|Jr|Sr|vs|cf|Mt))[.?!](?:\s*\[[^\[\]]*\]\.?)?\s+"
    r"(?=[^\sa-z]|ar[Xx]iv\b|https?:|doi\b|in:)|(?<=\)):?\s+(?=[A-Z])"
)
_INITIAL = r"(?:[^\W\d_a-z]\.?[-\u2010\u2011 ]?){1,4}"
# "Bellman, R. Dynamic programming" and "Bellman R, Kalaba R. Dynamic programming": initials end each name.
_INITIALS_LAST = re.compile(
    rf"[^\W\d_][^,.:;]*?,\s+{_INITIAL}(?:[,.:;]|\s(?:and|&|\()\s?)"
    r"|[^\W\d_][^\s,.:;]+(?:\s[^\s,.:;]+)?\s(?:[A-Z]{2,3}[,.]|[A-Z],)\s"
)
_BEHIND_INITIALS = re.compile(
    r"(?:(?<=\b[A-Z])|(?<=\b[A-Z]{2})|(?<=\b[A-Z]{3})|(?<=\bal)|(?<=\b[JS]r))[.:]+\s+(?!and\b|et\b|[A-Z]\.)|(?<=\))[.:,]?\s+"
)
_BEHIND_NAME = re.compile(r"(?<![\s.\-\u2010\u2011][A-Z])(?<!^[A-Z])[.:]\s+|(?<=\))[.:,]?\s+")
_YEAR_FIRST = re.compile(r"\W*(?:(?:19|20)\d\d[a-z]?\W+)")
_NAME_WORD = re.compile(r"(?:[^\W\d_a-z]|d['\u2019])\S*|[a-z]{1,3}\.?|\W+|others|(?:19|20)\d\d[a-z]?")
_COMMA = re.compile(r",\s+(?=[^\sa-z]|in\b|ar[Xx]iv)")
_WORDS_OF_NAME = 5
_MOST_PEOPLE = 1_500  # characters of a list of authors
_AND = re.compile(r"\s*(?:,|;)?\s*(?:\band\b|\\&|&)\s+")
_INITIALS = re.compile(r"(?:[A-Z]\.?[-~ ]?){1,4}\.?|[A-Z]{1,3}")
_NOT_NAMES = re.compile(
    r"\bet\.?~?\s*al\b\.?|\.\.\.|\b(?:eds?|editors?)\b\.?|\((?:19|20)\d\d[a-z]?\)|(?:19|20)\d\d[a-z]?"
)


def reference_of_entry(entry: BibEntry, families: Sequence[str] = ()) -> Reference:
    """The reference of an entry whose fields are apart, number 0; `families`: its authors, if no field has them."""
    fields = entry.fields
    names = families or split_authors(fields.get("author") or fields.get("editor", ""))[0]
    names = names[:_MOST_AUTHORS]
    surnames = families or [split_name(name).family for name in names]
    title = _tidy(decode_tex(entry_title(entry))) or None
    years = years_in(fields.get("year") or fields.get("date"))
    people = [plain(decode_tex(name)) for name in names]
    shown = ("journaltitle", "journal", "booktitle", "eprint", "doi", "url", "note", "howpublished", "publisher")
    place = (fields[name] for name in shown if fields.get(name))
    raw = ". ".join(filter(None, (", ".join(people), title or "", *place, str(years[0]) if years else "")))
    return Reference(
        0,
        entry.key or None,
        plain(raw)[:_MOST_RAW],
        find_arxiv_id(fields),
        clean_doi(fields.get("doi")) or clean_doi(find_doi(fields)),
        title,
        years[0] if years else None,
        tuple(filter(None, (plain(decode_tex(name)) for name in surnames[:_MOST_AUTHORS]))),
    )


def reference_of_text(key: str | None, text: str) -> Reference:
    """The reference of an entry that is set as text, number 0."""
    text = _MARKS.sub("", text)
    raw = " ".join(text.split())
    marked = _MARKED_TITLE.search(text)
    text_alone = _WRAPPERS.sub("", text) if "\\" in text else text
    blocks = [block.strip() for block in _BLOCK.split(text_alone)]
    if marked is not None:
        titles = [_tidy(decode_tex(braced(text, marked.end() - 1)))]
        people = _WRAPPERS.sub("", text[: marked.start()])
    else:
        titles = list(dict.fromkeys(filter(None, map(_tidy, _titles(text_alone, blocks)))))
        people = blocks[0] if len(blocks) > 1 else text_alone[: end_of_people(text_alone) or 300]
    fields = {"text": raw}
    years = _LAST_YEAR.findall(raw)
    return Reference(
        0,
        key,
        plain(raw)[:_MOST_RAW],
        find_arxiv_id(fields),
        clean_doi(find_doi(fields)),
        titles[0] if titles and titles[0] else None,
        int(years[-1]) if years else None,
        tuple(_surnames(people)),
        tuple(titles[1 : 1 + _MOST_OTHERS]),
    )


def entry_of_reference(reference: Reference, file: Path) -> BibEntry:
    """The entry of a reference: a `bibitem` with its text and the title that it seems to have, unless it has fields."""
    fields = {"text": reference.raw, **({"title": reference.title} if reference.title else {})}
    fields = dict(reference.fields) or fields
    kind = fields.pop("entrytype", "bibitem")
    of_pdf = file.suffix.lower() == ".pdf"
    span = Span(file, 0, 0, 1 if of_pdf else reference.place or 1, reference.place or None if of_pdf else None)
    return BibEntry(f"[{reference.key or reference.number}]", kind, fields, span, reference.arxiv_id, reference.doi)


def _titles(text: str, blocks: list[str]) -> Iterator[str]:
    """Candidates for the title, the likeliest first, as plain text."""
    quoted = _QUOTED.search(text, 0, 2_000)
    if quoted and len(blocks) < 3:
        yield decode_tex(quoted[1])
    for block in blocks[1:3]:
        if _BEHIND.fullmatch(block) or not any(letter.isalpha() for letter in block):
            continue  # the year alone
        slanted = _SLANTED.match(block)
        if slanted:
            yield decode_tex(braced(block, block.index("{")))
        else:
            printed = decode_tex(block)
            yield _BEHIND.sub("", printed)
            first = _END_OF_SENTENCE.split(printed, maxsplit=1)[0]
            if first != printed:
                yield first
        return
    if len(blocks) < 2:
        slanted = _SLANTED.search(text)
        if slanted:
            yield decode_tex(braced(text, text.index("{", slanted.start())))
        printed = decode_tex(text[:2_000])
        people, rest = printed[: (end := end_of_people(printed))], printed[end:]
        if people.endswith(", "):  # all parts are set apart by commas
            yield _COMMA.split(rest, maxsplit=1)[0]
        pieces = _END_OF_SENTENCE.split(rest[year.end() :] if (year := _YEAR_FIRST.match(rest)) else rest)
        yield from (_BEHIND.sub("", piece) for piece in pieces[:2])


def end_of_people(text: str) -> int:
    """Where the authors end in an entry that is printed as plain text; 0 for one that seems to have none."""
    behind = _BEHIND_INITIALS if _INITIALS_LAST.match(text) else _BEHIND_NAME
    for match in behind.finditer(text, 0, _MOST_PEOPLE):
        people = text[: match.start()]
        if not all(map(_NAME_WORD.fullmatch, people.split())):
            break
        last = _AND.split(people)[-1].rpartition(",")[2].split()
        if behind is _BEHIND_INITIALS or len(last) > 1 or (last and len(last[0]) > 2):
            return match.end()
    # "A. Author, B. Author, The title of the paper, Journal 12 (2003)": the first part that is no name.
    at = 0
    for part in text.split(", ")[:50]:
        words = part.split()
        if len(words) > _WORDS_OF_NAME or not all(map(_NAME_WORD.fullmatch, words)):
            return at
        at += len(part) + 2
    return 0


def _tidy(title: str) -> str:
    return plain(title).strip(" .,;:")


def _surnames(text: str) -> Iterator[str]:
    """The surnames in a printed list of authors, given names first or last."""
    printed = _NOT_NAMES.sub("", decode_tex(text[:2_000])).strip(" .,;:")
    people = [part for part in _AND.split(printed) if part]
    # "Dinh, Laurent, Krueger, David, and Bengio, Yoshua": a comma in the last name says that surnames come first.
    turned = bool(people) and "," in people[-1]
    count = 0
    for part in people:
        names = [name.strip(" .") for name in re.split(r"[,;]", part) if name.strip(" .")]
        whole = [name for name in names if not _INITIALS.fullmatch(name)]
        with_initials = any(_INITIALS.fullmatch(word) for name in whole for word in name.split())
        if turned and not with_initials and len(whole) == len(names) and len(names) % 2 == 0:
            whole = whole[::2]
        for name in whole:
            words = [word for word in name.split() if not _INITIALS.fullmatch(word)] or [name]
            yield words[0] if turned and len(words) == 1 else words[-1]
            count += 1
            if count == _MOST_AUTHORS:
                return
