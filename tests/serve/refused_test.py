#!/usr/bin/env -S python3 -B
"""What the system refuses the service, and scopes of the wrong kinds: refused_test.py HCLVM_SERVE LIBRARY [static].

LIBRARY is librefuse_malloc.so; what is linked in another way than it is released is not tried with it."""

import contextlib
import json
import pathlib
import random
import resource
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import serving

PROGRAM = None
# A sanitizer takes most of the address space for itself.
IS_SANITIZED = False
LIBRARY = None
# Others wait no longer than that, whatever somebody asks.
LIVE_SECONDS = 0.2
POLICY = """
variable "user" {
}
variable "resource" {
  default = {}
}
locals {
  grants = [for n in range(40) : { role = "r${n}", actions = ["read", "write"] }]
}
allow  = anytrue([for g in local.grants : g.role == user.role && contains(g.actions, resource.action)])
roles  = [for r in user.roles : upper(r)]
names  = [for y in user : y.name]
owner  = try(resource.owner == user.id, false)
limit  = max(user.limits...)
first  = coalesce(user...)
all    = tolist(user)
label  = "${user.name} of ${user.team}"
level  = user.level >= 3 ? user : resource
"""
# Twelve wrong kinds, of a megabyte or as much as a request of one brings.
MANY = 30_000
WRONG = {
    "objects of many kinds": [{f"a{n}": n} for n in range(MANY)],
    "objects of one kind": [{"name": n} for n in range(MANY)],
    "an object": {f"a{n}": n for n in range(MANY)},
    "an object of objects": {f"a{n}": {f"b{n}": n} for n in range(MANY)},
    "texts": [f"text {n}" for n in range(2 * MANY)],
    "numbers": list(range(2 * MANY)),
    "nulls": [None] * (4 * MANY),
    "tuples of many lengths": [[n] * (n % 40) for n in range(MANY // 10)],
    "scalars of many kinds": [[None, True, 1, "a", 1.5][n % 5] for n in range(2 * MANY)],
    "a text": "x" * 900_000,
    "a long number": 10**4000,
    "nested": json.loads("[" * 200 + "]" * 200),
}
PARTS = ["role", "roles", "limits", "id", "name", "team", "level"]


class RefusedTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        serving.write_bundle(self.folder.name, {"m/x.hcl": POLICY}, "1")

    def serve(self, *options):
        return serving.Service(PROGRAM, self.folder.name, *options)

    def test_wrong_kinds(self):
        entries = ["allow", "roles", "names", "owner", "limit", "first", "all", "label", "level"]
        with self.serve("--timeout=100", "--threads=2", "--max-body=4000000") as service:
            ending, slowest = threading.Event(), []

            def live():
                while not ending.is_set():
                    begin = time.monotonic()
                    status, _, _ = service.ask("GET", "/livez")
                    slowest.append((time.monotonic() - begin, status))

            thread = threading.Thread(target=live)
            thread.start()
            try:
                for name, value in WRONG.items():
                    for scope in ({"user": value}, {"user": {part: value for part in PARTS[:2]}, "resource": value}):
                        body = json.dumps(scope).encode()
                        for entry in entries:
                            begin = time.monotonic()
                            status, _, _ = service.ask("POST", f"/v1/decide/m/{entry}", body)
                            seconds = time.monotonic() - begin
                            self.assertIn(status, (200, 400, 413, 500, 503), f"{entry} of {name}")
                            self.assertLess(seconds, 5, f"{entry} of {name}")
            finally:
                ending.set()
                thread.join()
            self.assertTrue(all(status == 200 for _, status in slowest))
            # A machine with other work to do is late at times.
            times = sorted(seconds for seconds, _ in slowest)
            print(f"/livez took {times[-1]:.3f} s at most, {times[len(times) * 99 // 100]:.3f} s but for one in a hundred")
            self.assertLess(times[len(times) * 99 // 100], LIVE_SECONDS)

    def test_memory_for_bodies(self):
        if IS_SANITIZED:
            self.skipTest("not tested in this build: limits of address space")
        with self.serve("--max-body=500000000") as service:
            pid = service.process.pid
            held = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[0]) * resource.getpagesize()
            resource.prlimit(pid, resource.RLIMIT_AS, (held + (64 << 20), resource.RLIM_INFINITY))
            for _ in range(3):
                with socket.create_connection(("127.0.0.1", service.port()), timeout=60) as connection:
                    connection.sendall(b"POST /v1/decide/m/allow HTTP/1.1\r\nHost: a\r\nContent-Length: 400000000\r\n\r\n")
                    with contextlib.suppress(OSError):
                        for _ in range(400):
                            connection.sendall(b" " * 1_000_000)
                    with contextlib.suppress(ConnectionResetError):
                        status, _, _ = serving.read_response(connection.makefile("rb"))
                        self.assertEqual(status, 503)
                self.assertEqual(service.ask("GET", "/livez")[0], 200)
            resource.prlimit(pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            self.assertEqual(service.decide("m/owner", {"user": {"id": 1}})[1]["value"], False)

    def test_threads(self):
        """Without threads there is a message and a status, and no abort."""
        if IS_SANITIZED:
            self.skipTest("not tested in this build: limits of address space")
        if pathlib.Path("/proc/self/loginuid").exists() and resource.getrlimit(resource.RLIMIT_STACK)[0] < 0:
            self.skipTest("threads have stacks of no limit")

        def no_room_for_stacks():
            resource.setrlimit(resource.RLIMIT_STACK, (64 << 30, 64 << 30))
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

        done = subprocess.run(
            [PROGRAM, "--bundle", self.folder.name, "--listen=127.0.0.1:0"],
            capture_output=True,
            preexec_fn=no_room_for_stacks,
            timeout=60,
        )
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"the system gives no thread", done.stderr)

    def test_second_signal(self):
        with self.serve("--drain-timeout=60000", "--shutdown-delay=60000") as service:
            with socket.create_connection(("127.0.0.1", service.port()), timeout=60) as connection:
                connection.sendall(b"POST /v1/decide/m/allow HTTP/1.1\r\nHost: a\r\n")
                serving.eventually(lambda: service.metric("hclvm_connections") > 1)
                service.process.send_signal(signal.SIGTERM)
                service.wait_for("stopping")
                begin = time.monotonic()
                self.assertEqual(service.kill(signal.SIGTERM), 0)
                self.assertLess(time.monotonic() - begin, 20)

    def test_empty_line(self):
        with self.serve() as service:
            with socket.create_connection(("127.0.0.1", service.port()), timeout=60) as connection:
                connection.sendall(b"\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
                stream = connection.makefile("rb")
                for _ in range(2):
                    self.assertEqual(serving.read_response(stream)[0], 200)


class EachAllocationTest(unittest.TestCase):
    def setUp(self):
        if LIBRARY is None:
            self.skipTest("linked in another way")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.bundle = pathlib.Path(self.folder.name) / "bundle"
        self.bundle.mkdir()
        policy = """
variable "user" {
}
allow = anytrue([for r in user.roles : r == "admin"])
"""
        serving.write_bundle(self.bundle, {"m/x.hcl": policy}, "1")
        self.key, self.certificate = f"{self.folder.name}/key.pem", f"{self.folder.name}/certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-keyout", self.key, "-out", self.certificate], check=True, capture_output=True)
        self.refusal = serving.Refusal(self.folder.name, LIBRARY)

    def exchange(self, port, request, context=None):
        """The status of the answer, or 0 where the connection ends without one."""
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            try:
                if context is not None:
                    connection = context.wrap_socket(connection)
                connection.sendall(request)
                return serving.read_response(connection.makefile("rb"))[0]
            except (OSError, ValueError, AssertionError, IndexError):
                return 0

    def try_each(self, service, request, context=None, n=0):
        """Sends the request with each allocation refused in turn. How often each status has come."""
        live = b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
        # The bundle is in force before all threads have started, and without memory for one the start ends.
        self.assertEqual(self.exchange(service.port(), live, context), 200)
        seen = {}
        for after in range(20_000):
            self.refusal.set(after)
            status = self.exchange(service.port(n), request, context)
            is_done = self.refusal.left() >= 0
            self.refusal.set(-1)
            seen[status] = seen.get(status, 0) + 1
            self.assertIsNone(service.process.poll(), f"the service has ended behind {after} allocations")
            got = self.exchange(service.port(), live, context)
            self.assertEqual(got, 200, f"behind {after} allocations, after {status}")
            if is_done:
                return seen
        self.fail("no end of allocations")

    def test_heads_and_bodies(self):
        body = json.dumps({"user": {"roles": [f"role {n}" for n in range(200)] + ["admin"]}}).encode()
        fields = b"".join(b"x-field-%d: %s\r\n" % (n, b"v" * 50) for n in range(60))
        post = b"POST /v1/decide/m/allow HTTP/1.1\r\nHost: a\r\n"
        requests = {
            "a head": b"GET /auth/x HTTP/1.1\r\nHost: a\r\n" + fields + b"\r\n",
            "a body": post + b"Content-Length: %d\r\n\r\n" % len(body) + body,
            "a chunked body": post + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n",
        }
        options, listen = ["--threads=1", "--reload-interval=0"], ("nginx@127.0.0.1:0",)
        with serving.Service(PROGRAM, self.bundle, *options, environment=self.refusal.environment(), listen=listen) as service:
            for name, request in requests.items():
                usual = self.exchange(service.port(), request)
                seen = self.try_each(service, request)
                print(name, "usually", usual, "with refused memory", seen)
                # A connection that could not be made has no answer.
                self.assertLessEqual(set(seen), {0, usual, 500, 503}, name)
                self.assertLess(seen.get(0, 0), 10, name)
                self.assertGreater(seen.get(503, 0), 0, name)

    def test_uploads(self):
        token = pathlib.Path(self.folder.name) / "token"
        token.write_text("0123456789abcdef")
        options = ["--threads=1", "--admin-listen=127.0.0.1:0", f"--admin-token-file={token}", "--reload-interval=0"]
        with serving.Service(PROGRAM, self.bundle, *options, environment=self.refusal.environment()) as service:
            bundle = serving.archive({"m/x.hcl": "allow = true\n", "manifest.json": '{"revision": "2"}'})
            put = b"PUT /v1/bundle HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer 0123456789abcdef\r\nContent-Length: %d\r\n\r\n"
            seen = self.try_each(service, put % len(bundle) + bundle, n=1)
            print("uploads with refused memory", seen)
            self.assertLessEqual(set(seen), {0, 200, 400, 422, 500, 503})
            self.assertEqual(service.decide("m/allow", {})[1]["value"], True)

    def test_tls(self):
        context = ssl.create_default_context(cafile=self.certificate)
        context.check_hostname = False
        options = ["--threads=1", f"--tls-certificate={self.certificate}", f"--tls-key={self.key}", "--reload-interval=0"]
        with serving.Service(PROGRAM, self.bundle, *options, environment=self.refusal.environment()) as service:
            request = b"POST /v1/decide/m/allow HTTP/1.1\r\nHost: a\r\nContent-Length: 24\r\n\r\n" + b'{"user": {"roles": [1]}}'
            seen = self.try_each(service, request, context)
            print("TLS with refused memory", seen)
            self.assertLessEqual(set(seen), {0, 200, 500, 503})

    def test_start(self):
        """The program ends with a message, or starts without the memory."""
        arguments = [PROGRAM, f"--bundle={self.bundle}", "--listen=127.0.0.1:0", "--threads=1", "--check-config",
                     f"--tls-certificate={self.certificate}", f"--tls-key={self.key}"]
        serve = [argument for argument in arguments if argument != "--check-config"]

        def run(command, after):
            self.refusal.set(after)
            environment = {"PATH": "/usr/bin:/bin", **self.refusal.environment()}
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
            if command is serve:
                # It runs, or has ended by itself.
                for line in process.stderr:
                    if b'"event":"bundle_' in line:
                        break
                process.terminate()
            error = process.communicate(timeout=60)[1]
            status = process.returncode
            self.assertIn(status, (0, 1, 2, 3), f"behind {after} allocations: {error}")
            return self.refusal.left() >= 0

        for command in (arguments, serve):
            end = 100
            while not run(command, end):
                end *= 2
            # Not each, as a start takes long.
            generator = random.Random(53)
            for after in sorted(generator.sample(range(end), min(end, 250))):
                run(command, after)


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    IS_SANITIZED = serving.is_sanitized(PROGRAM)
    if sys.argv[2:] == ["static"]:
        sys.argv.pop()
        LIBRARY = pathlib.Path(sys.argv.pop(1)).resolve()
    del sys.argv[1:]
    unittest.main()
