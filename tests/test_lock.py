"""constraints.txt pins everything that pyproject.toml asks for, to matching versions."""

import re
import runpy
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
TOOL = runpy.run_path(str(ROOT / "tools" / "requirements.py"))


def test_every_requirement_is_pinned():
    pinned = {}
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()[1:]:
        name, version = re.fullmatch(r"([\w.-]+)==([\w.+!]+)", line).groups()
        pinned[canonicalize_name(name)] = version
    for text in TOOL["requirements"](tomllib.loads(TOOL["PYPROJECT"].read_text(encoding="utf-8"))):
        wanted = Requirement(text)
        if wanted.marker is None or wanted.marker.evaluate():
            assert wanted.specifier.contains(pinned[canonicalize_name(wanted.name)]), text


def test_all_groups_are_read_and_the_projects_own_are_not():
    pyproject = {
        "build-system": {"requires": ["builder"]},
        "project": {
            "name": "noughts",
            "dependencies": ["run>=1"],
            "optional-dependencies": {"dev": ["noughts[lab]", "test"], "lab": ["plot", "run>=1"]},
        },
    }
    assert TOOL["requirements"](pyproject) == ["builder", "plot", "run>=1", "test"]
