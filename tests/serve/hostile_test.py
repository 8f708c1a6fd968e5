#!/usr/bin/env -S python3 -B
"""Hostile, wrong and truncated requests, idle connections and slow ones: hostile_test.py HCLVM_SERVE.

HCLVM_TEST_SEED chooses other requests.
"""

import fcntl
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time
import unittest

import serving

PROGRAM = None
REQUESTS = 10_000
POLICY = """
variable "n" {
  type = number
}
variable "s" {
  default = ""
}
double = n * 2
echo   = s
"""
AUTHZEN = 'variable "subject" {\n}\nvariable "context" {\n}\ndecision = subject.id == "ann" && context == {}\n'
QUESTION = b'{"subject": {"type": "u", "id": "ann"}, "action": {"name": "a"}, "resource": {"type": "r", "id": "1"}'
AUTHZ = 'variable "http" {\n}\nallow = http.method == "GET" && http.path_segments[0] == "public"\n'
PIECES = [
    b"GET", b"POST", b"PUT", b"HEAD", b"OPTIONS", b" ", b"\t", b"\r\n", b"\n", b"\r", b"\0", b"\xff", b"/", b"/auth/",
    b"/v1/decide/m/double", b"/v1/decide/%00", b"/v1/decide/..%2f", b"/metrics", b"/readyz", b"/v1/bundle", b"?", b"%",
    b"HTTP/1.1", b"HTTP/1.0", b"HTTP/9.9", b"Host: a", b"Host:", b"Content-Length: 5", b"Content-Length: -1",
    b"Content-Length: 99999999999999999999", b"Content-Length: 4294967296", b"Transfer-Encoding: chunked",
    b"Transfer-Encoding: gzip, chunked", b"Connection: close", b"Connection: keep-alive, close", b"Expect: 100-continue",
    b"Expect: other", b"X-Original-URI: /public/a", b"X-Original-URI: /../..", b"X-Original-URI: /%00",
    b"X-Original-Method: GET", b"X-Forwarded-Uri: /public", b"traceparent: 00-0-0-0", b"Authorization: Bearer x",
    b"/access/v1/evaluations", b"/access/v1/search/x", b"/.well-known/authzen-configuration", b"X-Request-ID: x",
    b"Content-Type: application/json", b'{"evaluations": [{}]}', b'"evaluations": [1, {}],', b'"options": [],',
    b"Content-Type: application/x-ndjson", b'{"n": 1}', b'{"n": 1e99999}', b'{"n": ', b"[" * 1000, b'{"inputs": [{}]}',
    b'{"s": "' + b"x" * 3000 + b'"}', b"0\r\n\r\n", b"ffffffffffffffff\r\n", b"5\r\nabcde\r\n", b"A" * 5000, b": ",
]


