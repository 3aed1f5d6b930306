"""What editors show to the author beside the text."""

from citeplug.text.cleaning import plain

_WORD_JOINER = "\u2060"


def harmless(text: str) -> str:
    """A message on one line in which nothing from drafts and papers becomes a link.

    VS Code makes `[text](command:...)` one in messages and progress, and runs the command when it is clicked.
    """
    return plain(text).replace("](", f"]{_WORD_JOINER}(")
