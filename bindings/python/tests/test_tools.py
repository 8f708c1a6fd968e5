"""Check and decode."""

import pickle

import pytest

import hclvm


def codes(found):
    return [diagnostic.code for diagnostic in found]


def test_check(tmp_path):
    (tmp_path / "variables.hcl").write_text('variable "user" {\n  type = object({ name = string })\n}')
    policy = tmp_path / "policy.hcl"
    policy.write_text('allow = user.nme == "ann"')
    (found,) = hclvm.check(tmp_path)
    assert (found.code, found.line, found.file) == ("HCL3201", 1, str(policy))
    assert hclvm.check(policy) == []
    assert codes(hclvm.check(policy, module=True)) == ["HCL3101"]
    declared = (tmp_path / "variables.hcl").read_text()
    assert codes(hclvm.check(policy, variables=declared)) == ["HCL3201"]
    policy.write_text('allow = user.name == "ann"')
    assert hclvm.check(tmp_path) == []


def test_check_of_texts():
    assert hclvm.check(text="a = 1") == []
    assert codes(hclvm.check(text="a = ")) == ["HCL1201"]
    assert codes(hclvm.check(text="a = f(1)")) == ["HCL3002"]
    assert hclvm.check(text="a = f(1)", functions={"f": lambda x: x}) == []
    (found,) = hclvm.check(text='variable "x" {}\na = 1', module=True)
    assert (found.code, found.severity) == ("HCL8005", "warning")
    (found,) = hclvm.check(text='variable "x" {}\na = 1', module=True, strict=True)
    assert (found.code, found.severity) == ("HCL8005", "error")
    with pytest.raises(TypeError):
        hclvm.check()
    with pytest.raises(hclvm.LimitError):
        hclvm.check(text="a = " + "(" * 600 + "1" + ")" * 600)


MODULE = {
    "variables.hcl": 'variable "n" { type = number }',
    "policy.hcl": "big = n > limit()",
    "n.test.hcl": """
test "table" {
  cases = {
    low  = { with = { n = 1 }, expect = { big = false } }
    high = { with = file("high.json"), expect = { big = true } }
    bad  = { with = { n = 2 }, expect = { big = true } }
  }
}
""",
    "high.json": '{"n": 100}',
}


def check_results(results):
    assert [(one.name, one.line, one.passed) for one in results] == [
        ("table/low", 2, True),
        ("table/high", 2, True),
        ("table/bad", 2, False),
    ]
    (failure,) = results[2].failures
    assert failure.startswith("big is not what is expected\n  big: false, expected true\n  big = false, as n = 2")
    assert results.coverage is None
    assert results[0].file.endswith("n.test.hcl") and results[0].seconds >= 0


def test_tests(tmp_path):
    functions = {"limit": lambda: 10}
    check_results(hclvm.test(files=MODULE, functions=functions))
    for name, text in MODULE.items():
        (tmp_path / name).write_text(text)
    check_results(hclvm.test(tmp_path, functions=functions))
    check_results(hclvm.test(tmp_path / "n.test.hcl", functions=functions))
    stood_in = {**MODULE, "n.test.hcl": MODULE["n.test.hcl"] + 'function "limit" {\n  params = []\n  result = 10\n}\n'}
    check_results(hclvm.test(files=stood_in))
    check_results(hclvm.test(files=stood_in, functions={"limit": lambda: 0}))


def test_coverage():
    policy = {**MODULE, "policy.hcl": "big = n > limit()\nprice = n > 50 ? 1 : 2"}
    results = hclvm.test(files=policy, functions={"limit": lambda: 10}, coverage=True)
    assert [one.passed for one in results] == [True, True, False]
    covered = results.coverage
    assert (covered["seen"], covered["outcomes"]) == (0, 2)
    assert covered["files"][0]["decisions"][0]["counts"] == {"true": 0, "false": 0}


