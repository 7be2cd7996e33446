"""The HTTP API, one file for each resource; each has a `router`."""
