"""One record as the many tools and hands of authors write it into a .bib file; seeded, and always right."""

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from citeplug.records.paper import Paper
from citeplug.text.folding import fold, is_collective, split_name
from citeplug.text.tex_print import to_latex
from citeplug.text.tex_text import decode_tex

# Years between the first version and print, as 6,611 DOIs of the sample tell them.
_LAGS, _WEIGHTS = (-3, -2, -1, 0, 1, 2), (2, 4, 11, 67, 12, 2)
_VENUES = (
    "Journal of Machine Learning Research", "Physical Review D", "IEEE Transactions on Information Theory",
    "Proceedings of the International Conference on Machine Learning", "Nuclear Physics B", "Annals of Statistics",
    "Advances in Neural Information Processing Systems", "Journal of Physics A: Mathematical and General",
    "Proc. ACM Symp. on Theory of Computing", "SIAM J. Comput.", "Phys. Lett. B", "J. ACM",
)  # fmt: skip


@dataclass(slots=True)
class Draft:
    """An entry in the making: `claims` arXiv, speaks of the `published` version, ends in `and others` (`cut`)."""

    kind: str
    title: str
    authors: list[str]
    year: int
    fields: dict[str, str] = field(default_factory=dict)
    style: str = ""
    claims: bool = True
    published: bool = False
    cut: bool = False
    year_field: str = "year"

    def text(self, key: str) -> str:
        """The entry, with `and others` where authors were cut."""
        author = " and ".join([*self.authors, *(["others"] if self.cut else [])])
        fields = {"title": self.title, "author": author, self.year_field: str(self.year), **self.fields}
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
        return "\n".join([f"@{self.kind}{{{key},", *lines, "}"]) + "\n"


def write(record: Paper, rng: random.Random, style: str | None = None, *, plain: bool = False) -> Draft:
    """A right entry for `record` in one of `STYLES`; with `plain` authors and title are whole and unabridged."""
    fitting = [name for name in STYLES if _fits(name, record)]
    name = style or rng.choice(fitting)
    draft = STYLES[name](record, rng)
    draft.style = name
    draft.title = _title(record.title, rng, plain)
    unicode = rng.random() < 0.4
    order = rng.choice((_family_first, _given_first))
    initials = None if plain else rng.choice((None, None, None, _dotted, _bare, _first_alone, _middle_dotted))
    draft.authors = [_name(author, order, initials, unicode) for author in record.authors]
    if not plain and rng.random() < 0.1:  # typed on a keyboard without accents
        draft.authors = [fold(decode_tex(author)) if author[0] != "{" else author for author in draft.authors]
        draft.title = fold(draft.title)
    elif not unicode:
        draft.title = _latex(draft.title, rng)
    if not plain and len(draft.authors) > 2 and rng.random() < (0.7 if len(draft.authors) > 10 else 0.1):
        draft.cut = True
        draft.authors = draft.authors[: rng.choice((1, 2, min(10, len(draft.authors) - 1)))]
    return draft


def _fits(style: str, record: Paper) -> bool:
    return record.doi is not None or not style.startswith("DOI")


# Titles


def _title(title: str, rng: random.Random, plain: bool) -> str:
    words = title.split()
    if not plain and ": " in title and rng.random() < 0.15:
        main = title.split(": ")[0]
        if len(main.split()) > 2 and len(main) > 15:
            words = main.split()
    case = rng.choice(("as it is", "as it is", "as it is", "sentence", "sentence", "title", "title", "capitals"))
    if case != "as it is" and "\\" not in title and "$" not in title:
        words = [_cased(word, index, case) for index, word in enumerate(words)]
    braces = rng.choice(("none", "none", "whole", "words"))
    if not plain and rng.random() < 0.1:
        words = [*words[:-1], words[-1] + "."]
    if braces == "whole":
        return "{" + " ".join(words) + "}"
    if braces == "words":
        words = [f"{{{w}}}" if w[1:].lower() != w[1:] and w.isalnum() else w for w in words]
    return " ".join(words)


def _cased(word: str, index: int, case: str) -> str:
    if case == "capitals":
        return word.upper()
    if word[1:].lower() != word[1:]:  # an acronym or a formula
        return word
    return word.capitalize() if case == "title" or index == 0 else word.lower()


