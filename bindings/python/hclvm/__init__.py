"""HCL, compiled once and evaluated again and again.

    import hclvm

    policy = hclvm.compile(text="allow = user.admin || contains(owners, user.name)")
    policy.run({"user": {"name": "ann", "admin": False}, "owners": ["ann"]}, "allow")  # True

README.md of the package says more.
"""

import json as _json
import os as _os

from hclvm import _hclvm

_hclvm._require_main()

from hclvm import _functions
from hclvm._errors import (
    CancelledError,
    CompileError,
    Diagnostic,
    Error,
    EvaluationError,
    LimitError,
    Position,
    Range,
)
from hclvm._functions import Function, Parameter
from hclvm._hclvm import CancelToken, Program, SourceTree
from hclvm._limits import Limits
from hclvm._tests import TestResult, TestResults
from hclvm._values import Dynamic, Marked, Typed, Unknown

__version__ = "0.1.0"

__all__ = [
    "CancelToken",
    "CancelledError",
    "CompileError",
    "Diagnostic",
    "Dynamic",
    "Error",
    "EvaluationError",
    "Function",
    "LimitError",
    "Limits",
    "Marked",
    "Parameter",
    "Position",
    "Program",
    "Range",
    "SourceTree",
    "TestResult",
    "TestResults",
    "Typed",
    "Unknown",
    "check",
    "compile",
    "compile_decoder",
    "compile_module",
    "decode",
    "diff",
    "explain",
    "convert",
    "format_config",
    "load",
    "loads",
    "profile",
    "test",
    "with_data",
]


_TESTS = ".test.hcl"


def _is_of_module(name):
    return "/" not in name and not name.endswith(_TESTS) and name.endswith((".hcl", ".hcl.json"))


def _read(path, limits):
    limit = (limits or Limits()).max_source_bytes
    with open(path, "rb") as file:
        text = file.read(limit + 1)
    if len(text) > limit:
        raise LimitError(f"{_os.fspath(path)} has more than {limit} bytes (limit max_source_bytes)")
    return text


def _source(path, text, name, limits):
    """The text, its name, and whether it is in the JSON syntax by the name of its file."""
    if (path is None) == (text is None):
        raise TypeError("give either path or text")
    if path is None:
        return text, "<text>" if name is None else str(name), False
    return _read(path, limits), str(path) if name is None else str(name), _is_json(path)


def _is_json(path):
    return str(path).endswith(".json")


def _files(path, limits):
    """The files of a module: those of a directory, or the one."""
    if _os.path.isdir(path):
        return _hclvm.read_module(_os.fspath(path), limits)
    return [(str(path), _read(path, limits), _is_json(path))]


def compile(
    text=None,
    *,
    path=None,
    kind=None,
    name=None,
    dialect="spec",
    functions=None,
    limits=None,
    timeout=None,
    cancel=None,
):
    """Compiles a config, and raises CompileError for what is none.

    Give its `text` or the `path` of a file; one whose name ends in ".json" is in the JSON syntax. Another `kind` of text
    is "expression", "template", "json" or "json_expression". Messages call the text `name`. `dialect` is "spec", or
    "hashicorp" for the reference's way where it differs from the specification. `functions` are the host's, name to
    callable or Function, beside those of the library. `limits` hold for compiling and for each run; compiling ends with
    LimitError after `timeout` seconds, and with CancelledError when somebody cancels `cancel`, a CancelToken.
    """
    text, name, is_json = _source(path, text, name, limits)
    kind = kind or ("json" if is_json else "config")
    recipe = ("text", text, name, kind, dialect, functions, limits)
    return _compiled(recipe, timeout, cancel)


def compile_module(path=None, *, files=None, dialect="spec", functions=None, limits=None, timeout=None, cancel=None):
    """Compiles a module: configs that declare what they read, in the directory `path` or in one file.

    `files` stands in for it: a dict of names to texts, in the JSON syntax where a name ends in ".json". `dialect`,
    `functions`, `limits`, `timeout` and `cancel` are those of compile().
    """
    if (path is None) == (files is None):
        raise TypeError("give either path or files")
    if files is not None:
        files = [(str(name), text, _is_json(name)) for name, text in files.items()]
    else:
        files = _files(path, limits)
    return _compiled(("module", files, dialect, functions, limits), timeout, cancel)


