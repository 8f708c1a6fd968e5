"""Data of the standard library, of numpy and of pandas."""

import datetime
import shutil
import subprocess

import pytest

import hclvm

SAME = hclvm.compile(text="x", kind="expression")
TYPE = hclvm.compile(text="type(x)", kind="expression")


def same(value):
    return SAME.run({"x": value})


def test_sets():
    assert same({"b", "a", "b"}) == ["a", "b"]
    assert same(frozenset({3, 1})) == [1, 3]
    assert same({"of": [{1}]}) == {"of": [[1]]}
    assert same(set()) == []
    assert TYPE.run({"x": {"a"}}) == "set(string)"
    assert hclvm.compile(text="contains(x, 2)", kind="expression").run({"x": {1, 2}}) is True
    with pytest.raises(TypeError, match=r"x\[0\] is of a type that no value is made of: object"):
        same({object()})


@pytest.mark.parametrize(("value", "text"), [
    (datetime.datetime(2024, 5, 6, 7, 8, 9, tzinfo=datetime.timezone.utc), "2024-05-06T07:08:09Z"),
    (datetime.datetime(2024, 5, 6, 7, 8, 9, 500000, tzinfo=datetime.timezone.utc), "2024-05-06T07:08:09.500000Z"),
    (datetime.datetime(2024, 5, 6, 7, tzinfo=datetime.timezone(datetime.timedelta(hours=2))), "2024-05-06T07:00:00+02:00"),
    (datetime.datetime(2024, 5, 6, 7, tzinfo=datetime.timezone(datetime.timedelta(seconds=90))), "2024-05-06T06:58:30Z"),
    (datetime.date(2024, 5, 6), "2024-05-06"),
])
def test_times(value, text):
    assert same(value) == text


def test_times_are_timestamps_of_the_library():
    later = hclvm.compile(text='timecmp(x, "2024-05-06T00:00:00Z")', kind="expression")
    assert later.run({"x": datetime.datetime(2024, 5, 7, tzinfo=datetime.timezone.utc)}) == 1
    with pytest.raises(TypeError, match="x is a datetime without a time zone"):
        same(datetime.datetime(2024, 5, 6))


def test_numpy():
    numpy = pytest.importorskip("numpy")
    assert same(numpy.array([1, 2])) == [1, 2]
    assert same(numpy.array([[1.5], [2.0]])) == [[1.5], [2]]
    assert same(numpy.array(["a", "b"])) == ["a", "b"]
    assert same([numpy.int64(3), numpy.float32(0.5), numpy.bool_(True), numpy.str_("s")]) == [3, 0.5, True, "s"]
    assert same(numpy.array(7)) == 7
    with pytest.raises(ValueError, match=r"x\[1\]"):
        same(numpy.array([1.0, float("nan")]))
    with pytest.raises(TypeError):
        same(numpy.array([object()]))


def test_pandas():
    pandas = pytest.importorskip("pandas")
    assert same(pandas.Series([1, 2])) == [1, 2]
    assert same(pandas.Index(["a"])) == ["a"]
    assert same([pandas.NA, pandas.NaT]) == [None, None]
    assert same(pandas.Timestamp("2024-05-06T07:08:09Z")) == "2024-05-06T07:08:09Z"
    times = pandas.Series(pandas.to_datetime(["2024-05-06", "2024-05-07"]))
    with pytest.raises(TypeError, match=r"x\[0\] is a datetime without .* column\.dt\.tz_localize"):
        same(times)
    assert same(times.dt.tz_localize("UTC")) == ["2024-05-06T00:00:00Z", "2024-05-07T00:00:00Z"]
    table = pandas.DataFrame({"n": [1, 2, None], "name": ["a", None, "c"], "ok": [True, False, True]})
    with pytest.raises(TypeError, match=r"run_many\(\) takes its rows"):
        same(table)
    program = hclvm.compile(text='n == null ? "none" : "${n}:${name == null}:${ok}"', kind="expression")
    assert program.run_many(table) == ["1:false:true", "2:true:false", "none"]
    assert program.run_many(table, threads=2) == program.run_many(table)
    assert program.run_many(table.iloc[:0]) == []


def test_many_rows():
    pandas = pytest.importorskip("pandas")
    program = hclvm.compile(text="n * 2", kind="expression")
    assert program.run_many(pandas.DataFrame({"n": range(10_000)})) == [2 * n for n in range(10_000)]


@pytest.mark.skipif(shutil.which("nm") is None, reason="needs binutils")
def test_exports_nothing_else():
    listed = subprocess.run(["nm", "-D", "--defined-only", hclvm._hclvm.__file__], capture_output=True, text=True, check=True)
    assert [line.split()[-1] for line in listed.stdout.splitlines()] == ["PyInit__hclvm"]


def test_version():
    assert hclvm.__version__.count(".") == 2
