"""The parameters of `citeplug ask`, by which one question, a file of questions or a conversation is asked."""

from pathlib import Path

from citeplug.cli.options import LocalModels, ModelOptions, OfflineOptions, Output, language_model_option
from citeplug.cli.parameters import argument, option, parameters


@parameters
class AskParams(ModelOptions, OfflineOptions, LocalModels, Output):
    arguments: tuple[str, ...] = argument("[MAIN.tex] QUESTION [FILES...]")
    papers: tuple[str, ...] = option("Search these papers.", metavar="ID,ID...")
    library: bool = option("Search all works in your library.")
    cited: bool = option("Search only the papers that MAIN.tex cites.")
    shortlist: bool = option("Search only the papers that the section of MAIN.tex would discuss.")
    topics: tuple[str, ...] = option(
        "Search the newest papers on this topic or in this field (see 'citeplug prepare --llm').",
        "--topic",
        metavar="T",
    )
    questions: Path | None = option("Answer the questions in this JSON Lines file; needs --json.")
    chat: bool = option("Have a conversation: each question takes the earlier ones into account.")
    resume: bool = option("Continue the last conversation about this draft, or the last one in this folder.")
    save: Path | None = option("Save the questions and answers to a new Markdown file.")
    insert: str | None = option(
        "Insert a sentence of the answer after a line of your draft, with its entry.", metavar="FILE:LINE"
    )
    sentence: str = option(
        "The number of the sentence for --insert. [default: 1]", metavar="N", default="1", show_default=False
    )
    bib: Path | None = option("The .bib file to add entries to, if your draft has several.")
    llm: str | None = language_model_option(
        "It is sent your questions and the passages found. Default: as set in your config.toml, else none: the"
        " answer consists of sentences from the papers."
    )

    @property
    def is_conversation(self) -> bool:
        return self.chat or self.resume
