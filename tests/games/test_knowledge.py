"""Outside ``games/`` nothing knows a game by name; only the Gomocup protocol is about one game."""

from pathlib import Path

import pytest

from tests.games.knowledge import in_python, in_typescript

ROOT = Path(__file__).parent.parent.parent
PACKAGE, PAGE = ROOT / "python" / "noughts", ROOT / "web" / "src"
GOMOCUP = (PACKAGE / "gomocup", PACKAGE / "players" / "process.py")


def modules() -> list[Path]:
    """The Python code that must not know games."""
    ours = [path for path in PACKAGE.rglob("*.py") if PACKAGE / "games" not in path.parents]
    return sorted(path for path in ours if not any(path == part or part in path.parents for part in GOMOCUP))


def pages() -> list[Path]:
    """The code of the page; its tests may name games."""
    return sorted(path for kind in ("*.ts", "*.tsx") for path in PAGE.rglob(kind) if ".test." not in path.name)


def found_in(path: Path) -> list[str]:
    look = in_python if path.suffix == ".py" else in_typescript
    return [f"{path.relative_to(ROOT)}:{found.line} {found.what}" for found in look(path.read_text(encoding="utf-8"))]


def test_only_games_know_games():
    assert len(modules()) > 100
    assert [finding for path in modules() for finding in found_in(path)] == []


def test_the_page_knows_no_game():
    assert len(pages()) > 50
    assert [finding for path in pages() for finding in found_in(path)] == []


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("from noughts.games.lines import Lines", "imports noughts.games.lines"),
        ("from noughts.games import duel", "imports duel"),
        ("import noughts.games.hex", "imports noughts.games.hex"),
        ("import_module('noughts.games.hex')", "names the module noughts.games.hex"),
        ("if game.name == 'duel': pass", "compares with 'duel'"),
        ("if preset.name in ('hex', 'hex7'): pass", "compares with 'hex'"),
        ("type(game).__name__ == 'Lines'", "compares with 'Lines'"),
        ("match game.name:\n    case 'hex':\n        pass", "compares with 'hex'"),
        ("ORDER = ['tictactoe', '4x4', 'gomoku']", "lists tictactoe, 4x4, gomoku"),
        ("WORDS = {'gomoku': 'Gomoku'}", "lists gomoku"),
    ],
)
def test_knowledge_in_python_is_found(source, what):
    assert what in [found.what for found in in_python(source)]


@pytest.mark.parametrize(
    "source",
    [
        "from noughts.games import all_games, game",
        "if game.layout == 'hex': pass",
        "parser.add_argument('--game', default='4x4', help='such as gomoku')",
        "chosen = game(spec or '4x4')",
        "'a spec such as hex,size=7'",
        "kinds = ['square', 'cube', 'hex']",
    ],
)
def test_specs_as_defaults_and_examples_may_stay_in_python(source):
    assert list(in_python(source)) == []


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ('if (game.name === "duel") return;', "compares with 'duel'"),
        ('switch (name) { case "hex": break; }', "compares with 'hex'"),
        ('const ORDER = ["tictactoe", "custom"];', "lists 'tictactoe'"),
        ('const four = cards.find((card) => card.key === "4x4");', "compares with '4x4'"),
        ('const CARDS = {\n  gomoku: { name: "Gomoku" },\n};', "lists 'gomoku'"),
        ('if (["peaceful"].includes(name)) return;', "lists 'peaceful'"),
    ],
)
def test_knowledge_in_typescript_is_found(source, what):
    assert what in [found.what for found in in_typescript(source)]


@pytest.mark.parametrize(
    "source",
    [
        'if (layout.kind === "hex") return;',
        'kind: "square" | "cube" | "hex";',
        "/** A spec such as `gomoku`. */\nconst spec = other; // tictactoe: a game",
        'const first = asked ?? "tictactoe";',
        '<g className="lines">',
    ],
)
def test_specs_as_defaults_and_examples_may_stay_in_typescript(source):
    assert list(in_typescript(source)) == []
