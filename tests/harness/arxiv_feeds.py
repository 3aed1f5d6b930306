"""Atom feeds as arXiv writes them, in both dialects; for the test server."""

from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from citeplug.records.paper import Paper

Dialect = Literal["new", "old"]


def render_feed(papers: list[Paper], total: int, start: int, size: int, heading: str, dialect: Dialect) -> str:
    """The Atom feed of one page."""
    counts = (("totalResults", total), ("startIndex", start), ("itemsPerPage", size))
    if dialect == "old":
        spaced = ' xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"'
        head = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
            f'  <title type="html">ArXiv Query: {escape(heading)}</title>\n  <id>http://arxiv.org/api/x</id>\n'
        )
    else:
        spaced = ""
        head = (
            "<?xml version='1.0' encoding='UTF-8'?>\n"
            '<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom"'
            ' xmlns="http://www.w3.org/2005/Atom">\n  <id>https://arxiv.org/api/x</id>\n'
            f"  <title>arXiv Query: {escape(heading)}</title>\n"
        )
    body = "".join(f"  <opensearch:{name}{spaced}>{count}</opensearch:{name}>\n" for name, count in counts)
    return head + body + "".join(_entry(each, dialect) for each in papers) + "</feed>\n"


def _entry(each: Paper, dialect: Dialect) -> str:
    old = dialect == "old"
    own = ' xmlns:arxiv="http://arxiv.org/schemas/atom"' if old else ""
    scheme = "http" if old else "https"
    title = _wrapped(each.title, "\n  ") if old else each.title
    abstract = "  " + (_wrapped(each.abstract, "\n") + "\n" if old else each.abstract)
    lines = [
        f"<id>http://arxiv.org/abs/{each.id}</id>",
        f"<updated>{each.updated}T17:59:46Z</updated>",
        f"<published>{each.published}T00:00:01Z</published>",
        f"<title>{escape(title)}</title>",
        f"<summary>{escape(abstract)}</summary>",
        *(f"<author>\n      <name>{escape(name)}</name>\n    </author>" for name in each.authors),
        f'<link href="{scheme}://arxiv.org/abs/{each.id}" rel="alternate" type="text/html"/>',
        *(
            f"<arxiv:{name}{own}>{escape(value)}</arxiv:{name}>"
            for name, value in (("doi", each.doi), ("comment", each.comment), ("journal_ref", each.journal_ref))
            if value
        ),
        *(f"<arxiv:primary_category{own} term={quoteattr(term)}/>" for term in each.categories[:1]),
        *(f'<category term={quoteattr(term)} scheme="http://arxiv.org/schemas/atom"/>' for term in each.categories),
    ]
    return "  <entry>\n" + "".join(f"    {line}\n" for line in lines) + "  </entry>\n"


def _wrapped(text: str, joint: str) -> str:
    """Text broken as the old service broke it."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + len(word) > 78:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return joint.join([*lines, line])


def error_feed(dialect: Dialect, fragment: str, message: str) -> str:
    scheme = "http" if dialect == "old" else "https"
    where = f"{scheme}://arxiv.org/api/errors" + (f"#{fragment}" if fragment else "")
    entry = (
        f"  <entry>\n    <id>{escape(where)}</id>\n    <title>Error</title>\n    <summary>{escape(message)}</summary>\n"
        "    <updated>2026-04-12T00:00:00Z</updated>\n    <author>\n      <name>arXiv api core</name>\n    </author>\n"
        "  </entry>\n"
    )
    return render_feed([], 1, 0, 1, "", dialect).replace("</feed>", entry + "</feed>")
