"""Run all benchmarks, or the groups named, and write their tables to latest.md."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import re

import benchmarks
from benchmarks.table import LATEST, Table, machine

GROUPS = [
    module.name
    for module in pkgutil.iter_modules(benchmarks.__path__)
    if module.name not in ("holds", "load", "routes", "table", "__main__")
]

HEAD = "The latest run of `make bench`, group by group.\n"


def main() -> None:
    """Run the chosen groups and write their tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"some of: {', '.join(GROUPS)} (default: all)")
    chosen = parser.parse_args().groups
    if unknown := set(chosen) - set(GROUPS):
        parser.error(f"no such group: {', '.join(sorted(unknown))}; there are: {', '.join(GROUPS)}")
    print(machine())
    for name in chosen or GROUPS:
        print(f"{name}:", flush=True)
        _write(name, importlib.import_module(f"benchmarks.{name}").run())


def _write(group: str, tables: list[Table]) -> None:
    """Replace the tables of one group as soon as it is done, so that an interrupted run keeps its results."""
    parts = _parts()
    parts[group] = f"# {group}\n\n{machine()}.\n\n" + "\n".join(table.markdown() for table in tables)
    LATEST.write_text("\n".join([HEAD, *(parts[name] for name in GROUPS if name in parts)]), encoding="utf-8")
    print(f"wrote {group} to {LATEST.name}", flush=True)


def _parts() -> dict[str, str]:
    """The tables of the last run by group."""
    text = LATEST.read_text(encoding="utf-8") if LATEST.exists() else ""
    _, *pieces = re.split(r"^# ", text, flags=re.MULTILINE)
    return {piece.partition("\n")[0]: f"# {piece.rstrip()}\n" for piece in pieces}


if __name__ == "__main__":
    main()
