"""`python -m citeplug.corpus.fulltext.first_pages_child FILE`: first pages of a PDF as JSON, in a process of its own.

A PDF is somebody's program: a few bytes of it can ask for all memory, or never come to an end. Who starts this process
bounds its time; it bounds its own memory where the system can. Errors are reported in the JSON, as `error`.
"""

import contextlib
import json
import logging
import sys
from typing import Any

_PAGES = 2
_MOST_TEXT = 20_000  # characters; two pages have about 8,000
_MOST_MEMORY = 2_000_000_000  # bytes of address space


def main() -> None:
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    logging.disable(logging.CRITICAL)  # pypdf logs each oddity of a file
    sys.setrecursionlimit(2_000)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    try:
        said = first_pages(sys.argv[1])
    except MemoryError:
        said = {"error": "memory"}
    except Exception as error:  # whatever a broken file makes a reader stumble over
        said = {"error": "broken", "why": f"{type(error).__name__}: {error}"[:200]}
    json.dump(said, sys.stdout)


def first_pages(path: str) -> dict[str, Any]:
    """`text` of the first pages, their line in the `largest` letters, and the `title` that the file names."""
    from pypdf import PasswordType, PdfReader

    reader = PdfReader(path)
    # A PDF that only forbids copying opens with an empty password.
    if reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED:
        return {"error": "encrypted"}
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
        "pages": len(reader.pages),
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


if __name__ == "__main__":
    main()
