"""arXiv ids and DOIs in the fields of a bibliography entry, wherever authors and tools put them.

Clients of arXiv and Crossref read ids from the fields of their own service alone.
"""

import re
from collections.abc import Mapping
from urllib.parse import unquote

from citeplug.errors import UsageError
from citeplug.records.paper import LIBRARY, ArxivId
from citeplug.text.tables import Tables

_TABLES = Tables(__name__)
_ARCHIVES = _TABLES.ordered("archives")
_NEW = r"\d{4}\.\d{4,5}"
_OLD = r"(?:" + "|".join(sorted(_ARCHIVES, key=len, reverse=True)) + r")(?:\.[A-Za-z]{2})?/\d{7}"
_ID = rf"(?:{_NEW}|{_OLD})(?:v\d+)?(?![\d.]\d)"
_MARKED = re.compile(
    rf"(?:ar[x\u03c7]iv(?:\.org)?(?:\s*(?:e-?prints?|preprint|article|paper|id|abs))*[\s:,./(#\[-]*(?:(?:abs|pdf|html|format)/)?"
    rf"|10\.48550/arxiv\.|\babs/)\s*({_ID})",
    re.IGNORECASE,
)
_BARE = re.compile(rf"(?<![\w./])({_ID})(?!\w)", re.IGNORECASE)
_BARE_OLD = re.compile(rf"(?<![\w./-])({_OLD}(?:v\d+)?)(?!\d)", re.IGNORECASE)
_DIGITS = re.compile(r"\d{4}[^\s\d]{0,12}\.[^\s\d]{0,12}\d{4}|\d{7}")  # what every id has, TeX in it or not
# ADS: 2017arXiv170603762V; before 2007 the month and number without leading zeros, 1998astro.ph..5201R.
_BIBCODE = re.compile(
    r"(?:19|20)\d\darXiv(\d{4})(\d{4,5})[A-Z]|(?:19|20)(\d\d)(astro\.ph|cond\.mat|gr\.qc|hep\.(?:ex|lat|ph|th)|quant\.ph)"
    r"\.+(\d{4,5})[A-Z]"
)
_DBLP = re.compile(r"corr/abs-(\d{4})-(\d{4,5})\b", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}/[^\s{}\"<>|\\^]+")
_BEGUN_DOI = re.compile(r"10\.\d{4,9}/\S+")  # where nothing else follows it
# Fields that hold nothing but an id; a bare number is one there.
_OWN = ("eprint", "arxivid", "arxiv", "arxiv_id", "arxiv-id", "archive", "eprintid")
_OTHERS = _TABLES.values("others")


def find_arxiv_id(fields: Mapping[str, str]) -> str | None:
    """The arXiv id without version that an entry claims, or None. `fields` are raw, names in lower case."""
    kind = (fields.get("archiveprefix") or fields.get("eprinttype") or "").strip().lower()
    if not kind or "arxiv" in kind or kind in _ARCHIVES:
        for name in _OWN:
            value = fields.get(name)
            identifier = _own(_tidy(value), fields) if value else None
            if identifier:
                return identifier
    for name in _OTHERS:
        value = fields.get(name)
        if value and _DIGITS.search(value):
            identifier = _marked(_tidy(value)) or _context(name, _tidy(value), fields)
            if identifier:
                return identifier
    for name in ("adsurl", "bibcode", "biburl", "eprint", "journal"):
        identifier = _coded(fields.get(name, ""))
        if identifier:
            return identifier
    return None


def find_doi(fields: Mapping[str, str]) -> str | None:
    """The DOI of an entry without resolver, as written; None if there is none."""
    for name in ("doi", "eprint", "url", "ee", "note", "howpublished", "link", "text"):
        value = fields.get(name, "").replace("{\\_}", "_").replace("\\", "")
        if "10." in value:
            match = _DOI.search(value.replace("%2F", "/"))
            if match:
                return re.split(r"[#?]", match.group())[0].rstrip(".,;)]")
    return None


