"""Rendering: a page laid out by headless Chromium. Extra `visual`.

::

    settings   viewport, time, scripts, network, as one dataclass
    chromium   where the browser is
    browser    one Chromium, in a worker process
    elements.js  all boxes of a page in one call
    tying      the browser's elements and ours
    renderer   many pages on a pool of browsers
    kept       the browser of a worker process
"""
