"""Records: the actions of a match as JSON lines, one action a line, in the order they were accepted."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from noughts.errors import InvalidRecord, MatchError
from noughts.match.actions import Action, action_from_json
from noughts.match.reducer import reduce
from noughts.match.state import State

__all__ = ["Record", "dump", "load", "read", "save"]


@dataclass(frozen=True)
class Record:
    """The actions of a match and the state after each of them."""

    actions: tuple[Action, ...]
    states: tuple[State, ...]

    @property
    def state(self) -> State:
        """The state after the last action."""
        return self.states[-1]


def dump(actions: Iterable[Action]) -> str:
    """Write actions as JSON lines."""
    return "".join(json.dumps(action.to_json(), ensure_ascii=False) + "\n" for action in actions)


def read(text: str) -> Record:
    """Replay a record from its text.

    Raises :class:`InvalidRecord` with the number of the bad line; its ``state`` is the match before it.
    """
    actions: list[Action] = []
    states: list[State] = []
    number = 0
    for number, line in enumerate(text.splitlines(), start=1):
        state = states[-1] if states else None
        try:
            action = action_from_json(json.loads(line))
            state = reduce(state, action)
        except json.JSONDecodeError as error:
            what = "empty" if not line.strip() else f"not JSON ({error.msg} at column {error.colno})"
            raise InvalidRecord(f"{what}; the record is damaged or cut off here", line=number, state=state) from None
        except RecursionError:
            raise InvalidRecord("nested too deeply to be an action", line=number, state=state) from None
        except (ValueError, MatchError) as error:
            raise InvalidRecord(str(error), line=number, state=state) from error
        actions.append(action)
        states.append(state)
    if not actions:
        raise InvalidRecord("the record is empty", line=1)
    return Record(tuple(actions), tuple(states))


def load(path: str | os.PathLike[str]) -> Record:
    """Replay a record from a file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InvalidRecord("not a record: this is not text", line=line) from None
    return read(text)


def save(path: str | os.PathLike[str], actions: Iterable[Action]) -> None:
    """Write a record to a file in one step: if it fails, the old file is unchanged."""
    target = Path(path)
    draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(dump(actions))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise OSError(error.errno, error.strerror, str(target)) from error
