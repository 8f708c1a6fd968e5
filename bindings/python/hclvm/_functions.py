"""Functions of the host: Python callables that expressions may call."""

import inspect

_TYPES = {bool: "bool", int: "number", float: "number", str: "string"}


class Parameter:
    """A parameter of a function, called `name` in messages.

    Arguments are converted to `type`, in HCL's syntax, before the call. A null is an error unless `nullable`, and is
    None otherwise. With an argument that is not known, the function is not called and its result is not known, unless
    `unknown` is true: then it gets `hclvm.Unknown`.
    """

    __slots__ = ("name", "type", "nullable", "unknown")

    def __init__(self, name, type="any", *, nullable=False, unknown=False):
        self.name = str(name)
        self.type = str(type)
        self.nullable = bool(nullable)
        self.unknown = bool(unknown)

    def __repr__(self):
        return f"hclvm.Parameter({self.name!r}, {self.type!r}, nullable={self.nullable}, unknown={self.unknown})"


class Function:
    """A `callable` and what expressions have to know of it.

    `parameters` is a list of `Parameter`, of names, or of pairs of a name and a type; left out, it is read from the
    signature, where annotations bool, int, float and str give the types. `variadic` is one for all further arguments.
    The result is converted to `result`. `pure` says that the same arguments give the same result, so that calls with
    constant arguments may be made once, while compiling.
    """

    __slots__ = ("callable", "parameters", "variadic", "result", "pure")

    def __init__(self, callable, parameters=None, *, variadic=None, result="any", pure=False):
        if not hasattr(callable, "__call__"):
            raise TypeError(f"a function of the host is a callable, not {type(callable).__name__}")
        self.callable = callable
        if parameters is None:
            parameters, found = _parameters_of(callable)
            variadic = found if variadic is None else variadic
        self.parameters = [_parameter(each) for each in parameters]
        self.variadic = None if variadic is None else _parameter(variadic)
        self.result = str(result)
        self.pure = bool(pure)

    def __repr__(self):
        return f"hclvm.Function({self.callable!r}, {self.parameters!r}, result={self.result!r})"


def _parameter(given):
    if isinstance(given, Parameter):
        return given
    if isinstance(given, str):
        return Parameter(given)
    if isinstance(given, tuple) and len(given) == 2:
        return Parameter(*given)
    raise TypeError("a parameter is a hclvm.Parameter, a name, or a pair of a name and a type")


def _parameters_of(callable):
    try:
        signature = inspect.signature(callable)
    except (TypeError, ValueError):
        raise TypeError(f"the parameters of {callable!r} are not known: give them to hclvm.Function") from None
    parameters, variadic = [], None
    for each in signature.parameters.values():
        declared = Parameter(each.name, _TYPES.get(each.annotation, "any"))
        if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD):
            if each.default is each.empty:
                parameters.append(declared)
        elif each.kind is each.VAR_POSITIONAL:
            variadic = declared
        elif each.kind is each.KEYWORD_ONLY and each.default is each.empty:
            raise TypeError(f"{callable!r} needs the keyword argument {each.name}: wrap it")
    return parameters, variadic


def declarations(functions):
    """`functions`, name to callable or Function, as the native module takes it."""
    result = []
    for name, function in (functions or {}).items():
        if not isinstance(function, Function):
            function = Function(function)
        declared = [(p.name, p.type, p.nullable, p.unknown) for p in function.parameters]
        last = function.variadic
        variadic = None if last is None else (last.name, last.type, last.nullable, last.unknown)
        result.append((name, function.callable, declared, variadic, function.result, function.pure))
    return result
