"""Finding the abstract, in the many ways in which authors write one."""

import re
from collections.abc import Iterator
from itertools import islice

from citeplug.latex.parse import EnvironmentSpan, Facts

_ENVIRONMENTS = ("abstract", "abstract*", "Abstract", "ABSTRACT", "abst", "abstracts", "onecolabstract")
_NOT_ABSTRACTS = re.compile(r"(?i)graphical|video|toc|keywords|box|translat|german|french|noabstract")
_COMMANDS = ("abstract", "Abstract", "ABSTRACT", "abst", "abstracts", "absttext", "abstracttext")
_HEADING = re.compile(r"(?i)^(?:\d+\.?\s+)?(?:extended )?(?:abstract|summary|abstract and keywords)\s*[.:]?$")
_WORD = re.compile(
    r"(?:\{\s*(?:\\[A-Za-z]+\s*)+"
    r"|\\(?:textbf|textsc|textit|emph|textsf|uppercase|MakeUppercase|underline|centerline|paragraph\*?)\s*"
    r"\{[\s{]{0,5}(?:\\[A-Za-z]+\s*)*|\\(?:bfseries|bf|scshape)\s+)(?:Abstract|ABSTRACT|Summary|SUMMARY)\s*[.:—–-]{0,3}"
)
_ENDS = re.compile(
    r"\\(?:(?:sub)*section|chapter|part|paragraph|tableofcontents|newpage|clearpage|pagebreak|keywords|IEEEkeywords"
    r"|maketitle|printbibliography|begin\s*\{(?:keywords?|IEEEkeywords|multicols|thebibliography|document)\}"
    r"|end\s*\{(?:document|titlepage|frontmatter|abstract|quotation|quote|small|minipage|@twocolumnfalse)\})"
)
_KEYWORDS = re.compile(
    r"(?:\n\s*+|\\(?:par|noindent|medskip|smallskip|bigskip|newline|\\)\s*+)"
    r"(?:[{\s]|\\(?:textbf|textit|textsc|emph|bf|it|sc|bfseries|itshape|noindent|small|paragraph\*?|vspace\*?\s*\{[^{}]*\})\s*)*+"
    r"(?:[Kk]ey\s?-?[Ww]ords|KEY\s?WORDS|[Ii]ndex [Tt]erms|JEL|PACS|MSC|CCS [Cc]oncepts)\b"
)


_LONGEST = 20_000  # code points
_MOST = 20  # places of one kind to look at


def find_abstract(facts: Facts) -> tuple[str, list[tuple[int, int]]]:
    """The abstract as plain text ('' if there is none), and the stretches of the stream that it takes up."""
    taken: list[tuple[int, int]] = []
    best = ""
    for start, inner, stop, end in _candidates(facts):
        text = _text(facts, inner, stop)
        if any(begin <= start < until for begin, until in taken):
            continue
        taken.append((start, end))
        if text:
            best = text
            break
    return best, sorted(taken)


def _text(facts: Facts, start: int, stop: int) -> str:
    string = facts.string[start : min(stop, start + _LONGEST)]
    keywords = _KEYWORDS.search(string)
    if keywords:
        string = string[: keywords.start()]
    string = re.sub(r"^\s*\\(?:sub)*section\*?\s*\{\s*(?i:abstract)\s*\}", "", string)
    string = re.sub(r"^\s*\[[^\[\]{}]{0,40}\]", "", string)
    text = facts.made_plain(string, start)
    text = re.sub(r"^(?i:abstract)\s*[.:—–-]+\s*", "", text).strip()
    return text if re.search(r"\w{2,}", text) else ""


def _candidates(facts: Facts) -> Iterator[tuple[int, int, int, int]]:
    """(start, inner, stop, end), in the order in which they are to be believed."""
    exact = [block for block in facts.blocks if block.name in _ENVIRONMENTS]
    alike = [
        block
        for block in facts.blocks
        if block.name not in _ENVIRONMENTS
        and "abstract" in block.name.lower()
        and not _NOT_ABSTRACTS.search(block.name)
    ]
    for block in (exact + alike)[:_MOST]:
        yield _environment(facts, block)
    for name in _COMMANDS:
        for start, end in facts.commands.get(name, [])[:_MOST]:
            found = _command(facts, name, start, end)
            if found:
                yield found
    yield from islice(_headings(facts), _MOST)
    yield from _words(facts)


def _environment(facts: Facts, block: EnvironmentSpan) -> tuple[int, int, int, int]:
    if block.end > block.inner:
        return block.start, block.inner, block.stop, block.end
    # Never closed: it ends where something else clearly begins.
    stop = _end(facts, block.inner)
    return block.start, block.inner, stop, stop


def _command(facts: Facts, name: str, start: int, end: int) -> tuple[int, int, int, int] | None:
    option = facts.source.option(end)
    position = option[1] + 1 if option else end
    group = facts.source.group(position)
    if group:
        stop = group[1]
        # Astronomy & Astrophysics: context, aims, methods, results, conclusions in five groups.
        while (more := re.compile(r"\s*\{").match(facts.string, stop + 1)) and (
            further := facts.source.group(more.end() - 1)
        ):
            stop = further[1]
        return start, group[0], stop, stop + 1
    closing = facts.string.find("\\endabstract", position)
    if closing >= 0:
        return start, position, closing, closing + 12
    if name == "abstract" and position > facts.body > 0:
        stop = _end(facts, position)
        return start, position, stop, stop
    return None


def _headings(facts: Facts) -> Iterator[tuple[int, int, int, int]]:
    for index, heading in enumerate(facts.headings):
        title = facts.plain_line(heading.inner, heading.end - 1)
        if _HEADING.match(title):
            following = facts.headings[index + 1].start if index + 1 < len(facts.headings) else len(facts.string)
            if title.lower().startswith("summary") and index > 1:
                continue
            stop = min(following, _end(facts, heading.end))
            yield heading.start, heading.end, stop, stop


def _words(facts: Facts) -> Iterator[tuple[int, int, int, int]]:
    limit = facts.headings[2].start if len(facts.headings) > 2 else len(facts.string)
    for match in islice(_WORD.finditer(facts.string, facts.body, limit), _MOST):
        inner = match.end()
        closing = re.compile(
            r"[\s}.:—–-]*(?:\\\\|\\par\b|\\(?:small|med|big)skip\b|\\end\s*\{[A-Za-z*]+\}|[\s}.:—–-])*"
        )
        after = closing.match(facts.string, inner)
        inner = after.end() if after else inner
        stop = min(_end(facts, inner), _end_of_block(facts, inner))
        if stop > inner:
            yield match.start(), inner, stop, stop


def _end_of_block(facts: Facts, position: int) -> int:
    # The environment that the word and the text after it are in, such as center or a poster's box.
    around = [b.stop for b in facts.blocks if b.name != "document" and b.inner <= position < b.stop]
    return min(around, default=len(facts.string))


def _end(facts: Facts, position: int) -> int:
    match = _ENDS.search(facts.string, position)
    return match.start() if match else len(facts.string)
