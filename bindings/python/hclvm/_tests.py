"""What became of the tests of a module."""

import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class TestResult:
    """One case: the test at `line` of `file`, by the `name` that `hclvm test` gives it.

    `passed` says whether it has passed, `seconds` how long it took, and `failures` what is wrong, a text for each.
    """

    __test__ = False  # pytest takes it for no test

    file: str
    line: int
    name: str
    passed: bool
    seconds: float
    failures: typing.Tuple[str, ...]


class TestResults(typing.List[TestResult]):
    """What hclvm.test() returns: a list of TestResult. `coverage` is what `hclvm test --coverage-format json` prints, as a
    dict, or None where it was not asked for."""

    __test__ = False  # for pytest
    coverage: typing.Optional[typing.Dict[str, typing.Any]] = None
