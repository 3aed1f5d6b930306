"""Headings of sections that papers commonly have."""

import re

CONCLUSION = re.compile(r"\bconclu\w+|\bdiscussion\b|\bsummary\b|\bfuture work\b|\boutlook\b", re.IGNORECASE)
