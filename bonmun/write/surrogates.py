"""Surrogates, which UTF-8 cannot encode. Pages escape them in their JSON."""

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def without_surrogates(text: str) -> str:
    r"""Join surrogate pairs and replace lone surrogates.

    >>> without_surrogates("\ud83d\ude00 \udc00") == "\U0001f600 \ufffd"
    True
    """
    if _SURROGATE.search(text):
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
