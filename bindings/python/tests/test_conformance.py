"""The shared cases with the reference's answers, through Python.

tests/conformance_runner.cc runs all of them, and compares types as well. Here go those that the package can run, and
values are compared as Python has them: lists, sets and tuples are alike, and so are nulls of all types.
"""

import decimal
import json
import os
import pathlib

import pytest

import hclvm

FOLDER = pathlib.Path(os.environ.get("HCLVM_CONFORMANCE", pathlib.Path(__file__).parents[3] / "tests/conformance"))
SAME = {dialect: hclvm.compile("x", kind="expression", dialect=dialect) for dialect in ("hashicorp", "spec")}


def read(path):
    for line in path.read_text().splitlines():
        yield json.loads(line, parse_float=decimal.Decimal, parse_int=decimal.Decimal)


def type_text(type):
    """HCL's syntax for a type of the cases."""
    if isinstance(type, str):
        return "any" if type == "dynamic" else type
    kind, of = type
    if kind == "tuple":
        return "tuple([" + ", ".join(map(type_text, of or [])) + "])"
    if kind == "object":
        return "object({" + ", ".join(f"{json.dumps(name)} = {type_text(of[name])}" for name in of or {}) + "})"
    return f"{kind}({type_text(of)})"


def value_of(value):
    """A value of the cases as an object to give to a program."""
    if isinstance(value, list):
        return [value_of(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "$unknown" in value:
        return hclvm.Unknown(type_text(value["$unknown"]))
    return {name: value_of(each) for name, each in value.items()}


def typed(given):
    return hclvm.Typed(value_of(given["value"]), type_text(given["type"]))


def comparable(value):
    """A value of Python, or of a case, in a form that is the same for equal ones."""
    if isinstance(value, hclvm.Unknown):
        # Types have one spelling once they were read.
        return ("unknown", SAME["spec"].run({"x": hclvm.Unknown(value.type)}).type)
    if isinstance(value, list):
        return [comparable(each) for each in value]
    if isinstance(value, dict):
        if set(value) == {"$number"}:
            return decimal.Decimal(value["$number"].replace("Inf", "Infinity"))
        if "$unknown" in value:
            return comparable(value_of(value))
        return {name: comparable(each) for name, each in value.items()}
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    return decimal.Decimal(repr(value)) if isinstance(value, float) else decimal.Decimal(value)


def agree(got, want):
    """Whether they are equal, but for what is known where the reference does not know it.

    tests/conformance_runner.cc sees to it that this is sound.
    """
    if isinstance(want, tuple):
        return got != "eval"
    if isinstance(want, list) and isinstance(got, list):
        return len(got) == len(want) and all(map(agree, got, want))
    if isinstance(want, dict) and isinstance(got, dict):
        return got.keys() == want.keys() and all(agree(got[name], want[name]) for name in want)
    if isinstance(want, decimal.Decimal) and isinstance(got, decimal.Decimal):
        # Answers that are long were written down with as many digits as a float has.
        return got == want or float(got) == float(want) and len(want.as_tuple().digits) in (15, 16, 17)
    return got == want


class Runner:
    def __init__(self):
        with open(FOLDER / "variables.json") as file:
            given = json.load(file, parse_float=decimal.Decimal, parse_int=decimal.Decimal)
        self.scope = {name: typed(value) for name, value in given.items()}

    def run(self, case):
        """What the case gives, comparable: a value, or the phase in which it fails."""
        kind = case["kind"]
        dialect = case.get("dialect", "hashicorp")
        source = case.get("source", "")
        if kind == "convert":
            return self.convert(case)
        kinds = {"expr": "expression", "template": "template", "json_attributes": "json"}
        try:
            program = hclvm.compile(source, kind=kinds[kind], dialect=dialect)
        except hclvm.CompileError as error:
            # What fails in each run is found while compiling, and so are mistakes in templates of the JSON syntax.
            return "parse" if error.code < "HCL3000" and not (kind == "json_attributes" and is_json(source)) else "eval"
        try:
            return comparable(program.run(self.scope))
        except hclvm.EvaluationError:
            return "eval"

    def convert(self, case):
        try:
            value = hclvm.Typed(typed(case["value"]), type_text(case["type"]))
            return comparable(SAME[case.get("dialect", "hashicorp")].run({"x": value}))
        except ValueError:
            return "convert"


def is_json(text):
    try:
        return json.loads(text) is not None
    except ValueError:
        return False


def wanted(case):
    want = case["want"]
    if "error" in want:
        return want["error"]
    if case["kind"] == "json_attributes":
        return {name: comparable(each["value"]) for name, each in want["attributes"].items()}
    return comparable(want["value"])


def has_infinity(value):
    """Infinities are no values that Python may give."""
    return "$number" in json.dumps(value, default=str)


@pytest.mark.parametrize("path", sorted((FOLDER / "cases").glob("*.jsonl")), ids=lambda path: path.stem)
def test_cases(path):
    runner = Runner()
    failed = []
    for case in read(path):
        if case["kind"] not in ("expr", "template", "json_attributes", "convert"):
            continue
        if case["kind"] == "convert" and has_infinity(case["value"]):
            continue
        got, want = runner.run(case), wanted(case)
        if not agree(got, want):
            failed.append((case["id"], case.get("source", case.get("value")), got, want))
    assert failed == []


def test_there_are_cases():
    kinds = [case["kind"] for path in (FOLDER / "cases").glob("*.jsonl") for case in read(path)]
    assert len(kinds) > 4000 and kinds.count("expr") > 2500 and kinds.count("convert") > 250
