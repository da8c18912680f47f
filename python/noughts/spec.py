"""The spec language: ``head(,option)*`` names a game or a player with its parameters.

An option is a flag (``misere``) or ``key=value`` (``k=5``). A value that holds a comma stands in
quotes, single or double (``cmd="brain --sizes 15,20"``), where a doubled quote is one quote. The
classes that specs create are frozen dataclasses whose fields are declared with :func:`option`;
reading, checking, printing and explaining a spec all follow from those declarations.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar, overload

__all__ = [
    "Choice",
    "Configurable",
    "Flag",
    "Integer",
    "Kind",
    "Length",
    "Number",
    "Size",
    "Spec",
    "Text",
    "option",
    "quoted",
    "suggest",
]

T = TypeVar("T")

_QUOTED = r"""(?:"(?:[^"]|"")*"|'(?:[^']|'')*')"""
_PART = re.compile(rf",((?:=\s*{_QUOTED}|[^,])*)")


@dataclass(frozen=True, slots=True)
class Spec:
    """A spec taken apart, its values still text.

    >>> Spec.parse("15x15, k=5, exact")
    Spec(head='15x15', options={'k': '5', 'exact': None})
    """

    head: str
    options: Mapping[str, str | None]

    @classmethod
    def parse(cls, text: str, *, error: type[ValueError] = ValueError) -> Spec:
        """Split a spec at the commas outside quotes; a repeated or empty option is an error."""
        head, *rest = (part.strip() for part in _PART.findall("," + text))
        options: dict[str, str | None] = {}
        for part in rest:
            key, equals, value = (side.strip() for side in part.partition("="))
            key = key.lower()
            if not key or (equals and not value):
                raise error(f"{text!r} has an empty option; write NAME,FLAG,KEY=VALUE, e.g. gomoku,exact,size=19")
            if key in options:
                raise error(f"{text!r} gives the option {key!r} twice")
            options[key] = _unquoted(key, value, error) if equals else None
        if not head:
            raise error(f"{text!r} has no name; put a name or a size first, e.g. 4x4")
        return cls(head.replace("\u00d7", "x").lower(), options)


def _unquoted(key: str, value: str, error: type[ValueError]) -> str:
    """A value as it is meant, without the quotes around it."""
    if re.fullmatch(_QUOTED, value):
        mark = value[0]
        return value[1:-1].replace(2 * mark, mark)
    if value.startswith(("'", '"')) or value.count('"') % 2:
        raise error(f"{key}={value}: close the quote, and put all of the value in it: {key}='…'")
    return value.replace("\u00d7", "x")


def quoted(value: str) -> str:
    r"""Write a value so that a spec can hold it: as it is, or in quotes where it needs them.

    >>> quoted("./brain --fast"), quoted("./brain 15,20"), quoted('"a, b" c')
    ('./brain --fast', '"./brain 15,20"', '\'"a, b" c\'')
    """
    bare = value and value == value.strip() and not re.search(r"""[,\u00d7]|(^|=\s*)["']""", value)
    if bare and value.count('"') % 2 == 0:
        return value
    mark = "'" if '"' in value and "'" not in value else '"'
    return mark + value.replace(mark, 2 * mark) + mark


class Kind(Generic[T]):
    """How the value of an option is written, read and checked."""

    expects: str

    def read(self, text: str | None) -> T:
        """Turn the text after ``=`` (``None`` for a bare flag) into a value or raise ``ValueError``."""
        raise ValueError

    def check(self, value: T) -> bool:
        """Tell whether a value given directly is allowed."""
        return True

    def show(self, name: str, value: T) -> str:
        """Write the option as it appears in a spec."""
        return f"{name}={value}"


class Flag(Kind[bool]):
    """An option that is there or not."""

    expects = "no value: it is on or off"

    def read(self, text: str | None) -> bool:
        """Accept the bare name."""
        if text is not None:
            raise ValueError
        return True

    def check(self, value: bool) -> bool:
        """Accept real booleans."""
        return isinstance(value, bool)

    def show(self, name: str, value: bool) -> str:
        """Write the bare name."""
        return name


class Integer(Kind[int]):
    """A whole number between two bounds."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high
        self.expects = f"a whole number from {low} to {high}"

    def read(self, text: str | None) -> int:
        """Accept decimal digits with an optional minus."""
        if text is None or not re.fullmatch(r"-?[0-9]{1,30}", text):
            raise ValueError
        return int(text)

    def check(self, value: int) -> bool:
        """Accept whole numbers within the bounds."""
        return type(value) is int and self.low <= value <= self.high


class Length(Integer):
    """A whole number on which the length of a side depends: by itself, or by how many ``cells`` it stands for.

    >>> Length(2, 5, cells=lambda boards: 3 * boards).within(12)
    4
    """

    def __init__(self, low: int, high: int, *, cells: Callable[[int], int] = int) -> None:
        super().__init__(low, high)
        self.cells = cells

    def within(self, longest: int) -> int:
        """The largest value where sides may have so many cells; at least the smallest there is."""
        return max(
            (value for value in range(self.low, self.high + 1) if self.cells(value) <= longest), default=self.low
        )


class Number(Kind[float]):
    """A number between two bounds."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high
        self.expects = f"a number from {low:g} to {high:g}"

    def read(self, text: str | None) -> float:
        """Accept a decimal number."""
        if text is None or not re.fullmatch(r"[0-9]*\.?[0-9]+(e-?[0-9]{1,3})?", text):
            raise ValueError
        return float(text)

    def check(self, value: float) -> bool:
        """Accept numbers within the bounds."""
        return type(value) in (int, float) and self.low <= value <= self.high

    def show(self, name: str, value: float) -> str:
        """Write the number without needless zeros."""
        return f"{name}={value:g}"


