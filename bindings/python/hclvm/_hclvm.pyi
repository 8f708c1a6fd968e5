"""The native part of the package; hclvm has what is for users."""

from typing import Any, Dict, Iterable, List, Literal, Optional, Sequence, Tuple, Union

from hclvm._errors import Diagnostic
from hclvm._limits import Limits

_Text = Union[str, bytes, bytearray, memoryview]
_File = Tuple[str, _Text, bool]

def _require_main() -> None: ...

class CancelToken:
    """Stops calls that it was given to, from any thread."""

    def __init__(self) -> None: ...
    def cancel(self) -> None:
        """Stops the calls that have this token, those under way and those to come, with hclvm.CancelledError."""
    def clear(self) -> None:
        """Makes the token as if it were new."""
    @property
    def cancelled(self) -> bool:
        """Whether it was cancelled."""

class Program:
    """A compiled text. Immutable; any number of threads may use it."""

    def run(
        self,
        scope: Optional[Dict[str, Any]] = None,
        entry: Optional[str] = None,
        *,
        check_all: bool = False,
        unknown_input: Literal["near", "error", "ignore"] = "near",
        timeout: Optional[float] = None,
        cancel: Optional[CancelToken] = None,
    ) -> Any:
        """The value of the program, or of its attribute `entry` ("policy.allow"), for `scope`, a dict of variables.

        What the program cannot need of the scope is not looked at, unless `check_all`. `unknown_input`: names that a
        module does not declare are an "error", a UserWarning where they are "near" one that is missing, or to
        "ignore". The run ends after `timeout` seconds, and when somebody cancels `cancel`, a CancelToken. Raises
        EvaluationError, LimitError, CancelledError, and TypeError or ValueError for objects that have no value.
        """
    def run_many(
        self,
        scopes: Iterable[Dict[str, Any]],
        entry: Optional[str] = None,
        *,
        threads: int = 1,
        errors: Literal["raise", "return"] = "raise",
        check_all: bool = False,
        unknown_input: Literal["near", "error", "ignore"] = "near",
        timeout: Optional[float] = None,
        cancel: Optional[CancelToken] = None,
    ) -> List[Any]:
        """A list of the values of the program, or of its attribute `entry`, for `scopes`, in their order.

        Each is read and evaluated as run() does it. Where `errors` is "return", exceptions stand in the list for the
        scopes that fail; otherwise the first one is raised. They are evaluated in `threads` threads (0: as many as
        there are processors), without the GIL; programs that call functions of the host which are not pure take one,
        as do all with `check_all`. `unknown_input` is that of run(). `timeout`, in seconds, is for all of them;
        `cancel` is a CancelToken.
        """
    def run_ndjson(
        self,
        lines: _Text,
        entry: Optional[str] = None,
        *,
        threads: int = 1,
        typed: bool = False,
        check_all: bool = False,
        unknown_input: Literal["near", "error", "ignore"] = "near",
        show_sensitive: bool = False,
        name: str = "<lines>",
        timeout: Optional[float] = None,
        cancel: Optional[CancelToken] = None,
    ) -> bytes:
        """Lines of answers for `lines` of JSON objects, as `hclvm run` gives them, without making objects of them.

        A line's answer, of the program or of its attribute `entry`, is {"value": ...}, {"type": ..., "value": ...}
        with `typed`, or {"diagnostics": [...]}, in which the text is called `name`. `threads` threads work (0: as
        many as there are processors), and the GIL is released until the end. What the program does not need is
        skipped, unless `check_all`. `unknown_input` is that of run(). What is sensitive is null, and its places are in
        "erased", unless `show_sensitive`. `timeout`, in seconds, is for each line; `cancel` is a CancelToken.
        """
    def disassemble(self) -> str:
        """The listing of the bytecode, whose form changes with versions."""
    @property
    def variables(self) -> List[str]:
        """The names of the variables that the program reads."""
    @property
    def entries(self) -> List[str]:
        """The paths of the attributes that can be evaluated alone."""
    @property
    def warnings(self) -> List[Diagnostic]:
        """The warnings of compiling."""
    @property
    def is_pure(self) -> bool:
        """Whether equal scopes have equal values."""
    _recipe: Any
    def _data_text(self, data: Any) -> str: ...
    def _with_data(self, files: Sequence[str], json: Optional[str], replaceable: Sequence[str]) -> Program: ...

