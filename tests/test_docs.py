"""What the pages about the code name is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BASES = (ROOT, ROOT / "python" / "noughts")
PAGES = ("architecture.md", "decisions.md", "seeds.md")
SUFFIXES = r"py|pyi|rs|ts|tsx|css|md|toml|txt|json|sql|yaml|conf|service|html|js"


def paths_in(page):
    """The texts in code marks that look like a file or a folder."""
    for name in re.findall(r"`([^`\n]+)`", page):
        is_path = re.fullmatch(r"[\w.@*-]+(/[\w.@*-]+)*/?", name) and (
            "/" in name or re.search(rf"\.({SUFFIXES})$", name)
        )
        if is_path:
            yield name


def is_there(name):
    return any(next(base.glob(name.rstrip("/")), None) is not None for base in BASES)


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_exists(page):
    names = list(paths_in((ROOT / "docs" / page).read_text(encoding="utf-8")))
    assert len(names) > 20
    assert [name for name in names if not is_there(name)] == []


@pytest.mark.parametrize("page", sorted(path.name for path in (ROOT / "docs").glob("*.md")))
def test_every_link_leads_somewhere(page):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", text):
        assert (ROOT / "docs" / target).exists(), target


def test_decisions_are_numbered_and_say_where():
    text = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
    decisions = re.findall(r"^(\d+)\. (\*\*.+?)(?=^\d+\. |^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert [int(number) for number, _ in decisions] == list(range(1, len(decisions) + 1))
    assert [number for number, told in decisions if "*Where:*" not in told] == []


def test_a_file_that_is_not_there_is_found_out():
    found = list(paths_in("`core.py`, `nothing/here.py`, `a b`, `POST /game/move`, `--o minimax`, `web/src/`, `x = 1`"))
    assert found == ["core.py", "nothing/here.py", "web/src/"]
    assert [is_there(name) for name in found] == [True, False, True]