def with_data(program, data=None, *, files=(), replaceable=()):
    """`program` over variables that all scopes have: a dict `data`, and `files` as `hclvm run --data` reads them.

    They are read once, and what a module makes of them alone is made once. A scope may give those that are named in
    `replaceable` as well. Evaluations raise EvaluationError for a scope that gives one of the others.
    """
    text = None if data is None else program._data_text(data)
    return _with_data(program, text, [_os.fspath(file) for file in files], replaceable)


def check(
    path=None,
    *,
    text=None,
    name=None,
    module=False,
    variables=None,
    strict=False,
    dialect="spec",
    functions=None,
    limits=None,
    timeout=None,
    cancel=None,
):
    """What is wrong with a module or a config before it runs: a list of Diagnostic, empty for nothing.

    It is at `path`, or is `text`, which messages call `name`. A directory is a module, and so is a file or a text if
    `module`; others are plain configs, whose names are looked at where `variables` is a text with variable blocks.
    `strict` makes errors of warnings. `dialect`, `functions`, `limits`, `timeout` and `cancel` are those of compile().
    This is `hclvm check`.
    """
    if path is not None and text is None and (module or _os.path.isdir(path)):
        files, module = _files(path, limits), True
    else:
        text, name, is_json = _source(path, text, name, limits)
        files = [(name, text, is_json)]
    declared = None if variables is None else [("<variables>", variables, False)]
    functions = _functions.declarations(functions)
    return _hclvm.check(files, module, declared, strict, dialect, functions, limits, timeout, cancel)


def _module(given, limits):
    """The files of a module: of its directory, or of a dict of names to texts."""
    if not hasattr(given, "items"):
        return _files(given, limits)
    return [
        (str(name), bytes(text, "utf-8") if isinstance(text, str) else bytes(text), _is_json(name))
        for name, text in given.items()
        if _is_of_module(name)
    ]


def _lines(requests):
    """Requests as lines of JSON."""
    if isinstance(requests, (str, bytes, bytearray)) or hasattr(requests, "items"):
        raise TypeError("requests is an iterable of dicts, or of lines, such as an open file")
    lines = []
    for request in requests:
        if isinstance(request, (str, bytes, bytearray, memoryview)):
            line = request.encode() if isinstance(request, str) else bytes(request)
        else:
            line = _json.dumps(request).encode()
        lines.append(line.strip())
    return lines


def diff(
    old,
    new,
    requests,
    *,
    log=False,
    entries=(),
    show_sensitive=False,
    dialect="spec",
    functions=None,
    limits=None,
    timeout=None,
    cancel=None,
):
    """What two versions of a module answer to the same requests: a dict, as docs/diff.md describes the JSON.

    `old` and `new` are directories, or dicts of names to texts. `requests` is an iterable of dicts, each a scope, or of
    lines of JSON, such as an open file; with `log`, the lines of a decision log. `entries` are the paths that are
    compared; without them, it is all of them. What is sensitive is hidden, unless `show_sensitive`. `dialect`, `functions`,
    `limits`, `timeout` and `cancel` are those of compile(). Raises LimitError where an evaluation has reached a limit.
    This is `hclvm diff`.
    """
    functions = _functions.declarations(functions)
    lines = _lines(requests)
    old, new = _module(old, limits), _module(new, limits)
    return _json.loads(
        _hclvm.diff(old, new, lines, log, list(entries), show_sensitive, dialect, functions, limits, timeout, cancel)
    )


def profile(
    module,
    requests,
    *,
    log=False,
    entries=(),
    seconds=1.0,
    dialect="spec",
    functions=None,
    limits=None,
    timeout=None,
    cancel=None,
):
    """Where the fuel and the time of a module go: a dict, as docs/policies.md describes the JSON.

    `module` is a directory, or a dict of names to texts; `requests`, `log` and `entries` are those of diff(), and the first
    10,000 requests are taken. `seconds` is how long a clock looks where the time goes; with 0, only fuel is counted. A
    request that is wrong raises ValueError. `dialect`, `functions`, `limits`, `timeout` and `cancel` are those of compile(),
    and a limit raises LimitError. This is `hclvm profile`.
    """
    functions = _functions.declarations(functions)
    lines = _lines(requests)
    milliseconds = int(1000 * seconds)
    module = _module(module, limits)
    return _json.loads(
        _hclvm.profile(module, lines, log, list(entries), milliseconds, dialect, functions, limits, timeout, cancel)
    )