def test_explanations(tmp_path):
    module = {"m.hcl": "variable \"x\" {}\nallow = x.ok && x.size < limit()\nother = x.size"}
    functions = {"limit": lambda: 10}
    (why,) = hclvm.explain(files=module, scope={"x": {"ok": True, "size": 12}}, entry="allow", functions=functions)
    assert (why["entry"], why["outcome"], why["value"]) == ("allow", "value", "false")
    (reason,) = why["reasons"]
    assert (reason["kind"], reason["text"], reason["line"]) == ("operand", "x.size < limit()", 2)
    assert reason["reads"] == [{"path": "x.size", "value": "12"}]
    (tmp_path / "m.hcl").write_text(module["m.hcl"])
    both = hclvm.explain(tmp_path, {"x": {"ok": False, "size": 1}}, full=True, functions=functions)
    assert [one["entry"] for one in both] == ["allow", "other"]
    assert "expressions" in both[0]
    assert hclvm.explain(tmp_path, {}, "allow", functions=functions)[0]["outcome"] == "error"
    with pytest.raises(KeyError):
        hclvm.explain(tmp_path, {}, "alow", functions=functions)
    with pytest.raises(TypeError):
        hclvm.explain(scope={})
    with pytest.raises(TypeError):
        hclvm.explain(tmp_path, [])
    with pytest.raises(hclvm.CompileError):
        hclvm.explain(files={"m.hcl": "a ="}, scope={})


OLD = {"variables.hcl": 'variable "n" { type = number }', "m.hcl": "big = n > 10\nsame = n"}
NEW = {**OLD, "m.hcl": "big = n > 20\nsame = n"}


def test_diff(tmp_path):
    requests = [{"n": 1}, {"n": 15}, {"n": 17}, {"n": 30}]
    found = hclvm.diff(OLD, NEW, requests)
    assert (found["requests"], found["differing"]) == (4, 2)
    (group,) = found["entries"][0]["groups"]
    assert (group["count"], group["before"], group["after"]) == (2, "true", "false")
    assert group["example"]["line"] == 2
    assert hclvm.diff(OLD, OLD, requests)["differing"] == 0
    assert [one["entry"] for one in hclvm.diff(OLD, NEW, requests, entries=["same"])["entries"]] == ["same"]
    rules = {**OLD, "m.hcl": "big = n > 10 && n < 16\nsame = n"}
    (group,) = hclvm.diff(OLD, rules, requests, entries=["big"])["entries"][0]["groups"]
    assert group["decided_after"] == "n < 16 is false (m.hcl:1)"
    for folder, files in (("old", OLD), ("new", NEW)):
        (tmp_path / folder).mkdir()
        for name, text in files.items():
            (tmp_path / folder / name).write_text(text)
    (tmp_path / "requests.ndjson").write_text('{"n": 15}\n\n{"n": 17}\n')
    with open(tmp_path / "requests.ndjson", encoding="utf-8") as lines:
        assert hclvm.diff(tmp_path / "old", tmp_path / "new", lines)["differing"] == 2
    log = [{"path": "m/big", "decision_id": "1", "input": {"n": 15}}]
    assert hclvm.diff(OLD, NEW, log, log=True)["entries"][0]["groups"][0]["example"]["decision_id"] == "1"
    assert hclvm.diff(OLD, NEW, ["{"])["broken"] == 1
    with pytest.raises(KeyError):
        hclvm.diff(OLD, NEW, requests, entries=["bigger"])
    with pytest.raises(TypeError):
        hclvm.diff(OLD, NEW, {"n": 1})
    with pytest.raises(hclvm.CompileError):
        hclvm.diff(OLD, {"m.hcl": "a ="}, requests)
    with pytest.raises(hclvm.LimitError):
        hclvm.diff(OLD, NEW, requests, limits=hclvm.Limits(max_fuel=1))


def test_profile(tmp_path):
    found = hclvm.profile(OLD, [{"n": 1}, {"n": 2}], seconds=0)
    assert (found["evaluations"], found["failed"]) == (4, 0)
    assert found["fuel"] > 0
    assert {line["line"] for line in found["lines"] if line["file"] == "m.hcl"} == {1, 2}
    assert hclvm.profile(OLD, ['{"n": 1}'], entries=["big"], seconds=0.01)["evaluations"] == 1
    with pytest.raises(ValueError, match="line 2"):
        hclvm.profile(OLD, ['{"n": 1}', "{"], seconds=0)
    with pytest.raises(KeyError):
        hclvm.profile(OLD, [], entries=["bigger"])
    with pytest.raises(hclvm.LimitError):
        hclvm.profile(OLD, [{"n": 1}], seconds=0, limits=hclvm.Limits(max_fuel=1))
    with pytest.raises(FileNotFoundError):
        hclvm.profile(tmp_path / "nosuch", [])


