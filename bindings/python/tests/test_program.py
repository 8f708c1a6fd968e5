"""Compiling and evaluating."""

import collections
import decimal
import pickle

import pytest

import hclvm

POLICY = "allow = user.admin || contains(owners, user.name)"
ANN = {"user": {"name": "ann", "admin": False}, "owners": ["ann"]}


def test_a_policy_is_compiled_and_run():
    policy = hclvm.compile(text=POLICY)
    assert policy.run(ANN) == {"allow": True}
    assert policy.run({"user": {"name": "bob", "admin": False}, "owners": ["ann"]}, "allow") is False
    assert policy.entries == ["allow"]
    assert sorted(policy.variables) == ["owners", "user"]
    assert policy.warnings == [] and policy.is_pure
    assert "allow" in policy.disassemble()


@pytest.mark.parametrize(
    "kind, text, scope, want",
    [
        ("expression", "a + 1", {"a": 2}, 3),
        ("template", "hello ${name}", {"name": "ann"}, "hello ann"),
        ("json", '{"a": "${b * 2}"}', {"b": 4}, {"a": 8}),
        ("json_expression", '["${b}", 1]', {"b": None}, [None, 1]),
        ("config", 'b "x" {\n  a = 1\n}', None, {"b": {"x": [{"a": 1}]}}),
    ],
)
def test_kinds_of_texts(kind, text, scope, want):
    assert hclvm.compile(text, kind=kind).run(scope) == want
    assert hclvm.compile(text.encode(), kind=kind).run(scope) == want


def test_files(tmp_path):
    native, json = tmp_path / "a.hcl", tmp_path / "a.hcl.json"
    native.write_text("a = b + 1")
    json.write_text('{"a": "${b + 2}"}')
    assert hclvm.compile(path=native).run({"b": 1}) == {"a": 2}
    assert hclvm.compile(path=str(json)).run({"b": 1}) == {"a": 3}
    with pytest.raises(FileNotFoundError):
        hclvm.compile(path=tmp_path / "none.hcl")


@pytest.mark.parametrize(
    "arguments, error",
    [
        ({}, TypeError),
        ({"text": "a = 1", "path": "a"}, TypeError),
        ({"text": 1}, TypeError),
        ({"text": "a = 1", "kind": "yaml"}, ValueError),
        ({"text": "a = 1", "dialect": "other"}, ValueError),
        ({"text": "a = 1", "limits": hclvm.Limits(max_nesting_depth=2001)}, ValueError),
        ({"text": "a = 1", "limits": hclvm.Limits(max_fuel=-1)}, ValueError),
        ({"text": "a = 1", "limits": hclvm.Limits(max_fuel="1")}, TypeError),
        ({"text": "a = 1", "timeout": 0}, ValueError),
        ({"text": "a = 1", "timeout": float("nan")}, ValueError),
        ({"text": "a = 1", "timeout": "1"}, TypeError),
        ({"text": "a = \"\ud800\""}, ValueError),
    ],
)
def test_wrong_arguments_of_compile(arguments, error):
    with pytest.raises(error):
        hclvm.compile(**arguments)


def test_wrong_arguments_of_run():
    policy = hclvm.compile(text=POLICY)
    with pytest.raises(TypeError, match="a scope is a dict"):
        policy.run(["user"])
    with pytest.raises(ValueError, match="did you mean allow"):
        policy.run(ANN, "alow")
    with pytest.raises(TypeError):
        policy.run(ANN, 1)


def test_modules(tmp_path):
    (tmp_path / "variables.hcl").write_text('variable "limit" {\n  type = number\n  default = 10\n}')
    (tmp_path / "policy.hcl").write_text("locals {\n  twice = limit * 2\n}\nmost = local.twice")
    module = hclvm.compile_module(tmp_path)
    assert module.run() == {"most": 20}
    assert module.run({"limit": "4"}, "most") == 8
    with pytest.raises(hclvm.EvaluationError, match="limit"):
        module.run({"limit": "x"})
    files = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert hclvm.compile_module(files=files).run({"limit": 1}) == {"most": 2}
    assert hclvm.compile_module(tmp_path / "policy.hcl".replace("policy", "variables")).run() == {}
    with pytest.raises(FileNotFoundError):
        hclvm.compile_module(tmp_path / "none")


