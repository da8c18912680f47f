"""Speed, measured as a ratio to another library or a simple version in the same run. Run with ``make bench``."""
