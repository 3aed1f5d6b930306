"""Measures under their published names: pure functions of what one query was answered with.

A measure returns a float, or None where it does not apply to the query (nothing to find, nothing judged); such queries
are left out of the mean and counted. With `as_published` a measure has the form that gave the published numbers, slips
included; without it the slips that its docstring names are corrected. A measure without that parameter has no slip.
"""
