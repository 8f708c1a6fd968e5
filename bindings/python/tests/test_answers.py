"""The table of answers (tests/answers), by the ways to evaluate in Python."""

import json
import pathlib
import warnings

import pytest

import hclvm

TABLE = json.loads((pathlib.Path(__file__).parents[3] / "tests" / "answers" / "answers.json").read_text())
ROWS = [row for row in TABLE["rows"] if "unknown_input" not in row]
PROGRAMS = {}


def program_of(row):
    name = row["module"]
    if name not in PROGRAMS:
        PROGRAMS[name] = hclvm.compile_module(files={name + ".hcl": "\n".join(TABLE["modules"][name]) + "\n"})
    return PROGRAMS[name]


def expect(row, check_all, evaluate):
    expected = row.get("all", row) if check_all else row
    if "answer" in expected:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            assert evaluate() == expected["answer"]
        text = "".join(str(warning.message) for warning in told)
        assert ("warns" in expected) == bool(text)
        assert expected.get("warns", "") in text
        return
    with pytest.raises(hclvm.EvaluationError) as raised:
        evaluate()
    diagnostics = raised.value.diagnostics
    assert expected["error"] in [diagnostic.code for diagnostic in diagnostics]
    assert any(expected.get("says", "") in diagnostic.detail for diagnostic in diagnostics)


@pytest.mark.parametrize("check_all", [False, True])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['module']}-{row['entry']}")
def test_run(row, check_all):
    program = program_of(row)
    expect(row, check_all, lambda: program.run(row["scope"], row["entry"], check_all=check_all))


@pytest.mark.parametrize("check_all", [False, True])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['module']}-{row['entry']}")
def test_run_many(row, check_all):
    program = program_of(row)
    expect(row, check_all, lambda: program.run_many([row["scope"]] * 2, row["entry"], check_all=check_all)[1])


@pytest.mark.parametrize("check_all", [False, True])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['module']}-{row['entry']}")
def test_run_ndjson(row, check_all):
    expected = row.get("all", row) if check_all else row
    line = program_of(row).run_ndjson(json.dumps(row["scope"]), row["entry"], check_all=check_all)
    answer = json.loads(line)
    if "answer" in expected:
        assert answer["value"] == expected.get("shown", expected["answer"])
        assert answer.get("erased", []) == expected.get("erased", [])
        shown = json.loads(program_of(row).run_ndjson(json.dumps(row["scope"]), row["entry"], show_sensitive=True))
        assert shown["value"] == expected["answer"]
        assert expected.get("warns", "") in "".join(w["detail"] for w in answer.get("warnings", []))
        assert ("warns" in expected) == ("warnings" in answer)
    else:
        assert expected["error"] in [diagnostic["code"] for diagnostic in answer["diagnostics"]]
