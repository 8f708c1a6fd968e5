"""What is raised, and what it says."""

import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Position:
    """A place in a text: `line` and `column` from 1 (a column is a grapheme cluster), `byte` from 0."""

    line: int
    column: int
    byte: int


@dataclasses.dataclass(frozen=True)
class Range:
    """A part of the text that is called `file`, from `start` to before `end`."""

    file: str
    start: Position
    end: Position


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """One message about a text.

    `code` is as docs/diagnostics.md lists it ("HCL4301"), `severity` is "error" or "warning", `subject` what it is
    about, and `context` a wider range that helps to read it; both are None where it is about no place. `values` has
    what the subject has read: pairs of a name and a text. `is_limit` is true for a limit that was reached.
    """

    code: str
    severity: str
    summary: str
    detail: str
    subject: typing.Optional[Range]
    context: typing.Optional[Range]
    values: typing.Tuple[typing.Tuple[str, str], ...]
    is_limit: bool
    text: str = dataclasses.field(repr=False)

    @property
    def file(self):
        """The name of the text, or None."""
        return None if self.subject is None else self.subject.file

    @property
    def line(self):
        """The line, or None."""
        return None if self.subject is None else self.subject.start.line

    @property
    def column(self):
        """The column, or None."""
        return None if self.subject is None else self.subject.start.column

    def __str__(self):
        return self.text


class Error(Exception):
    """What hclvm says about its input; `diagnostics` has the messages one by one, and str() all as text."""

    def __init__(self, message, diagnostics=()):
        super().__init__(message, diagnostics)
        self.diagnostics = list(diagnostics)

    def __str__(self):
        return self.args[0].rstrip("\n")

    @property
    def code(self):
        """The code of the first message ("HCL4301"), or None."""
        return self.diagnostics[0].code if self.diagnostics else None


class CompileError(Error):
    """A text is no config, or none that can be compiled."""


class EvaluationError(Error):
    """An evaluation has failed. Where a function of the host has raised, its exception is the `__cause__`."""


class LimitError(Error):
    """A limit was reached: of `Limits`, or the time of `timeout`."""


class CancelledError(LimitError):
    """A `CancelToken` has stopped the work."""
