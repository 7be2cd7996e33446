"""Measure any extractor on pages whose truth is known: quality with intervals, speed as a ratio, the papers' tables."""
