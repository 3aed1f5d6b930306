"""The parameters of `citeplug ask`, by which one question, a file of questions or a conversation is asked."""

from pathlib import Path

from citeplug.cli.options import LocalModels, ModelOptions, OfflineOptions, Output, language_model_option
from citeplug.cli.parameters import argument, option, parameters


@parameters
class AskParams(ModelOptions, OfflineOptions, LocalModels, Output):
    arguments: tuple[str, ...] = argument("[MAIN.tex] QUESTION [FILES...]")
    papers: tuple[str, ...] = option("Ask these papers.", metavar="ID,ID...")
    library: bool = option("Ask all works of your library.")
    cited: bool = option("Of MAIN.tex ask only what it cites.")
    shortlist: bool = option("Of MAIN.tex ask only what its section would discuss.")
    topics: tuple[str, ...] = option(
        "Ask the newest papers of this topic, or of this field ('citeplug prepare --llm').", "--topic", metavar="T"
    )
    questions: Path | None = option("A JSON Lines file of questions; needs --json.")
    chat: bool = option("Hold a conversation: each question is asked with what was said before.")
    resume: bool = option("Go on with the last conversation on this draft, or in this folder.")
    save: Path | None = option("Write questions and answers to a new Markdown file.")
    insert: str | None = option(
        "Put a sentence of the answer behind a line of your draft, with its entry.", metavar="FILE:LINE"
    )
    sentence: str = option(
        "The sentence for --insert. [default: the first]", metavar="N", default="1", show_default=False
    )
    bib: Path | None = option("File of the entries, where your draft has several.")
    llm: str | None = language_model_option(
        "Your questions and the passages found are sent to it. Default: as in your config.toml, else none: the"
        " papers' own sentences answer."
    )

    @property
    def is_conversation(self) -> bool:
        return self.chat or self.resume
