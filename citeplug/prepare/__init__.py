"""Prepared knowledge: what a set of papers can answer, before anybody asks (Meta Knowledge for RAG)."""
