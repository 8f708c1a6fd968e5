"""Dicts of one form, again and again, and dicts that only look like it."""

import collections
import gc
import json
import random
import sys
import threading
import tracemalloc

import pytest

import hclvm

SAME = hclvm.compile(text="x", kind="expression")


class Text(str):
    pass


class Sly:
    """Calls something when it is read."""

    def __init__(self, call):
        self.call = call

    def __index__(self):
        self.call()
        return 1


def same(value):
    return SAME.run({"x": value})


def times(value, count=4):
    """The value, as often as forms take to be known."""
    for _ in range(count):
        assert same(value) == value


def test_orders_and_sets_of_keys_are_told_apart():
    random.seed(7)
    names = ["a", "b", "c", "a long name of a key", "d" * 70, "ä", "名", "e"]
    for _ in range(3000):
        chosen = random.sample(names, random.randrange(len(names) + 1))
        value = {name: random.choice([1, "x", None, True, 1.5]) for name in chosen}
        assert same(value) == value


@pytest.mark.parametrize("begin", range(4))
def test_a_form_is_left_where_keys_differ(begin):
    times({"a": 1, "b": 2, "c": 3, "d": 4})
    keys = list("abcd")
    keys[begin] = "z"
    value = {key: n for n, key in enumerate(keys)}
    times(value)
    # Both are known now, and begin alike.
    times({"a": 1, "b": 2, "c": 3, "d": 4})
    assert same([value, {"a": 1, "b": 2, "c": 3, "d": 4}, value]) == [value, {"a": 1, "b": 2, "c": 3, "d": 4}, value]


def test_keys_of_other_objects_with_the_same_text():
    for n in range(50):
        value = json.loads('{"name": "n%d", "age": %d, "with ä": [{"name": 1}, {"name": 2}]}' % (n, n))
        assert same(value) == value
    assert same({Text("name"): 1, "age": 2, "with ä": 3}) == {"name": 1, "age": 2, "with ä": 3}


def test_what_is_wrong_is_wrong_again():
    times({"a": 1, "b": 2})
    for _ in range(4):
        with pytest.raises(TypeError, match=r"scope\.x has a key that is no str, but of type int"):
            same({"a": 1, 2: 2})
        with pytest.raises(ValueError, match=r"scope\.x\.b is NaN"):
            same({"a": 1, "b": float("nan")})
        with pytest.raises(ValueError, match="two spellings"):
            same({"a": 1, "é": 2, "e\u0301": 3})
        with pytest.raises(ValueError, match=r"scope\.x\.\? has a lone surrogate"):
            same({"a": 1, "\ud800": 2})
        with pytest.raises(TypeError, match=r"scope\.x\[1\]\.b\.c is of a type"):
            same([{"a": 1, "b": 1}, {"a": 1, "b": {"c": object()}}])
        loop = {"a": 1}
        loop["b"] = loop
        with pytest.raises(hclvm.LimitError, match="holds itself"):
            same(loop)


def test_keys_in_another_spelling_become_one_name():
    for _ in range(4):
        assert same({"e\u0301": 1, "a": 2}) == {"é": 1, "a": 2}


def test_a_dict_that_changes_between_runs():
    value = {"a": 1, "b": "x" * 100}
    times(value)
    value["b"] = [1]
    assert same(value) == {"a": 1, "b": [1]}
    del value["a"]
    value["a"] = 2
    times(value)
    value["c"] = 3
    times(value)
    value.clear()
    times(value)


@pytest.mark.parametrize("known", [False, True])
def test_a_dict_that_changes_while_it_is_read(known):
    def run(change):
        value = {"a": 0, "b": 2, "c": "y" * 1000}
        if known:
            times(value)
        value["a"] = Sly(lambda: change(value))
        return same(value)

    with pytest.raises(RuntimeError, match="changed"):
        run(lambda value: value.clear())
    with pytest.raises(RuntimeError, match="changed"):
        run(lambda value: value.update(d=1))

    def swap(value):
        del value["b"]
        value["z" * 3] = 5

    # As many keys as before: some mixture, or an error, but never what is gone.
    try:
        assert set(run(swap)) <= {"a", "b", "c", "zzz"}
    except RuntimeError:
        pass

    def grow(value, count=[0]):
        # Ever new keys behind the one that is read, while the size stays.
        count[0] += 1
        value.pop(next(reversed(value)))
        value[f"n{count[0]}"] = Sly(lambda: grow(value))

    try:
        run(grow)
    except RuntimeError:
        pass


def test_subclasses_of_dict():
    times({"a": 1, "b": 2})
    assert same(collections.OrderedDict([("a", 1), ("b", 2)])) == {"a": 1, "b": 2}
    moved = collections.OrderedDict([("a", 1), ("b", 2)])
    moved.move_to_end("a")
    assert same(moved) == {"a": 1, "b": 2}
    assert same(collections.defaultdict(int, a=1, b=2)) == {"a": 1, "b": 2}


def test_properties_that_are_not_there():
    names = [f"n{i}" for i in range(70)]
    few = hclvm.compile(text='v = "${try(o.a, 0)}${try(o.b, 0)}${try(o.c, 0)}"')
    many = hclvm.compile(text="v = [" + ", ".join(f"try(o.{name}, 0)" for name in names) + "]")
    random.seed(3)
    for _ in range(300):
        o = {name: random.randrange(1, 9) for name in random.sample("abcd", random.randrange(5))}
        assert few.run({"o": o}, "v") == "".join(str(o.get(name, 0)) for name in "abc")
        o = {name: random.randrange(1, 9) for name in random.sample(names, random.randrange(71))}
        assert many.run({"o": o}, "v") == [o.get(name, 0) for name in names]


def test_ever_new_keys_take_no_memory():
    def work(count, begin):
        for n in range(begin, begin + count):
            value = {f"key {n} {i}": i for i in range(20)}
            times(value, 3)

    work(300, 0)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    work(600, 1000)
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    # What is kept is bounded: by 256 KiB of names, with their str objects.
    assert after - before < 2_000_000


def test_references_are_given_back():
    text, key = "t" * 1000, "k" * 40
    before = sys.getrefcount(text), sys.getrefcount(key)
    program = hclvm.compile(text="x", kind="expression")
    for _ in range(10):
        assert program.run({"x": [{key: text}, text]}) == [{key: text}, text]
        assert program.run_many([{"x": {key: text}}] * 3) == [{key: text}] * 3
    assert sys.getrefcount(text) == before[0]
    del program
    assert sys.getrefcount(key) == before[1]


def test_texts_that_go_while_they_are_used():
    program = hclvm.compile(text='v = join(",", [for i in range(200) : "${x}${i}"])')
    shared = {"x": "a" * 500}
    want = {c: program.run({"x": c * 500}, "v") for c in "ab"}
    stop = threading.Event()

    def change():
        n = 0
        while not stop.is_set():
            n += 1
            shared["x"] = "ab"[n % 2] * 500

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(300):
            assert program.run(shared, "v") in want.values()
    finally:
        stop.set()
        thread.join()


def test_many_threads_over_dicts_of_many_forms():
    program = hclvm.compile(text="x", kind="expression")
    failures = []

    def work(seed):
        random_source = random.Random(seed)
        for _ in range(400):
            value = {name: name * 30 for name in random_source.sample("abcdef", 4)}
            if program.run({"x": value}) != value or program.run_many([{"x": value}] * 2) != [value] * 2:
                failures.append(value)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
