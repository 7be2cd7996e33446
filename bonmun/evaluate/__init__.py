"""Benchmark extractors on pages with gold text: quality with intervals, speed as a ratio, the papers' tables."""
