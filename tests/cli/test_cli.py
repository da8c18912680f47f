"""The command, run in this process: its output, its errors and its exit codes."""

import argparse
import inspect
import io
import json

import pytest

from noughts.analysis.balance import PROOF_SECONDS, balance
from noughts.cli import balance as balance_command
from noughts.cli import main
from noughts.games import all_games, all_presets, game

COMMANDS = (
    "play games replay analyse serve worker solve balance arena train runs report playouts perft count gomocup"
).split()


@pytest.fixture
def noughts(capsys, monkeypatch):
    """Run a command with some input: exit code, output, errors."""

    def run(*arguments, typed=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        try:
            code = main(list(arguments))
        except SystemExit as error:
            code = error.code
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


def test_help_has_examples(noughts):
    for command in ([], *([name] for name in COMMANDS)):
        code, out, _ = noughts(*command, "--help")
        assert code == 0
        assert "examples:" in out
    assert noughts("--version")[1].startswith("noughts ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", "chess"], "noughts: unknown game 'chess'"),
        (["play", "3x3,k=9"], "noughts: 'k=9': a row on 3x3 has from 2 to 3 cells"),
        (["play", "3x3", "--x", "nobody"], "noughts: unknown player 'nobody'"),
        (["play", "3x3", "--player", "Q=rules"], "noughts: 3x3 has no player 'Q'; there are: X, O"),
        (["play", "3x3", "--player", "rules"], "noughts: 'rules': write --player MARK=PLAYER"),
        (["play", "3x3", "--first", "Q"], "noughts: 3x3 has no player 'Q'"),
        (["play", "--load", "missing.jsonl"], "noughts: missing.jsonl: No such file or directory"),
        (["play", "3x3", "--load", "game.jsonl"], "leave SPEC and --first out"),
        (["games", "hexx"], "noughts: unknown game 'hexx': write a size, e.g. 4x4, or a name; did you mean 'hex'?"),
        (["perft", "3x3", "-1"], "noughts: a depth of -1 is not possible: it starts at 0"),
        (["solve", "3x3", "b2", "b2"], "noughts: b2 is already taken by X"),
        (["solve", "3x3", "d9"], "noughts: 'd9' is outside the board"),
        (["solve", "5x5,k=4,players=3"], "noughts: exact solving is for two players"),
        (["analyse", "missing.jsonl"], "noughts: missing.jsonl: No such file or directory"),
        (["analyse", "games/missing"], "noughts: games/missing: No such file or directory"),
        (["analyse", "chess"], "noughts: unknown game 'chess'"),
        (["analyse", "3x3", "b2", "a1", "b2"], "noughts: move 3: b2 is already taken by X"),
        (["analyse", "3x3", "d9"], "noughts: move 1: 'd9' is outside the board"),
        (["analyse", "3x3", "a1", "b1", "a2", "b2", "a3", "c3"], "noughts: move 6: the game is over: X wins"),
        (["analyse", "3x3", "a1", "--at", "2"], "noughts: --at 2: the match has 1 moves; write a number from 0 to 1"),
        (["replay", "missing.jsonl"], "noughts: missing.jsonl: No such file or directory"),
        (["replay", "."], "noughts: .: Is a directory"),
    ],
)
def test_bad_input_is_one_line_on_stderr(noughts, arguments, message):
    code, out, err = noughts(*arguments)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
    assert out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dance"],
        ["perft", "3x3"],
        ["perft", "3x3", "deep"],
        ["play", "--nope"],
        ["solve", "3x3", "--time", "-1"],
        ["solve", "3x3", "--time", "soon"],
        ["solve", "3x3", "--memory", "0"],
        ["analyse"],
        ["analyse", "3x3", "--seconds", "0"],
        ["analyse", "3x3", "--at", "first"],
        ["playouts", "3x3", "--games", "0"],
        ["playouts", "3x3", "--threads", "-2"],
    ],
)
def test_bad_usage_exits_with_2(noughts, arguments):
    code, _, err = noughts(*arguments)
    assert code == 2
    assert "usage:" in err


@pytest.mark.parametrize("name", sorted({*all_games(), *all_presets(), "5x5,k=4,misere"}))
def test_games_shows_the_rules_of_every_game_preset_and_spec(noughts, name):
    code, out, _ = noughts("games", name)
    made = game(name)
    assert code == 0
    assert out.startswith(f"{made.full_title} ({made.spec})\n{made.goal}\n")
    for rule in made.rules():
        assert made.say("rule", rule.note)[1:40] in " ".join(out.split())
    assert "None" not in out
    [told] = json.loads(noughts("games", name, "--json")[1])
    assert (told["spec"], told["full_title"], told["goal"]) == (made.spec, made.full_title, made.goal)
    assert len(told["rules"]) == len(made.rules())