class HostileTest(unittest.TestCase):
    def setUp(self):
        seed = int(os.environ.get("HCLVM_TEST_SEED", "1"))
        print(f"seed {seed}")
        self.random = random.Random(seed)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        serving.write_bundle(self.folder.name, {"m/x.hcl": POLICY, "authz/p.hcl": AUTHZ, "authzen/p.hcl": AUTHZEN}, "1")

    def serve(self, *options, environment=None):
        listeners = ["127.0.0.1:0", "nginx@127.0.0.1:0", "forwarded@127.0.0.1:0"]
        return serving.Service(PROGRAM, self.folder.name, *options, environment=environment, listen=listeners)

    def good(self):
        """A request and the port that it is for."""
        kind = self.random.randrange(5)
        if kind == 0:
            return serving.request_bytes("POST", "/v1/decide/m/double", b'{"n": 3}'), 0
        if kind == 1:
            headers = {"X-Original-URI": "/public/a?b=c", "X-Original-Method": "GET"}
            return serving.request_bytes("GET", "/auth/x", headers=headers), 1
        if kind == 2:
            headers = {"X-Forwarded-Uri": "/private", "X-Forwarded-Method": "GET", "Cookie": "a=b"}
            return serving.request_bytes("GET", "/auth", headers=headers), 2
        if kind == 3:
            headers = {"Content-Type": "application/json", "X-Request-ID": "r"}
            path, more = self.random.choice([("evaluation", b"}"), ("evaluations", b', "evaluations": [{}, {"context": {}}]}')])
            return serving.request_bytes("POST", f"/access/v1/{path}", QUESTION + more, headers), 0
        headers = {"Content-Type": "application/x-ndjson"}
        return serving.request_bytes("POST", "/v1/decide/m/double", b'{"n": 1}\n{"n": "x"}\n{', headers), 0

    def hostile(self):
        request, port = self.good()
        for _ in range(self.random.randrange(1, 4)):
            kind = self.random.randrange(6)
            at = self.random.randrange(len(request) + 1)
            if kind == 0:
                request = request[:at]
            elif kind == 1:
                request = request[:at] + self.random.choice(PIECES) + request[at:]
            elif kind == 2:
                request = request[:at] + bytes([self.random.randrange(256)]) + request[at + 1 :]
            elif kind == 3:
                end = min(len(request), at + self.random.randrange(20))
                request = request[:at] + request[end:]
            elif kind == 4:
                request = request[:at] + request[self.random.randrange(len(request) + 1) :]
            else:
                request = b"".join(self.random.choice(PIECES) for _ in range(self.random.randrange(12)))
        return request, port

    def check_answers(self, answers):
        """Whatever was sent: what comes back is responses, or nothing."""
        while answers:
            if answers.startswith(b"HTTP/1.1 100 Continue\r\n\r\n"):
                answers = answers[len(b"HTTP/1.1 100 Continue\r\n\r\n") :]
                continue
            head, end, rest = answers.partition(b"\r\n\r\n")
            self.assertTrue(end, answers)
            self.assertRegex(head, rb"^HTTP/1\.1 (200|400|401|403|404|405|408|413|415|431|500|501|503) ")
            lines = head.split(b"\r\n")
            sizes = [int(line[16:]) for line in lines if line.startswith(b"content-length: ")]
            self.assertEqual(len(sizes), 1, head)
            if len(rest) < sizes[0]:
                # Only the answer to HEAD has no body.
                self.assertEqual(rest, b"", answers)
                return
            answers = rest[sizes[0] :]

    def test_hostile_requests(self):
        with self.serve("--request-timeout=20") as service:
            pid = service.process.pid
            for n in range(REQUESTS):
                request, port = self.hostile()
                with socket.create_connection(("127.0.0.1", service.port(port)), timeout=60) as connection:
                    try:
                        connection.sendall(request)
                        connection.shutdown(socket.SHUT_WR)
                        answers = b""
                        while part := connection.recv(65536):
                            answers += part
                    except ConnectionError:
                        # What is thrown away behind a refused request has an end.
                        continue
                self.check_answers(answers)
                if n % 500 == 0:
                    self.assertEqual(service.decide("m/double", {"n": n})[1]["value"], 2 * n)
            self.assertEqual(service.decide("m/double", {"n": 1})[1]["value"], 2)
            self.assertLess(resident_bytes(pid), 300 << 20)
            self.assertLessEqual(service.metric("hclvm_connections"), 2)

    def test_hostile_scopes(self):
        deep = b'{"s":' + b"[" * 100_000
        wide = json.dumps({f"k{n}": n for n in range(20_000)}).encode()
        repeated = b'{"n": 1' + b', "n": 1' * 1000 + b"}"
        long_number = b'{"n": 1' + b"0" * 200_000 + b"}"
        with self.serve("--max-body=2000000") as service:
            for body in [deep, wide, repeated, long_number, b'{"s": "\xff"}', b'{"s": "\\ud800"}']:
                status, _, answer = service.ask("POST", "/v1/decide/m/double", body)
                self.assertIn(status, (400, 413, 500))
                self.assertIn("diagnostics", json.loads(answer))
            # A number of 100,000 digits is one.
            self.assertEqual(service.ask("POST", "/v1/decide/m/double", b'{"n": 1e99998}')[0], 200)
            self.assertEqual(service.decide("m/double", {"n": 1})[1]["value"], 2)

    def test_hostile_questions(self):
        headers = {"Content-Type": "application/json"}
        deep = QUESTION + b', "context": ' + b'{"a":' * 100_000
        many = QUESTION + b', "evaluations": [' + b",".join([b"{}"] * 1001) + b"]}"
        empty = QUESTION + b', "evaluations": [' + b",".join([b"1"] * 1000) + b"]}"
        wide = QUESTION + b', "context": {' + b",".join(b'"k%d": 1' % n for n in range(20_000)) + b"}"
        with self.serve("--max-body=2000000") as service:

            def ask(body):
                return service.ask("POST", "/access/v1/evaluations", body, headers)

            semantic = QUESTION + b', "options": {"evaluations_semantic": "' + b"x" * 300_000 + b'"}}'
            for want, body in [(413, deep), (413, many), (400, semantic)]:
                status, found, answer = ask(body)
                self.assertEqual((status, found["content-type"]), (want, "text/plain; charset=utf-8"))
                self.assertLess(len(answer), 500)
            self.assertEqual(ask(empty)[2].count(b"expected object, found number"), 1000)
            self.assertEqual(ask(wide + b', "evaluations": [' + b",".join([b"{}"] * 1000) + b"]}")[0], 200)
            self.assertEqual(ask(QUESTION + b"}")[2], b'{"decision":true}\n')

    def test_answers_that_nobody_takes(self):
        """Small questions, large answers: those that wait for their clients have a bound together."""
        many = 'variable "s" {\n}\nmany = [for a in range(15) : s]\n'
        slow = "slow = length([for a in range(1000) : sum([for b in range(1000) : a + b])])\n"
        serving.write_bundle(self.folder.name, {"m/y.hcl": "", "l/x.hcl": many, "s/x.hcl": slow}, "2")
        text = json.dumps({"s": "x" * 1_000_000}).encode()
        options = ["--limit=max_result_bytes=100000000", "--limit=max_fuel=1000000000", "--timeout=60000", "--request-timeout=60",
                   "--threads=1"]
        # A sanitizer keeps what was freed for a while.
        environment = {"ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:quarantine_size_mb=1"}
        with self.serve(*options, environment=environment) as service:
            status, _, body = service.ask("POST", "/v1/decide/l/many", text)
            self.assertEqual((status, len(body) > 15_000_000), (200, True))
            # All are read, and wait, before the first one is answered.
            connections = [socket.create_connection(("127.0.0.1", service.port()), timeout=60) for _ in range(60)]
            connections[0].sendall(serving.request_bytes("POST", "/v1/decide/s/slow", b"{}") * 20)
            for connection in connections:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.sendall(serving.request_bytes("POST", "/v1/decide/l/many", text))
            serving.eventually(lambda: service.metric("hclvm_overload_total") > 0)
            # There would be 900 MB of them.
            print(f"answers that nobody takes: {resident_bytes(service.process.pid) >> 20} MiB")
            # The thread sanitizer takes several times as much beside them.
            if not serving.is_sanitized(PROGRAM, ("tsan",)):
                self.assertLess(resident_bytes(service.process.pid), 700 << 20)
            self.assertEqual(service.ask("GET", "/livez")[0], 200)
            self.assertEqual(service.ask("POST", "/v1/decide/m/double", b'{"n": 1}')[0], 503)
            for connection in connections:
                connection.close()
            serving.eventually(lambda: service.ask("POST", "/v1/decide/m/double", b'{"n": 1}')[0] == 200)

    def test_operators_get_in(self):
        """Clients that take all connections there are do not keep out who operates the service."""
        token = pathlib.Path(self.folder.name) / ".token"
        token.write_text("a token that is long enough")
        options = ["--max-connections=5", "--admin-listen=127.0.0.1:0", f"--admin-token-file={token}"]
        with self.serve(*options) as service:
            connections = [socket.create_connection(("127.0.0.1", service.port()), timeout=60) for _ in range(5)]
            for connection in connections:
                self.assertEqual(serving.exchange(connection, "GET", "/livez")[0], 200)
            self.assertEqual(service.ask("GET", "/livez")[0], 503)
            self.assertEqual(service.ask("GET", "/readyz", n=3)[0], 200)
            for connection in connections:
                connection.close()

    def test_nobody_reads_the_events(self):
        """A full pipe on stderr holds up neither decisions, nor reloads, nor the end."""
        path = pathlib.Path(self.folder.name).parent / (pathlib.Path(self.folder.name).name + ".sock")
        reader, writer = os.pipe()
        service = subprocess.Popen(
            [PROGRAM, f"--bundle={self.folder.name}", f"--listen=unix:{path}", "--reload-interval=0"], stderr=writer)
        os.close(writer)
        self.addCleanup(service.kill)

        def ask(method, target, body=b""):
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(60)
                connection.connect(str(path))
                return serving.exchange(connection, method, target, body)

        def is_ready():
            try:
                return ask("GET", "/readyz")[0] == 200
            except OSError:
                return False

        def waiting():
            return int.from_bytes(fcntl.ioctl(reader, termios.FIONREAD, b"\0" * 4), sys.byteorder)

        serving.eventually(is_ready)
        while waiting() < 60_000:
            service.send_signal(signal.SIGHUP)
            time.sleep(0.001)
        for _ in range(100):
            service.send_signal(signal.SIGHUP)
            time.sleep(0.001)
        serving.write_bundle(self.folder.name, {"m/x.hcl": POLICY.replace("* 2", "* 3")}, "2")
        service.send_signal(signal.SIGHUP)
        body = b'{"n": 3}'
        serving.eventually(lambda: json.loads(ask("POST", "/v1/decide/m/double", body)[2])["value"] == 9)
        service.send_signal(signal.SIGTERM)
        self.assertEqual(service.wait(timeout=60), 0)
        os.close(reader)

    def test_idle_connections(self):
        files = serving.allow_many_files()
        count = min(10_000, files - 200)
        with self.serve("--max-connections=20000") as service:
            connections = []
            for n in range(count):
                connection = socket.create_connection(("127.0.0.1", service.port()), timeout=60)
                if n % 2 == 0:
                    connection.sendall(b"POST /v1/decide/m/double HTTP/1.1\r\nHost: a\r\n")
                connections.append(connection)
            serving.eventually(lambda: service.metric("hclvm_connections") > count)
            self.assertEqual(service.decide("m/double", {"n": 1})[1]["value"], 2)
            self.assertLess(resident_bytes(service.process.pid), 400 << 20)
            print(f"{count} connections: {resident_bytes(service.process.pid) >> 20} MiB")
            # Each of them still works.
            for connection in connections[::100]:
                connection.sendall(b'Content-Length: 8\r\n\r\n{"n": 4}')
            for connection in connections[::100]:
                _, _, body = serving.read_response(connection.makefile("rb"))
                self.assertEqual(json.loads(body)["value"], 8)
            for connection in connections:
                connection.close()
            serving.eventually(lambda: service.metric("hclvm_connections") <= 1)


def resident_bytes(pid):
    return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
