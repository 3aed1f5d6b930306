"""The language server: what citeplug knows of a project, in the editor (docs/lsp.md)."""
