"""The language server (docs/lsp.md)."""
