"""`citeplug ask`: questions to papers and documents."""

from pathlib import Path
from typing import Any

import click

from citeplug.cli import options
from citeplug.cli.help_groups import GroupedCommand


@click.command(
    cls=GroupedCommand,
    everyday=("chat", "llm", "papers", "library", "as_json"),
    epilog='Example: citeplug ask main.tex "How do these methods avoid recomputing the cache?"',
)
@click.argument("arguments", nargs=-1, metavar="[MAIN.tex] QUESTION [FILES...]")
@click.option("--papers", multiple=True, metavar="ID,ID...", help="Ask these papers.")
@click.option("--library", is_flag=True, help="Ask all works of your library.")
@click.option("--cited", is_flag=True, help="Of MAIN.tex ask only what it cites.")
@click.option("--shortlist", is_flag=True, help="Of MAIN.tex ask only what its section would discuss.")
@click.option("--topic", "topics", multiple=True, metavar="T", help="Ask the newest papers of this topic.")
@click.option(
    "--augment", is_flag=True, help="Ask at most five prepared questions too ('citeplug prepare'); they are shown."
)
@click.option("--questions", type=click.Path(path_type=Path), help="A JSON Lines file of questions; needs --json.")
@click.option("--chat", is_flag=True, help="Hold a conversation: each question is asked with what was said before.")
@click.option("--resume", is_flag=True, help="Go on with the last conversation on this draft, or in this folder.")
@click.option("--save", type=click.Path(path_type=Path), help="Write questions and answers to a new Markdown file.")
@click.option(
    "--insert", metavar="FILE:LINE", help="Put a sentence of the answer behind a line of your draft, with its entry."
)
@click.option("--sentence", metavar="N", default="1", help="The sentence for --insert. [default: the first]")
@click.option("--bib", type=click.Path(path_type=Path), help="File of the entries, where your draft has several.")
@options.language_model_that(
    "Your questions and the passages found are sent to it. Default: as in your config.toml, else none: the papers' own"
    " sentences answer."
)
@options.offline
@options.embedder
@options.device
@options.as_json
@options.verbosity
def ask(**values: Any) -> None:
    """Answer a question from papers, or say that nothing found answers it.

    Asked are the papers of MAIN.tex (what its section would discuss, and what it cites), by default of the draft in
    the current folder, those that options name, and FILES: PDF, TeX, HTML, Markdown, text, .docx, or a folder of
    these. Where there is none of these, your whole corpus is searched. Full texts are asked where they are on this
    machine, else abstracts. The answer is in their own words, and nothing is sent anywhere; with --llm a model words
    it, and each of its sentences is checked against the passages that it quotes.
    """
    from citeplug.cli.asking import AskOptions, ask_papers

    ask_papers(AskOptions(**values))
