#!/usr/bin/python3 -B
"""hclvm-envoy where the system refuses memory: refused_test.py HCLVM_ENVOY LIBRARY [static].

LIBRARY is librefuse_malloc.so; what is linked in another way than it is released is not tried with it. gRPC ends the process
where it gets no memory for itself, and it must be said why. Ours is an answer: an error, which Envoy takes for no leave."""

import collections
import pathlib
import subprocess
import sys
import tempfile
import unittest

import envoy_clients as clients
import grpc
import serving

PROGRAM = None
LIBRARY = None
POLICY = """
variable "http" {
}
allow = http.method == "GET" && can(regex("^/pub.*a$", http.path))
"""
NO_MEMORY = 3  # the exit status
LINE = "hclvm-envoy: out of memory"


class EachAllocationTest(unittest.TestCase):
    def setUp(self):
        if LIBRARY is None:
            self.skipTest("linked in another way")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bundle = f"{folder.name}/bundle"
        serving.write_bundle(self.bundle, {"authz/p.hcl": POLICY}, "1")
        self.refusal = serving.Refusal(folder.name, LIBRARY)

    def start(self, *options):
        options = ("--grpc-listen=127.0.0.1:0", "--threads=1", "--reload-interval=0", *options)
        return serving.Service(PROGRAM, self.bundle, *options, environment=self.refusal.environment())

    def ask(self, client, request=None):
        try:
            return clients.said(client.check(request, timeout=30))
        except grpc.RpcError as error:
            return error.code().name

    def has_ended(self, service, answer):
        """Whether it has. Its line comes before the connection breaks, and its end after that."""
        if answer == "UNAVAILABLE" and service.log_path.read_text().endswith(LINE + "\n"):
            service.process.wait(timeout=60)
        return service.process.poll() is not None

    def try_each(self, answers, *options, keeps_connection, request=None, step=1):
        """Asks with each allocation refused in turn. `answers` are those that may be told."""
        seen, service, client = collections.Counter(), None, None
        for after in range(0, 20_000, step):
            if service is None:
                service = self.start(*options)
                self.addCleanup(service.process.kill)
                client = clients.Client(service.addresses[1])
                if keeps_connection:
                    self.ask(client)
            self.refusal.set(after)
            answer = self.ask(client, request)
            is_done = self.refusal.left() >= 0
            self.refusal.set(-1)
            has_ended = self.has_ended(service, answer)
            seen[answer, has_ended] += 1
            where = f"behind {after} allocations, after {answer}"
            self.assertIn(answer, answers, where)
            if not has_ended and not keeps_connection:
                client.channel.close()
                client = clients.Client(service.addresses[1])
                again = self.ask(client)
                # The thread that was refused may be one that goes on behind the answer.
                has_ended = self.has_ended(service, again)
                if not has_ended:
                    # What goes on answers as before.
                    self.assertEqual(again, "0 ok", where)
                client.channel.close()
                client = clients.Client(service.addresses[1])
            if has_ended:
                self.assertEqual(service.process.returncode, NO_MEMORY, where)
                self.assertEqual(service.log_path.read_text().splitlines()[-1], LINE, where)
            if has_ended or is_done:
                client.channel.close()
                service.kill()
                service = None
            if is_done:
                print(f"{after} allocations:", dict(seen))
                return
        self.fail("no end of allocations")

    def begun(self):
        """How many allocations are made before the program's own code begins, at the most."""
        self.refusal.set(1 << 40)
        subprocess.run([PROGRAM, "--version"], capture_output=True, check=True, env=self.refusal.environment())
        return (1 << 40) - self.refusal.left()

    def test_calls(self):
        errors = {"0 ok", "13 error 500", "8 error 503", "14 error 503", "UNAVAILABLE"}
        self.try_each(errors, keeps_connection=True)

    def test_calls_with_status(self):
        errors = {"0 ok", "INTERNAL", "RESOURCE_EXHAUSTED", "UNAVAILABLE"}
        self.try_each(errors, "--error-form=status", keeps_connection=True)

    def test_denials(self):
        """A path that is refused is never let through."""
        errors = {"7 denied 403", "13 error 500", "8 error 503", "14 error 503", "UNAVAILABLE"}
        self.try_each(errors, keeps_connection=True, request=clients.question("/public/../x"))

    def test_large_questions(self):
        """Their texts do not fit into the memory that comes with a call."""
        headers = {f"x-header-{n}": f"{n} " * 50 for n in range(200)}
        errors = {"0 ok", "13 error 500", "8 error 503", "14 error 503", "UNAVAILABLE"}
        self.try_each(errors, keeps_connection=True, request=clients.question(headers=headers))

    def test_connections(self):
        """Not each: gRPC makes a connection of hundreds of parts, and the process ends with most."""
        errors = {"0 ok", "13 error 500", "8 error 503", "14 error 503", "UNAVAILABLE"}
        self.try_each(errors, keeps_connection=False, step=7)

    def test_start(self):
        for after in range(self.begun(), 40_000, 211):
            self.refusal.set(after)
            process = subprocess.Popen(
                [PROGRAM, "--bundle", self.bundle, "--listen=127.0.0.1:0", "--grpc-listen=127.0.0.1:0", "--threads=1"],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self.refusal.environment())
            # It runs, or has ended by itself.
            for line in process.stderr:
                if b'"event":"bundle_' in line:
                    break
            process.terminate()
            told = process.communicate(timeout=60)[1]
            self.assertIn(process.returncode, (0, 1, 2, 3), f"behind {after} allocations: {told}")
            if self.refusal.left() >= 0:
                return
        self.fail("no end of allocations")


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    if sys.argv[2:] == ["static"]:
        sys.argv.pop()
        LIBRARY = pathlib.Path(sys.argv.pop(1)).resolve()
    del sys.argv[1:]
    unittest.main()
