#!/usr/bin/env -S python3 -B
"""hclvm-serve under load, while its surroundings change: load_test.py HCLVM_SERVE.

Bundles are replaced, the process is killed, the disk is full, clients go away: no answer may be wrong, and none may be
lost that a client has waited for.
"""

import json
import os
import pathlib
import socket
import sys
import tempfile
import threading
import time
import unittest

import serving
from serving import archive

PROGRAM = None
IS_TSAN = False
RELOADS = 200
# A machine with much else to do takes its time, which is no fault of the service.
PATIENT = [f"--timeout={1000 * serving.PATIENCE}"] + [
    f"--{name}-timeout={serving.PATIENCE}" for name in ("request", "idle")
]


def policy(revision):
    return f'variable "n" {{\n  type = number\n}}\nanswer = "{revision}:${{n * {revision}}}"\n'


class Client(threading.Thread):
    """Asks one question after the other on one connection, and checks each answer by the revision that it names."""

    def __init__(self, port, entry="m/answer", reconnect=False):
        super().__init__()
        self.port = port
        self.entry = entry
        self.reconnect = reconnect
        self.ending = False
        self.answers = 0
        self.revisions = []
        self.fault = None

    def run(self):
        while not self.ending:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=serving.PATIENCE) as connection:
                    stream = connection.makefile("rb")
                    while not self.ending:
                        self.ask(connection, stream)
            except (OSError, AssertionError) as error:
                if not self.reconnect:
                    self.fault = repr(error)
                    return
                time.sleep(0.01)

    def ask(self, connection, stream):
        n = self.answers % 1000
        connection.sendall(serving.request_bytes("POST", f"/v1/decide/{self.entry}", json.dumps({"n": n}).encode()))
        status, _, body = serving.read_response(stream)
        answer = json.loads(body)
        if self.reconnect and status == 503:
            # Who has just been started has no bundle yet.
            time.sleep(0.01)
            return
        revision = answer.get("revision")
        want = f"{revision}:{n * int(revision)}" if revision else None
        if status != 200 or answer.get("value") != want:
            self.fault = f"{status} {body!r}, not {want}"
            self.ending = True
        if not self.revisions or self.revisions[-1] != revision:
            self.revisions.append(revision)
        self.answers += 1


class LoadTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.bundle = pathlib.Path(self.folder.name) / "bundle"
        serving.write_bundle(self.bundle, {"m/x.hcl": policy(1)}, "1")

    def clients(self, service, count=4, **kwargs):
        service.wait_for("bundle_activated")
        clients = [Client(service.port(), **kwargs) for _ in range(count)]
        for client in clients:
            client.start()
        return clients

    def end(self, clients):
        for client in clients:
            client.ending = True
        for client in clients:
            client.join()
            self.assertIsNone(client.fault)
            self.assertGreater(client.answers, 0)

    def test_reloads(self):
        token = pathlib.Path(self.folder.name) / "token"
        token.write_text("a token that is long enough")
        options = [*PATIENT, "--admin-listen=127.0.0.1:0", f"--admin-token-file={token}"]
        with serving.Service(PROGRAM, self.bundle, *options) as service:
            clients = self.clients(service)
            bearer = {"Authorization": "Bearer a token that is long enough"}
            for revision in range(2, RELOADS + 2):
                files = {"manifest.json": json.dumps({"revision": str(revision)}), "m/x.hcl": policy(revision)}
                if revision % 10 == 0:
                    broken = {**files, "m/x.hcl": "broken = \n"}
                    self.assertEqual(service.ask("PUT", "/v1/bundle", archive(broken), bearer, n=1)[0], 422)
                status, _, body = service.ask("PUT", "/v1/bundle", archive(files), bearer, n=1)
                self.assertEqual((status, json.loads(body)["revision"]), (200, str(revision)))
                # Whoever asks from now on is answered by it.
                self.assertEqual(service.decide("m/answer", {"n": 1})[1]["revision"], str(revision))
            self.end(clients)
            answers = sum(client.answers for client in clients)
            print(f"{answers} answers in {RELOADS} reloads")
            for client in clients:
                # Nobody goes back to an older one.
                self.assertEqual(client.revisions, sorted(client.revisions, key=int))
            total = service.metric('hclvm_decisions_total{policy="m/answer",outcome="value"}')
            self.assertEqual(total, answers + RELOADS)
            self.assertEqual(service.metric('hclvm_bundle_reloads_total{outcome="activated"}'), RELOADS + 1)

    def test_is_killed(self):
        log = pathlib.Path(self.folder.name) / "decisions.log"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        clients = []
        for _ in range(3):
            listen = [f"127.0.0.1:{port}"]
            with serving.Service(PROGRAM, self.bundle, f"--decision-log={log}", *PATIENT, listen=listen) as service:
                service.wait_for("bundle_activated")
                clients = clients or self.clients(service, reconnect=True)
                before = [client.answers for client in clients]
                serving.eventually(lambda: all(c.answers > b + 50 for c, b in zip(clients, before)))
                # Lines wait for their thread, which a busy machine keeps back.
                held = log.stat().st_size
                serving.eventually(lambda: log.stat().st_size > held)
                service.kill()
        listen = [f"127.0.0.1:{port}"]
        with serving.Service(PROGRAM, self.bundle, *PATIENT, listen=listen) as service:
            before = [client.answers for client in clients]
            serving.eventually(lambda: all(c.answers > b + 50 for c, b in zip(clients, before)))
            self.end(clients)
        lines = log.read_text().splitlines()
        broken = 0
        for line in lines:
            try:
                self.assertEqual(json.loads(line)["path"], "m/answer")
            except json.JSONDecodeError:
                broken += 1
        # What was being written when the process was killed.
        self.assertLessEqual(broken, 3)
        self.assertGreater(len(lines), 0)

    def test_full_disk(self):
        with serving.Service(PROGRAM, self.bundle, "--decision-log=/dev/full", *PATIENT) as service:
            clients = self.clients(service)
            serving.eventually(lambda: all(client.answers > 200 for client in clients))
            self.end(clients)
            answers = sum(client.answers for client in clients)
            lost = 'hclvm_decision_log_dropped_total{reason="write_failed"}'
            serving.eventually(lambda: service.metric(lost) == answers)
            self.assertEqual(service.metric("hclvm_decision_log_lines_total"), 0)

    def test_logs_all(self):
        log = pathlib.Path(self.folder.name) / "decisions.log"
        with serving.Service(PROGRAM, self.bundle, f"--decision-log={log}", *PATIENT) as service:
            clients = self.clients(service)
            serving.eventually(lambda: all(client.answers > 200 for client in clients))
            self.end(clients)
            answers = sum(client.answers for client in clients)
        records = [json.loads(line) for line in log.read_text().splitlines()]
        self.assertEqual(len(records), answers)
        self.assertEqual(len({record["decision_id"] for record in records}), answers)
        for record in records:
            self.assertEqual(record["result"], f"1:{record['input']['n']}")

    def test_memory_stays_flat(self):
        """bench/serve/run has a longer one, over ten million requests."""
        if IS_TSAN:
            self.skipTest("the sanitizer's own memory grows")
        log = pathlib.Path(self.folder.name) / "decisions.log"
        # A sanitizer keeps what was freed for a while, and notes from where memory was asked for.
        little = "quarantine_size_mb=1:thread_local_quarantine_size_kb=64:malloc_context_size=0:detect_stack_use_after_return=0"
        environment = {"ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:{little}"}
        # Lines that wait for their thread are memory as well.
        buffer = "--log-buffer=1000000"
        options = [f"--decision-log={log}", *PATIENT, "--reload-interval=0", buffer]
        requests = b"".join(
            serving.request_bytes("POST", f"/v1/decide/{entry}", json.dumps({"n": n, "rest": "x" * (n % 50 * 10)}).encode())
            for n in range(250)
            for entry in ("m/answer", "m/none")
        )

        def resident():
            return int(pathlib.Path(f"/proc/{service.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        with serving.Service(PROGRAM, self.bundle, *options, environment=environment) as service:
            service.wait_for("bundle_activated")
            sizes = []
            for _ in range(6):
                for _ in range(80):
                    with socket.create_connection(("127.0.0.1", service.port()), timeout=serving.PATIENCE) as connection:
                        connection.sendall(requests)
                        connection.shutdown(socket.SHUT_WR)
                        answers = b""
                        while part := connection.recv(1 << 20):
                            answers += part
                    self.assertEqual((answers.count(b"HTTP/1.1 200 "), answers.count(b"HTTP/1.1 404 ")), (250, 250))
                sizes.append(resident() >> 10)
                log.write_bytes(b"")
            print("KiB after each 40,000 requests:", *sizes)
            # The log's buffer may grow once more.
            self.assertLess(sizes[-1] - sizes[1], 2048)

    def test_clients_go_away(self):
        with serving.Service(PROGRAM, self.bundle, *PATIENT) as service:
            clients = self.clients(service, count=2)
            for n in range(2000):
                with socket.create_connection(("127.0.0.1", service.port()), timeout=serving.PATIENCE) as connection:
                    connection.sendall(serving.request_bytes("POST", "/v1/decide/m/answer", b'{"n": 1}')[: 20 + n % 90])
                    if n % 3 == 0:
                        linger = b"\1\0\0\0\0\0\0\0"  # close with a reset
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.end(clients)
            serving.eventually(lambda: service.metric("hclvm_connections") <= 1)

    def test_clock_jumps(self):
        if IS_TSAN:
            self.skipTest("the sanitizer does not see the locks of libfaketime")
        library = faketime()
        clock = pathlib.Path(self.folder.name) / "clock"
        clock.write_text("@2024-01-01 00:00:00")
        environment = {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1",
                       "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                       # A sanitizer wants to be the first library.
                       "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"}
        log = pathlib.Path(self.folder.name) / "decisions.log"
        options = [f"--decision-log={log}", *PATIENT, "--reload-interval=20"]
        with serving.Service(PROGRAM, self.bundle, *options, environment=environment) as service:
            clients = self.clients(service)
            for time_of_day in ["@2030-01-01 00:00:00", "@1990-01-01 00:00:00", "@2024-06-01 00:00:00"]:
                clock.write_text(time_of_day)
                before = [client.answers for client in clients]
                serving.eventually(lambda: all(c.answers > b + 50 for c, b in zip(clients, before)))
            serving.write_bundle(self.bundle, {"m/x.hcl": policy(2)}, "2")
            serving.eventually(lambda: all(client.revisions[-1] == "2" for client in clients))
            self.end(clients)
        years = {line.split('"timestamp":"')[1][:4] for line in log.read_text().splitlines()}
        self.assertLessEqual({"1990", "2030"}, years)


def faketime():
    for found in pathlib.Path("/usr/lib").glob("*-linux-gnu/faketime/libfaketimeMT.so.1"):
        return found
    raise AssertionError("libfaketime is not installed: apt-get install libfaketime")


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    IS_TSAN = serving.is_sanitized(PROGRAM, ("tsan",))
    unittest.main()