def _latex(text: str, rng: random.Random) -> str:
    if "\\" in text or "$" in text or text.isascii():
        return text
    printed = to_latex(text)
    if rng.random() < 0.3:  # \"{o} instead of {\"o}
        printed = re.sub(r"\{\\([\"'`^~=.])([A-Za-z])\}", r"\\\1{\2}", printed)
    return printed


# Names


def _name(author: str, order: Callable[[str, str], str], initials: Callable[[str], str] | None, unicode: bool) -> str:
    name = split_name(author)
    if is_collective(author) or not name.given:
        text = "{" + author + "}"
        return text if unicode else to_latex(author).join("{}")
    given = name.given if initials is None else initials(name.given)
    family = f"{name.surname}{', ' + name.suffix if name.suffix else ''}"
    whole = order(family, given) if not name.suffix else f"{family}, {given}"
    return whole if unicode else to_latex(whole)


def _family_first(family: str, given: str) -> str:
    return f"{family}, {given}"


def _given_first(family: str, given: str) -> str:
    return f"{given} {family}" if " " not in family else f"{family}, {given}"


def _dotted(given: str) -> str:
    return " ".join("-".join(part[0] + "." for part in word.split("-") if part) for word in given.split())


def _bare(given: str) -> str:
    return "".join(part[0].upper() for part in re.split(r"[\s-]+", given) if part[:1].isalpha()) or given


def _first_alone(given: str) -> str:
    return given.split()[0]


def _middle_dotted(given: str) -> str:
    first, *middle = given.split()
    return " ".join([first, *(name[0] + "." for name in middle)])


# The tools


def _arxiv_year(record: Paper, rng: random.Random) -> int:
    return rng.choice((record.published.year, max(record.published, record.updated).year))


def _export(record: Paper, rng: random.Random) -> Draft:
    value = record.id.value
    fields = {"eprint": value, "archivePrefix": "arXiv", "primaryClass": (record.categories or ("cs.LG",))[0],
              "url": f"https://arxiv.org/abs/{value}"}  # fmt: skip
    return Draft("misc", "", [], max(record.published, record.updated).year, fields)


def _scholar(record: Paper, rng: random.Random) -> Draft:
    return Draft("article", "", [], record.published.year, {"journal": f"arXiv preprint arXiv:{record.id.value}"})


def _dblp(record: Paper, rng: random.Random) -> Draft:
    value = record.id.value
    fields = {"journal": "CoRR", "volume": f"abs/{value}", "url": f"http://arxiv.org/abs/{value}",
              "eprinttype": "arXiv", "eprint": value, "bibsource": "dblp computer science bibliography"}  # fmt: skip
    return Draft("article", "", [], record.published.year, fields)


def _zotero(record: Paper, rng: random.Random) -> Draft:
    value = record.id.value
    fields = {"publisher": "arXiv", "number": f"arXiv:{value}", "doi": f"10.48550/arXiv.{value}",
              "url": f"http://arxiv.org/abs/{value}", "urldate": "2024-05-02",
              "note": f"arXiv:{value} [cs]"}  # fmt: skip
    return Draft("misc", "", [], record.published.year, fields)


def _mendeley(record: Paper, rng: random.Random) -> Draft:
    value = record.id.value
    fields = {"archivePrefix": "arXiv", "arxivId": f"{value}v1", "eprint": value, "mendeley-groups": "thesis",
              "file": f":home/me/{value}.pdf:pdf", "url": f"http://arxiv.org/abs/{value}"}  # fmt: skip
    return Draft("article", "", [], _arxiv_year(record, rng), fields)


def _jabref(record: Paper, rng: random.Random) -> Draft:
    fields = {"eprint": f"{record.id.value}v1", "eprinttype": "arXiv", "eprintclass": "cs.LG"}
    draft = Draft("online", "", [], record.published.year, fields)
    draft.year_field = "date"
    return draft


def _ads(record: Paper, rng: random.Random) -> Draft:
    value = record.id.value
    fields = {"journal": "arXiv e-prints", "eid": f"arXiv:{value}", "pages": f"arXiv:{value}", "eprint": value,
              "archivePrefix": "arXiv", "adsnote": "Provided by the SAO/NASA Astrophysics Data System"}  # fmt: skip
    return Draft("article", "", [], record.published.year, fields)


