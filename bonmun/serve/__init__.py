"""The web service: an HTTP API, its page in the browser, and the MCP server. Extra `serve`.

::

    settings   what a service is started with
    service    a running service: worker pool, network, store, cache of pages
    work       a unit of work for the pool; `extraction`, `explanation` … are some
    routes/    the API, one file for each resource
    access/    who gets in: tokens, hosts, origins, rates
    jobs/      crawls and long batches
    page/      the screens: templates, static files, words in Korean and English
    mcp/       the same for assistants
    app        all of it as one ASGI application
"""
