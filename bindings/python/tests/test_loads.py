"""Configs as dicts."""

import decimal
import io

import pytest

import hclvm


@pytest.mark.parametrize(
    "text, want",
    [
        ("", {}),
        ("a = 1", {"a": 1}),
        ("a = -1.5\nb = (2)\nc = -(-3)", {"a": -1.5, "b": 2, "c": 3}),
        ("a = 12345678901234567890\nb = 0.1234567890123456789",
         {"a": 12345678901234567890, "b": decimal.Decimal("0.1234567890123456789")}),
        ("a = true\nb = false\nc = null", {"a": True, "b": False, "c": None}),
        ('a = ""\nb = "x\\ty \\u00e9"', {"a": "", "b": "x\ty \u00e9"}),
        ('a = "e\u0301"', {"a": "\u00e9"}),
        ("a = b.c\nd = f(x, 1) ? 2 : [3]", {"a": "${b.c}", "d": "${f(x, 1) ? 2 : [3]}"}),
        ("a = 1 + 2", {"a": "${1 + 2}"}),
        ('a = "${b}"\nc = "x ${b.c} y"', {"a": "${b}", "c": "x ${b.c} y"}),
        ('a = "$${b}"\nc = "%%{ if } ${d}"\ne = "$ {"', {"a": "$${b}", "c": "%%{ if } ${d}", "e": "$ {"}),
        ('a = "%{ if b }x%{ else }y${c}%{ endif }"', {"a": "%{ if b }x%{ else }y${c}%{ endif }"}),
        ('a = "%{ for k, v in b ~}  x%{ endfor }"', {"a": "%{ for k, v in b }x%{ endfor }"}),
        ("a = <<EOT\nx\n  y\nEOT\n", {"a": "x\n  y\n"}),
        ("a = <<-EOT\n    x\n      ${y}\n  EOT\n", {"a": "x\n  ${y}\n"}),
        ('a = [1, "b", c, [null]]', {"a": [1, "b", "${c}", [None]]}),
        ('a = {b = 1, "c d" = 2, (e) = 3, 4 : 5, "${f}g" = 6}', {"a": {"b": 1, "c d": 2, "${e}": 3, "4": 5, "${f}g": 6}}),
        ("b {}\nb {\n  a = 1\n}", {"b": [{}, {"a": 1}]}),
        ('b "x" "y" {\n  a = 1\n}\nb "x" z {\n  c {}\n}', {"b": [{"x": {"y": {"a": 1}}}, {"x": {"z": {"c": [{}]}}}]}),
        ("\ufeffa = 1", {"a": 1}),
    ],
)
def test_configs(text, want):
    assert hclvm.loads(text) == want
    assert hclvm.loads(text.encode()) == want


def test_names_are_in_the_order_of_the_text():
    assert list(hclvm.loads("z = 1\nb {}\na = 2\nb {}\nc {}")) == ["z", "b", "a", "c"]


def test_mistakes():
    with pytest.raises(hclvm.CompileError) as raised:
        hclvm.loads("a = 1\na = 2", name="x.hcl")
    assert raised.value.diagnostics[0].line == 2 and raised.value.diagnostics[0].file == "x.hcl"
    for text in ["a = 1\na {}", "a {}\na = 1"]:
        with pytest.raises(hclvm.CompileError) as raised:
            hclvm.loads(text)
        assert raised.value.code == "HCL3009" and raised.value.diagnostics[0].line == 2
    for text in ["a = " + "[" * 600 + "]" * 600, "a = " + "-" * 600 + "1", "b {\n" * 600 + "}\n" * 600]:
        with pytest.raises(hclvm.LimitError):
            hclvm.loads(text)
    with pytest.raises(hclvm.CompileError):
        hclvm.loads(b"a = \"\xff\"")
    with pytest.raises(TypeError):
        hclvm.loads(None)


def test_numbers_that_are_too_long_stay_text():
    assert hclvm.loads("a = 1e999999999")["a"] == "${1e999999999}"
    assert hclvm.loads("a = 1e5000")["a"] == 10**5000


def test_short_texts_of_many_digits_are_a_limit():
    text = "a = [" + "1e99999," * 20_000 + "]"
    with pytest.raises(hclvm.LimitError, match="max_result_bytes"):
        hclvm.loads(text, limits=hclvm.Limits(max_result_bytes=16 << 20))


def test_files(tmp_path):
    path = tmp_path / "a.hcl"
    path.write_text("a = 1")
    assert hclvm.load(path) == hclvm.load(str(path)) == {"a": 1}
    with open(path) as text, open(path, "rb") as data:
        assert hclvm.load(text) == hclvm.load(data) == {"a": 1}
    assert hclvm.load(io.StringIO("b = 2")) == {"b": 2}
    path.write_text("a = ")
    with pytest.raises(hclvm.CompileError) as raised:
        hclvm.load(path)
    assert raised.value.diagnostics[0].file == str(path)


def test_what_is_loaded_is_what_is_evaluated():
    """Strings of loads() are templates: they evaluate to what the config does."""
    text = 'a = "$${x} ${n}%%{"\nb = n * 2\nc = "%{ if n > 1 }yes%{ endif }!"\nd = <<EOT\n\\n ${n}\nEOT\n'
    scope = {"n": 2}
    values = hclvm.compile(text=text).run(scope)
    loaded = hclvm.loads(text)
    assert {name: hclvm.compile(value, kind="template").run(scope) for name, value in loaded.items()} == values
