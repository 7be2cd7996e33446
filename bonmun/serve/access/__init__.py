"""Who gets in: hosts, origins, tokens, scopes and limits.

::

    settings        what the operator allows
    gate            the middleware around all routes: the layers below, in this order
    hosts           the Host header (DNS rebinding)
    origins         requests of other sites' pages (CSRF), CORS
    authentication  who asks, by the gatekeeper: token_file keeps tokens, sessions are those of browsers
    limits          rates, concurrency (slots) and event streams of a client

    scopes          what a token may do: `needs("read")` on a route
    headers         security headers on every answer
    access_log      a line for every request
    login           the screen that takes a token
    paths           which of these a path is subject to
"""
