"""Text that others wrote, on its way into a LaTeX document."""

from citeplug.text.tex_print import to_latex


def escape_text(text: str, packages: tuple[str, ...] = ()) -> str:
    r"""LaTeX that prints the plain text `text` in any document, with any engine and input encoding.

    The result is ASCII. No command, comment or brace of `text` survives as such; `$...$` stays math only
    where every command in it is known, complete, and there in a document that loads `packages` (or the class).
    White space is collapsed, with a single space kept at either end.
    """
    return to_latex(text, packages)
