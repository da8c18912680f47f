"""Print every requirement of pyproject.toml, extras included, one a line; `make lock` installs and pins them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def requirements(pyproject: Mapping[str, Any]) -> list[str]:
    """The packages a project asks for to be built, run, served and tested, without its own extras."""
    project = pyproject["project"]
    asked = [*pyproject["build-system"]["requires"], *project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        asked += extra
    return sorted({each for each in asked if not each.startswith(f"{project['name']}[")})


if __name__ == "__main__":
    print("\n".join(requirements(tomllib.loads(PYPROJECT.read_text(encoding="utf-8")))))
