"""Frozen records that the stages pass to each other."""
