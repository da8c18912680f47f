"""One game being played: actions in, states out, and a record that replays anywhere."""

from noughts.match.actions import Action, MakeMove, Redo, ResetGame, Resign, StartGame, Undo
from noughts.match.metrics import Metrics, measure
from noughts.match.passes import forced_pass, must_pass, whole_step
from noughts.match.positions import Recalled
from noughts.match.record import Record, dump, load, read, save
from noughts.match.reducer import reduce
from noughts.match.state import Ply, State
from noughts.match.store import Store

__all__ = [
    "Action",
    "MakeMove",
    "Metrics",
    "Ply",
    "Recalled",
    "Record",
    "Redo",
    "ResetGame",
    "Resign",
    "StartGame",
    "State",
    "Store",
    "Undo",
    "dump",
    "forced_pass",
    "load",
    "measure",
    "must_pass",
    "read",
    "reduce",
    "save",
    "whole_step",
]