def clean_doi(doi: str | None) -> str | None:
    """The first DOI in what a record or an entry gives as one, in lower case, without resolver and rubbish.

    arXiv's own DOIs name the preprint again and count as none.
    """
    written = written_doi(doi)
    return written.lower() if written else None


def written_doi(doi: str | None) -> str | None:
    """As `clean_doi`, in the case in which it is written."""
    text = unquote(re.sub(r"[\\{}]", "", doi or ""))
    match = _BEGUN_DOI.search(text)
    if match is None:
        return None
    cut = re.split(r"[#?]|[,;](?=10\.\d)", match[0])[0].rstrip(".,;:")
    if cut.endswith(")") and cut.count("(") < cut.count(")"):
        cut = cut[:-1]
    return None if cut.startswith("10.48550/") else cut


def _tidy(value: str) -> str:
    value = re.sub(r"\\(?:string|penalty\s*-?\d*|discretionary|textbackslash|[/,:; -])\s*|[{}\u200b]", "", value)
    value = re.sub(r"\\[A-Za-z]+\*?\s*|~", " ", value)
    return value.replace("\\_", "_").replace("\\", "").replace("\u2010", "-").replace("\u2013", "-")


def as_arxiv_id(text: str) -> str | None:
    """The id that `text` is, bare or as an address, without version; None if it is none."""
    try:
        return ArxivId.parse(text).value
    except ValueError:
        return None


def _marked(value: str) -> str | None:
    for match in _MARKED.finditer(value):
        identifier = as_arxiv_id(match[1])
        if identifier:
            return identifier
    old = _BARE_OLD.search(value)
    return as_arxiv_id(old[1]) if old else None


def _own(value: str, fields: Mapping[str, str]) -> str | None:
    identifier = _marked(value)
    if identifier or not value.strip():
        return identifier
    match = _BARE.search(value)
    if match and "://" not in value and not value.strip().startswith("10."):
        identifier = as_arxiv_id(match[1])
        if identifier:
            return identifier
    number = re.fullmatch(r"\s*(\d{7})(?:v\d+)?\s*", value)
    if number:
        # hep-th as the archive, and the number alone as the eprint.
        for name in ("primaryclass", "eprintclass", "archiveprefix", "archive"):
            archive = fields.get(name, "").strip().lower().split(".")[0].strip("{}")
            if archive in _ARCHIVES:
                return as_arxiv_id(f"{archive}/{number[1]}")
    return None


def _context(name: str, value: str, fields: Mapping[str, str]) -> str | None:
    """A bare number in a field counts where another field says arXiv."""
    if name not in ("volume", "number", "pages", "note", "eid", "howpublished", "journal", "reportnumber"):
        return None
    field_text = " ".join(
        fields.get(other, "")
        for other in ("journal", "journaltitle", "publisher", "archiveprefix", "institution", name)
    )
    if not re.search(r"arxiv|\bcorr\b|computing research repository", field_text, re.IGNORECASE):
        return None
    match = _BARE.search(value)
    return as_arxiv_id(match[1]) if match else None


def _coded(value: str) -> str | None:
    match = _BIBCODE.search(value)
    if match:
        text = f"{match[1]}.{match[2]}" if match[1] else f"{match[4].replace('.', '-')}/{match[3]}{match[5].zfill(5)}"
        return as_arxiv_id(text)
    match = _DBLP.search(value)
    return as_arxiv_id(f"{match[1]}.{match[2]}") if match else None


def parse_id(text: str) -> ArxivId:
    """Read an id of arXiv, with or without version, or of the library. Raises UsageError."""
    return ArxivId(text) if text.startswith(LIBRARY) else parse_arxiv_id(text)


def parse_arxiv_id(text: str) -> ArxivId:
    """Read an id of arXiv, with or without version. Raises UsageError."""
    try:
        return ArxivId.parse(text)
    except ValueError as error:
        raise UsageError(str(error), "write it like 1706.03762 or hep-th/9901001") from None
