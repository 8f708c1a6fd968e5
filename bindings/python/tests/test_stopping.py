"""Timeouts, tokens and signals."""

import contextlib
import signal
import subprocess
import sys
import threading
import time

import pytest

import hclvm

# Loops that take no memory.
FOREVER = "a = " + "sum([for n in range(1000): " * 5 + "n + x" + "])" * 5
LIMITS = hclvm.Limits(max_fuel=2**60)


def forever():
    return hclvm.compile(text=FOREVER, limits=LIMITS)


def works(program):
    """Ways to begin what does not end."""
    return [
        lambda **options: program.run({"x": 1}, **options),
        lambda **options: program.run_many([{"x": 1}] * 4, threads=2, **options),
        lambda **options: program.run_ndjson(b'{"x":1}\n' * 4, threads=2, **options),
    ]


def test_a_timeout_is_a_limit():
    run, run_many, run_ndjson = works(forever())
    for work in [run, run_many]:
        begin = time.monotonic()
        with pytest.raises(hclvm.LimitError) as raised:
            work(timeout=0.05)
        assert raised.value.code == "HCL9201" and not isinstance(raised.value, hclvm.CancelledError)
        assert time.monotonic() - begin < 20
    # There it is for each line.
    assert run_ndjson(timeout=0.05).count(b"HCL9201") == 4


@pytest.mark.parametrize("way", [0, 1, 2])
def test_a_token_stops_the_work(way):
    program = forever()
    token = hclvm.CancelToken()
    timer = threading.Timer(0.2, token.cancel)
    timer.start()
    with pytest.raises(hclvm.CancelledError):
        works(program)[way](cancel=token)
    assert token.cancelled
    # It counts for what comes, until it is cleared; and the program can be used again.
    with pytest.raises(hclvm.CancelledError):
        program.run({"x": 1}, cancel=token)
    token.clear()
    assert hclvm.compile(text="a = 1").run(cancel=token) == {"a": 1}
    assert not token.cancelled
    with pytest.raises((TypeError, RuntimeError)):
        program.run({"x": 1}, cancel=5)


class Alarm(Exception):
    pass


class HarshAlarm(BaseException):
    pass


@contextlib.contextmanager
def raised_by_a_signal(alarm):
    """A signal comes soon, whose handler raises `alarm`, and that is what the body raises."""

    def ring(*_):
        raise alarm

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(alarm):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("way", [0, 1, 2])
def test_a_signal_stops_the_work(way):
    program = forever()
    with raised_by_a_signal(Alarm):
        works(program)[way]()
    assert hclvm.compile(text="a = 1").run() == {"a": 1}


def test_a_signal_stops_what_a_function_has_begun():
    inner = forever()
    outer = hclvm.compile(text="a = try(f(x), 1)", functions={"f": lambda x: inner.run({"x": x})})
    with raised_by_a_signal(HarshAlarm):
        outer.run({"x": 1})


def test_control_c_ends_a_program():
    script = (
        "import hclvm\n"
        f"p = hclvm.compile(text={FOREVER!r}, limits=hclvm.Limits(max_fuel=2**60))\n"
        "print('begins', flush=True)\n"
        "p.run({'x': 1})\n"
    )
    child = subprocess.Popen([sys.executable, "-B", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout.readline() == b"begins\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert child.returncode == -signal.SIGINT and b"KeyboardInterrupt" in errors


def test_other_threads_run_meanwhile():
    program = forever()
    token = hclvm.CancelToken()
    ended = []

    def work():
        with pytest.raises(hclvm.CancelledError):
            program.run({"x": 1}, cancel=token)
        ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.1)
    count = sum(1 for _ in range(100_000))
    assert count == 100_000 and not ended
    token.cancel()
    thread.join(60)
    assert ended == [True]
