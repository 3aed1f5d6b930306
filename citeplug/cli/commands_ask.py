"""`citeplug ask`: questions to papers and documents."""

from citeplug.cli.ask_params import AskParams
from citeplug.cli.parameters import command


@command(
    'Example: citeplug ask main.tex "How do these methods avoid recomputing the cache?"',
    everyday=("chat", "llm", "papers", "library", "as_json"),
)
def ask(params: AskParams) -> None:
    """Answer a question from papers, or say that none of them answers it.

    It looks through the papers of MAIN.tex (what its section would discuss and what it cites; by default, the draft in
    the current folder), the papers that options name, and FILES: PDF, TeX, HTML, Markdown, text, .docx, or a folder of
    these. Without any of them, it searches your whole corpus. It reads full texts that are on this machine, else
    abstracts. The answer is in the papers' own words, and nothing is sent anywhere. With --llm, a model words the
    answer, and each of its sentences is checked against the passages it quotes.
    """
    from citeplug.cli.asking import ask_papers

    ask_papers(params)
