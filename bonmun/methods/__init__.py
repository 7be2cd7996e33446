"""Ways to choose the blocks that matter. Each reads a page and gives verdicts; none changes, fetches or prints."""
