"""Preparation of papers by a language model (Meta Knowledge for RAG, section 3.2 and appendix A)."""
