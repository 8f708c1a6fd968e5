"""Python objects as values, and back."""

import collections
import decimal
import enum
import gc
import math
import os
import random
import sys
import tracemalloc

import pytest

import hclvm

SAME = hclvm.compile(text="x", kind="expression")
D = decimal.Decimal


def same(value):
    return SAME.run({"x": value})


class Whole(enum.IntEnum):
    THREE = 3


class Index:
    def __index__(self):
        return 5


class Text(str):
    def __str__(self):
        raise RuntimeError("not asked")


class Dict(dict):
    def __getitem__(self, key):
        raise RuntimeError("not asked")

    def items(self):
        raise RuntimeError("not asked")


Point = collections.namedtuple("Point", "x y")


@pytest.mark.parametrize(
    "value, want",
    [
        (None, None),
        (True, True),
        (0, 0),
        (-(2**63), -(2**63)),
        (2**63, 2**63),
        (-(2**511), -(2**511)),
        (10**200, 10**200),
        (0.1, 0.1),
        (1.5e300, int(D("1.5e300"))),
        (5e-324, 5e-324),
        (1e-20, 1e-20),
        (2.0, 2),
        (-0.0, 0),
        (D("0.1"), 0.1),
        (D("1e3"), 1000),
        (D("0.1234567890123456789"), D("0.1234567890123456789")),
        (D("-1.10"), -1.1),
        ("", ""),
        ("ann", "ann"),
        ("e\u0301", "\u00e9"),
        ("\U0001f600 and more than fourteen bytes", "\U0001f600 and more than fourteen bytes"),
        ([], []),
        ((1, "a"), [1, "a"]),
        ([[1], {"b": [None]}], [[1], {"b": [None]}]),
        ({}, {}),
        ({"b": 1, "a": {"c": 2}}, {"a": {"c": 2}, "b": 1}),
        (Whole.THREE, 3),
        (Index(), 5),
        (Text("abc"), "abc"),
        (Dict(a=1), {"a": 1}),
        (collections.OrderedDict(z=1, a=2), {"z": 1, "a": 2}),
        (Point(1, 2), [1, 2]),
        (hclvm.Unknown("list(string)"), hclvm.Unknown("list(string)")),
        (hclvm.Dynamic(), hclvm.Dynamic()),
        ([hclvm.Unknown("number")], [hclvm.Unknown("number")]),
        (hclvm.Marked(1, {"secret"}), hclvm.Marked(1, {"secret"})),
        (hclvm.Marked({"a": hclvm.Marked(1)}, {"b", "c"}), hclvm.Marked({"a": hclvm.Marked(1)}, {"b", "c"})),
    ],
)
def test_values_come_back(value, want):
    got = same(value)
    assert got == want and type(got) is type(want)


def test_numbers_are_what_they_look_like():
    def number(text):
        return hclvm.compile(text, kind="expression").run()

    assert number("1 / 3") == D("0." + "3" * 160)
    assert number("0.1 + 0.2") == 0.3
    assert type(number("1e99")) is int and number("1e99") == 10**99
    assert number("1e4000") == 10**4000 and type(number("1e4000")) is int
    assert number("1e5000") == 10**5000 and type(number("1e5000")) is D
    assert number("1 / 0") == math.inf and number("-1 / 0") == -math.inf
    assert number("123456789.12345678") == 123456789.12345678
    assert number("123456789.123456789") == D("123456789.123456789")


def test_a_float_is_the_number_or_it_is_none():
    # Each of these decimals is either what Python prints for the float, or is a Decimal.
    rng = random.Random(1)
    for _ in range(2000):
        digits = str(rng.randrange(1, 10 ** rng.randrange(1, 25)))
        point = rng.randrange(0, len(digits) + 5)
        text = "0." + "0" * (point - len(digits)) + digits if point >= len(digits) else (
            digits[: len(digits) - point] + "." + (digits[len(digits) - point :] or "0")
        )
        got = same(D(text))
        assert D(repr(got)) == D(text) if isinstance(got, float) else D(got) == D(text), text


@pytest.mark.parametrize(
    "value, error, message",
    [
        (math.nan, ValueError, "scope.x is NaN"),
        (math.inf, ValueError, "scope.x is infinite"),
        (D("nan"), ValueError, "finite"),
        (D("-inf"), ValueError, "finite"),
        (D("1." + "3" * 161), ValueError, "160 digits"),
        (3**400, ValueError, "exactly"),
        (D("1e200000"), hclvm.LimitError, "max_number_digits"),
        ("\ud800", ValueError, "scope.x has a lone surrogate"),
        ({"\ud800": 1}, ValueError, "lone surrogate"),
        (b"bytes", TypeError, "bytes"),
        ({1, "a", ()}, ValueError, "not of one type"),
        (object(), TypeError, "object"),
        (1j, TypeError, "complex"),
        ([1, {"a": [object()]}], TypeError, r"scope\.x\[1\]\.a\[0\]"),
        ({1: 2}, TypeError, "no str"),
        ({"\u00e9": 1, "e\u0301": 2}, ValueError, "twice"),
        (hclvm.Unknown("lst(string)"), ValueError, "type"),
    ],
)
def test_what_has_no_value(value, error, message):
    with pytest.raises(error, match=message):
        same(value)


def test_an_int_of_too_many_digits():
    with pytest.raises(ValueError, match="too many digits"):
        same(10**10000)


