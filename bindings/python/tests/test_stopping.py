"""Timeouts, tokens and signals."""

import contextlib
import signal
import subprocess
import sys
import threading
import time

import pytest

import hclvm

# 10 to the power of 12 steps, for which no limit is too low: their memory, which grows by some 60 MB a second, has a high
# one. Nothing is the same in two rounds of a loop, so that nothing can be worked out once for all of them.
NAMES = [f"n{i}" for i in range(12)]
FOREVER = (
    "a = "
    + "".join(f"length([for {name} in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] : {name} if " for name in NAMES)
    + " + ".join([*NAMES, "x"])
    + " < 0])" * len(NAMES)
)
LIMITS = hclvm.Limits(max_fuel=2**60, max_result_bytes=2**32)


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


# One of two threads has nothing to do, at once or in the end: which of them that is, varies.
UNEVEN = [
    lambda program: program.run_many([{"x": 1}, {"y": 1}], threads=2, errors="return"),
    lambda program: program.run_many([{"y": 1}, {"x": 1}], threads=2, errors="return"),
    lambda program: program.run_ndjson(b'{"x":1}\n', threads=2),
    lambda program: program.run_ndjson(b'{"x":1}\n' + b"{}\n" * 500_000, threads=2),
]


@pytest.mark.parametrize("way", range(len(UNEVEN)))
def test_a_signal_stops_another_thread(way):
    program = forever()
    for _ in range(4):
        with raised_by_a_signal(Alarm):
            UNEVEN[way](program)


def test_a_signal_stops_what_a_function_has_begun():
    inner = forever()
    token = hclvm.CancelToken()
    outer = hclvm.compile(text="a = try(f(x), 1)", functions={"f": lambda x: inner.run({"x": x}, cancel=token)})
    # What the signal does not stop, the token stops in the end.
    timer = threading.Timer(5, token.cancel)
    timer.start()
    with raised_by_a_signal(HarshAlarm):
        outer.run({"x": 1})
    assert not token.cancelled
    timer.cancel()


def test_control_c_ends_a_program():
    script = (
        "import hclvm\n"
        f"p = hclvm.compile(text={FOREVER!r}, limits=hclvm.{LIMITS!r})\n"
        "print('begins', flush=True)\n"
        "p.run({'x': 1})\n"
    )
    child = subprocess.Popen([sys.executable, "-B", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout.readline() == b"begins\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert child.returncode == -signal.SIGINT and b"KeyboardInterrupt" in errors


@pytest.mark.parametrize("work", ["p.run({'x': 1})", "p.run_many([{'x': 1}] * 100, threads=2)", "q.run({'x': 1})"])
def test_the_interpreter_ends_while_threads_run(work):
    script = (
        "import hclvm, threading, time\n"
        "p = hclvm.compile('a = length([for i in range(100) : i + x])')\n"
        "q = hclvm.compile('a = f(x)', functions={'f': lambda x: sum(range(100)) + x})\n"
        "def forever():\n"
        f"    while True: {work}\n"
        "for _ in range(4): threading.Thread(target=forever, daemon=True).start()\n"
        "time.sleep(0.1)\n"
        "print('ends')\n"
    )
    for _ in range(5):
        child = subprocess.run([sys.executable, "-B", "-c", script], capture_output=True, timeout=60, check=False)
        assert (child.returncode, child.stdout, child.stderr) == (0, b"ends\n", b"")


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
