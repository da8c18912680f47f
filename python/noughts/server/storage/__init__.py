"""Where events are stored: databases, the writer that commits in groups, the lock on a file."""