def explain(
    path=None,
    scope=None,
    entry=None,
    *,
    files=None,
    full=False,
    show_sensitive=False,
    check_all=False,
    unknown_input="near",
    dialect="spec",
    functions=None,
    limits=None,
    timeout=None,
    cancel=None,
):
    """Why the attributes of a module have their values for `scope`, a dict: a list of dicts, one for each.

    With `entry`, its path, it is a list of one. The module is in the directory `path`, or is `files`, a dict of names to
    texts. The dicts are as docs/explain.md describes them; `full` adds each sub-expression. What is sensitive is hidden,
    unless `show_sensitive`. `check_all` and `unknown_input` are those of Program.run(), and `dialect`, `functions`,
    `limits`, `timeout` and `cancel` those of compile(). This is `hclvm explain`.
    """
    if (path is None) == (files is None):
        raise TypeError("give either path or files")
    of_module = _module(path if files is None else files, limits)
    functions = _functions.declarations(functions)
    scope = {} if scope is None else scope
    found = _hclvm.explain(
        of_module, scope, entry, full, show_sensitive, check_all, unknown_input, dialect, functions, limits, timeout, cancel
    )
    return [_json.loads(text) for text in found]


def test(
    path=None, *, files=None, coverage=False, dialect="spec", functions=None, limits=None, timeout=None, cancel=None
):
    """Runs the tests of a module, and returns a TestResult for each case, in a list TestResults.

    With `coverage`, its attribute `coverage` says which outcomes the decisions of the module have had.

    They are in the files *.test.hcl of the directory `path`, or in the one such file at `path`. `files` stands in for the
    directory: a dict of names to texts, of the module, its tests and what these read. A file that is wrong raises
    CompileError. `dialect`, `functions`, `limits`, `timeout` and `cancel` are those of compile(); function blocks of a
    test file take the place of `functions`. This is `hclvm test`.
    """
    if (path is None) == (files is None):
        raise TypeError("give either path or files")
    if files is not None:
        folder = ""
        texts = {str(name): bytes(text, "utf-8") if isinstance(text, str) else bytes(text) for name, text in files.items()}
        of_module = [(name, text, _is_json(name)) for name, text in texts.items() if _is_of_module(name)]
        tests = [(name, text, False) for name, text in sorted(texts.items()) if name.endswith(_TESTS)]
    else:
        texts = None
        path = _os.fspath(path)
        single = path.endswith(_TESTS) and not _os.path.isdir(path)
        folder = (_os.path.dirname(path) or ".") if single else path
        of_module = _hclvm.read_module(folder, limits)
        names = [path] if single else sorted(
            _os.path.join(path, name) for name in _os.listdir(path) if name.endswith(_TESTS) and name[0] != "."
        )
        tests = [(name, _read(name, limits), False) for name in names]
    if not tests:
        return TestResults()
    functions = _functions.declarations(functions)
    found, covered = _hclvm.run_tests(of_module, tests, folder, texts, coverage, dialect, functions, limits, timeout, cancel)
    results = TestResults(TestResult(*one[:5], tuple(one[5])) for one in found)
    results.coverage = None if covered is None else _json.loads(covered)
    return results


def compile_decoder(
    spec, *, path=None, text=None, name=None, dynamic_blocks=False, dialect="hashicorp", limits=None, timeout=None, cancel=None
):
    """The program that decodes a config by a spec file, for decoding it with several scopes.

    `spec` is the text of a spec file (docs/hcldec.md), or an os.PathLike of one. The config is at `path`, or is `text`,
    which messages call `name`. With `dynamic_blocks`, blocks that are called "dynamic" make others. `dialect`, `limits`,
    `timeout` and `cancel` are those of compile().
    """
    return _decoder(spec, path, text, name, dynamic_blocks, False, dialect, limits, timeout, cancel)


