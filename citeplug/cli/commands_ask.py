"""`citeplug ask`: questions to papers and documents."""

from citeplug.cli.ask_params import AskParams
from citeplug.cli.parameters import command


@command(
    'Example: citeplug ask main.tex "How do these methods avoid recomputing the cache?"',
    everyday=("chat", "llm", "papers", "library", "as_json"),
)
def ask(params: AskParams) -> None:
    """Answer a question from papers, or say that none answers it.

    It searches the papers of MAIN.tex (those it cites and those its section would discuss; by default, the draft in the
    current folder), any papers you name with options, and FILES: PDF, TeX, HTML, Markdown, text, .docx, or a folder of
    these. With none of these, it searches your whole corpus. It reads the full texts on this machine, and abstracts for
    the rest. The answer is taken word for word from the papers, and nothing is sent anywhere. With --llm, a model
    writes the answer, and each sentence is checked against the passages it quotes.
    """
    from citeplug.cli.asking import ask_papers

    ask_papers(params)
