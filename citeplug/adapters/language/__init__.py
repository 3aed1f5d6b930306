"""What stands around every language model: cache, budget, retries, bounded concurrency, and the way out."""
