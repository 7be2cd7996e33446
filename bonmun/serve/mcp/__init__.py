"""The MCP server: extraction, explanation, search and site learning as tools for assistants. Extra `mcp`.

::

    windows    a long text in parts: no answer is cut without saying so
    works      what the tools have worker processes do
    tools      the tools themselves
    server     the server with its tools, for stdio, HTTP or a client in the same process
"""