def _inspire(record: Paper, rng: random.Random) -> Draft:
    fields = {"eprint": record.id.value, "archivePrefix": "arXiv", "month": "6", "reportNumber": "CERN-TH-2017-12"}
    return Draft("article", "", [], record.published.year, fields)


def _semantic_scholar(record: Paper, rng: random.Random) -> Draft:
    fields = {"journal": "ArXiv", "volume": f"abs/{record.id.value}",
              "url": "https://api.semanticscholar.org/CorpusID:13756489"}  # fmt: skip
    return Draft("article", "", [], record.published.year, fields)


def _by_hand(record: Paper, rng: random.Random) -> Draft:
    value = record.id.value
    name, text = rng.choice((
        ("howpublished", f"arXiv:{value}"), ("note", f"arXiv:{value}"), ("note", f"Available at arXiv:{value}"),
        ("url", f"https://arxiv.org/pdf/{value}.pdf"), ("howpublished", f"\\url{{https://arxiv.org/abs/{value}}}"),
        ("eprint", f"arXiv:{value}"), ("journal", f"arXiv:{value}"), ("howpublished", f"arXiv preprint, {value}"),
    ))  # fmt: skip
    return Draft(rng.choice(("misc", "unpublished", "article")), "", [], _arxiv_year(record, rng), {name: text})


def _doi_of_arxiv(record: Paper, rng: random.Random) -> Draft:
    value = record.id.value
    fields = {"doi": rng.choice((f"10.48550/ARXIV.{value}", f"https://doi.org/10.48550/arXiv.{value}")),
              "publisher": "arXiv", "copyright": "arXiv.org perpetual, non-exclusive license"}  # fmt: skip
    return Draft("misc", "", [], record.published.year, fields)


def _printed_year(record: Paper, rng: random.Random) -> int:
    told = re.findall(r"[./(-]((?:19|20)\d\d)[.)/-]", record.doi or "")
    return int(told[0]) if told else record.published.year + rng.choices(_LAGS, _WEIGHTS)[0]


def _published(record: Paper, rng: random.Random) -> Draft:
    """The published version with its preprint's number, as conference proceedings ask for it."""
    kind = rng.choice(("inproceedings", "article"))
    venue = "booktitle" if kind == "inproceedings" else "journal"
    fields = {venue: rng.choice(_VENUES), "eprint": record.id.value, "archivePrefix": "arXiv", "pages": "17--29"}
    if record.doi:
        fields["doi"] = record.doi
    return Draft(kind, "", [], _printed_year(record, rng), fields, published=True)


def _doi_only(record: Paper, rng: random.Random) -> Draft:
    prefix = rng.choice(("", "", "https://doi.org/"))
    fields = {"journal": rng.choice(_VENUES), "volume": "12", "doi": prefix + (record.doi or "")}
    return Draft("article", "", [], _printed_year(record, rng), fields, claims=False, published=True)


def _nothing_but_the_paper(record: Paper, rng: random.Random) -> Draft:
    fields = {"journal": rng.choice(_VENUES), "volume": "12", "pages": "17--29"}
    return Draft("article", "", [], _printed_year(record, rng), fields, claims=False, published=True)


def _preprint_without_id(record: Paper, rng: random.Random) -> Draft:
    fields = {"journal": rng.choice(("arXiv preprint", "arXiv", "CoRR", "ArXiv e-prints"))}
    return Draft("article", "", [], _arxiv_year(record, rng), fields)


STYLES: Mapping[str, Callable[[Paper, random.Random], Draft]] = {
    "arXiv's export": _export,
    "Google Scholar": _scholar,
    "DBLP": _dblp,
    "Zotero": _zotero,
    "Mendeley": _mendeley,
    "JabRef": _jabref,
    "ADS": _ads,
    "INSPIRE": _inspire,
    "Semantic Scholar": _semantic_scholar,
    "by hand": _by_hand,
    "DataCite": _doi_of_arxiv,
    "published, with eprint": _published,
    "DOI only": _doi_only,
    "title, authors, venue": _nothing_but_the_paper,
    "arXiv without an id": _preprint_without_id,
}
CLAIMING = tuple(name for name in STYLES if name not in ("DOI only", "title, authors, venue"))
WITH_ID = tuple(name for name in CLAIMING if name != "arXiv without an id")


def ascii_surname(author: str) -> str:
    """The surname in lower-case ASCII, to tell people apart."""
    return fold(decode_tex(split_name(author).family)).lower()
