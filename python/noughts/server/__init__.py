"""Play over the network: a REST API, live streams, an event store and AI workers.

Needs the extra ``noughts[server]``. Nothing outside this package imports it before a server is
asked for.
"""
