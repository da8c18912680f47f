"""Every item of the source designs has its row in ``docs/seeds.md``, and what a row names exists.

Every property and every requirement of the 4x4 game also has a test with its tag. A tag is a comment such as
``Feature: 4x4-tic-tac-toe-ai, Requirement 1.1`` right above a test and
its decorators; several tags may stand in a row.
"""

import ast
import functools
import importlib
import json
import re
import subprocess
import sys
import tokenize
from collections import defaultdict
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
DOCS = TESTS.parent / "docs" / "seeds.md"

PROPERTIES = (
    "Board Initialization",
    "Board State Round Trip",
    "Occupied Cell Immutability",
    "Valid Move Acceptance",
    "Invalid Move Rejection",
    "Turn Alternation",
    "Turn Enforcement",
    "Row Win Detection",
    "Column Win Detection",
    "Main Diagonal Win Detection",
    "Anti-Diagonal Win Detection",
    "Draw Detection",
    "Game Termination",
    "Win Detection Timing",
    "Minimax Optimal Play",
    "Minimax Terminal State Scoring",
    "Alpha-Beta Pruning Correctness",
    "Alpha-Beta Pruning Efficiency",
    "AI Move Validity",
    "Board Display Completeness",
    "Game Status Accuracy",
)
CRITERIA = (5, 5, 5, 7, 6, 3, 5, 6)
"""How many acceptance criteria each requirement has."""

TAGS = [f"Property {number}: {title}" for number, title in enumerate(PROPERTIES, start=1)] + [
    f"Requirement {requirement}.{number}"
    for requirement, count in enumerate(CRITERIA, start=1)
    for number in range(1, count + 1)
]

ITEMS = {"G": 34, "T": 44, "N": 64, "D": 56}
"""How many items each design has beside the tags: the 4x4 game, training, boards of any size, the duel."""


def is_test(node):
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")


def tagged_in(source):
    """The tests under each tag of a file, and the lines of tags that stand above no test."""
    above = {}
    for node in ast.walk(ast.parse(source)):
        if is_test(node):
            above[min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])] = node.name
    lines = iter(source.splitlines(keepends=True))
    comments = {
        token.start[0]: token.string
        for token in tokenize.generate_tokens(lambda: next(lines, ""))
        if token.type == tokenize.COMMENT and token.line[: token.start[1]].strip() == ""
    }
    found, stray = defaultdict(list), []
    for line, comment in comments.items():
        if not comment.startswith("# Feature:"):
            continue
        below = line
        while comments.get(below, "").startswith("# Feature:"):
            below += 1
        if below in above:
            found[comment.removeprefix("# Feature: 4x4-tic-tac-toe-ai, ")].append(above[below])
        else:
            stray.append(line)
    return found, stray


@functools.cache
def every_tag():
    found = defaultdict(list)
    for path in sorted(TESTS.glob("**/*.py")):
        source = path.read_text(encoding="utf-8")
        if "# Feature:" not in source:
            continue
        tagged, stray = tagged_in(source)
        assert not stray, f"{path.name}: tags at lines {stray} stand above no test"
        for tag, names in tagged.items():
            found[tag] += names
    return found


def rows(pattern):
    """The rows of the document's tables whose first cell has a form, as lists of cells."""
    for line in DOCS.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if cells and re.fullmatch(pattern, cells[0]):
            yield cells


def tagged_rows():
    """What the rows of properties and requirements say as a tag, and the tests they name."""
    for number, title, tests in rows(r"[0-9.]+"):
        tag = f"Requirement {number}" if "." in number else f"Property {number}: {title}"
        yield tag, re.findall(r"`(\w+)`", tests)


@functools.cache
def every_test():
    return {
        node.name
        for path in TESTS.glob("**/*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if is_test(node)
    }


@functools.cache
def requests():
    """Every request of the API, as in ``POST /game/start``."""
    command = [sys.executable, "-m", "noughts", "serve", "--openapi"]
    paths = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["paths"]
    return {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}


def named(dotted):
    """What a dotted name in Python stands for; an error if there is nothing."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            # A field of a dataclass is known by its annotation alone.
            found = getattr(found, part) if hasattr(found, part) else found.__annotations__[part]
        return found
    raise LookupError(dotted)


def is_there(name):
    """Whether a test, a name in Python, a request or a file exists."""
    if name.startswith("test_"):
        return name in every_test()
    if name.startswith("noughts."):
        return named(name) is not None
    if re.match(r"(GET|POST|DELETE) /", name):
        return name in requests()
    return (DOCS.parents[1] / name).exists()


def test_everything_asked_for_is_tested():
    tagged = every_tag()
    assert sorted(set(TAGS) - set(tagged)) == []
    assert sorted(set(tagged) - set(TAGS)) == []


def test_document_names_the_tests():
    told = list(tagged_rows())
    assert [tag for tag, _ in told] == TAGS
    for tag, names in told:
        assert names, f"{tag} names no test"
        assert set(names) <= every_test(), f"{tag} names what is no test"
    assert {tag: sorted(names) for tag, names in told} == {tag: sorted(names) for tag, names in every_tag().items()}


@pytest.mark.parametrize("design", ITEMS)
def test_every_item_works_somewhere_or_differs_for_a_reason(design):
    told = list(rows(rf"{design}[0-9]+"))
    assert [number for number, *_ in told] == [f"{design}{number}" for number in range(1, ITEMS[design] + 1)]
    for number, asked, here, where in told:
        assert asked, number
        assert re.match(r"works|differs( \w+)*: .{20}", here), (
            f"{number}: {here!r} says neither that it works nor why not"
        )
        names = re.findall(r"`([^`]+)`", where)
        assert names, f"{number} names nothing"
        assert [name for name in names if not is_there(name)] == [], number


def test_what_is_not_there_is_found_out():
    assert is_there("noughts.match.State.is_over")
    assert is_there("noughts.match.Ply.player")
    assert is_there("POST /game/move")
    assert not is_there("POST /game/nothing")
    assert not is_there("test_what_nobody_wrote")
    assert not is_there("docs/nothing.md")
    for missing in ("noughts.match.State.nothing", "noughts.nothing.State"):
        with pytest.raises((LookupError, AttributeError)):
            is_there(missing)


def test_tags_count_only_right_above_a_test():
    source = '''
# Feature: 4x4-tic-tac-toe-ai, Requirement 1.1
# Feature: 4x4-tic-tac-toe-ai, Requirement 1.2
@decorated(
    with_much=True,
)
@twice
def test_right():
    # Feature: 4x4-tic-tac-toe-ai, Requirement 1.3
    text = """
# Feature: 4x4-tic-tac-toe-ai, Requirement 1.4
"""

# Feature: 4x4-tic-tac-toe-ai, Requirement 1.5

def test_after_a_gap():
    pass


# Feature: 4x4-tic-tac-toe-ai, Requirement 2.1
def helper():
    pass


class TestInside:
    # Feature: 4x4-tic-tac-toe-ai, Requirement 2.2
    def test_method(self):
        pass  # Feature: 4x4-tic-tac-toe-ai, Requirement 2.3
'''
    found, stray = tagged_in(source)
    assert found == {
        "Requirement 1.1": ["test_right"],
        "Requirement 1.2": ["test_right"],
        "Requirement 2.2": ["test_method"],
    }
    assert stray == [9, 14, 20]
