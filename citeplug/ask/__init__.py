"""Answers to questions, from passages of papers: without a model by their own sentences, or by a model."""
