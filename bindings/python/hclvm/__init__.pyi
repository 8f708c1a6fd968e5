"""HCL, compiled once and evaluated again and again. README.md of the package says more."""

import os
from typing import IO, Any, Callable, Dict, Iterable, List, Literal, Mapping, Optional, Sequence, Union

from hclvm._errors import CancelledError as CancelledError
from hclvm._errors import CompileError as CompileError
from hclvm._errors import Diagnostic as Diagnostic
from hclvm._errors import Error as Error
from hclvm._errors import EvaluationError as EvaluationError
from hclvm._errors import LimitError as LimitError
from hclvm._errors import Position as Position
from hclvm._errors import Range as Range
from hclvm._functions import Function as Function
from hclvm._functions import Parameter as Parameter
from hclvm._hclvm import CancelToken as CancelToken
from hclvm._hclvm import Program as Program
from hclvm._hclvm import SourceTree as SourceTree
from hclvm._limits import Limits as Limits
from hclvm._tests import TestResult as TestResult
from hclvm._tests import TestResults as TestResults
from hclvm._values import Dynamic as Dynamic
from hclvm._values import Marked as Marked
from hclvm._values import Typed as Typed
from hclvm._values import Unknown as Unknown

_Text = Union[str, bytes, bytearray, memoryview]
_Path = Union[str, os.PathLike[str]]
_Functions = Mapping[str, Union[Function, Callable[..., Any]]]
_Dialect = Literal["spec", "hashicorp"]

__version__: str

def compile(
    text: Optional[_Text] = None,
    *,
    path: Optional[_Path] = None,
    kind: Optional[Literal["config", "expression", "template", "json", "json_expression"]] = None,
    name: Optional[str] = None,
    dialect: _Dialect = "spec",
    functions: Optional[_Functions] = None,
    limits: Optional[Limits] = None,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
) -> Program: ...
def compile_module(
    path: Optional[_Path] = None,
    *,
    files: Optional[Mapping[str, _Text]] = None,
    dialect: _Dialect = "spec",
    functions: Optional[_Functions] = None,
    limits: Optional[Limits] = None,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
) -> Program: ...
def compile_decoder(
    spec: Union[_Text, os.PathLike[str]],
    *,
    path: Optional[_Path] = None,
    text: Optional[_Text] = None,
    name: Optional[str] = None,
    dynamic_blocks: bool = False,
    dialect: _Dialect = "hashicorp",
    limits: Optional[Limits] = None,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
) -> Program: ...
def decode(
    spec: Union[_Text, os.PathLike[str]],
    variables: Optional[Dict[str, Any]] = None,
    *,
    path: Optional[_Path] = None,
    text: Optional[_Text] = None,
    name: Optional[str] = None,
    dynamic_blocks: bool = False,
    dialect: _Dialect = "hashicorp",
    limits: Optional[Limits] = None,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
) -> Any: ...
def check(
    path: Optional[_Path] = None,
    *,
    text: Optional[_Text] = None,
    name: Optional[str] = None,
    module: bool = False,
    variables: Optional[_Text] = None,
    strict: bool = False,
    dialect: _Dialect = "spec",
    functions: Optional[_Functions] = None,
    limits: Optional[Limits] = None,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
) -> List[Diagnostic]: ...
def diff(
    old: Union[_Path, Mapping[str, _Text]],
    new: Union[_Path, Mapping[str, _Text]],
    requests: Iterable[Union[Dict[str, Any], _Text]],
    *,
    log: bool = False,
    entries: Iterable[str] = (),
    show_sensitive: bool = False,
    dialect: _Dialect = "spec",
    functions: Optional[_Functions] = None,
    limits: Optional[Limits] = None,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
) -> Dict[str, Any]: ...
def profile(
    module: Union[_Path, Mapping[str, _Text]],
    requests: Iterable[Union[Dict[str, Any], _Text]],
    *,
    log: bool = False,
    entries: Iterable[str] = (),
    seconds: float = 1.0,
    dialect: _Dialect = "spec",
    functions: Optional[_Functions] = None,
    limits: Optional[Limits] = None,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
) -> Dict[str, Any]: ...
def explain(
    path: Optional[_Path] = None,
    scope: Optional[Dict[str, Any]] = None,
    entry: Optional[str] = None,
    *,
    files: Optional[Mapping[str, _Text]] = None,
    full: bool = False,
    show_sensitive: bool = False,
    check_all: bool = False,
    unknown_input: str = "near",
    dialect: _Dialect = "spec",
    functions: Optional[_Functions] = None,
    limits: Optional[Limits] = None,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
) -> List[Dict[str, Any]]: ...
def test(
    path: Optional[_Path] = None,
    *,
    files: Optional[Mapping[str, _Text]] = None,
    coverage: bool = False,
    dialect: _Dialect = "spec",
    functions: Optional[_Functions] = None,
    limits: Optional[Limits] = None,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
) -> TestResults: ...
def loads(
    text: _Text,
    *,
    name: str = "<text>",
    limits: Optional[Limits] = None,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
) -> Dict[str, Any]: ...
def convert(
    text: _Text,
    to: Literal["json", "native"],
    *,
    spec: Union[_Text, _Path, None] = None,
    module: bool = False,
    name: str = "<text>",
    dialect: _Dialect = "spec",
    limits: Optional[Limits] = None,
) -> str: ...
def format_config(text: _Text, *, name: str = "<text>", limits: Optional[Limits] = None) -> str: ...
def load(
    file: Union[_Path, bytes, IO[str], IO[bytes]],
    *,
    name: Optional[str] = None,
    limits: Optional[Limits] = None,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
) -> Dict[str, Any]: ...
def with_data(
    program: Program,
    data: Optional[Mapping[str, Any]] = None,
    *,
    files: Sequence[_Path] = (),
    replaceable: Sequence[str] = (),
) -> Program: ...
