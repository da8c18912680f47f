"""Run the benchmarks, all or those named, and write the table of a complete run."""

from __future__ import annotations

import argparse
import importlib
import pkgutil

import benchmarks
from benchmarks.table import LATEST, machine

GROUPS = [
    module.name
    for module in pkgutil.iter_modules(benchmarks.__path__)
    if module.name not in ("load", "table", "__main__")
]


def main() -> None:
    """Run and report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"some of: {', '.join(GROUPS)} (default: all)")
    chosen = parser.parse_args().groups
    if unknown := set(chosen) - set(GROUPS):
        parser.error(f"no such group: {', '.join(sorted(unknown))}; there are: {', '.join(GROUPS)}")
    print(machine())
    tables = []
    for name in chosen or GROUPS:
        print(f"{name}:", flush=True)
        tables += importlib.import_module(f"benchmarks.{name}").run()
    if not chosen:
        text = f"# Latest run of `make bench`\n\n{machine()}.\n\n" + "\n".join(table.markdown() for table in tables)
        LATEST.write_text(text, encoding="utf-8")
        print(f"wrote {LATEST}")


if __name__ == "__main__":
    main()
