"""Speed, measured as a ratio in one run beside a peer or a naive twin. Run with ``make bench``."""
