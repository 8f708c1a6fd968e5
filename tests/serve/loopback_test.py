#!/usr/bin/env -S python3 -B
"""hclvm-serve as its clients and its operator meet it: loopback_test.py HCLVM_SERVE."""

import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest

import serving
from serving import archive

PROGRAM = None
POLICY = 'variable "n" {\n  type = number\n}\ndouble = n * 2\n'
# Takes some 30 ms times the number.
SLOW = """
variable "n" {{
  type = number
}}
slow = length([for c in range({}) : sum([for a in range(1000) : sum([for b in range(1000) : a + b + c + n])])])
"""
METADATA = "/.well-known/authzen-configuration"
TOKEN = "a token that is long enough"
# Runs the program as systemd does, with the descriptor given as the second one that it passes.
ACTIVATE = """#!{python}
import fcntl, os, sys
listener = fcntl.fcntl({descriptor}, fcntl.F_DUPFD, 10)
os.dup2(os.open("/dev/null", os.O_RDONLY), 3)
os.dup2(listener, 4)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="2", LISTEN_FDNAMES="other:auth")
os.execv("{program}", ["{program}", *sys.argv[1:]])
"""


class LoopbackTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.bundle = self.folder / "bundle"
        serving.write_bundle(self.bundle, {"m/x.hcl": POLICY}, "1")

    def serve(self, *options, **kwargs):
        return serving.Service(PROGRAM, self.bundle, "--timeout=60000", *options, **kwargs)

    def test_decides_for_curl(self):
        with self.serve() as service:
            url = f"http://127.0.0.1:{service.port()}/v1/decide/m/double"
            run = subprocess.run(["curl", "-sS", "-d", '{"n": 21}', url], capture_output=True, check=True)
            answer = json.loads(run.stdout)
            self.assertEqual((answer["value"], answer["revision"]), (42, "1"))
            # A body that curl asks about before it sends it.
            large = json.dumps({"n": 1, "rest": "x" * 500_000})
            run = subprocess.run(
                ["curl", "-sS", "-H", "Expect: 100-continue", "--data-binary", "@-", url],
                input=large.encode(),
                capture_output=True,
                check=True,
            )
            self.assertEqual(json.loads(run.stdout)["value"], 2)

    def test_connections(self):
        with self.serve() as service:
            with socket.create_connection(("127.0.0.1", service.port()), timeout=60) as connection:
                for n in range(20):
                    status, headers, body = serving.exchange(
                        connection, "POST", "/v1/decide/m/double", json.dumps({"n": n}).encode()
                    )
                    self.assertEqual((status, json.loads(body)["value"]), (200, 2 * n))
                    self.assertNotIn("connection", headers)
                # Several requests at once are answered in their order.
                requests = [
                    serving.request_bytes("POST", "/v1/decide/m/double", json.dumps({"n": n}).encode())
                    for n in range(100)
                ]
                connection.sendall(b"".join(requests))
                stream = connection.makefile("rb")
                values = [json.loads(serving.read_response(stream)[2])["value"] for _ in range(100)]
                self.assertEqual(values, list(range(0, 200, 2)))
                # Piece by piece.
                for byte in serving.request_bytes("POST", "/v1/decide/m/double", b'{"n": 4}'):
                    connection.sendall(bytes([byte]))
                self.assertEqual(json.loads(serving.read_response(stream)[2])["value"], 8)
                status, headers, body = serving.exchange(connection, "HEAD", "/livez")
                self.assertEqual((status, headers["content-length"], body), (200, "14", b""))
                chunked = b"POST /v1/decide/m/double HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                connection.sendall(chunked + b'3\r\n{"n\r\n5\r\n": 5}\r\n0\r\n\r\n')
                self.assertEqual(json.loads(serving.read_response(connection.makefile("rb"))[2])["value"], 10)
            status, headers, _ = service.ask("GET", "/livez", headers={"Connection": "close"})
            self.assertEqual((status, headers["connection"]), (200, "close"))

    def test_bounds_bodies(self):
        with self.serve("--max-body=1000") as service:
            status, headers, _ = service.ask("POST", "/v1/decide/m/double", b"x" * 1001)
            self.assertEqual((status, headers["connection"]), (413, "close"))
            # All of it has been sent before anything is read, and the answer comes all the same.
            status, _, _ = service.ask("POST", "/v1/decide/m/double", b"x" * 900_000)
            self.assertEqual(status, 413)
            status, _, _ = service.ask("POST", "/v1/decide/m/double", b'{"n": 1, "x": "' + b"x" * 983 + b'"}')
            self.assertEqual(status, 200)
            self.assertEqual(service.metric('hclvm_limits_total{limit="body"}'), 2)

    def test_reloads_files(self):
        with self.serve("--reload-interval=20") as service:
            self.assertEqual(service.decide("m/double", {"n": 1})[1]["value"], 2)
            serving.write_bundle(self.bundle, {"m/x.hcl": "broken = \n"}, "2")
            service.wait_for("bundle_refused")
            status, _, body = service.ask("GET", "/readyz")
            ready = json.loads(body)
            self.assertEqual((status, ready["revision"]), (200, "1"))
            self.assertEqual(ready["diagnostics"][0]["subject"]["filename"], "m/x.hcl")
            self.assertEqual(service.decide("m/double", {"n": 1})[1]["value"], 2)
            serving.write_bundle(self.bundle, {"m/x.hcl": POLICY.replace("* 2", "* 3")}, "3")
            serving.eventually(lambda: service.decide("m/double", {"n": 1})[1]["revision"] == "3")
            self.assertEqual(service.decide("m/double", {"n": 1})[1]["value"], 3)
            self.assertNotIn("last_error", json.loads(service.ask("GET", "/readyz")[2]))
            self.assertGreaterEqual(service.metric('hclvm_bundle_reloads_total{outcome="refused"}'), 1)

    def test_reloads_when_told(self):
        with self.serve("--reload-interval=0") as service:
            serving.write_bundle(self.bundle, {"m/x.hcl": POLICY.replace("* 2", "* 3")}, "2")
            time.sleep(0.2)
            self.assertEqual(service.decide("m/double", {"n": 1})[1]["value"], 2)
            service.process.send_signal(signal.SIGHUP)
            service.wait_for("bundle_activated", 2)
            self.assertEqual(service.decide("m/double", {"n": 1})[1]["value"], 3)

    def test_health(self):
        def health(*options):
            got = subprocess.run([PROGRAM, "health", *options], capture_output=True, text=True, check=False)
            return got.returncode, got.stderr

        with self.serve("--reload-interval=20", listen=["127.0.0.1:0", f"unix:{self.folder}/s"]) as service:
            address = f"--address=127.0.0.1:{service.port()}"
            self.assertEqual(health(address), (0, ""))
            self.assertEqual(health(f"--address=unix:{self.folder}/s"), (0, ""))
        self.assertEqual(health(address), (1, "hclvm-serve health: Connection refused\n"))
        serving.write_bundle(self.bundle, {"m/x.hcl": "broken = \n"}, "2")
        with self.serve() as service:
            address = f"--address=127.0.0.1:{service.port()}"
            self.assertEqual(health(address), (1, "hclvm-serve health: /readyz says 503\n"))
            self.assertEqual(health(address, "--live"), (0, ""))
        for wrong in ["", "8181", "a.example:80", "127.0.0.1:65536", "unix:"]:
            self.assertEqual(health(f"--address={wrong}")[0], 2, wrong)
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"--address=127.0.0.1:{silent.getsockname()[1]}"
            self.assertEqual(health(address, "--timeout=50")[0], 1)

    def test_tells_the_service_manager(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(self.folder / "notify"))
            manager.settimeout(30)

            def told(*wanted):
                for text in wanted:
                    self.assertEqual(manager.recv(1000).decode().split("\n")[0], text)

            token = self.folder / "credentials"
            token.mkdir()
            (token / "token").write_text(TOKEN)
            environment = {"NOTIFY_SOCKET": str(self.folder / "notify"), "CREDENTIALS_DIRECTORY": str(token)}
            with self.serve("--reload-interval=0", "--admin-listen=127.0.0.1:0", "--admin-token-file=credential:token",
                            environment=environment) as service:
                told("STATUS=bundle 1 in force", "READY=1")
                serving.write_bundle(self.bundle, {"m/x.hcl": "broken = \n"}, "2")
                service.process.send_signal(signal.SIGHUP)
                told("RELOADING=1", "STATUS=bundle refused: the bundle has errors", "READY=1")
                self.assertEqual(service.ask("PUT", "/v1/bundle", b"", {"authorization": "Bearer no"}, n=1)[0], 401)
            told("STOPPING=1")

    def test_starts_without_a_sound_bundle(self):
        serving.write_bundle(self.bundle, {"m/x.hcl": "broken = \n"}, "1")
        with self.serve("--reload-interval=20") as service:
            self.assertEqual(service.ask("GET", "/livez")[0], 200)
            self.assertEqual(service.ask("GET", "/readyz")[0], 503)
            self.assertEqual(service.decide("m/double", {"n": 1})[0], 503)
            serving.write_bundle(self.bundle, {"m/x.hcl": POLICY}, "2")
            serving.eventually(lambda: service.ask("GET", "/readyz")[0] == 200)
            self.assertEqual(service.decide("m/double", {"n": 1})[1]["value"], 2)

    def test_takes_bundles(self):
        token = self.folder / "token"
        token.write_text(TOKEN + "\n")
        options = ["--admin-listen=127.0.0.1:0", f"--admin-token-file={token}", "--max-body=100"]
        with serving.Service(PROGRAM, None, *options) as service:
            self.assertEqual(service.ask("GET", "/readyz")[0], 503)
            bearer = {"Authorization": "Bearer " + TOKEN}

            def put(files, headers=bearer, n=1):
                return service.ask("PUT", "/v1/bundle", archive(files), headers, n)

            sound = {"manifest.json": '{"revision": "5"}', "m/x.hcl": POLICY}
            self.assertEqual(put(sound, n=0)[0], 413)  # not the admin listener
            self.assertEqual(put(sound, headers={})[0], 413)
            self.assertEqual(put(sound, headers={"Authorization": "Bearer x"})[0], 413)
            self.assertEqual(service.ask("GET", "/readyz")[0], 503)
            status, _, body = put(sound)
            self.assertEqual((status, json.loads(body)), (200, {"activated": True, "revision": "5"}))
            self.assertEqual(service.decide("m/double", {"n": 3})[1]["value"], 6)
            self.assertEqual(json.loads(put(sound)[2])["activated"], False)
            status, _, body = put({"manifest.json": '{"revision": "4"}', "m/x.hcl": POLICY})
            self.assertEqual((status, json.loads(body)["error"]),
                             (422, "the revision 4 is older than 5, which is in force"))
            status, _, body = put({"manifest.json": '{"revision": "6"}', "m/x.hcl": "x = y\n"})
            self.assertEqual((status, json.loads(body)["diagnostics"][0]["code"]), (422, "HCL3101"))
            self.assertEqual(put({"../x": ""})[0], 422)
            self.assertEqual(service.decide("m/double", {"n": 3})[1]["revision"], "5")

    def test_signatures(self):
        def openssl(*arguments):
            subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)

        private, public = self.folder / "private.pem", self.folder / "public.pem"
        openssl("genpkey", "-algorithm", "ed25519", "-out", private)
        openssl("pkey", "-in", private, "-pubout", "-out", public)
        signed = self.folder / "signed"
        signed.mkdir()
        (signed / "x.hcl").write_text("a = 1\n")
        run = subprocess.run(["sha256sum", signed / "x.hcl"], check=True, capture_output=True, text=True)
        manifest = {"revision": "1", "files": {"x.hcl": run.stdout.split()[0]}}
        (signed / "manifest.json").write_text(json.dumps(manifest))
        signature = self.folder / "signature"
        openssl("pkeyutl", "-sign", "-inkey", private, "-rawin", "-in", signed / "manifest.json", "-out", signature)
        openssl("base64", "-in", signature, "-out", signed / "manifest.json.sig")

        def check(bundle):
            run = subprocess.run(
                [PROGRAM, f"--bundle={bundle}", f"--require-signature={public}", "--check-config"], capture_output=True
            )
            return run.returncode

        self.assertEqual(check(signed), 0)
        (signed / "x.hcl").write_text("a = 2\n")
        self.assertEqual(check(signed), 1)
        (signed / "x.hcl").write_text("a = 1\n")
        (signed / "y.hcl").write_text("b = 1\n")
        self.assertEqual(check(signed), 1)
        (signed / "y.hcl").unlink()
        self.assertEqual(check(signed), 0)
        self.assertEqual(check(self.bundle), 1)

    def test_unix_sockets(self):
        path = self.folder / "socket"
        with self.serve(listen=["127.0.0.1:0", f"unix:{path}"]) as service:
            run = subprocess.run(
                ["curl", "-sS", "--unix-socket", path, "http://x/livez"], capture_output=True, check=True
            )
            self.assertEqual(run.stdout, b'{"live":true}\n')
            # What a process has left that was killed is in nobody's way; what is used is.
            service.kill()
            self.assertTrue(path.exists())
        with self.serve(listen=[f"unix:{path}"]) as service:
            run = subprocess.run([PROGRAM, f"--bundle={self.bundle}", f"--listen=unix:{path}"], capture_output=True)
            self.assertEqual(run.returncode, 1)
            self.assertIn(b"cannot listen", run.stderr)
            # Nor does one that could have another address take it away.
            listen = ["--listen=127.0.0.1:0", f"--listen=unix:{path}"]
            run = subprocess.run([PROGRAM, f"--bundle={self.bundle}", *listen], capture_output=True)
            self.assertEqual(run.returncode, 1)
            self.assertTrue(path.exists())
        self.assertFalse(path.exists())

    def test_unix_sockets_are_handed_over(self):
        path = self.folder / "socket"
        with self.serve(f"--listen=unix:{path}", "--drain-timeout=30000") as old:
            # The old one drains, and waits for what has begun.
            begun = socket.create_connection(("127.0.0.1", old.port()), timeout=60)
            serving.exchange(begun, "GET", "/livez")
            begun.sendall(b"GET /livez HTTP/1.1\r\n")
            old.process.send_signal(signal.SIGTERM)
            serving.eventually(lambda: not path.exists())
            with self.serve(listen=[f"unix:{path}"]):
                begun.sendall(b"Host: a\r\n\r\n")
                self.assertEqual(serving.read_response(begun.makefile("rb"))[0], 200)
                begun.close()
                self.assertEqual(old.process.wait(timeout=60), 0)
                subprocess.run(
                    ["curl", "-sSf", "--unix-socket", path, "http://x/livez"], capture_output=True, check=True
                )
        self.assertFalse(path.exists())

    def test_unix_sockets_have_a_mode_and_a_group(self):
        path = self.folder / "socket"
        group = os.getgid()
        with self.serve(listen=["127.0.0.1:0", f"unix:{path},mode=0620,group={group}"]):
            status = path.stat()
            self.assertEqual((status.st_mode & 0o777, status.st_gid), (0o620, group))
        self.assertFalse(path.exists())
        wrong = f"--listen=unix:{path},group=no-such-group"
        run = subprocess.run([PROGRAM, f"--bundle={self.bundle}", wrong], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn('there is no group "no-such-group"', run.stderr)
        self.assertFalse(path.exists())

    def test_takes_sockets_from_systemd(self):
        """What comes while one process has ended and the next one has not begun waits in the socket."""
        path = self.folder / "socket"
        program = self.folder / "activated"
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            listener.listen()
            names = {"python": sys.executable, "descriptor": listener.fileno(), "program": pathlib.Path(PROGRAM).resolve()}
            program.write_text(ACTIVATE.format(**names))
            program.chmod(0o755)

            def serve(name="auth"):
                return serving.Service(program, self.bundle, listen=[f"systemd:{name}"], pass_fds=[listener.fileno()])

            with serve() as service:
                self.assertEqual(service.addresses, ["systemd:auth"])
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.connect(str(path))
                    self.assertEqual(serving.exchange(connection, "GET", "/livez")[0], 200)
            self.assertTrue(path.exists())
            # It is answered by the bundle, which is read first.
            for _ in range(5):
                with socket.socket(socket.AF_UNIX) as waiting:
                    waiting.connect(str(path))
                    waiting.sendall(serving.request_bytes("GET", "/readyz"))
                    with serve():
                        self.assertEqual(serving.read_response(waiting.makefile("rb"))[0], 200)
            with self.assertRaisesRegex(AssertionError, "systemd has passed no such socket; its .socket unit has to be active first"):
                serve("other")

    def test_files_have_a_limit(self):
        """What a system does with a process whose files grow beyond that is a signal, which would end it."""
        log = self.folder / "decisions.log"
        with self.serve(f"--decision-log={log}") as service:
            resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (10_000, 10_000))
            for n in range(100):
                self.assertEqual(service.decide("m/double", {"n": n})[0], 200)
            written, dropped = "hclvm_decision_log_lines_total", 'hclvm_decision_log_dropped_total{reason="write_failed"}'
            serving.eventually(lambda: service.metric(written) + service.metric(dropped) == 100)
            self.assertGreater(service.metric(dropped), 0)
            self.assertEqual(len([json.loads(line) for line in log.read_text().splitlines()]), service.metric(written))

    def make_certificate(self, name, ca=None, names="IP:127.0.0.1"):
        key, certificate = self.folder / f"{name}.key", self.folder / f"{name}.pem"
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                   "2", "-subj", f"/CN={name}", "-addext", f"subjectAltName={names}", "-keyout", key, "-out",
                   certificate]
        if ca is not None:
            command += ["-CA", self.folder / f"{ca}.pem", "-CAkey", self.folder / f"{ca}.key"]
        subprocess.run(list(map(str, command)), check=True, capture_output=True)
        return key, certificate

    def test_tls(self):
        self.make_certificate("ca")
        key, certificate = self.make_certificate("server", "ca")
        client_key, client_certificate = self.make_certificate("client", "ca")
        stranger_key, stranger = self.make_certificate("stranger")
        options = [f"--tls-certificate={certificate}", f"--tls-key={key}", f"--tls-client-ca={self.folder / 'ca.pem'}",
                   "--reload-interval=20"]
        serving.write_bundle(self.bundle, {"authzen/x.hcl": "decision = true\n"}, "2")
        with self.serve(*options) as service:

            def ask(certificate=None, key=None):
                context = ssl.create_default_context(cafile=str(self.folder / "ca.pem"))
                if certificate is not None:
                    context.load_cert_chain(certificate, key)
                with socket.create_connection(("127.0.0.1", service.port()), timeout=60) as plain:
                    with context.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
                        self.assertIn(b'"https://test/access/v1/evaluation"', serving.exchange(connection, "GET", METADATA)[2])
                        return serving.exchange(connection, "GET", "/livez")[0], connection.getpeercert()["serialNumber"]

            status, serial = ask(client_certificate, client_key)
            self.assertEqual(status, 200)
            for wrong in [(None, None), (stranger, stranger_key)]:
                with self.assertRaises((ssl.SSLError, AssertionError, ConnectionError)):
                    ask(*wrong)
            # Plain text gets no answer.
            with socket.create_connection(("127.0.0.1", service.port()), timeout=60) as plain:
                plain.sendall(serving.request_bytes("GET", "/livez"))
                self.assertNotIn(b"200", plain.recv(1000))
            # A new certificate is used without a restart, and a broken one is not.
            self.make_certificate("server", "ca")
            serving.eventually(lambda: ask(client_certificate, client_key)[1] != serial)
            certificate.write_text("broken")
            service.wait_for("certificates_refused")
            self.assertEqual(ask(client_certificate, client_key)[0], 200)
            service.kill()

    # Key and certificate in one file, and the list of those who may sign clients' certificates, are read anew as well.
    def test_all_files_of_tls_are_looked_at(self):
        def write(name, *parts):
            whole = self.folder / f"{name}.new"
            whole.write_text("".join((self.folder / part).read_text() for part in parts))
            whole.rename(self.folder / name)

        for name in ["one", "two"]:
            self.make_certificate(name)
        write("server", "one.pem", "one.key")
        write("clients", "one.pem")
        options = [f"--tls-certificate={self.folder / 'server'}", f"--tls-key={self.folder / 'server'}",
                   f"--tls-client-ca={self.folder / 'clients'}", "--reload-interval=20"]
        with self.serve(*options) as service:

            def works(server, client):
                context = ssl.create_default_context(cafile=str(self.folder / f"{server}.pem"))
                context.load_cert_chain(self.folder / f"{client}.pem", self.folder / f"{client}.key")
                try:
                    with socket.create_connection(("127.0.0.1", service.port()), timeout=60) as plain:
                        with context.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
                            return serving.exchange(connection, "GET", "/livez")[0] == 200
                except (ssl.SSLError, AssertionError, ConnectionError):
                    return False

            self.assertEqual([works("one", "one"), works("one", "two")], [True, False])
            write("server", "two.pem", "two.key")
            serving.eventually(lambda: works("two", "one"))
            write("clients", "two.pem")
            serving.eventually(lambda: works("two", "two"))
            self.assertFalse(works("two", "one"))
            service.kill()

    def test_data(self):
        def write(name, text):
            whole = data / f".{name}"
            whole.write_text(text)
            whole.rename(data / name)

        data = self.folder / "data"
        data.mkdir()
        write("factors.json", "[2, 3]")
        policy = POLICY.replace("n * 2", "n * sum(factors)") + 'variable "factors" {\n  type = list(number)\n}\n'
        serving.write_bundle(self.bundle, {"m/x.hcl": policy}, "1")
        token, log = self.folder / "token", self.folder / "decisions.log"
        token.write_text(TOKEN)
        options = [f"--data={data}", "--reload-interval=20", "--admin-listen=127.0.0.1:0", f"--admin-token-file={token}",
                   f"--decision-log={log}"]
        with self.serve(*options) as service:
            service.wait_for("data_activated")
            serving.eventually(lambda: service.ask("GET", "/readyz")[0] == 200)
            status, answer = service.decide("m/double", {"n": 10})
            self.assertEqual((status, answer["value"]), (200, 50))
            revision = answer["data_revision"]
            write("factors.json", "[2, 3")
            service.wait_for("data_refused")
            ready = json.loads(service.ask("GET", "/readyz")[2])
            self.assertEqual(ready["data_diagnostics"][0]["subject"]["filename"], str(data / "factors.json"))
            self.assertEqual(service.decide("m/double", {"n": 10})[1]["data_revision"], revision)
            write("factors.json", "[1, 3]")
            serving.eventually(lambda: service.decide("m/double", {"n": 10})[1]["value"] == 40)
            # A bundle and data that fit each other only.
            maps = policy.replace("list(number)", "map(number)").replace("sum(factors)", "sum(values(factors))")
            serving.write_bundle(self.bundle, {"m/x.hcl": maps}, "2")
            service.wait_for("bundle_refused")
            self.assertEqual(service.decide("m/double", {"n": 10})[1]["value"], 40)
            bearer = {"Authorization": "Bearer " + TOKEN}

            def put(text):
                status, _, body = service.ask("PUT", "/v1/data", text, bearer, n=1)
                return status, json.loads(body)

            status, said = put(b'{"factors": {"a": 7}}')
            self.assertEqual((status, said["activated"], said["with"]), (200, True, "2"))
            status, answer = service.decide("m/double", {"n": 10})
            self.assertEqual((answer["value"], answer["revision"]), (70, "2"))
            self.assertEqual(put(b'{"factors": {"a": "x"}}')[0], 422)
            self.assertEqual(put(b'{"factors": {"a": 8}}')[0], 200)
            self.assertEqual(service.ask("PUT", "/v1/data", b"{}", {}, n=1)[0], 401)
            self.assertEqual(service.decide("m/double", {"n": 10})[1]["value"], 80)
        write("factors.json", '{"a": 8}')
        command = [PROGRAM, "replay", log, f"--bundle={self.bundle}"]
        run = subprocess.run([*command, f"--data={data}"], capture_output=True, text=True)
        changed = [line.split("  ")[-2] for line in run.stdout.splitlines() if " -> " in line]
        self.assertEqual((run.returncode, sorted(changed)), (0, ["40 -> 80", "50 -> 80", "70 -> 80"]))
        for text, status in [('{"a": 8}', 0), ('{"a": "x"}', 1), ("{", 1)]:
            write("factors.json", text)
            command = [PROGRAM, f"--bundle={self.bundle}", f"--data={data}", "--check-config"]
            run = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(run.returncode, status, run.stderr)

    # Who asks, by the certificate of the connection.
    def test_principals(self):
        self.make_certificate("ca")
        key, certificate = self.make_certificate("server", "ca")
        serving.write_bundle(self.bundle, {
            "m/x.hcl": POLICY,
            "authz/p.hcl": 'variable "http" {\n}\nallow = { allow = true, headers = { "x-proxy" = http.source.proxy } }\n',
        }, "1")
        log = self.folder / "decisions.log"
        options = [f"--tls-certificate={certificate}", f"--tls-key={key}", f"--tls-client-ca={self.folder / 'ca.pem'}",
                   f"--decision-log={log}"]
        principals = {
            "DNS:a.test,URI:spiffe://test/ns/a,URI:spiffe://test/b": "spiffe://test/ns/a",
            "IP:127.0.0.1,DNS:a.test,DNS:b.test": "a.test",
            "IP:127.0.0.1": "CN=client",
        }
        listen = ["nginx@127.0.0.1:0", f"nginx@unix:{self.folder / 'socket'}"]
        with serving.Service(PROGRAM, self.bundle, *options, listen=listen) as service:
            headers = {"X-Original-URI": "/a", "X-Original-Method": "GET"}
            for names, want in principals.items():
                client_key, client_certificate = self.make_certificate("client", "ca", names)
                context = ssl.create_default_context(cafile=str(self.folder / "ca.pem"))
                context.load_cert_chain(client_certificate, client_key)
                with socket.create_connection(("127.0.0.1", service.port()), timeout=60) as plain:
                    with context.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
                        for _ in range(2):
                            status, got, _ = serving.exchange(connection, "GET", "/auth/", headers=headers)
                            self.assertEqual((status, got["x-proxy"]), (200, want))
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(str(self.folder / "socket"))
                status, got, _ = serving.exchange(connection, "GET", "/auth/", headers=headers)
                self.assertEqual((status, got.get("x-proxy")), (200, None))
            service.kill(signal.SIGTERM)
        said = [json.loads(line).get("requested_by") for line in log.read_text().splitlines()]
        self.assertEqual(said, [principal for principal in principals.values() for _ in range(2)] + [None])

    def test_older_revisions_after_a_restart(self):
        options = [f"--state={self.folder / 'state'}"]
        serving.write_bundle(self.bundle, {"m/x.hcl": POLICY}, "v10")
        with self.serve(*options) as service:
            service.wait_for("bundle_activated")
        serving.write_bundle(self.bundle, {"m/x.hcl": POLICY}, "v9")
        with self.serve(*options) as service:
            self.assertIn("is older than v10", service.wait_for("bundle_refused")[0]["error"])
            self.assertEqual(service.ask("GET", "/readyz")[0], 503)
        with self.serve(*options, "--allow-older") as service:
            service.wait_for("bundle_activated")
        with self.serve(*options) as service:
            service.wait_for("bundle_activated")
        (self.folder / "state").write_text("v9\n")
        run = subprocess.run([PROGRAM, f"--bundle={self.bundle}", *options], capture_output=True)
        self.assertEqual(run.returncode, 2)
        self.assertIn(b"is no file that keeps a revision", run.stderr)

    def test_drains(self):
        slow = SLOW.format(10)
        serving.write_bundle(self.bundle, {"m/x.hcl": POLICY, "s/x.hcl": slow}, "1")
        options = ["--limit=max_fuel=100000000000", "--limit=max_result_bytes=4000000000", "--threads=2"]
        with self.serve(*options) as service:
            idle = socket.create_connection(("127.0.0.1", service.port()), timeout=60)
            busy = socket.create_connection(("127.0.0.1", service.port()), timeout=60)
            serving.exchange(idle, "GET", "/livez")
            busy.sendall(serving.request_bytes("POST", "/v1/decide/s/slow", b'{"n": 1}'))
            time.sleep(0.1)
            service.process.send_signal(signal.SIGTERM)
            status, headers, body = serving.read_response(busy.makefile("rb"))
            self.assertEqual((status, json.loads(body).get("value")), (200, 10), body)
            self.assertEqual(idle.recv(1), b"")
            self.assertEqual(service.process.wait(timeout=60), 0)
            with self.assertRaises(ConnectionError):
                socket.create_connection(("127.0.0.1", service.port()), timeout=60)
            idle.close()
            busy.close()

    def test_replays(self):
        log = self.folder / "decisions.log"
        with self.serve(f"--decision-log={log}") as service:
            for n in range(10):
                service.decide("m/double", {"n": n})
        command = [PROGRAM, "replay", log, "--fail-on-change"]
        run = subprocess.run([*command, f"--bundle={self.bundle}"], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout), (0, "10 decisions: 10 the same, 0 changed\n"))
        empty = self.folder / "empty.log"
        empty.write_text("")
        nothing = [PROGRAM, "replay", empty, "--fail-on-change", f"--bundle={self.bundle}"]
        run = subprocess.run(nothing, capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("nothing was decided again", run.stderr)
        changed = self.folder / "changed"
        serving.write_bundle(changed, {"m/x.hcl": POLICY.replace("n * 2", "n < 8 ? n * 2 : 0")}, "2")
        run = subprocess.run([*command, f"--bundle={changed}"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("10 decisions: 8 the same, 2 changed\n\nm/double\n       1  16 -> 0  (", run.stdout)

    def test_refuses_when_overloaded(self):
        slow = SLOW.format(30)
        serving.write_bundle(self.bundle, {"s/x.hcl": slow}, "1")
        options = ["--limit=max_fuel=100000000000", "--limit=max_result_bytes=4000000000", "--threads=1", "--max-queue=2"]
        with self.serve(*options) as service:
            connections = [socket.create_connection(("127.0.0.1", service.port()), timeout=60) for _ in range(30)]
            for n, connection in enumerate(connections):
                connection.sendall(serving.request_bytes("POST", "/v1/decide/s/slow", b'{"n": 1}'))
                # The first is being answered while the others come.
                time.sleep(0.1 if n == 0 else 0)
            statuses = [serving.read_response(connection.makefile("rb"))[0] for connection in connections]
            self.assertEqual(set(statuses), {200, 503}, statuses)
            # Who was refused is not cut off.
            refused = connections[statuses.index(503)]
            self.assertEqual(serving.exchange(refused, "GET", "/livez")[0], 200)
            self.assertGreaterEqual(statuses.count(200), 3)
            for connection in connections:
                connection.close()
            self.assertEqual(service.metric("hclvm_overload_total"), statuses.count(503))

    def test_bounds_connections(self):
        with self.serve("--max-connections=3", "--threads=1") as service:
            connections = [socket.create_connection(("127.0.0.1", service.port()), timeout=60) for _ in range(3)]
            for connection in connections:
                self.assertEqual(serving.exchange(connection, "GET", "/livez")[0], 200)
            with socket.create_connection(("127.0.0.1", service.port()), timeout=60) as fourth:
                self.assertIn(fourth.recv(100)[:12], (b"HTTP/1.1 503", b""))
            connections.pop().close()
            serving.eventually(lambda: self.answers(service))
            for connection in connections:
                connection.close()

    def answers(self, service):
        try:
            return service.ask("GET", "/livez")[0] == 200
        except (AssertionError, ConnectionError):
            return False

    def test_closes_slow_connections(self):
        with self.serve("--request-timeout=1", "--idle-timeout=2", "--threads=1") as service:
            begun = socket.create_connection(("127.0.0.1", service.port()), timeout=60)
            begun.sendall(b"POST /v1/decide/m/double HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
            idle = socket.create_connection(("127.0.0.1", service.port()), timeout=60)
            serving.exchange(idle, "GET", "/livez")
            self.assertEqual(begun.recv(1), b"")
            self.assertEqual(idle.recv(1), b"")
            self.assertEqual(service.metric("hclvm_timeouts_total"), 1)
            begun.close()
            idle.close()

    def test_config_files(self):
        config = self.folder / "serve.hcl"
        config.write_text(f'bundle = "{self.bundle}"\nlisten = ["127.0.0.1:0"]\nthreads = 1\n')
        run = subprocess.run([PROGRAM, f"--config={config}", "--check-config"], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout), (0, "the options and the bundle are right\n"))
        config.write_text(f'bundle = "{self.bundle}"\nthread = 1\n')
        run = subprocess.run([PROGRAM, f"--config={config}", "--check-config"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertIn("line 2: there is no option thread", run.stderr)
        # The key of another certificate.
        self.make_certificate("one")
        self.make_certificate("two")
        for key, status in [("one", 0), ("two", 1)]:
            files = [f"--tls-certificate={self.folder / 'one.pem'}", f"--tls-key={self.folder / f'{key}.key'}"]
            run = subprocess.run([PROGRAM, f"--bundle={self.bundle}", *files, "--check-config"], capture_output=True)
            self.assertEqual(run.returncode, status, run.stderr)
        serving.write_bundle(self.bundle, {"m/x.hcl": "x = y\n"}, "1")
        run = subprocess.run([PROGRAM, f"--bundle={self.bundle}", "--check-config"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("on m/x.hcl line 1", run.stderr)


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
