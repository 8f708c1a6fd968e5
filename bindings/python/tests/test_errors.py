"""Exceptions, and what they tell."""

import pickle

import pytest

import hclvm


def test_a_mistake_in_a_text():
    with pytest.raises(hclvm.CompileError) as raised:
        hclvm.compile(text="a = 1\nb = \n", name="policy.hcl")
    error = raised.value
    assert isinstance(error, hclvm.Error) and error.code == "HCL1202"
    (diagnostic,) = error.diagnostics
    assert (diagnostic.code, diagnostic.severity, diagnostic.summary) == ("HCL1202", "error", "Invalid expression")
    assert (diagnostic.file, diagnostic.line, diagnostic.column) == ("policy.hcl", 2, 5)
    assert diagnostic.subject.start == hclvm.Position(2, 5, 10)
    assert not diagnostic.is_limit
    assert "policy.hcl line 2, column 5" in str(error) and str(error) in str(diagnostic)


def test_a_mistake_in_a_scope():
    with pytest.raises(hclvm.EvaluationError) as raised:
        hclvm.compile(text="a = user.age >= 18").run({"user": {"age": "x"}})
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.values == (("user.age", '"x"'),)
    assert raised.value.__cause__ is None


def test_limits():
    with pytest.raises(hclvm.LimitError) as raised:
        hclvm.compile(text="a = [for i in range(1000): i]", limits=hclvm.Limits(max_fuel=50, max_compile_fuel=0)).run()
    assert raised.value.code == "HCL9202" and raised.value.diagnostics[0].is_limit
    with pytest.raises(hclvm.LimitError):
        hclvm.compile(text="a = " + "(" * 600 + "1" + ")" * 600)
    with pytest.raises(hclvm.LimitError):
        hclvm.compile(text="a = 1", limits=hclvm.Limits(max_source_bytes=3))


def test_warnings(tmp_path):
    (tmp_path / "a.hcl").write_text("a = 1")
    assert hclvm.compile_module(tmp_path).warnings == []


def test_errors_are_pickled():
    with pytest.raises(hclvm.CompileError) as raised:
        hclvm.compile(text="a = ")
    again = pickle.loads(pickle.dumps(raised.value))
    assert type(again) is hclvm.CompileError
    assert str(again) == str(raised.value) and again.diagnostics == raised.value.diagnostics
