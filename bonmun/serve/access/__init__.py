"""Who gets in: hosts, origins, tokens, scopes and limits.

::

    settings      what the operator allows
    gate          the middleware around all routes: the checks below, in this order
    hosts         the Host header (DNS rebinding)
    origins       requests of other sites' pages (CSRF), CORS
    tokens        a token and its hash; token_file keeps them, sessions are those of browsers
    scopes        what a token may do: `needs("read")` on a route
    limits        rate, concurrency and streams of a client; token_bucket counts
    headers       security headers on every answer
    login         the screen that takes a token
"""
