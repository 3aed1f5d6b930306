"""Sentences of a draft that tell who wrote it: thanks, grants, places, links, names, and works cited as one's own."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from citeplug.audit.own_works import OUR, own_work, third_person
from citeplug.records.draft import BibEntry
from citeplug.text.folding import Name, fold_name
from citeplug.text.speaking import THIS
from citeplug.text.tex_text import decode_letters

UNTIL = "leave it out until the paper is accepted"
WITHHELD = re.compile(r"(?i)anonym|blind|withheld|omitted|removed|hidden|redacted")
_CITED = re.compile(r"\\[A-Za-z]*[cC]ite[A-Za-z]*\*?\s*(?:\[[^\[\]]{0,200}\]\s*){0,2}\{([^{}]{1,2000})\}")
_COMMAND = re.compile(r"\\[A-Za-z@]+\*?|[{}~$]")
_THANKS = re.compile(
    r"\b(?:we|I|the authors?)(?: [\w-]+){0,4} (?:thank|(?:are|is|am)(?: \w+)? (?:grateful|indebted|thankful))\b"
    r"|\b(?:we|I|the authors?)(?: \w+){0,2} acknowledges? (?!that\b)|\b(?:special|many|sincere|our) thanks to\b"
    r"|\bthanks (?:go|are due) to\b"
    r"|\b(?:support|fund|financ)ed (?:[\w-]+ ){0,3}(?:by|under|through|from|via|with)\b.{0,80}\b(?:grants?|foundation"
    r"|council|ministry|fellowship|contract|awards?"
    r"|scholarship|program(?:me)?|agency|funds?|commission|Horizon|project no)\b"
    r"|\b(?:receiv\w+|acknowledge\w*|gratefully) (?:\w+ ){0,3}(?:funding|support"
    r"|grants?) (?:\w+ ){0,2}(?:from|by|of)\b"
    r"|\b(?:grants?|award|contract|agreement) (?:agreement )?(?:no\b\.?|nos\b\.?|numbers?|#"
    r"|ID)? ?[A-Z]*[-/ ]?[\w/-]*\d{4,}"
    r"|\b(?:pointed out|suggested|communicated|explained|shown|brought) to (?:us|me) by\b|\bto the memory of our\b"
    r"|\bcomput(?:ing|er|ational|e) (?:time|resources|hours|facilities)\b.{0,60}\b(?:provided|granted|donated) by\b",
    re.IGNORECASE,
)
NAME = r"[A-Z][\w'’-]+ (?:[A-Z]\.[ -]?)*[A-Z][\w'’-]{2,}"  # two words, or more with initials
_GAVE = re.compile(
    rf"\b(?:conversations?|discussions?|correspondence) with {NAME}|\b(?:gift|donation) (?:of|from|by) (?:the )?[A-Z]"
    r"|\b(?:held|holds?|is|was|received) an? (?:[A-Z][\w-]+ ){1,4}(?:[Ff]ellow|[Ss]cholar)(?:ship)?\b"
)
# Gratitude to somebody who is named, or to somebody of the authors' own.
_GRATEFUL = re.compile(
    r"\b(?i:gratitude|grateful(?:ly)?|thank(?:ful|ed|ing)?|indebted|appreciat\w+|acknowledged|owes?|kindly)\b|^Thanks\b"
)
_THANKED = re.compile(
    rf"(?<=.){NAME}|\b(?:his|her|their|my|our|anonymous) (?:supervis|advis|colleag|review|refere|famil|friend)\w+"
)
_MAIN_CLAUSE = re.compile(r"^Thanks to [^,]*, (?:we|I|it|the|this|our|an?|one|they)\b|\bthanks to the\b")
_FUNDED = re.compile(
    r"\b(?i:fund(?:ed|ing)|financ(?:ed|ial support)|sponsor(?:ed|ship)|grants?|fellowship|scholarship|award(?:ed)?"
    r"|(?:partly |partially |in part )?supported (?:by|under|through|in part|partly))\b"
    r"|\b(?:FAPESP|CNPq|CAPES|JSPS|KAKENHI|MEXT|PRIN|MIUR|NSF|NSFC|NIH|ONR|AFOSR|DARPA|NSERC|ERC|EPSRC|DFG|SNSF|ANR|FWF"
    r"|NWO|GA[ČC]R)\b"
)
_GRANT = re.compile(
    r"(?<![\w:/.-])(?=[A-Z\d/.-]*\d[A-Z\d/.-]*\d[A-Z\d/.-]*\d[A-Z\d/.-]*\d)"
    r"(?:[A-Z]{1,8}\d*(?:[-/.][A-Z\d]+)+|[A-Z]{1,4}\d{2}[A-Z]\d{4,}|20\d\d[A-Z]{2}[A-Z\d]{4}|\d{4}/\d{4,6}-\d|[A-Z]{2,8}\d{4,}|\d{6,10})(?![\w/-])"
)
_PLACE = re.compile(
    r"\b(?:our|my)(?: own| home)? (?:lab(?:oratory)?|university|institut\w+|department|company|employer|campus"
    r"|faculty|hospital|clinic"
    r"|research (?:group|team|cent\w+))\b"
    r"|(?i:\b(?:review board|irb|ethics (?:committee|board|commission|panel|council))) (?:of|at) (?:the )?[A-Z]"
    r"|\b(?:the )?authors? (?:is|are|was|were) (?:\w+ )?(?:with|at|from) (?:the )?[A-Z]"
    r"|\b(?:[Cc]orresponding|[Ff]irst|[Ss]econd|[Ll]ast) author (?:[\w.]+ )?\(|\bwork (?:was )?done (?:while"
    r"|when|during|at)\b"
    r"|\b[Aa]t (?:the )?[A-Z][\w&.-]*(?: (?:of )?[A-Z][\w&.-]*)*,? we\b"
    r"|\bauthor['’]s (?:stay|visit|internship|sabbatical) (?:in|at|with)\b"
    r"|\b(?:one|two|three|both|some) of us\b[^.;]{0,40}\b(?:in|at) [A-Z]"
    r"|\bauthors? (?:works?(?=[.,;)]| at | for )|teach|(?:is|are) (?:employed|based|affiliated))"
    r"|\b(?:internship|sabbatical|postdoc\w*|research stay|(?:PhD|Ph\.D\.|doctoral|[Mm]aster\S*) (?:studies|thesis"
    r"|project)) (?:at|with) (?:the )?[A-Z]"
    r"|\b(?:done|carried out|conducted|performed|completed|started) (?:\w+ )?(?:before|after|prior to)"
    r" (?:joining|leaving)\b"
    r"|\bour (?:group|team) (?:has access|operates|runs|maintains|hosts)\b"
    r"|\b(?:is|was) (?:currently |now )?an? (?:doctoral|Ph\.?D\.?|master\S*|graduate) (?:student|candidate)"
    r" (?:at|in|with)\b"
    r"|\breceived (?:the|his|her|an?) (?:B|M|Ph)\.? ?(?:Sc|A|S|D|Eng|Tech)\b"
)
_AUTHOR = r"[A-Z][\w'’-]+ (?:[A-Z]\.[ -]?)*[A-Z][\w'’-]+"
_ROLE = (
    r"(?i:conceptuali[sz]ation|methodology|software|validation|formal analysis|investigation|data curation"
    r"|writing|visuali[sz]ation|supervision)"
)
_CONTRIBUTED = re.compile(
    rf"{_ROLE}\b[^;:,]{{0,20}}[,:] ?[A-Z][^;]{{0,60}}; ?{_ROLE}\b|"
    rf"^{_AUTHOR} (?:has been|is|was) an? (?:\w+ ){{0,3}}(?:scientist|professor|lecturer|student|researcher|engineer"
    r"|fellow) (?:since|at|in|with)\b|"
    rf"(?:^|[;.] ?){_AUTHOR}(?:(?:,? and|,) {_AUTHOR})* (?:conceived|designed|wrote|implemented|performed|ran|collected"
    r"|analy[sz]ed|supervised|drafted|led|developed) (?:and \w+ )?(?:the|all) (?:\w+ )?(?:study|experiments?|paper"
    r"|manuscript|code|software|method|data|idea|research|project|analys[ei]s|draft)\b"
)
_LINK = re.compile(
    r"(?:https?://|www\.)[^\s{}|<>\"',;]+|\b(?:git(?:hub|lab)\.com|[\w-]+\.git(?:hub|lab)\.io"
    r"|hugging ?face\.co)/[\w./-]*"
)
_BLIND_LINK = re.compile(
    r"(?i)anonym|double-?blind|4open\.science|\b(?:arxiv|creativecommons|w3)\.org"
    r"|\bdoi\.org/(?!10\.(?:5281|6084|17605|5061|7910|17632)/)|acm\.org/ccs|/licen[cs]e"
)
_OFFERED = re.compile(
    rf"{OUR} (?:[\w-]+ ){{0,4}}(?:code|repositor\w+|web ?(?:site|page)|page|project|supplement\w*|scripts?"
    rf"|notebooks?|materials?)\b"
    r"|\b(?:we|I) (?:\w+ ){0,3}(?:ma[dk]e|releas\w+|publish\w*|provid\w+|shar\w+|open-?sourc\w+|host\w*"
    r"|upload\w*|put|deposit\w*|distribut\w+|maintain\w*)\b"
    r"|\b(?:code|implementations?|scripts?|software|package|library|toolbox|supplement\w*|demos?|videos?"
    r"|notebooks?|models|materials?"
    rf"|project(?: page)?|page|{THIS})\b.{{0,80}}\b(?:is|are|was|were|be|been)\b(?: [\w-]+){{0,4}} (?:available"
    rf"|found|hosted|released|downloaded|accessed|published|maintained|provided|online)\b"
    r"|^\W*(?:(?:our|the|all|source|full|data and) )*(?:code|implementation|videos?|demos?|supplement\w*"
    r"|project page)(?: (?:and|of)(?: \w+){1,4})?(?: at\b|:)",
    re.IGNORECASE,
)


# Where people put what is theirs. A work of others that is linked to has a name, or a citation.
_HOSTED = re.compile(
    r"(?i)\b(?:git(?:hub|lab)|bitbucket|codeberg|sourceforge|huggingface|zenodo|figshare|osf|dropbox|kaggle|vimeo"
    r"|(?:drive|docs|sites|colab\.research)\.google)\.|\byoutu\.?be\b|/~|//(?:people|home(?:pages?)?|users?)\."
)
_HOSTS = re.compile(r"(?i)\b(?:git(?:hub|lab)|hugging ?face|zenodo|figshare|dropbox|kaggle|youtube|vimeo|google|url)\b")
_BEGINS = re.compile(
    r"(?i)^\W*(?:all|an?|the|see|install|this|these|our|we|more|further|additional|full|complete|here|find|for|it|they"
    r"|code|source|data|both|some|every|each)\b"
)


class FindingAt(NamedTuple):
    """A finding without its line; `offset` is in code points."""

    offset: int
    code: str
    message: str
    fix: str


def in_sentence(
    start: int, raw: str, hidden: bool, people: Sequence[Name], entries: Mapping[str, BibEntry]
) -> Iterator[FindingAt]:
    begin = start + len(raw) - len(raw.lstrip(" \t\r\n%"))
    words = plain_words(raw)
    if (own := own_work(words, people, entries)) is not None:
        own_words, keys = own
        at = start + _offset(raw, keys) if keys else begin
        yield FindingAt(at, "own_work_cited", f"“{own_words}” tells whose work it is", third_person(keys, entries))
    if (said_thanks := _thanks(words, hidden)) is not None and not WITHHELD.search(words):
        yield FindingAt(place_in(start, raw, said_thanks), "people_thanked", f"“{said_thanks}”", UNTIL)
    if (match := _CONTRIBUTED.search(words)) is not None and "[@" not in words:
        yield FindingAt(place_in(start, raw, match[0]), "author_named", f"“{match[0]}” names an author", UNTIL)
    if (where := _PLACE.search(words)) is not None:
        fix = "say what kind of place it is: “a large university”"
        yield FindingAt(
            place_in(start, raw, where[0]), "author_named", f"“{where[0]}” tells where the authors are", fix
        )
    for link in _LINK.finditer(raw):
        if not _BLIND_LINK.search(link[0]) and (
            has_handle(link[0], people) or _OFFERED.search(words) or _is_own(link[0], words)
        ):
            fix = "link to an anonymous copy, such as one at anonymous.4open.science"
            yield FindingAt(start + link.start(), "identifying_link", f"{link[0]} tells whose work it is", fix)
    for person in () if raw.startswith("\\bibitem") else people:
        if (name := _mention(words, person, hidden)) is not None:
            yield FindingAt(place_in(start, raw, name), "author_named", f"{name} is named", "leave the name out")


def _thanks(words: str, hidden: bool) -> str | None:
    """Return the words by which a sentence thanks somebody, or tells who paid."""
    if (match := _THANKS.search(words)) is not None:
        return match[0]
    if (match := _GAVE.search(words)) is not None and "[@" not in words:
        return match[0]
    if hidden and (match := re.search(r"\b[Tt]hanks (?:to|for) [A-Z]\w+", words)) is not None:
        return match[0]
    if "[@" in words:
        return None
    if (match := _FUNDED.search(words)) is not None and (grant := _GRANT.search(words)) is not None:
        return f"{match[0]} … {grant[0]}"
    if _MAIN_CLAUSE.search(words) is None and (match := _GRATEFUL.search(words)) is not None:
        return f"{match[0]} … {thanked[0]}" if (thanked := _THANKED.search(words)) is not None else None
    return None


def _is_own(link: str, words: str) -> bool:
    """Return True for a link to where people put what is theirs, in a sentence that names and cites no work."""
    if _HOSTED.search(link) is None or "[@" in words or _BEGINS.search(words) is None:
        return False
    rest = _HOSTS.sub("", _LINK.sub("", words)).strip(" .:,;()[]")
    return len(rest.split()) > 2 and re.search(r"(?<=\s)[\w-]*[A-Z][\w-]+", rest) is None


def _mention(words: str, person: Name, hidden: bool) -> str | None:
    """Return the name of an author as it stands there; of what is not printed, by one part of it too.

    A surname alone is how works of others are cited.
    """
    first = person.given.split()[0]
    forename = re.escape(first) if len(first.rstrip(".")) > 1 else rf"{re.escape(first[0])}\w*\.?"
    family = re.escape(person.surname)
    forms = [rf"{forename}(?: [A-Z][\w.]*)* {family}", rf"{re.escape(first[0])}\.(?: ?[A-Z]\.)* ?{family}"]
    if hidden:
        forms += [rf"{family}(?! et al|,? \(?\d{{4}}| ?\[)"] if len(family) > 2 else []
        forms += (
            [rf"{forename}(?=[:,]|$| ?[-–])|(?:@|TODO ?\(|for |ask |by ){forename}"]
            if len(first.rstrip(".")) > 2
            else []
        )
        initials = re.escape("".join(word[0] for word in f"{person.given} {person.family}".split()))
        forms.append(rf"(?:^|[\[(]){initials}(?=[:\])])")
    match = re.search(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)", words)
    return match[0] if match is not None else None


def has_handle(address: str, people: Sequence[Name]) -> bool:
    """Return True if an address has an author's name: all of a surname of four letters or more, or with an initial."""
    folded = [fold_name(part) for part in re.split(r"[^\w]+|_", decode_letters(address)) if part]
    for person in people:
        family, first = fold_name(person.family), fold_name(person.given)
        handles = {first + family, family + first, first[:1] + family, family + first[:1]}
        if len(family) > 3:
            handles.add(family)
        if any(part in handles or (len(family) > 4 and part.startswith(family)) for part in folded):
            return True
    return False


def plain_words(text: str) -> str:
    """Return LaTeX as words, with `[@keys]` for a citation: footnotes and addresses stay, unlike in `plain_line`."""
    text = _CITED.sub(lambda match: f" [@{match[1]}] ", text)
    text = decode_letters(text.replace("%", " ").replace("\\&", "&").replace("\\_", "_"))
    return re.sub(r" (?=[,.;:])", "", " ".join(_COMMAND.sub(" ", text).split()))


def _offset(raw: str, keys: Sequence[str]) -> int:
    return max(0, raw.find(keys[0]))


def place_in(start: int, raw: str, words: str) -> int:
    """Return where words stand in the file: at their first one that is there as it is."""
    at = next((at for word in words.split() if len(word) > 2 and (at := raw.find(word)) >= 0), 0)
    return start + at