def decode(
    spec,
    variables=None,
    *,
    path=None,
    text=None,
    name=None,
    dynamic_blocks=False,
    dialect="hashicorp",
    limits=None,
    timeout=None,
    cancel=None,
):
    """The value that a spec file makes of a config, with a dict of `variables`. This is `hclvm decode`.

    `spec`, `path`, `text`, `name`, `dynamic_blocks`, `dialect`, `limits`, `timeout` and `cancel` are those of
    compile_decoder(); the time is that of compiling and of evaluating, each.
    """
    literal = variables is None
    program = _decoder(spec, path, text, name, dynamic_blocks, literal, dialect, limits, timeout, cancel)
    return program.run(variables, timeout=timeout, cancel=cancel)


def _decoder(spec, path, text, name, dynamic_blocks, literal, dialect, limits, timeout, cancel):
    spec_name = "<spec>"
    if hasattr(spec, "__fspath__"):
        spec_name = str(spec)
        spec = _read(spec, limits)
    text, name, is_json = _source(path, text, name, limits)
    recipe = ("decoder", spec, spec_name, text, name, is_json, dynamic_blocks, literal, dialect, limits)
    return _compiled(recipe, timeout, cancel)


def loads(text, *, name="<text>", limits=None, timeout=None, cancel=None):
    """A config as a dict, without evaluating it.

    Constants of `text` are their values, other expressions are text such as "${a + 1}", and blocks are lists of dicts
    below their labels. Messages call the text `name`. `limits`, `timeout` and `cancel` are those of compile(). README.md
    compares it with python-hcl2.
    """
    return _hclvm.loads(text, name, limits, timeout, cancel)


def load(file, *, name=None, limits=None, timeout=None, cancel=None):
    """loads() of what `file`, a file object or the path of a file, has.

    `name`, which is the file's if it is left out, `limits`, `timeout` and `cancel` are those of loads().
    """
    if isinstance(file, (str, bytes)) or hasattr(file, "__fspath__"):
        text, name, _ = _source(file, None, name, limits)
    else:
        text = file.read()
        name = getattr(file, "name", "<text>") if name is None else name
    return loads(text, name=str(name), limits=limits, timeout=timeout, cancel=cancel)


def format_config(text, *, name="<text>", limits=None):
    """`text` in the canonical layout, as `hclvm fmt` gives it.

    Raises CompileError where it does not parse; messages call it `name`. `limits` are those of compile().
    """
    return _hclvm.format_config(text, name, limits)


def convert(text, to, *, spec=None, module=False, name="<text>", dialect="spec", limits=None):
    """`text` in the other syntax, with the same meaning, as `hclvm convert` gives it.

    `to` is "json" or "native". What is a block in JSON, `spec` says, the text of a spec file or an os.PathLike of one, or
    `module`, for a file of a module; without them each property is an attribute. Raises CompileError where the text is
    wrong or has no counterpart; messages call it `name`. Warnings are not told. `dialect` and `limits` are those of
    compile().
    """
    if hasattr(spec, "__fspath__"):
        spec = _read(spec, limits)
    return _hclvm.convert(text, to, spec, module, name, dialect, limits)


def _compiled(recipe, timeout=None, cancel=None):
    if recipe[0] == "text":
        _, text, name, kind, dialect, functions, limits = recipe
        declared = _functions.declarations(functions)
        program = _hclvm.compile(text, name, kind, dialect, declared, limits, timeout, cancel)
    elif recipe[0] == "decoder":
        program = _hclvm.compile_decoder(*recipe[1:], timeout, cancel)
    else:
        _, files, dialect, functions, limits = recipe
        declared = _functions.declarations(functions)
        program = _hclvm.compile_module(files, dialect, declared, limits, timeout, cancel)
    program._recipe = recipe
    return program


def _with_data(program, json, files, replaceable):
    made = program._with_data(files, json, list(replaceable))
    made._recipe = ("data", program, json, files, list(replaceable))
    return made


def _rebuild(*recipe):
    """A program that was pickled."""
    if recipe[0] == "data":
        return _with_data(*recipe[1:])
    return _compiled(recipe)
