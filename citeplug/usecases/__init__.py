"""Puts the parts together. Faces call this, and nothing below it; each module loads only what it needs."""