def test_rules_are_drawn_with_dots_where_one_may_play(noughts):
    out = noughts("games", "connect4")[1]
    falls = out[out.index("The dots show") : out.index("The first player with four")]
    assert falls.count("·") == 7
    assert falls.count("⊘") == 1
    out = noughts("games", "misere")[1]
    assert "Whoever gets three of their own marks in a row loses" in out
    assert "presets" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["4x4"], "You play X against the perfect computer player."),
        (["gomoku", "--level", "medium"], "You play X against the medium computer player."),
        (["3x3", "--x", "rules", "--o", "human"], "You play O against the computer player rules."),
        (["3x3", "--o", "human"], "X and O take turns at this keyboard."),
        (
            ["5x5,k=4,players=3", "--level", "easy", "--player", "A=random"],
            "You play X; O is the easy computer player and A is the computer player random.",
        ),
        (["5x5,k=4,players=3", "--o", "human", "--player", "A=random"], "You play X and O against the computer player"),
    ],
)
def test_play_says_which_game_it_is_and_who_plays(noughts, arguments, told):
    first, second, *_ = noughts("play", "--plain", *arguments, typed="quit\n")[1].splitlines()
    made = game(arguments[0])
    assert first == f"{made.full_title}. {made.goal}"
    assert second.startswith(told)


def test_help_tells_how_to_move_in_this_very_game(noughts):
    def help_of(spec):
        return noughts("play", spec, "--o", "human", typed="help\nquit\n")[1]

    assert "a move        d4, or row and column: 4 4, or swap" in help_of("hex7")
    assert "layer" not in help_of("hex7")
    assert "row, column and layer: 2 2 2" in help_of("3x3x3")
    assert "or a column: d" in help_of("connect4")
    out = noughts("play", "misere", "--o", "human", typed="rules\nquit\n")[1]
    assert "  2. Whoever gets three of their own marks in a row loses" in out


def test_games_lists_games_presets_and_options(noughts):
    code, out, _ = noughts("games")
    assert code == 0
    for word in ("tictactoe", "gomoku", "qubic", "hex", "duel", "15x15,k=5", "Infinity Grid Duel"):
        assert word in out
    out = noughts("games", "duel")[1]
    assert "opening" in out
    assert "duel,size=3x4" in out
    listed = json.loads(noughts("games", "--json")[1])
    assert [game["name"] for game in listed] == list(all_games())
    [duel] = [game for game in listed if game["name"] == "duel"]
    assert duel["options"][1]["name"] == "opening"


def test_perft(noughts):
    assert noughts("perft", "3x3", "9")[1].startswith("3x3 at depth 9: 127,872 in ")
    found = json.loads(noughts("perft", "tictactoe", "6", "--json")[1])
    assert {key: found[key] for key in ("game", "depth", "nodes")} == {"game": "3x3", "depth": 6, "nodes": 54720}
    assert json.loads(noughts("perft", "duel,size=2", "3", "--json")[1])["nodes"] == 16


def test_count(noughts):
    out = noughts("count", "3x3")[1]
    assert "positions   5,478" in out
    assert "terminal    O 316, X 626, draw 16" in out
    found = json.loads(noughts("count", "hex,size=2", "--json")[1])
    assert found["game"] == "hex,size=2"
    assert found["games"] == sum(found["games_by_outcome"].values()) == sum(found["games_by_ply"])


def test_solve(noughts):
    code, out, _ = noughts("solve", "6x6,k=4")
    assert code == 0
    assert "X to move: win in 11" in out
    assert "best: c3 d3 c4 d4" in out
    out = noughts("solve", "3x3", "A1", "b1", "--map")[1]
    assert "  a2     win in 5" in out
    assert "  c1     draw" in out
    found = json.loads(noughts("solve", "3x3", "a1", "B1", "--json", "--map")[1])
    assert (found["game"], found["moves"]) == ("3x3", ["a1", "b1"])
    assert (found["value"], found["distance"], found["margin"], found["proven"]) == ("win", 5, None, True)
    assert found["best"] == ["a2", "b2", "a3"]
    assert found["line"][0] == "a2"
    assert found["map"]["c1"].items() >= {"value": "draw", "distance": None, "margin": None}.items()
    assert found["nodes"] > 0
    assert found["seconds"] >= 0
    found = json.loads(noughts("solve", "duel,size=3", "--json")[1])
    assert (found["value"], found["margin"]) == ("loss", -9)
    assert "loss by 9 tiles" in noughts("solve", "duel,size=3")[1]


