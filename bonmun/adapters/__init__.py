"""Bonmun inside other tools: Scrapy, LangChain, LlamaIndex, Haystack, pandas and Polars, a module for each.

None of them is loaded by ``import bonmun``; each needs the extra of its name, such as ``bonmun[langchain]``.
"""
