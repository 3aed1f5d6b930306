"""Answers for a reader."""

from typing import TYPE_CHECKING

from citeplug.faces.cli.console import say

if TYPE_CHECKING:
    from citeplug.records.answer import Answer, AnswerCitation

_SHOWN = 400  # characters of a nearest passage


def show_answer(answer: "Answer") -> None:
    """Print the sentences with their places, or the refusal with the passages nearest to the question."""
    from citeplug.answer.refusal import looked_through

    looked = looked_through(answer.looked_through)
    if answer.refused:
        say(f"Nothing that was found bears an answer out. Looked through {looked}.")
        if answer.nearest:
            say("\nNearest to the question:")
        for each in answer.nearest:
            say(f"  {_place(answer, each)}")
            say(f"      {_shortened(each.quote)}")
        return
    for number, sentence in enumerate(answer.sentences, 1):
        quoted = sentence.status == "quoted" or (sentence.status == "conflict" and answer.model is None)
        say(f"[{number}] {f'“{sentence.text}”' if quoted else sentence.text}")
        for each in sentence.citations:
            say(f"    {_place(answer, each)}")
        if sentence.status in ("weak", "conflict"):
            doubt = sentence.judgement.doubt if sentence.judgement is not None else ""
            say(f"    {sentence.status}: {doubt or _MEANING[sentence.status]}")
    say(f"\nLooked through {looked}.")


_MEANING = {
    "conflict": "another source gives another answer",
    "weak": "nobody has compared it with its sources",
}


def _place(answer: "Answer", citation: "AnswerCitation") -> str:
    from citeplug.records.paper import shown_id

    text = next((each for each in answer.looked_through if each.id == citation.paper), None)
    is_paper = text is not None and text.of != "document"
    name = shown_id(citation.paper) if is_paper else citation.paper
    version = f"v{text.version}" if text is not None and is_paper and text.version else ""
    title = f", {text.title}" if text is not None and text.title != citation.paper else ""
    where = "abstract" if text is not None and text.of == "abstract" else citation.section
    page = f"page {citation.page}" if citation.page else ""
    return f"{name}{version}{title}" + "".join(f"; {part}" for part in (where, page) if part)


def _shortened(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _SHOWN else plain[:_SHOWN].rsplit(" ", 1)[0] + " ..."
