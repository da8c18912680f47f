"""Every property and every requirement of the 4x4 game has its test, and ``docs/seeds.md`` tells which.

A tag is a comment such as ``Feature: 4x4-tic-tac-toe-ai, Requirement 1.1`` right above a test and
its decorators; several tags may stand in a row.
"""

import ast
import re
import tokenize
from collections import defaultdict
from pathlib import Path

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


def every_tag():
    found = defaultdict(list)
    for path in sorted(TESTS.glob("**/*.py")):
        tagged, stray = tagged_in(path.read_text(encoding="utf-8"))
        assert not stray, f"{path.name}: tags at lines {stray} stand above no test"
        for tag, names in tagged.items():
            found[tag] += names
    return found


def rows():
    """The rows of the tables in the document: what the first columns say as a tag, and the tests named last."""
    for line in DOCS.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells or not re.match(r"[0-9]", cells[0]):
            continue
        number, title, tests = cells
        tag = f"Requirement {number}" if "." in number else f"Property {number}: {title}"
        yield tag, re.findall(r"`(\w+)`", tests)


def test_everything_asked_for_is_tested():
    tagged = every_tag()
    assert sorted(set(TAGS) - set(tagged)) == []
    assert sorted(set(tagged) - set(TAGS)) == []


def test_document_names_the_tests():
    functions = {
        node.name
        for path in TESTS.glob("**/*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if is_test(node)
    }
    told = list(rows())
    assert [tag for tag, _ in told] == TAGS
    for tag, names in told:
        assert names, f"{tag} names no test"
        assert set(names) <= functions, f"{tag} names what is no test"
    assert {tag: sorted(names) for tag, names in told} == {tag: sorted(names) for tag, names in every_tag().items()}


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
