"""Cache, budget, retries, bounded concurrency and cancellation, common to all language models."""
