"""What flows through the pipeline: nodes and blocks of a page, verdicts on them, and the document made of both."""
