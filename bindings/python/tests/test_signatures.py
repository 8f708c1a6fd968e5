"""Docstrings and type stubs: each function and each argument is in both."""

import ast
import inspect
import pathlib

import pytest

import hclvm
import hclvm.dask

FOLDER = pathlib.Path(hclvm.__file__).parent


def stubs(name):
    """Functions and methods of a stub, by name, each its node."""
    found = {}
    for node in ast.parse((FOLDER / name).read_text()).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        if isinstance(node, ast.ClassDef):
            found.update({f"{node.name}.{each.name}": each for each in node.body if isinstance(each, ast.FunctionDef)})
    return found


def arguments_of(node):
    """Names of positional arguments and of those by name, with the defaults, as a stub has them."""
    positional = node.args.posonlyargs + node.args.args
    defaults = [None] * (len(positional) - len(node.args.defaults)) + list(node.args.defaults)
    pairs = list(zip(positional, defaults)) + list(zip(node.args.kwonlyargs, node.args.kw_defaults))
    shown = [(each.arg, "required" if default is None else ast.unparse(default)) for each, default in pairs]
    return [pair for pair in shown if pair[0] != "self"], [each.arg for each in node.args.kwonlyargs]


def signature_of(function):
    """The same of the function itself. pybind11 writes signatures in docstrings."""
    try:
        signature = inspect.signature(function)
    except ValueError:
        head = function.__doc__.split("\n", 1)[0]
        tree = ast.parse("def " + head.replace("hclvm._hclvm.", "") + ": ...")
        return arguments_of(tree.body[0])
    parameters = [each for each in signature.parameters.values() if each.name != "self"]
    shown = [(each.name, "required" if each.default is each.empty else repr(each.default)) for each in parameters]
    return shown, [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]


def functions():
    for name in hclvm.__all__:
        each = getattr(hclvm, name)
        if inspect.isroutine(each):
            yield name, each, "__init__.pyi"
    for name in ("run", "run_many", "run_ndjson", "disassemble"):
        yield f"Program.{name}", getattr(hclvm.Program, name), "_hclvm.pyi"
    for name in ("cancel", "clear"):
        yield f"CancelToken.{name}", getattr(hclvm.CancelToken, name), "_hclvm.pyi"


@pytest.mark.parametrize("name,function,stub", list(functions()), ids=lambda each: each if isinstance(each, str) else "")
def test_functions(name, function, stub):
    shown, by_name = signature_of(function)
    assert (shown, by_name) == arguments_of(stubs(stub)[name])
    for argument, _ in shown:
        assert f"`{argument}`" in function.__doc__, argument
    assert len(function.__doc__.split("\n\n", 1)[0]) > 20


def test_dask():
    for argument in inspect.signature(hclvm.dask.evaluate).parameters:
        assert f"`{argument}`" in hclvm.dask.evaluate.__doc__, argument


def test_classes():
    for name in hclvm.__all__:
        each = getattr(hclvm, name)
        if not inspect.isclass(each):
            continue
        assert each.__doc__ and not each.__doc__.startswith(name + "("), name
        for member, value in vars(each).items():
            if isinstance(value, property) and not member.startswith("_"):
                assert value.__doc__, f"{name}.{member}"
    for each in (hclvm.Limits, hclvm.Function, hclvm.Parameter, hclvm.Typed, hclvm.Marked, hclvm.Unknown):
        for argument in inspect.signature(each).parameters:
            assert f"`{argument}`" in each.__doc__, (each, argument)


def test_stubs_name_all_that_is_public():
    text = (FOLDER / "__init__.pyi").read_text()
    defined = set(stubs("__init__.pyi"))
    for name in hclvm.__all__:
        assert name in defined or f"import {name} as {name}" in text, name
