"""Replay a seed: ``python -m tests.simulation SEED``; a range of seeds with ``FIRST-LAST``."""

from __future__ import annotations

import argparse
import logging
import sys

from tests.simulation.simulation import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("seed", help="a seed, or FIRST-LAST")
    parser.add_argument("--trace", action="store_true", help="print everything that happens")
    arguments = parser.parse_args()
    # Failing is what they are here for.
    logging.disable()
    first, _, last = arguments.seed.partition("-")
    failed = 0
    for seed in range(int(first), int(last or first) + 1):
        result = run(seed, keep_trace=arguments.trace)
        for line in result.lines or ():
            print(line)
        told = f"{result.steps} steps, {result.acknowledged} changes acknowledged, trace {result.trace_hash}"
        if result.broken or not last:
            print(f"seed {seed}: {result.broken or 'every promise kept'} ({told})")
        failed += result.broken is not None
    if last:
        print(f"{failed} of {int(last) - int(first) + 1} seeds broke a promise")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
