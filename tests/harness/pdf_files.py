"""PDFs made without TeX: one column of lines, headings in larger bold letters."""

from collections.abc import Sequence

Line = tuple[str, float, bool]  # text, size in points, bold


def paper_pdf(title: str, sections: Sequence[tuple[str, str]], width: int = 80) -> bytes:
    """A paper: its title, and sections of a heading and text. Letters are ASCII."""
    lines: list[Line] = [(title, 17, False), ("", 10, False)]
    for heading, text in sections:
        lines += [("", 10, False), (heading, 13, True)]
        line = ""
        for word in text.split():
            if len(line) + len(word) >= width:
                lines.append((line, 10, False))
                line = ""
            line = f"{line} {word}".strip()
        lines.append((line, 10, False))
    return pdf([lines[start : start + 50] for start in range(0, len(lines), 50)])


def pdf(pages: Sequence[Sequence[Line]]) -> bytes:
    """A PDF of these pages of lines, from the top."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects += [_font("Helvetica"), _font("Helvetica-Bold")]
    kids = []
    for page in pages:
        content = "\n".join(_shown(line, 760 - 13 * number) for number, line in enumerate(page) if line[0])
        data = content.encode("ascii", "replace")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(data), data))
        fonts = b"<< /Font << /F1 3 0 R /F2 4 0 R >> >>"
        box = b"/MediaBox [0 0 595 842]"
        objects.append(
            b"<< /Type /Page /Parent 2 0 R %s /Resources %s /Contents %d 0 R >>" % (box, fonts, len(objects))
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(kids))
    out, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return out + head + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))


def _font(name: str) -> bytes:
    return b"<< /Type /Font /Subtype /Type1 /BaseFont /%s >>" % name.encode()


def _shown(line: Line, height: int) -> str:
    text, size, bold = line
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F{2 if bold else 1} {size:g} Tf 60 {height} Td ({escaped}) Tj ET"
