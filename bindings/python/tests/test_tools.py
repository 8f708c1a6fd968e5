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
