"""Extraction methods. Each judges the blocks of a page; none changes the page, fetches or prints."""
