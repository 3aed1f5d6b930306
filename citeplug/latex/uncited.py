"""Sentences of a related-work section that say what others did and name nobody who did it.

Told from the words alone, in English: a sentence is taken for a claim about others only where it says so plainly, and
only where neither it nor the sentence beside it cites. Most uncited sentences of such a section are about the paper
itself, or lead to the citations that follow.
"""

import re
from collections.abc import Iterator, Sequence

from citeplug.text.claims import is_claim_about_others
from citeplug.text.sentences import split_sentences

_BREAK = re.compile(
    r"(?:\r\n|\r(?!\n)|\n)[ \t]*(?=\r|\n)"
    r"|\\(?:chapter|(?:sub)*section|(?:sub)?paragraph|item|begin|end)\b\*?(?:\{[^{}]*\})?"
)
# With its line end, which TeX does not see either: such a line parts no paragraphs.
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\r\n]*(?:\r\n|\r|\n)?")
_MATH = re.compile(r"\$[^$]*\$")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?(?:\[[^\]]*\])*|[{}~]")

_STOP = re.compile(
    r"\\(?:bibliography\b|printbibliography\b|appendix\b|begin\s*\{thebibliography\}|end\s*\{document\})"
)


def uncited_claims(text: str, start: int, end: int, cited: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The claims without a citation in the stretch `start` to `end` of a LaTeX text, as stretches of code points.

    `cited` are the stretches of citations in it.
    """
    bare = _COMMENT.sub(lambda match: match[1] + " " * (len(match.group()) - len(match[1])), text[start:end])
    if stopped := _STOP.search(bare):
        bare = bare[: stopped.start()]
    for paragraph in _paragraphs(bare):
        sentences = [(paragraph[0] + a, paragraph[0] + b) for a, b in split_sentences(bare[slice(*paragraph)])]
        cites = [any(a - start < stop and b - start > begin for a, b in cited) for begin, stop in sentences]
        for number, (begin, stop) in enumerate(sentences):
            if not any(cites[max(number - 1, 0) : number + 2]) and _is_claim(bare[begin:stop]):
                yield start + begin, start + stop


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    for match in _BREAK.finditer(text):
        yield position, match.start()
        position = match.end()
    yield position, len(text)


def _is_claim(sentence: str) -> bool:
    return is_claim_about_others(" ".join(_COMMAND.sub(" ", _MATH.sub(" X ", sentence)).split()))