def nested(levels):
    value = 1
    for _ in range(levels):
        value = [value]
    return value


def test_depth_is_bounded():
    # The dict of the scope is a level, too.
    assert same(nested(511)) == nested(511)
    for value in [nested(512), nested(100_000)]:
        with pytest.raises(hclvm.LimitError, match="max_nesting_depth"):
            same(value)
    own, table = [], {}
    own.append(own)
    table["a"] = [table]
    for value in [own, table, hclvm.Marked(own)]:
        with pytest.raises(hclvm.LimitError, match="max_nesting_depth"):
            same(value)


def test_size_is_bounded():
    value = ["x" * 100]
    for _ in range(40):
        value = [value, value]
    small = hclvm.compile(text="x", kind="expression", limits=hclvm.Limits(max_result_bytes=1 << 20))
    with pytest.raises(hclvm.LimitError, match="max_result_bytes"):
        small.run({"x": value})
    with pytest.raises(hclvm.LimitError, match="max_result_bytes"):
        small.run_many([{"x": 1}, {"x": "y" * (2 << 20)}])
    # Each scope has the limit for itself.
    assert len(small.run_many([{"x": "y" * (1 << 19)}] * 8)) == 8


def test_what_changes_while_it_is_read():
    class Changes:
        def __init__(self, change):
            self.change = change

        def __index__(self):
            self.change()
            gc.collect()
            return 1

    table, sequence = {}, []
    for i in range(20):
        table[f"k{i}"] = [f"text {i}" * 10]
    table["k5"] = Changes(table.clear)
    with pytest.raises(RuntimeError, match="changed"):
        same(table)
    sequence += [f"text {i}" * 10 for i in range(20)]
    sequence[3] = Changes(sequence.clear)
    with pytest.raises(RuntimeError, match="changed"):
        same(sequence)

    def fail():
        raise KeyError("own")

    with pytest.raises(KeyError, match="own"):
        same(Changes(fail))


def test_unknown_and_marked_values_are_neither_true_nor_false():
    assert same(hclvm.Unknown("bool")).type == "bool"
    result = hclvm.compile(text="x && y", kind="expression").run({"x": hclvm.Unknown("bool"), "y": True})
    for value in [result, hclvm.Dynamic(), hclvm.Marked(True)]:
        with pytest.raises(TypeError):
            bool(value)
    marked = hclvm.compile(text="x + 1", kind="expression").run({"x": hclvm.Marked(1)})
    assert marked == hclvm.Marked(2) and marked.value == 2 and marked.marks == {"sensitive"}
    assert "2" not in repr(marked)
    for wrong in [lambda: hclvm.Marked(1, "sensitive"), lambda: hclvm.Marked(1, []), lambda: hclvm.Unknown(1)]:
        with pytest.raises(TypeError):
            wrong()


def random_value(rng, depth):
    kind = rng.randrange(9 if depth else 7)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind == 1:
        return rng.randrange(-(2 ** rng.randrange(1, 300)), 2 ** rng.randrange(1, 300))
    if kind == 2:
        return rng.uniform(-1, 1) * 10 ** rng.randrange(-20, 0)
    if kind == 3:
        return hclvm.Unknown(rng.choice(["string", "map(number)", "object({a = bool})"]))
    if kind == 4:
        return hclvm.Marked(rng.randrange(10), rng.sample(["a", "b", "sensitive"], 2))
    if kind in (5, 6):
        return "".join(rng.choice("aZ\u00e9\u4e16\U0001f600 \"${") for _ in range(rng.randrange(30)))
    size = rng.randrange(5)
    if kind == 7:
        return [random_value(rng, depth - 1) for _ in range(size)]
    return {f"k{rng.randrange(1000)}": random_value(rng, depth - 1) for _ in range(size)}


def test_random_values_come_back():
    seed = int(os.environ.get("HCLVM_TEST_SEED", 1))
    rng = random.Random(seed)
    for n in range(3000):
        value = random_value(rng, 5)
        # A float that is whole comes back as an int of the same value.
        assert same(value) == value, (seed, n, value)


def test_nothing_is_kept():
    policy = hclvm.compile(text="a = x.y\nb = [for i in z: \"${i} and more than fourteen\"]\nc = nope(x)",
                           functions={"nope": hclvm.Function(lambda x: x, ["x"])})
    scope = {"x": {"y": "z" * 100}, "z": [1, 2.5, D("0.12345678901234567890123")]}

    def some(count):
        for _ in range(count):
            policy.run(scope)
            policy.run_many([scope], errors="return")
            with pytest.raises(hclvm.EvaluationError):
                policy.run({"x": 1})

    some(200)
    gc.collect()
    references = sys.getrefcount(scope["x"]), sys.getrefcount(None) // 1000
    objects = len(gc.get_objects())
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    some(2000)
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert (sys.getrefcount(scope["x"]), sys.getrefcount(None) // 1000) == references
    assert abs(len(gc.get_objects()) - objects) < 100
    assert after - before < 50_000


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_of_the_process_does_not_grow():
    policy = hclvm.compile(text="a = x.y")
    scope = {"x": {"y": "z" * 1000}}
    for _ in range(20_000):
        policy.run(scope)
    before = resident()
    for _ in range(100_000):
        policy.run(scope)
    assert resident() - before < 4 << 20
