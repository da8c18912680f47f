"""Finds code that knows a game by name: what only a game knows belongs into its own file.

Forbidden are an import of a concrete game, a comparison with the name of a game, a preset or a game's class,
and a list of such names. A spec as a default or as an example is fine.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from noughts.games import all_games, all_presets

OTHER_MEANINGS = frozenset({"4x4", "custom", "hex", "lines", "misere"})
"""Names that also are a spec, a shape of the board, an option or a plain word: alone in a list they say nothing."""


@dataclass(frozen=True)
class Finding:
    """A line that knows a game."""

    line: int
    what: str


def known_names() -> frozenset[str]:
    """The names of games and presets."""
    return frozenset({*all_games(), *all_presets()})


def in_python(source: str) -> Iterator[Finding]:
    """Find knowledge of games in a Python file."""
    names = known_names() | {kind.__name__ for kind in all_games().values()}
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=imported):
                for alias in imported:
                    if alias.name.startswith("noughts.games."):
                        yield Finding(node.lineno, f"imports {alias.name}")
            case ast.ImportFrom(module="noughts.games", names=imported):
                for alias in imported:
                    if alias.name in names:
                        yield Finding(node.lineno, f"imports {alias.name}")
            case ast.ImportFrom(module=str(module)) if module.startswith("noughts.games."):
                yield Finding(node.lineno, f"imports {module}")
            case ast.Constant(value=str(text)) if text.startswith("noughts.games."):
                yield Finding(node.lineno, f"names the module {text}")
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
                about = " ".join(ast.unparse(side) for side in sides)
                for text in (text for side in sides for text in _texts(side)):
                    if text in names and not (text == "hex" and "layout" in about):
                        yield Finding(node.lineno, f"compares with {text!r}")
            case ast.MatchValue(value=ast.Constant(value=text)) if text in names:
                yield Finding(node.lineno, f"compares with {text!r}")
            case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
                listed = [text for text in _texts(node) if text in names]
                if set(listed) - OTHER_MEANINGS or len(set(listed)) > 1:
                    yield Finding(node.lineno, f"lists {', '.join(listed)}")


def _texts(node: ast.expr) -> list[str]:
    """The strings that an expression is or lists."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return [text for part in parts for text in _texts(part)]
        case ast.Dict(keys=keys):
            return [text for key in keys if key is not None for text in _texts(key)]
    return []


def in_typescript(source: str) -> Iterator[Finding]:
    """Find knowledge of games in a TypeScript file."""
    names = known_names()
    bare = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), source, flags=re.DOTALL)
    for number, line in enumerate(bare.splitlines(), 1):
        code = re.sub(r"(?<!:)//.*", "", line)
        for found in re.finditer(r"""(["'`])([^"'`]+)\1|\b([A-Za-z]\w*)(?=\??\s*:)""", code):
            text = found[2] or found[3]
            if text not in names:
                continue
            before, after = code[: found.start()].rstrip(), code[found.end() :].lstrip()
            compared = re.search(r"([=!]==?|\bcase|\(|\bin)$", before) or re.match(r"[=!]==?|in\b", after)
            default = re.search(r"(?<![=!])=$|\?\?$|\|\|$|\breturn$|\bspec:$", before)
            if text == "hex" and re.search(r"\bkind\b|layout", code):
                continue
            if found[2] and compared and not before.endswith("("):
                yield Finding(number, f"compares with {text!r}")
            elif text not in OTHER_MEANINGS and not default:
                yield Finding(number, f"lists {text!r}")
