#!/usr/bin/env python3
"""Evaluations on a real Dask scheduler with two worker processes on loopback.

One worker is killed in the middle; nothing may be lost or doubled. Needs the package and Debian's python3-distributed and
python3-pandas; tests/python/python.sh runs it.
"""

import json
import os
import signal
import time
import unittest

import dask
import dask.bag
import dask.dataframe
import distributed
import pandas

import hclvm
import hclvm.dask

POLICY = "square = n * n\nowner = contains(owners, name)"


def lines_of(start, count):
    return b"".join(b'{"n":%d,"name":"u%d"}\n' % (n, n) for n in range(start, start + count))


def slow_lines_of(start, count):
    time.sleep(0.05)
    return lines_of(start, count)


def compiled_here(_):
    return os.getpid(), len(hclvm.dask._programs)


class DaskTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        dask.config.set({"distributed.worker.daemon": False, "distributed.admin.log-format": "%(message)s"})
        cls.cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=50
        )
        cls.client = distributed.Client(cls.cluster)
        cls.policy = hclvm.compile(text=POLICY)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.cluster.close()

    def test_a_bag_of_dicts_keeps_order_and_errors(self):
        rows = [{"n": n if n % 100 else "x", "name": f"u{n}"} for n in range(5000)]
        bag = dask.bag.from_sequence(rows, npartitions=20)
        got = hclvm.dask.evaluate(bag, self.policy, entry="square").compute()
        self.assertEqual(len(got), len(rows))
        for n, value in enumerate(got):
            if n % 100:
                self.assertEqual(value, n * n)
            else:
                self.assertIsInstance(value, hclvm.EvaluationError)
                self.assertEqual(value.diagnostics[0].values[0][1], '"x"')
        with self.assertRaises(hclvm.EvaluationError):
            hclvm.dask.evaluate(bag, self.policy, entry="square", errors="raise").compute()

    def test_data_is_read_once_in_each_process(self):
        bag = dask.bag.from_sequence([{"n": n, "name": f"u{n}"} for n in range(200)], npartitions=40)
        owners = hclvm.dask.evaluate(bag, self.policy, entry="owner", data={"owners": ["u1", "u2"]})
        self.assertEqual([n for n, owner in enumerate(owners.compute()) if owner], [1, 2])
        for pid, programs in set(dask.bag.from_sequence(range(20), npartitions=20).map(compiled_here).compute()):
            self.assertNotEqual(pid, os.getpid())
            self.assertLessEqual(programs, 8)

    def test_columns_are_variables(self):
        frame = pandas.DataFrame(
            {"n": [1.5, 2, None, 4], "name": ["u1", "u2", None, "u4"], "more": [object()] * 4}, index=[7, 8, 9, 7]
        )
        policy = hclvm.compile(text='v = {a = n, b = name}\nw = n == null ? "none" : "some"')
        got = hclvm.dask.evaluate(frame, policy, entry="v")
        self.assertEqual(got.tolist(), [{"a": a, "b": b} for a, b in [(1.5, "u1"), (2, "u2"), (None, None), (4, "u4")]])
        self.assertEqual(got.index.tolist(), [7, 8, 9, 7])
        lazy = dask.dataframe.from_pandas(frame.drop(columns="more").reset_index(drop=True), npartitions=2)
        self.assertEqual(
            hclvm.dask.evaluate(lazy, policy, entry="w").compute().tolist(), ["some", "some", "none", "some"]
        )

    def test_a_worker_that_is_killed_loses_and_doubles_nothing(self):
        parts, size = 60, 500
        made = [dask.delayed(slow_lines_of)(part * size, size) for part in range(parts)]
        bag = dask.bag.from_delayed([dask.delayed(lambda lines: [lines])(lines) for lines in made])
        answers = hclvm.dask.evaluate(bag, self.policy, entry="square")
        future = self.client.compute(answers)
        before = {worker["pid"] for worker in self.workers()}
        time.sleep(0.6)
        self.assertFalse(future.done())
        os.kill(min(before), signal.SIGKILL)
        got = b"".join(future.result(timeout=120)).splitlines()
        self.assertEqual([json.loads(line)["value"] for line in got], [n * n for n in range(parts * size)])

    def workers(self):
        return [
            {"pid": pid} for pid in self.client.run(os.getpid).values()
        ]


if __name__ == "__main__":
    unittest.main()
