"""The log: JSON lines on stderr, without ids, tokens or cookies."""

from __future__ import annotations

import json
import logging
import sys
import time

__all__ = ["configure_logging"]


class JsonLines(logging.Formatter):
    """A log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the record; what is known about it beyond its message comes as fields."""
        line = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def _is_unexpected(record: logging.LogRecord) -> bool:
    """Leave out what is meant to happen: a slow reader is cut off by a response without an end."""
    return "returned without completing response" not in record.getMessage()


def configure_logging(level: str) -> None:
    """Send everything to stderr as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("noughts.server", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level.upper())
        logger.filters = [_is_unexpected]
    # Below a warning uvicorn logs addresses, and those contain ids.
    logging.getLogger("uvicorn.error").setLevel(max(logging.WARNING, logging.getLogger("noughts.server").level))
