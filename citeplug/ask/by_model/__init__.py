"""Answers by a language model: asked, checked sentence by sentence while it comes, asked once more, judged."""

from citeplug.ask.by_model.write import Written, write_answer

__all__ = ["Written", "write_answer"]
