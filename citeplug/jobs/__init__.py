"""Long pieces of work in processes of their own."""
