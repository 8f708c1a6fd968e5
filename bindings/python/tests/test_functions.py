"""Functions of the host."""

import gc
import json
import sys
import threading
import weakref

import pytest

import hclvm


def run(text, functions, scope=None):
    return hclvm.compile(text, kind="expression", functions=functions).run(scope)


def test_callables_are_functions():
    assert run("twice(3)", {"twice": lambda x: x * 2}) == 6
    assert run("ns::twice(3)", {"ns::twice": lambda x: x * 2}) == 6
    assert run("all(1, \"a\", [null])", {"all": lambda *given: list(given)}) == [1, "a", [None]]
    assert run("f(1)", {"f": hclvm.Function(lambda a, b=7: a + b)}) == 8
    assert run("size({a = 1})", {"size": hclvm.Function(len, ["of"])}) == 1
    # It replaces one of the library.
    assert run("upper(\"a\")", {"upper": lambda x: "other"}) == "other"
    assert run("lower(\"A\")", {"upper": lambda x: "other"}) == "a"


def test_types_of_parameters_and_results():
    def typed(a: int, b: str, c: bool):
        return [a, b, c]

    assert run('f("5", 6, "true")', {"f": typed}) == [5, "6", True]
    with pytest.raises(hclvm.EvaluationError, match="number"):
        run('f("x", 6, "true")', {"f": typed})
    listed = hclvm.Function(lambda names: names, [("names", "list(string)")], result="set(string)")
    assert run('f([1, "a", 1])', {"f": listed}) == ["1", "a"]
    with pytest.raises(hclvm.EvaluationError, match="its result is wrong"):
        run("f()", {"f": hclvm.Function(lambda: "x", result="number")})
    with pytest.raises(hclvm.EvaluationError, match="the result of f.. is of a type"):
        run("f()", {"f": object})
    with pytest.raises(hclvm.EvaluationError, match="Too many function arguments"):
        run("f(1)", {"f": lambda: 1})


def test_nulls_and_unknown_values():
    with pytest.raises(hclvm.EvaluationError):
        run("f(null)", {"f": lambda x: 1})
    assert run("f(null)", {"f": hclvm.Function(lambda x: x is None, [hclvm.Parameter("x", nullable=True)])}) is True
    unknown = {"x": hclvm.Unknown("number")}
    assert run("f(x)", {"f": hclvm.Function(lambda x: 1, ["x"], result="string")}, unknown) == hclvm.Unknown("string")
    seen = hclvm.Function(lambda x: x.type, [hclvm.Parameter("x", unknown=True)])
    assert run("f(x)", {"f": seen}, unknown) == "number"
    assert run("f(x)", {"f": lambda x: x + 1}, {"x": hclvm.Marked(1)}) == hclvm.Marked(2)


@pytest.mark.parametrize(
    "arguments",
    [
        {"callable": 5},
        {"callable": len, "parameters": [5]},
        {"callable": lambda *, a: a},
    ],
)
def test_wrong_declarations(arguments):
    with pytest.raises(TypeError):
        hclvm.Function(**arguments)


@pytest.mark.parametrize(
    "functions",
    [
        {"a b": len},
        {"": len},
        {"f": hclvm.Function(len, [("x", "lst")])},
        {"f": hclvm.Function(len, ["x"], result="nope")},
    ],
)
def test_wrong_names_and_types(functions):
    with pytest.raises(ValueError):
        hclvm.compile(text="a = 1", functions=functions)


def test_an_exception_is_the_cause():
    def fail(x):
        raise KeyError("no such user")

    program = hclvm.compile(text="a = f(x)\nb = try(f(x), 5)", functions={"f": fail})
    with pytest.raises(hclvm.EvaluationError, match="it has raised KeyError: 'no such user'") as raised:
        program.run({"x": 1})
    assert isinstance(raised.value.__cause__, KeyError)
    assert raised.value.__cause__.__traceback__ is not None
    assert program.run({"x": 1}, "b") == 5
    got = program.run_many([{"x": 1}] * 2, errors="return", threads=2)
    assert [type(error.__cause__) for error in got] == [KeyError, KeyError]
    assert json.loads(program.run_ndjson(b'{"x":1}', "a"))["diagnostics"][0]["code"] == raised.value.code


class Silent(Exception):
    def __str__(self):
        raise RuntimeError("not told")


@pytest.mark.parametrize("error", [Silent(), ValueError("\ud800"), ValueError("x" * 100_000), hclvm.LimitError("own")])
def test_exceptions_that_are_hard_to_tell(error):
    def fail():
        raise error

    with pytest.raises(hclvm.Error) as raised:
        run("f()", {"f": fail})
    assert raised.value.__cause__ is error and type(error).__name__ in str(raised.value)
    assert isinstance(raised.value, hclvm.LimitError) == isinstance(error, hclvm.LimitError)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_ends_the_program_is_raised_as_it_is(error):
    def fail(x):
        raise error

    program = hclvm.compile(text="a = try(f(x), 5)", functions={"f": fail})
    for work in [
        lambda: program.run({"x": 1}),
        lambda: program.run_many([{"x": 1}], errors="return"),
        lambda: program.run_ndjson(b'{"x":1}'),
    ]:
        with pytest.raises(error):
            work()


def test_functions_are_not_called_before_they_have_to_be():
    calls = []
    functions = {"f": lambda x: calls.append(x) or 1, "g": hclvm.Function(lambda x: calls.append(x) or 1, ["x"], pure=True)}
    program = hclvm.compile(text="a = f(1)", functions=functions)
    assert calls == [] and not program.is_pure
    program.run(), program.run()
    assert calls == [1, 1]
    program = hclvm.compile(text="a = g(2)", functions=functions)
    assert calls[2:] == [2] and program.is_pure
    program.run()
    assert calls[2:] == [2]
    # A call that fails is not made again for the sake of the message.
    with pytest.raises(hclvm.EvaluationError):
        hclvm.compile(text="a = f(3) + x.y", functions=functions).run({"x": {}})
    assert calls[3:].count(3) <= 1


def test_evaluations_within_evaluations():
    inner = hclvm.compile(text="a = x + 1")
    assert run("f(1)", {"f": lambda x: inner.run({"x": x}, "a")}) == 2

    def again(x):
        return holder[0].run({"x": x})

    holder = [hclvm.compile("f(x)", kind="expression", functions={"f": again})]
    with pytest.raises((hclvm.Error, RecursionError)):
        holder[0].run({"x": 1})


def test_nobody_waits_for_whoever_waits_for_the_gil():
    """Threads that hold the GIL in turns, and call functions that take it, end."""
    lock = threading.Lock()

    def slow(x):
        with lock:
            sys.getswitchinterval()
            return x

    program = hclvm.compile(text="a = f(n)", functions={"f": slow})
    lines = b"".join(b'{"n":%d}\n' % n for n in range(2000))
    want = b"".join(b'{"value":%d}\n' % n for n in range(2000))
    results = []

    def work():
        results.append(program.run_ndjson(lines, "a", threads=4) == want)
        results.append(program.run_many(({"n": n} for n in range(500)), "a", threads=4) == list(range(500)))

    threads = [threading.Thread(target=work, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert results == [True] * 8


def test_functions_go_with_their_last_program():
    class Callable:
        def __call__(self, x):
            return x

    function = Callable()
    gone = weakref.ref(function)
    program = hclvm.compile(text="a = f(1)", functions={"f": function})
    del function
    gc.collect()
    assert gone() is not None and program.run() == {"a": 1}
    del program
    gc.collect()
    assert gone() is None
