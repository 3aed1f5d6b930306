"""`citeplug ask`: questions to papers and documents."""

from citeplug.cli.ask_params import AskParams
from citeplug.cli.parameters import command


@command(
    'Example: citeplug ask main.tex "How do these methods avoid recomputing the cache?"',
    everyday=("chat", "llm", "papers", "library", "as_json"),
)
def ask(params: AskParams) -> None:
    """Answer a question from papers, or say that nothing found answers it.

    Asked are the papers of MAIN.tex (what its section would discuss, and what it cites), by default of the draft in
    the current folder, those that options name, and FILES: PDF, TeX, HTML, Markdown, text, .docx, or a folder of
    these. Where there is none of these, your whole corpus is searched. Full texts are asked where they are on this
    machine, else abstracts. The answer is in their own words, and nothing is sent anywhere; with --llm a model words
    it, and each of its sentences is checked against the passages that it quotes.
    """
    from citeplug.cli.asking import ask_papers

    ask_papers(params)
