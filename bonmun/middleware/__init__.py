"""Sources of pages outside the pipeline: the safe HTTP fetch."""
