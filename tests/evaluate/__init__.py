"""Tests of measures, runs and comparisons."""
