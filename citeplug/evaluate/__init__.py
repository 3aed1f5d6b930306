"""Evaluation: measures under their published names, runs on gold sets, and comparisons of two runs."""
