"""Many scopes in one call, and many threads."""

import concurrent.futures
import json

import pytest

import hclvm

SQUARE = hclvm.compile(text="a = n * n\nb = \"n${n}\"")


def numbers(count):
    return ({"n": n} for n in range(count))


@pytest.mark.parametrize("threads", [1, 2, 7, 0])
@pytest.mark.parametrize("count", [0, 1, 5, 10_000])
def test_values_are_in_the_order_of_scopes(threads, count):
    assert SQUARE.run_many(numbers(count), "a", threads=threads) == [n * n for n in range(count)]


def test_errors_stay_with_their_scopes():
    scopes = [{"n": 1}, {"n": "x"}, {}, {"n": 2}, {"n": object()}, 5]
    got = SQUARE.run_many(scopes, "a", errors="return", threads=2)
    assert [value for value in got if not isinstance(value, Exception)] == [1, 4]
    assert [type(value).__name__ for value in got] == [
        "int", "EvaluationError", "EvaluationError", "int", "TypeError", "TypeError"]
    assert "There is no variable" in str(got[2])
    with pytest.raises(hclvm.EvaluationError):
        SQUARE.run_many(scopes)
    with pytest.raises(ValueError):
        SQUARE.run_many(scopes, errors="ignore")
    with pytest.raises(ValueError):
        SQUARE.run_many(scopes, threads=257)
    with pytest.raises(TypeError):
        SQUARE.run_many(scopes, threads=-1)


def test_an_iterator_that_fails():
    def scopes():
        yield {"n": 1}
        raise KeyError("own")

    with pytest.raises(KeyError, match="own"):
        SQUARE.run_many(scopes())
    with pytest.raises(TypeError):
        SQUARE.run_many(5)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview, lambda lines: lines.decode()])
def test_lines(threads, wrap):
    lines = b"".join(json.dumps(scope).encode() + b"\n" for scope in numbers(5000))
    answers = SQUARE.run_ndjson(wrap(lines), threads=threads)
    assert [json.loads(line)["value"] for line in answers.splitlines()] == [
        {"a": n * n, "b": f"n{n}"} for n in range(5000)]


def test_a_bad_line_has_its_own_answer():
    answers = SQUARE.run_ndjson(b'{"n":1}\n{"n":\n\n[]\n{"n":"x"}\n{"n":2}', "a", name="scopes").splitlines()
    assert answers[0] == b'{"value":1}' and answers[5] == b'{"value":4}' and len(answers) == 6
    found = [json.loads(line)["diagnostics"][0] for line in answers[1:5]]
    assert found[0]["subject"]["filename"] == "scopes" and found[0]["subject"]["start"]["line"] == 2
    assert SQUARE.run_ndjson(b"") == b""
    assert SQUARE.run_ndjson(b'{"n":1}', "a", typed=True) == b'{"type":"number","value":1}\n'
    for wrong in [5, None, ["{}"]]:
        with pytest.raises(TypeError):
            SQUARE.run_ndjson(wrong)
    with pytest.raises(ValueError, match="no attribute c"):
        SQUARE.run_ndjson(b"", "c")


def test_threads_share_a_program():
    def work(start):
        for n in range(start, start + 300):
            assert SQUARE.run({"n": n}, "a") == n * n
            with pytest.raises(hclvm.EvaluationError):
                SQUARE.run({"n": "x"})
        assert SQUARE.run_many(numbers(300), "a", threads=2) == [n * n for n in range(300)]
        return hclvm.compile(text=f"a = {start}").run()["a"]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(40))) == list(range(40))