def test_a_solve_without_time_says_so(noughts):
    out = noughts("solve", "9x9,k=5", "--time", "0.05", "--memory", "50")[1]
    assert "not known, stopped by the time limit; between loss and win" in out
    found = json.loads(noughts("solve", "9x9,k=5", "--time", "0.05", "--json")[1])
    assert (found["value"], found["proven"], found["stopped"]) == ("unknown", False, "deadline")


def test_playouts(noughts):
    out = noughts("playouts", "3x3", "--games", "10000", "--seed", "1", "--threads", "1")[1]
    assert out.startswith("3x3: 10,000 games in ")
    assert "X wins" in out
    one = json.loads(noughts("playouts", "hex,size=5", "--games", "5000", "--seed", "3", "--json", "--threads", "1")[1])
    two = json.loads(noughts("playouts", "hex,size=5", "--games", "5000", "--seed", "3", "--json", "--threads", "2")[1])
    assert one["wins"] == two["wins"]
    assert (one["draws"], one["seed"], one["games"]) == (0, 3, 5000)


def test_balance(noughts):
    few = ["--games", "2000", "--strong-games", "2", "--simulations", "50"]
    out = noughts("balance", "4x4", *few)[1]
    assert "4x4: draw for the first player, proven" in out
    assert "choices in a position: " in out
    found = json.loads(noughts("balance", "duel,size=3", *few, "--json")[1])
    assert (found["value"], found["margin"], found["proven"]) == ("loss", -9, True)
    assert found["mcts"]["games"] == 2
    assert 0 <= found["random"]["first_score"] <= 1
    assert "only two-player games are proven" in noughts("balance", "4x4,players=3,k=3", *few)[1]
    out = noughts("balance", "9x9,k=5", *few, "--time", "0.05")[1]
    assert "not known, stopped by the time limit; between loss and win" in out
    # Without kernel tables it ends all the same, and says what it had no time for.
    out = noughts("balance", "21x20,k=5", *few, "--time", "0.1", "--play-time", "0.1")[1]
    assert "not known, stopped by the time limit" in out
    assert "fewer games than asked for: the time was up (--play-time)" in out


def test_the_balance_command_has_the_defaults_of_the_function():
    parser = argparse.ArgumentParser()
    balance_command.add_arguments(parser)
    given = vars(parser.parse_args(["3x3"]))
    defaults = {name: option.default for name, option in inspect.signature(balance).parameters.items()}
    for name in ("games", "strong_games", "simulations", "seed"):
        assert given[name] == defaults[name], name
    assert given["play_time"] == defaults["play_seconds"]
    assert given["time"] == PROOF_SECONDS


def test_a_game_between_people_is_won_and_marked(noughts):
    code, out, _ = noughts("play", "3x3", "--o", "human", typed="a1\nb1\na2\n2 2\n3,1\nn\n")
    assert code == 0
    assert "1 *X*│ O │ ·" in out
    assert "X wins with a1 a2 a3." in out
    assert "Play again?" in out


def test_a_game_against_the_ai_ends_in_a_draw_or_worse(noughts):
    typed = "".join(f"{col}{row}\n" for row in "123" for col in "abc") + "no\n"
    code, out, _ = noughts("play", "3x3", typed=typed)
    assert code == 0
    assert "O (perfect) is thinking…" in out
    assert "O plays" in out
    assert "The computer wins" in out or "It's a draw" in out


def test_the_ai_may_begin_and_ais_may_play_each_other(noughts):
    out = noughts("play", "3x3", "--first", "o", typed="quit\n")[1]
    assert out.index("O plays") < out.index("X to move")
    out = noughts("play", "3x3", "--x", "minimax", "--o", "minimax", typed="n\n")[1]
    assert "It's a draw" in out
    out = noughts("play", "5x5,k=3,players=3", "--x", "random,seed=1", "--player", "a=rules", typed="n\n")[1]
    assert "wins" in out or "draw" in out


