"""Discovery: what a package's files define, and what installed packages announce.

A kind of thing that can be added (a game, a player, a level, a learner) lives in a package of its own, one
file each, and has an entry-point group for those installed from elsewhere.
"""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import TypeVar

__all__ = ["announced", "defined"]

T = TypeVar("T")


def defined(package: ModuleType | str, wanted: Callable[[object], T | None]) -> Iterator[T]:
    """What the files of a package define, in the order of their names.

    ``wanted`` returns what it is given if it is of the kind looked for, else ``None``. A name that a file
    only imports does not count where the thing knows its module, as classes do.
    """
    loaded = importlib.import_module(package) if isinstance(package, str) else package
    for info in pkgutil.iter_modules(loaded.__path__):
        module = importlib.import_module(f"{loaded.__name__}.{info.name}")
        for value in vars(module).values():
            if getattr(value, "__module__", module.__name__) == module.__name__:
                found = wanted(value)
                if found is not None:
                    yield found


def announced(
    group: str, what: str, wanted: Callable[[object], T | None], name_of: Callable[[T], str], known: Iterable[str]
) -> Mapping[str, T]:
    """What installed packages announce in an entry-point group, by name.

    One that cannot be loaded, is of another kind or bears a known name is left out with a warning.
    """
    # Slow to import, and only needed to look beyond this package.
    from importlib.metadata import entry_points

    taken, found = set(known), dict[str, T]()
    for entry in entry_points(group=group):
        said = f"the {what} {entry.name!r} ({entry.value})"
        try:
            value = wanted(entry.load())
        except Exception as error:
            warnings.warn(f"{said} cannot be loaded: {error}", stacklevel=3)
            continue
        if value is None:
            warnings.warn(f"{said} is not a {what}", stacklevel=3)
        elif name_of(value) in taken:
            warnings.warn(f"{said} is a second {name_of(value)!r}", stacklevel=3)
        else:
            taken.add(name_of(value))
            found[name_of(value)] = value
    return found
