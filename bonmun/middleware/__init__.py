"""What drives the pipeline from outside: getting pages in, for now."""