def test_commands_while_playing(noughts, tmp_path):
    file = tmp_path / "game.jsonl"
    typed = f"help\nb2\nhint\nundo\nredo\nmoves\nboard\n\nsave\nsave {file}\nsave {file}\nfoo\nz9\nb2\nquit\n"
    code, out, _ = noughts("play", "3x3", typed=typed)
    assert code == 0
    for text in (
        "undo, redo    take back",
        "hint: ",
        "hint: a1 draws (proven)",
        "LegalMoves 7: ",
        "Which file? Type save FILE.",
        f"saved to {file}",
        "'foo' is not a cell; write one like 'c3', or type help for the commands",
        "'z9' is outside the board",
        "b2 is already taken by X",
    ):
        assert text in out
    assert "leaving" not in out
    assert "The game is not over, and has not been saved." in noughts("play", "3x3", typed="b2\nquit\n")[1]
    out = noughts("play", "3x3", typed=f"save {file}\nsave /dev/null/game\n9 9\n")[1]
    assert f"{file} already exists, so nothing was saved. Choose another name." in out
    assert "cannot write /dev/null/game: Not a directory" in out
    assert "'9 9' is outside the 3x3 board" in out
    code, out, _ = noughts("play", "--load", str(file), typed="undo\nundo\nredo\nquit\n")
    assert code == 0
    assert "there is no move of X to take back" in out


def test_resigning_restarting_and_playing_again(noughts):
    typed = "resign\nwhat\nundo\ny\na1\nrestart\nresign\nrestart\nquit\n"
    out = noughts("play", "3x3", "--o", "human", typed=typed)[1]
    assert out.count("X resigns. O wins.") == 2
    assert "The game is over. Answer yes or no" in out
    assert "the game is over: X resigned" in out
    out = noughts("play", "3x3", typed="resign\nn\n")[1]
    assert "You resign. The computer wins." in out


def test_a_person_can_win_and_undo_the_end(noughts):
    typed = "a1\nb1\na2\nb2\na3\nundo\na3\nn\n"
    out = noughts("play", "3x3", "--o", "human", typed=typed)[1]
    assert out.count("X wins with a1 a2 a3.") == 2
    out = noughts("play", "3x3,setup=X:a1+X:b1+O:a2+O:c3", typed="c1\nn\n")[1]
    assert "You win" in out


def test_the_duel_tells_tiles_and_passes_for_you(noughts):
    out = noughts("play", "duel,size=2", "--o", "human", typed="a1\nb1\na2\nb2\nn\n")[1]
    assert out.count("R cannot place a tile and passes") == 2
    assert "G wins, 4 tiles to 0." in out


def test_after_the_ais_move_you_pass_without_a_word(noughts):
    out = noughts("play", "duel,size=2", "--level", "perfect", "--plain", typed="a1\nn\n")[1]
    assert out.count("R to move:") == 1
    assert out.count("R cannot place a tile and passes") == 2
    assert "The computer wins, 4 tiles to 0." in out
    lines = [line for line in out.splitlines() if " plays " in line or "passes" in line]
    assert [line.split()[0] for line in lines] == list("GRGRG"), "who passes is told after the move that led to it"


def test_undo_at_one_keyboard_takes_a_move_back_with_its_passes(noughts, tmp_path):
    file = tmp_path / "match.jsonl"
    noughts("play", "duel,size=2", "--o", "human", typed=f"a1\nb1\na2\nundo\nundo\nsave {file}\nredo\nb2\nquit\n")
    metrics = json.loads(noughts("replay", str(file), "--json")[1])
    assert (metrics["length"], metrics["status"]) == (1, "playing")


def test_a_cube_takes_three_numbers(noughts):
    out = noughts("play", "3x3x3", "--o", "human", typed="1 2 3\nb2\nb2/2\n")[1]
    assert "layer 1" in out
    assert "'b2' is not a cell; write one like 'c3/3'" in out


def test_replay_steps_forward_and_back(noughts, tmp_path):
    file = tmp_path / "game.jsonl"
    noughts("play", "duel,size=2", "--o", "human", typed=f"a1\nb1\nsave {file}\n")
    code, out, _ = noughts("replay", str(file), typed="\nn\nback\nlast\n99\nfirst\nback\n2\nhm\nq\n")
    assert code == 0
    assert out.count("1. start game") == 2
    assert out.count("2. R plays a1") == 3
    assert out.count("3. G plays b1, captures 1") == 1
    assert "the record has 4 steps and ends there" in out
    assert "the match begins here" in out
    assert "'hm' is not a command" in out
    out = noughts("replay", str(file), "--all")[1]
    assert [line[0] for line in out.splitlines() if line.endswith(")")] == ["1", "2", "3", "4"]
    metrics = json.loads(noughts("replay", str(file), "--json")[1])
    assert (metrics["game"], metrics["status"], metrics["length"]) == ("duel,size=2", "playing", 3)


def test_a_damaged_record_is_one_line_on_stderr(noughts, tmp_path):
    file = tmp_path / "game.jsonl"
    file.write_text('{"action":"start_game","game":"3x3"}\n{"action":"make_mo')
    for command in (["replay", str(file)], ["play", "--load", str(file)], ["analyse", str(file)]):
        code, out, err = noughts(*command)
        assert code == 2
        assert "line 2: " in err
        assert "damaged or cut off here" in err
        assert err.count("\n") == 1
        assert out == ""


