#!/usr/bin/env -S python3 -B
"""nginx and Caddy protect files by hclvm-serve: proxy_test.py HCLVM_SERVE EXAMPLE NGINX CADDY.

EXAMPLE is the folder examples/service, whose configurations are used, with other ports. The programs of the proxies have
to be there; tests/serve/proxies.sh fetches them.
"""

import http.client
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

import serving

PROGRAM = EXAMPLE = NGINX = CADDY = None
TOKEN = {"Authorization": "Bearer open sesame"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class ProxyTest(unittest.TestCase):
    """What both proxies must do. `start` makes one of them, and leaves its port in self.port."""

    dialect = None

    def setUp(self):
        if self.dialect is None:
            self.skipTest("only what is made of it is a test")
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for path in ["files/public", "files/private", "tmp"]:
            (self.folder / path).mkdir(parents=True)
        (self.folder / "files/public/a.txt").write_text("for all\n")
        (self.folder / "files/private/b.txt").write_text("for some\n")
        for path in [self.folder, *self.folder.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o055)
        (self.folder / "tmp").chmod(0o777)
        self.bundle = self.folder / "bundle"
        shutil.copytree(EXAMPLE / "bundle", self.bundle)
        self.service_port = free_port()
        listen = [f"127.0.0.1:0", f"{self.dialect}@127.0.0.1:{self.service_port}"]
        self.service = serving.Service(
            PROGRAM, self.bundle, "--timeout=60000", "--reload-interval=20", listen=listen
        )
        self.addCleanup(self.service.__exit__, None, None, None)
        self.service.wait_for("bundle_activated")
        self.port = free_port()
        self.start()

    def run_proxy(self, arguments, environment=None):
        process = subprocess.Popen(arguments, cwd=self.folder, env={**os.environ, **(environment or {})})
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)

        def answers():
            self.assertIsNone(process.poll(), "the proxy has ended")
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0

        serving.eventually(answers)

    def ask(self, path, headers=None, method="GET"):
        """(status, body, headers) of the proxy's answer. The path is sent as it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.putrequest(method, path, skip_host=True)
            connection.putheader("Host", "example.test")
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            connection.endheaders()
            response = connection.getresponse()
            return response.status, response.read(), response.headers
        finally:
            connection.close()

    def test_protects(self):
        self.assertEqual(self.ask("/public/a.txt")[:2], (200, b"for all\n"))
        self.assertEqual(self.ask("/private/b.txt", TOKEN)[:2], (200, b"for some\n"))
        status, body, headers = self.ask("/private/b.txt")
        self.assertEqual(status, 401)
        self.assertEqual(headers["www-authenticate"], 'Basic realm="files"')
        self.assertNotIn(b"for some", body)
        self.assertEqual(self.ask("/public/a.txt", method="DELETE")[0], 403)

    def test_paths(self):
        """Whatever a client writes: what is private is not read without a token."""
        for path in ["/public/../private/b.txt", "/public/%2e%2e/private/b.txt", "/public/..%2fprivate/b.txt",
                     "//private/b.txt", "/./private/b.txt", "/private//b.txt", "/%70rivate/b.txt",
                     "/public%2f..%2fprivate/b.txt", "/public/..%5cprivate/b.txt", "/public/a.txt/../../private/b.txt",
                     "/private/b.txt?x=/public/", "/private/b.txt%00", "/public/%252e%252e/private/b.txt"]:
            status, body, _ = self.ask(path)
            self.assertNotEqual(status, 200, path)
            self.assertNotIn(b"for some", body, path)
        self.assertEqual(self.ask("/private/../public/a.txt")[:2], (200, b"for all\n"))

    def test_forged_headers(self):
        """A client that sends the headers of a proxy."""
        forged = {f"X-{kind}-{name}": value for kind in ("Original", "Forwarded")
                  for name, value in (("URI", "/public/a.txt"), ("Uri", "/public/a.txt"), ("Method", "GET"))
                  if name != "URI" or kind == "Original"}
        for headers in [forged, {"X-Original-URI": "/public/a.txt"}, {"X-Forwarded-Uri": "/public/a.txt"},
                        {"X-Original-URI": "/public/a.txt", "X-Original-Method": "GET"},
                        {"X-Forwarded-Uri": "/public/a.txt", "X-Forwarded-Method": "GET"}]:
            status, body, _ = self.ask("/private/b.txt", headers)
            self.assertNotEqual(status, 200, headers)
            self.assertNotIn(b"for some", body)
        self.assertNotEqual(self.ask("/public/a.txt", {"X-Forwarded-Method": "GET"}, method="DELETE")[0], 200)

    def test_reloads(self):
        policy = (self.bundle / "files/policy.hcl").read_text()
        serving.write_bundle(self.bundle, {"files/policy.hcl": policy.replace('"public"', '"open"')}, "2")
        serving.eventually(lambda: self.ask("/public/a.txt")[0] == 401)
        serving.write_bundle(self.bundle, {"files/policy.hcl": "broken = \n"}, "3")
        self.service.wait_for("bundle_refused")
        self.assertEqual(self.ask("/public/a.txt")[0], 401)
        self.assertEqual(self.ask("/private/b.txt", TOKEN)[0], 200)

    def test_denies_without_the_service(self):
        self.service.kill()
        for path in ["/public/a.txt", "/private/b.txt"]:
            status, body, _ = self.ask(path, TOKEN)
            self.assertGreaterEqual(status, 400)
            self.assertNotIn(b"for", body.split(b"<")[0])


class NginxTest(ProxyTest):
    dialect = "nginx"

    def start(self):
        config = (EXAMPLE / "nginx.conf").read_text()
        config = config.replace("127.0.0.1:8080", f"127.0.0.1:{self.port}")
        config = config.replace("127.0.0.1:8182", f"127.0.0.1:{self.service_port}")
        (self.folder / "nginx.conf").write_text(config)
        self.run_proxy([NGINX, "-p", self.folder, "-c", self.folder / "nginx.conf", "-e", "stderr"])

    def test_names_the_rule(self):
        self.assertEqual(self.ask("/public/a.txt")[2]["x-rule"], "public")
        self.assertEqual(self.ask("/private/b.txt")[2]["x-rule"], "default")


class CaddyTest(ProxyTest):
    dialect = "forwarded"

    def start(self):
        config = (EXAMPLE / "Caddyfile").read_text()
        config = config.replace("http://:8081", f"http://:{self.port}")
        config = config.replace("127.0.0.1:8183", f"127.0.0.1:{self.service_port}")
        (self.folder / "Caddyfile").write_text(config)
        home = {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}
        self.run_proxy([CADDY, "run", "--adapter", "caddyfile", "--config", "Caddyfile"], home)

    def test_passes_the_answer_on(self):
        status, body, headers = self.ask("/private/b.txt")
        self.assertEqual((status, body, headers["x-rule"]), (401, b"who are you?\n", "default"))


if __name__ == "__main__":
    PROGRAM, EXAMPLE, NGINX, CADDY = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(4))
    unittest.main(defaultTest=["NginxTest", "CaddyTest"])
