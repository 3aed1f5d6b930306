"""Answers by a language model: asked, checked sentence by sentence while it comes, asked once more, judged."""