def test_analyse_a_position(noughts):
    code, out, err = noughts("analyse", "3x3", "b2", "b1", "a2", "c2")
    assert (code, err) == (0, "")
    assert "positions in" not in out
    assert "positions in" in noughts("analyse", "3x3", "b2", "b1", "a2", "c2", "--details")[1]
    for text in (
        "3x3: X to move",
        "1 *+*│ O │ =",
        "3 *+*│ - │ =",
        "X ██████████████████████████████ O",
        "threats  X makes two threats at once at a1 a3",
        "         O makes two threats at once at c1",
        "proven: + win, = draw, - loss; * best",
        "X: win in 3, proven by the solver",
        "best     a1 a3",
        "  win in 3                   a1 a3",
        "  draw                       c1 c3",
        "  loss in 4                  b3",
        "hint     a1 makes two threats at once (proven)",
    ):
        assert text in out
    out = noughts("analyse", "3x3", "a1", "b2", "b1")[1]
    assert "threats  X wins at c1" in out
    assert "O: draw, proven" in out
    out = noughts("analyse", "hex,size=7", "d4", "--seconds", "0.2")[1]
    assert "estimate by the engine" in out
    assert "estimate: 0 (lost) to 9 (won)" in out
    assert "proven" not in out
    out = noughts("analyse", "1000x1000,k=5", "a1", "alk999")[1]
    assert "X: unknown" in out
    assert "(rows 981-1000 and columns aks-all of 1000x1000)" in out
    out = noughts("analyse", "3x3", "a1", "b1", "a2", "b2", "a3")[1]
    assert "3x3: X wins" in out
    assert "1 *X*│ O │ ·" in out
    assert "draw, - loss" not in out


def test_analyse_as_json(noughts):
    found = json.loads(noughts("analyse", "3x3", "a1", "b1", "--json")[1])
    assert (found["game"], found["position"], found["turn"], found["proven"]) == ("3x3", "XO1/3/3 X", "X", True)
    assert (found["evaluation"]["value"], found["evaluation"]["distance"]) == ("win", 5)
    assert found["best"] == ["a2", "b2", "a3"]
    assert found["hint"] == "a2 wins in 3 moves (proven: win in 5)"
    assert found["moves"]["c1"]["value"] == "draw"
    found = json.loads(noughts("analyse", "gomoku", "h8", "--seconds", "0.2", "--json")[1])
    assert found["proven"] is found["evaluation"]["proven"] is False
    assert found["evaluation"]["low"] <= found["evaluation"]["score"] <= found["evaluation"]["high"]
    assert "value" not in found["evaluation"]


def test_review_moves_and_records(noughts, tmp_path):
    moves = ["a1", "b1", "c3", "b2"]
    code, out, _ = noughts("analyse", "3x3", *moves, "--review")
    assert code == 0
    for text in (
        "3x3: 4 moves, X to move",
        "   1 X a1       best           proven    draw",
        "   2 O b1       blunder ??     proven    b1 lets X win in 3 moves; better b2",
        "   3 X c3       blunder ??     proven    c3 gives away a win in 3 moves; better a2",
        "player  moves  best  blunder  best or good",
        "X       2      1     1        50%",
    ):
        assert text in out
    detailed = noughts("analyse", "3x3", *moves, "--review", "--details")[1]
    assert "c3 gives away a win in 3 moves: win in 5 → draw; better a2" in detailed
    assert "positions in" in detailed
    file = tmp_path / "game.jsonl"
    noughts("play", "3x3", "--o", "human", typed="\n".join(moves) + f"\nsave {file}\nresign\nn\n")
    assert noughts("analyse", str(file))[1].splitlines()[3:7] == out.splitlines()[3:7]
    assert "1  X │ O │" in noughts("analyse", str(file), "--at", "2")[1]
    found = json.loads(noughts("analyse", str(file), "--json")[1])
    assert [move["grade"] for move in found["moves"]] == ["best", "blunder", "blunder", "best"]
    assert found["players"][1]["accuracy"] == 0.5
    assert "there is no move to review" in noughts("analyse", "3x3", "--review")[1]
    code, out, err = noughts("analyse", str(file), "b2")
    assert (code, out) == (2, "")
    assert "moves follow a game, not a file" in err


def test_an_interrupt_is_told_in_one_line(monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("noughts.cli.perft.perft", interrupted)
    assert main(["perft", "3x3", "2"]) == 130
    assert capsys.readouterr().err.strip() == "noughts: interrupted"
