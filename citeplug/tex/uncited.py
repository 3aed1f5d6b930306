"""Sentences of a related-work section that say what others did and name nobody who did it.

Told from the words alone, in English: a sentence is taken for a claim about others only where it says so plainly, and
only where neither it nor the sentence beside it cites. Most uncited sentences of such a section are about the paper
itself, or lead to the citations that follow.
"""

import re
from collections.abc import Iterator, Sequence

from citeplug.text.sentences import split_sentences

_BREAK = re.compile(
    r"(?:\r\n|\r(?!\n)|\n)[ \t]*(?=\r|\n)"
    r"|\\(?:chapter|(?:sub)*section|(?:sub)?paragraph|item|begin|end)\b\*?(?:\{[^{}]*\})?"
)
# With its line end, which TeX does not see either: such a line parts no paragraphs.
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\r\n]*(?:\r\n|\r|\n)?")
_MATH = re.compile(r"\$[^$]*\$")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?(?:\[[^\]]*\])*|[{}~]")
_LEAST, _MOST = 40, 600  # characters of a sentence's words

_PEOPLE = (
    r"(?:works?|studies|study|papers?|research|researchers|authors|approaches|methods|techniques|literature|efforts"
    r"|attempts|publications|articles|surveys|algorithms|scholars|proposals|investigations|experiments|projects|systems|groups|models|theories)"
)
_OTHERS = (
    r"(?:(?:previous|prior|earlier|existing|recent|related|past|several|many|most|some|other|various|numerous|extensive"
    r"|considerable|different|few|multiple|much|early|further|subsequent|a\s+(?:large\s+|growing\s+|great\s+)?"
    r"(?:number|body|variety|lot|wealth|range)\s+of|a\s+few)\s+(?:of\s+(?:the\s+|these\s+)?)?(?:[\w-]+\s+){0,2}?"
    + _PEOPLE
    + r")"
)
_DID = (
    r"(?:show(?:s|ed|n)?|demonstrat\w+|propos\w+|introduc\w+|prov(?:e[sdn]?|en)|report(?:s|ed)?|suggest\w*|argu(?:e[sd]?)"
    r"|claim(?:s|ed)?|find(?:s)?|found|observ\w+|stud(?:y|ies|ied)|investigat\w+|examin\w+|explor\w+|develop(?:s|ed)?"
    r"|present(?:s|ed)?|describ\w+|establish\w*|address(?:es|ed)?|analy[sz]\w+|evaluat\w+|compar\w+|extend(?:s|ed)?"
    r"|appl(?:y|ies|ied)|us(?:e[sd]?)|rel(?:y|ies|ied)|focus\w*|assum\w+|consider\w*|attempt\w*|tried|tackl\w+|solv\w+"
    r"|achiev\w+|outperform\w*|improv\w+|adopt\w*|employ\w*|formulat\w+|combin\w+|train\w*|learn\w*|model\w*"
    r"|received|attracted|conclud\w+|identif\w+|design\w*|devot\w+|deal\w*|concentrat\w+)"
)
_CLAIMS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_OTHERS}\b[^.;:]{{0,80}}?\b(?:(?:has|have|had)\s+(?:also\s+|been\s+|recently\s+)*|also\s+|often\s+|typically\s+)?{_DID}\b",
        r"\b(?:has|have)\s+(?:also\s+|recently\s+|often\s+|already\s+|previously\s+|long\s+|widely\s+|extensively\s+)*been\s+"
        r"(?:also\s+|recently\s+|widely\s+|extensively\s+|well\s+|successfully\s+|much\s+|largely\s+)*"
        r"(?:shown|proposed|studied|investigated|demonstrated|proven|proved|reported|explored|developed|observed|suggested"
        r"|introduced|applied|used|examined|analy[sz]ed|addressed|considered|argued|established|devoted|published)\b",
        r"\bit\s+(?:is|was)\s+(?:well[\s-]+)?(?:known|shown|established|proved|proven|reported|demonstrated|argued)\s+that\b",
        r"\b[A-Z][\w-]+\s+et\s+al\b",
        r"\b(?:state[\s-]of[\s-]the[\s-]art|best)\s+(?:[\w-]+\s+){0,3}(?:achiev\w+|reach\w*|report\w*|obtain\w*)\b",
    )
]
# About the paper itself, about what it does not name, or about what was said before.
_OWN = re.compile(
    r"\b(?:we|our|ours|us|I|my|(?:in\s+)?this\s+(?:paper|work|article|section|study|thesis|chapter|survey|review)|here"
    r"|below|above|section|table|figure|fig|appendix|to\s+the\s+best\s+of|future|the\s+present|the\s+authors?|unlike"
    r"|no\s+(?:previous|prior|existing|other|such|study|work|research)|none|(?<!a\s)(?:few|little)|in\s+contrast)\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"(?:(?:however|moreover|furthermore|also|thus|hence|yet|besides|in\s+addition|for\s+example|again|here|there)\W+)?"
    r"(?:they|these|those|such|this|it(?!\s+(?:is|was|has)\b)|the\s+(?:former|latter|same|method|approach|authors?|idea"
    r"|algorithm|model|work)|both|all\s+(?:of\s+)?(?:these|those)|neither|either|his|her|their|its)\b",
    re.IGNORECASE,
)


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
    words = " ".join(_COMMAND.sub(" ", _MATH.sub(" X ", sentence)).split())
    if not _LEAST <= len(words) <= _MOST or _OWN.search(words) or _BACK.match(words):
        return False
    return any(pattern.search(words) for pattern in _CLAIMS)
