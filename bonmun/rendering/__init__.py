"""Rendering: a page laid out by headless Chromium. Extra `visual`.

::

    settings   viewport, time, scripts, network, as one dataclass
    renderer   many pages on a pool of browser processes; `kept`: those that this process keeps
    worker     the process of a browser
    browser    one Chromium, driven by Playwright: page in, boxes out
    chromium   where it is, and its arguments
    requests   what a page asks for: aborted, or fetched for it
    watch      limits of time and memory; `guardian`: no process is left behind; `address_space`: one limit less
    elements   all boxes of a page in one call of `elements.js`
    tying      the browser's elements and ours
"""