class SourceTree:
    """A config with its blanks and comments: any text has a tree, also a wrong one."""

    def __init__(self, text: _Text) -> None: ...
    @property
    def text(self) -> str:
        """The text, byte for byte."""
    def items(self, body: int = 0) -> List[int]:
        """The items of `body`, the file or a block, in their order."""
    def kind(self, node: int) -> str:
        """What `node` is: "file", "attribute", "block" or "broken"."""
    def name(self, node: int) -> str:
        """The name of an attribute or the type of a block that `node` is."""
    def labels(self, node: int) -> List[str]:
        """The labels of the block that `node` is, without quotes."""
    def value(self, node: int) -> str:
        """The value of the attribute that `node` is, as it is written."""
    def range(self, node: int) -> Tuple[int, int]:
        """Where `node` begins and ends, in bytes of UTF-8."""
    def node_at(self, offset: int) -> int:
        """The innermost node at the byte `offset`."""
    def find_attribute(self, name: str, body: int = 0) -> Optional[int]:
        """The attribute `name` of `body`, or None."""
    def find_block(self, type: str, labels: Sequence[str] = [], body: int = 0) -> Optional[int]:
        """The first block `type` with these `labels` in `body`, or None."""
    def set_attribute(self, name: str, expression: str, body: int = 0) -> None:
        """Gives the attribute `name` of `body` the value `expression`, as it is written, or adds it."""
    def add_block(self, type: str, labels: Sequence[str] = [], body: int = 0) -> int:
        """Adds an empty block `type` with `labels` at the end of `body`, and returns it."""
    def remove(self, node: int) -> None:
        """Removes the item `node`, with the comments on its line and right above it."""
    def rename(self, node: int, name: str) -> None:
        """Gives the attribute `node` another `name`, or the block another type."""
    def set_label(self, node: int, number: int, label: str) -> None:
        """Gives the block `node` another `label`; the first has the `number` 0."""

def compile(
    text: _Text,
    name: str,
    kind: str,
    dialect: str,
    functions: List[Any],
    limits: Optional[Limits],
    timeout: Optional[float],
    cancel: Optional[CancelToken],
) -> Program: ...
def compile_module(
    files: List[_File],
    dialect: str,
    functions: List[Any],
    limits: Optional[Limits],
    timeout: Optional[float],
    cancel: Optional[CancelToken],
) -> Program: ...
def compile_decoder(
    spec: _Text,
    spec_name: str,
    text: _Text,
    name: str,
    is_json: bool,
    dynamic_blocks: bool,
    literal: bool,
    dialect: str,
    limits: Optional[Limits],
    timeout: Optional[float],
    cancel: Optional[CancelToken],
) -> Program: ...
def check(
    files: List[_File],
    is_module: bool,
    variables: Optional[List[_File]],
    strict: bool,
    dialect: str,
    functions: List[Any],
    limits: Optional[Limits],
    timeout: Optional[float],
    cancel: Optional[CancelToken],
) -> List[Diagnostic]: ...
def explain(
    files: List[_File],
    scope: Dict[str, Any],
    entry: Optional[str],
    full: bool,
    show_sensitive: bool,
    check_all: bool,
    unknown_input: str,
    dialect: str,
    functions: List[Any],
    limits: Optional[Limits],
    timeout: Optional[float],
    cancel: Optional[CancelToken],
) -> List[str]: ...
def diff(
    before: List[_File],
    after: List[_File],
    lines: List[bytes],
    log: bool,
    entries: List[str],
    show_sensitive: bool,
    dialect: str,
    functions: List[Any],
    limits: Optional[Limits],
    timeout: Optional[float],
    cancel: Optional[CancelToken],
) -> str: ...
def profile(
    files: List[_File],
    lines: List[bytes],
    log: bool,
    entries: List[str],
    milliseconds: int,
    dialect: str,
    functions: List[Any],
    limits: Optional[Limits],
    timeout: Optional[float],
    cancel: Optional[CancelToken],
) -> str: ...
def run_tests(
    files: List[_File],
    tests: List[_File],
    folder: str,
    texts: Optional[Dict[str, bytes]],
    coverage: bool,
    dialect: str,
    functions: List[Any],
    limits: Optional[Limits],
    timeout: Optional[float],
    cancel: Optional[CancelToken],
) -> Tuple[List[Tuple[str, int, str, bool, float, List[str]]], Optional[str]]: ...
def loads(
    text: _Text, name: str, limits: Optional[Limits], timeout: Optional[float], cancel: Optional[CancelToken]
) -> Dict[str, Any]: ...
def convert(
    text: _Text, to: str, spec: Optional[_Text], module: bool, name: str, dialect: str, limits: Optional[Limits]
) -> str: ...
def format_config(text: _Text, name: str, limits: Optional[Limits]) -> str: ...
def read_module(path: str, limits: Optional[Limits]) -> List[Tuple[str, bytes, bool]]: ...
