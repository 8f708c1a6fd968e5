#!/usr/bin/env python3
"""hclvm run as a worker of Spark's pipe() and of ClickHouse's executable functions: protocol_test.py HCLVM.

A driver behaves as they do. What they rely on: nothing is written before there is input, a block of lines is answered
before the next one is sent, a bad line has one answer of its own, and the end of the input ends the program.
"""

import json
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import unittest

HCLVM = None
SECONDS = 60


class Worker:
    """A process of hclvm run, with pipes without buffers."""

    def __init__(self, config, *options):
        self.process = subprocess.Popen(
            [HCLVM, "run", str(config), "--scopes", "-", "--quiet", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        self.rest = b""

    def send(self, data):
        self.process.stdin.write(data)

    def has_output(self, seconds):
        return bool(select.select([self.process.stdout], [], [], seconds)[0])

    def lines(self, count):
        """The next `count` lines, and no more: a driver waits for as many as it has sent."""
        while self.rest.count(b"\n") < count:
            if not self.has_output(SECONDS):
                raise AssertionError("no answer")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                raise AssertionError("the end in place of an answer")
            self.rest += data
        *lines, self.rest = self.rest.split(b"\n", count)
        return [json.loads(line) for line in lines]

    def close(self):
        """Ends the input; what is written after that, and the exit status."""
        self.process.stdin.close()
        rest = self.rest + self.process.stdout.read()
        self.process.stdout.close()
        return rest, self.process.wait(SECONDS)


class ProtocolTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.config = pathlib.Path(folder.name) / "policy.hcl"
        self.config.write_text("square = n * n\n")

    def workers(self):
        return [Worker(self.config, "--entry", "square", "--threads", threads) for threads in ("1", "4")]

    def test_nothing_is_written_before_input_and_nothing_without(self):
        for worker in self.workers():
            self.assertFalse(worker.has_output(0.3))
            self.assertEqual(worker.close(), (b"", 0))

    def test_each_block_is_answered_before_the_next_one_comes(self):
        for worker in self.workers():
            for size in [1, 1, 3, 1000, 1, 20_000]:
                block = b"".join(b'{"n":%d}\n' % n for n in range(size))
                if size <= 1000:
                    worker.send(block)
                    got = worker.lines(size)
                else:
                    # More than pipes hold: a driver writes and reads at a time.
                    got = self.exchange(worker, block, size)
                self.assertEqual(got, [{"value": n * n} for n in range(size)])
                self.assertFalse(worker.has_output(0.05))
            self.assertEqual(worker.close(), (b"", 0))

    def exchange(self, worker, block, size):
        got = b""
        while got.count(b"\n") < size:
            readable, writable, _ = select.select([worker.process.stdout], [worker.process.stdin] if block else [], [], SECONDS)
            if writable:
                block = block[os.write(worker.process.stdin.fileno(), block[:4096]) :]
            if readable:
                got += os.read(worker.process.stdout.fileno(), 1 << 16)
        return [json.loads(line) for line in got.splitlines()]

    def test_a_bad_line_shifts_no_answer(self):
        bad = [b"", b"{", b"[]", b"null", b'{"n":"x"}', b"{}", b"\xff", b'{"n":1}{"n":2}', b'{"n":1,"n":2}', b" " * 100_000]
        for worker in self.workers():
            for line in bad:
                worker.send(b'{"n":2}\n' + line + b'\n{"n":3}\r\n')
                first, second, third = worker.lines(3)
                self.assertEqual((first, third), ({"value": 4}, {"value": 9}), line)
                self.assertEqual(list(second), ["diagnostics"], line)
            rest, _ = worker.close()
            self.assertEqual(rest, b"")

    def test_a_last_line_without_its_end_is_answered(self):
        for worker in self.workers():
            worker.send(b'{"n":2}\n{"n":3}')
            rest, status = worker.close()
            self.assertEqual((rest, status), (b'{"value":4}\n{"value":9}\n', 0))

    def test_a_driver_that_goes_away_ends_the_program(self):
        for worker in self.workers():
            worker.process.stdout.close()
            try:
                for _ in range(100):
                    worker.send(b'{"n":1}\n' * 1000)
            except BrokenPipeError:
                pass
            try:
                worker.process.stdin.close()
            except BrokenPipeError:
                pass
            self.assertNotEqual(worker.process.wait(SECONDS), 0)


if __name__ == "__main__":
    HCLVM = sys.argv.pop(1)
    unittest.main()