def test_what_is_not_read_of_a_scope_may_be_anything():
    policy = hclvm.compile(text=POLICY)
    assert policy.run({**ANN, "other": object(), "user": {**ANN["user"], "more": {1: 2}}}) == {"allow": True}
    with pytest.raises(TypeError, match="scope.other is of a type"):
        policy.run({**ANN, "other": object()}, check_all=True)


def test_a_message_knows_what_else_there_is():
    with pytest.raises(hclvm.EvaluationError) as error:
        hclvm.compile(text="a = user.nmae").run({"user": {"name": "ann"}})
    assert 'Did you mean "name"?' in str(error.value)
    with pytest.raises(hclvm.EvaluationError) as error:
        hclvm.compile(text="a = user").run({"usr": 1})
    assert 'Did you mean "usr"?' in str(error.value)


def test_names_in_other_spellings_of_unicode():
    # "é" as one character and as two.
    policy = hclvm.compile(text="a = x.\u00e9")
    assert policy.run({"x": {"\u00e9": 1}}) == {"a": 1}
    assert policy.run({"x": {"e\u0301": 2}}) == {"a": 2}


def test_data_of_all_scopes(tmp_path):
    (tmp_path / "owners.json").write_text('["ann"]')
    policy = hclvm.compile(text=POLICY)
    user = {"user": {"name": "ann", "admin": False}}
    for over in [
        hclvm.with_data(policy, {"owners": ["ann"]}),
        hclvm.with_data(policy, files=[tmp_path]),
    ]:
        assert over.run(user) == {"allow": True}
        assert over.run_many([user] * 2) == [{"allow": True}] * 2
        assert over.run_ndjson(b'{"user":{"name":"bob","admin":false}}', "allow") == b'{"value":false}\n'
        with pytest.raises(hclvm.EvaluationError, match="owners"):
            over.run({**user, "owners": []})
    free = hclvm.with_data(policy, {"owners": ["ann"]}, replaceable=["owners"])
    assert free.run({**user, "owners": []}) == {"allow": False}
    with pytest.raises(FileNotFoundError):
        hclvm.with_data(policy, files=[tmp_path / "none.json"])
    with pytest.raises(hclvm.EvaluationError):
        (tmp_path / "owners.json").write_text("[")
        hclvm.with_data(policy, files=[tmp_path])


def test_data_are_values():
    program = hclvm.compile("x", kind="expression")
    for value in [decimal.Decimal("0.1234567890123456789"), 0.1, 2**70, (1, "a"), {"a": None}, "e\u0301"]:
        want = program.run({"x": value})
        assert hclvm.with_data(program, {"x": value}).run() == want
        assert hclvm.with_data(program, collections.OrderedDict(x=value)).run() == want
    for wrong, raised in [
        (float("nan"), ValueError),
        (object(), TypeError),
        ({1: 2}, TypeError),
        (hclvm.Unknown("string"), ValueError),
        (hclvm.Marked("a"), ValueError),
    ]:
        with pytest.raises(raised):
            hclvm.with_data(program, {"x": wrong})
    with pytest.raises(hclvm.EvaluationError):
        hclvm.with_data(program, ["x"])
    itself = {}
    itself["x"] = itself
    with pytest.raises(hclvm.LimitError):
        hclvm.with_data(program, itself)


def test_programs_are_pickled():
    policy = hclvm.compile(text=POLICY)
    for program in [policy, hclvm.with_data(policy, {"owners": ["ann"]}, replaceable=["owners"])]:
        assert pickle.loads(pickle.dumps(program)).run(ANN) == {"allow": True}
