"""The types of the pipeline: nodes and blocks of a page, verdicts on them, and the document built from both."""
