"""What the pages about the code name is there."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BASES = (ROOT, ROOT / "python" / "noughts")
PAGES = ("architecture.md", "decisions.md", "seeds.md")
SUFFIXES = r"py|pyi|rs|ts|tsx|css|md|toml|txt|json|sql|yaml|conf|service|html|js"


def paths_in(page):
    """The texts in code marks that look like a file or a folder."""
    for name in re.findall(r"`([^`\n]+)`", page):
        is_cell = re.fullmatch(r"[a-z]+\d+/\d+", name)
        is_path = (
            not is_cell
            and re.fullmatch(r"[\w.@*-]+(/[\w.@*-]+)*/?", name)
            and ("/" in name or re.search(rf"\.({SUFFIXES})$", name))
        )
        if is_path:
            yield name


def sources():
    """The files that a change may have to go to."""
    for folder, pattern in (("python/noughts", "*.py"), ("crates", "src/**/*.rs"), ("web/src", "*.ts*")):
        for path in (ROOT / folder).rglob(pattern):
            is_test = path.stem.endswith((".test", "_test"))
            is_index = path.name in ("__init__.py", "__main__.py", "mod.rs", "lib.rs", "main.tsx")
            if not (is_test or is_index):
                yield path


def is_there(name):
    return any(next(base.glob(name.rstrip("/")), None) is not None for base in BASES)


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_exists(page):
    names = list(paths_in((ROOT / "docs" / page).read_text(encoding="utf-8")))
    assert len(names) > 20
    assert [name for name in names if not is_there(name)] == []


def test_every_source_file_has_its_place_in_the_table_of_changes():
    _, table = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("## If you want to change")
    named = {found for name in paths_in(table) for base in BASES for found in base.glob(name.rstrip("/"))}
    missing = [path for path in sources() if path not in named]
    assert "\n".join(sorted(str(path.relative_to(ROOT)) for path in missing)) == ""


def test_every_source_file_says_what_is_in_it():
    begun = {".py": '"""', ".rs": "//! ", ".ts": "/**", ".tsx": "/**"}
    silent = [path for path in sources() if not path.read_text(encoding="utf-8").startswith(begun[path.suffix])]
    assert "\n".join(sorted(str(path.relative_to(ROOT)) for path in silent)) == ""


def test_the_layers_are_those_of_the_contracts():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    tables = re.findall(r"^\| layer .*\n.*\n((?:\|.*\n)+)", page, re.MULTILINE)
    for table, contract in zip(tables, contracts[:2], strict=True):
        cells = [row.split("|")[1] for row in table.splitlines()]
        told = [{Path(name).stem for name in re.findall(r"`([^`]+)`", cell)} for cell in cells]
        assert told == [set(layer.split(" | ")) for layer in contract["layers"]]


@pytest.mark.parametrize("page", sorted(path.name for path in (ROOT / "docs").glob("*.md")))
def test_every_link_leads_somewhere(page):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", text):
        assert (ROOT / "docs" / target).exists(), target


def test_decisions_are_numbered_and_say_why_and_where():
    text = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
    decisions = re.findall(r"^(\d+)\. (\*\*.+?)(?=^\d+\. |^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert [int(number) for number, _ in decisions] == list(range(1, len(decisions) + 1))
    assert [number for number, told in decisions if not re.search(r"\*Why:\*.+\*Where:\*\s.*`", told, re.DOTALL)] == []


def test_a_file_that_is_not_there_is_found_out():
    found = list(paths_in("`core.py`, `nothing/here.py`, `a b`, `POST /game/move`, `--o minimax`, `web/src/`, `x = 1`"))
    assert found == ["core.py", "nothing/here.py", "web/src/"]
    assert [is_there(name) for name in found] == [True, False, True]