class Choice(Kind[str]):
    """One of a few words."""

    def __init__(self, *words: str) -> None:
        self.words = words
        self.expects = " or ".join(words)

    def read(self, text: str | None) -> str:
        """Accept a word in any case."""
        if text is None:
            raise ValueError
        return text.lower()

    def check(self, value: str) -> bool:
        """Accept the words themselves."""
        return value in self.words


class Size(Kind[tuple[int, ...]]):
    """The sides of a board: ``4`` (a square), ``6x5`` or ``4x4x4``.

    ``longest`` gives the longest side for each number of dimensions there may be.
    """

    def __init__(self, longest: Mapping[int, int]) -> None:
        self.longest = longest
        named = {2: "rows x columns", 3: "rows x columns x layers"}
        limits = (f"{named[n]} from 2 to {most}, e.g. {'x'.join('4' * n)}" for n, most in longest.items())
        self.expects = ", or ".join(limits)

    def read(self, text: str | None) -> tuple[int, ...]:
        """Accept numbers joined by ``x``; one number is a square."""
        if text is None or not re.fullmatch(r"[0-9]{1,9}(x[0-9]{1,9})*", text.lower()):
            raise ValueError
        sides = tuple(int(side) for side in text.lower().split("x"))
        return sides * 2 if len(sides) == 1 else sides

    def check(self, value: tuple[int, ...]) -> bool:
        """Accept as many sides as there may be, none too short and none too long."""
        return all(2 <= side <= self.longest.get(len(value), 0) for side in value)

    def show(self, name: str, value: tuple[int, ...]) -> str:
        """Write a square as one number."""
        if len(value) == 2 and value[0] == value[1]:
            return f"{name}={value[0]}"
        return f"{name}={'x'.join(map(str, value))}"


class Text(Kind[str]):
    """Any text; the class that declares it reads it further."""

    def __init__(self, expects: str) -> None:
        self.expects = expects

    def read(self, text: str | None) -> str:
        """Accept everything but a bare flag."""
        if text is None:
            raise ValueError
        return text

    def show(self, name: str, value: str) -> str:
        """Write the text, in quotes where it needs them."""
        return f"{name}={quoted(value)}"


@overload
def option(kind: Kind[T], help: str, *, default: Callable[[Any], T], label: str = "", hidden: bool = False) -> T: ...
@overload
def option(kind: Kind[T], help: str, *, default: T, label: str = "", hidden: bool = False) -> T: ...
@overload
def option(kind: Kind[T], help: str, *, default: None, label: str = "", hidden: bool = False) -> T | None: ...
def option(kind: Kind[T], help: str, *, default: object, label: str = "", hidden: bool = False) -> object:
    """Declare a dataclass field that specs can set.

    A callable ``default`` computes the value from the other options once they are known. Menus show the
    ``label``, or the name; they leave out ``hidden`` options, which are for specs written by hand.
    """
    derived = default if callable(default) else None
    metadata = {"kind": kind, "help": help, "derived": derived, "label": label, "hidden": hidden}
    return dataclasses.field(default=None if derived else default, metadata=metadata)


def suggest(word: str, known: Iterable[str]) -> str:
    """Say what a mistyped word may have meant, or list what there is."""
    known = list(known)
    close = difflib.get_close_matches(word, known, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"there are: {', '.join(known)}" if known else "there are none"


class Configurable:
    """A frozen dataclass whose fields come from a spec's options."""

    error: ClassVar[type[ValueError]] = ValueError
    what: ClassVar[str] = "this"
    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]

    @classmethod
    def option_fields(cls) -> dict[str, dataclasses.Field[Any]]:
        """The declared options by name, in order."""
        return {field.name: field for field in dataclasses.fields(cls) if "kind" in field.metadata}

    @classmethod
    def read_options(cls, options: Mapping[str, str | None]) -> dict[str, Any]:
        """Turn option texts into keyword arguments for this class."""
        fields = cls.option_fields()
        values = {}
        for name, text in options.items():
            if name not in fields:
                raise cls.error(f"{cls.what} has no option {name!r}; {suggest(name, fields)}")
            kind = fields[name].metadata["kind"]
            try:
                values[name] = kind.read(text)
            except ValueError:
                given = f"{name}={text}" if text is not None else name
                raise cls.error(f"{given!r}: {name} takes {kind.expects}") from None
        return values

    def __post_init__(self) -> None:
        """Fill in derived defaults and check every option."""
        for name, field in self.option_fields().items():
            if getattr(self, name) is None and field.metadata["derived"] is not None:
                object.__setattr__(self, name, field.metadata["derived"](self))
            value = getattr(self, name)
            if value is not None and not field.metadata["kind"].check(value):
                shown = field.metadata["kind"].show(name, value)
                raise self.error(f"{shown!r}: {name} takes {field.metadata['kind'].expects}")

    def shown_options(self) -> list[str]:
        """The options that differ from their defaults, as a spec writes them."""
        shown = []
        for name, field in self.option_fields().items():
            value, derived = getattr(self, name), field.metadata["derived"]
            if value != (derived(self) if derived else field.default):
                shown.append(field.metadata["kind"].show(name, value))
        return shown