def test_tests_that_are_wrong(tmp_path):
    with pytest.raises(hclvm.CompileError) as raised:
        hclvm.test(files={**MODULE, "n.test.hcl": 'test "t" { expct = {} }'}, functions={"limit": lambda: 10})
    assert codes(raised.value.diagnostics) == ["HCL5001"]
    with pytest.raises(hclvm.CompileError):
        hclvm.test(files=MODULE)
    assert hclvm.test(files={"a.hcl": "x = 1"}) == []
    with pytest.raises(TypeError):
        hclvm.test()
    with pytest.raises(FileNotFoundError):
        hclvm.test(tmp_path / "nosuch")


SPEC = """
object {
  attr "name" {
    type = string
  }
  attr "size" {
    type = number
  }
}
"""


def test_decode(tmp_path):
    assert hclvm.decode(SPEC, text='name = "a"\nsize = "5"') == {"name": "a", "size": 5}
    assert hclvm.decode(SPEC, {"n": 3}, text="name = n\nsize = n + 1") == {"name": "3", "size": 4}
    path, spec = tmp_path / "a.hcl.json", tmp_path / "a.hcldec"
    path.write_text('{"name": "${n}"}')
    spec.write_text(SPEC)
    assert hclvm.decode(spec, path=path) == {"name": "${n}", "size": None}
    assert hclvm.decode(spec, {"n": 1}, path=path) == {"name": "1", "size": None}


def test_what_a_spec_file_defines():
    spec = 'variables {\n  n = 7\n}\nfunction "twice" {\n  params = [x]\n  result = x * 2\n}\nattr {\n  name = "a"\n  type = number\n}'
    program = hclvm.compile_decoder(spec, text="a = twice(n)")
    assert program.run() == 14 and program.run({"n": 1}) == 2
    assert program.run_many([{}, {"n": 2}], threads=2) == [14, 4]
    assert program.run_ndjson(b'{}\n{"n":2}') == b'{"value":14}\n{"value":4}\n'
    assert pickle.loads(pickle.dumps(program)).run() == 14


def test_what_cannot_be_decoded():
    with pytest.raises(hclvm.CompileError, match="spec"):
        hclvm.decode("nope", text="")
    with pytest.raises(hclvm.CompileError):
        hclvm.decode(SPEC, text="name = ")
    with pytest.raises(hclvm.EvaluationError):
        hclvm.decode(SPEC, text="other = 1")
    with pytest.raises(FileNotFoundError):
        hclvm.decode(SPEC, path="/nowhere/a.hcl")


def test_convert():
    assert hclvm.convert("a = b + 1\n", "json") == '{\n  "a": "${b + 1}"\n}\n'
    assert hclvm.convert('{"a": "${b + 1}"}', "native") == "a = b + 1\n"
    assert hclvm.convert('{"locals": {"a": 1}}', "native", module=True) == "locals {\n  a = 1\n}\n"
    spec = 'block {\n  block_type = "s"\n  attr {\n    name = "a"\n  }\n}\n'
    assert hclvm.convert('{"s": {"a": 1}}', "native", spec=spec) == "s {\n  a = 1\n}\n"
    with pytest.raises(hclvm.CompileError) as error:
        hclvm.convert("a = 1\na {}\n", "json", name="x.hcl")
    assert error.value.diagnostics[0].code == "HCL6201"
    assert error.value.diagnostics[0].file == "x.hcl"
    with pytest.raises(hclvm.CompileError):
        hclvm.convert("{}", "native", spec="wrong")
    with pytest.raises(hclvm.LimitError):
        hclvm.convert("a = 1", "json", limits=hclvm.Limits(max_source_bytes=2))
    for wrong in ({"to": "yaml"}, {"to": "json", "dialect": "x"}, {"to": "json", "spec": spec, "module": True}):
        with pytest.raises(ValueError):
            hclvm.convert("a = 1", **wrong)
