"""The first pages of a PDF, by pypdf; for a process whose time and memory are bounded."""

from typing import Any

from citeplug.errors import Unfit

_PAGES = 2
_MOST_TEXT = 20_000  # characters; two pages have about 8,000


def first_pages(path: str) -> dict[str, Any]:
    """`text` of the first pages, their line in the `largest` letters, and the `title` that the file names.

    Raises Unfit for a file that opens with a password alone, and what pypdf raises.
    """
    from pypdf import PasswordType, PdfReader

    reader = PdfReader(path)
    # A PDF that only forbids copying opens with an empty password.
    if reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED:
        raise Unfit("encrypted", "it opens with a password alone")
    texts: list[str] = []
    sized: list[tuple[float, str]] = []

    def note(text: str, cm: Any, tm: Any, font: Any, size: float) -> None:
        height = abs(float(size or 0) * float(tm[3] or tm[1] or 1) * float(cm[3] or cm[1] or 1))
        if text.strip() and len(sized) < 5_000:
            sized.append((round(height, 1), text))

    for number, page in enumerate(reader.pages[:_PAGES]):
        texts.append(page.extract_text(visitor_text=note) if number == 0 else page.extract_text())
    named = reader.metadata.title if reader.metadata is not None else None
    return {
        "text": "\n".join(texts)[:_MOST_TEXT],
        "largest": _largest(sized)[:1_000],
        "title": str(named or "")[:1_000],
    }


def _largest(sized: list[tuple[float, str]]) -> str:
    """The first run of text in the largest letters that makes words."""
    for height in sorted({height for height, _ in sized}, reverse=True)[:4]:
        run: list[str] = []
        for each, text in sized:
            if each == height:
                run.append(text)
            elif run:
                break
        joined = " ".join(" ".join(run).split())
        if sum(letter.isalpha() for letter in joined) >= 8:
            return joined
    return ""
