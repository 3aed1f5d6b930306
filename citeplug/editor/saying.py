"""Messages that editors show to the author."""

from citeplug.text.cleaning import plain

_WORD_JOINER = "\u2060"


def harmless(text: str) -> str:
    """Return a message on one line in which no text of drafts and papers becomes a link.

    VS Code turns `[text](command:...)` in messages and progress into a link that runs the command.
    """
    return plain(text).replace("](", f"]{_WORD_JOINER}(")
