#!/usr/bin/env -S python3 -B
"""Where requests begin and end: framing_test.py HCLVM_SERVE.

Proxies before the service and the service must not read the same bytes in different ways, however they come: at once,
byte by byte, many requests in one piece, over TLS, half closed. What is doubtful is refused, and ends the connection.
"""

import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import unittest

import serving

PROGRAM = None
POLICY = """
variable "n" {
  type = number
}
double = n * 2
"""
AUTHZ = 'variable "http" {\n}\nallow = http.path == "/public"\n'
TARGET = "/v1/decide/m/double"
BODY = '{"n": 3}'
CHUNKS = "8\r\n" + BODY + "\r\n0\r\n\r\n"
CHUNKED = "Transfer-Encoding: chunked"
LENGTH = "Content-Length: 8"
# Would be answered with 405 if it were taken for a request.
SMUGGLED = "DELETE /livez HTTP/1.1\r\nHost: a\r\n\r\n"


def head(*headers, method="POST", target=TARGET, version="HTTP/1.1", host="Host: a"):
    return "\r\n".join([f"{method} {target} {version}", *([host] if host else []), *headers]) + "\r\n\r\n"


def sized(*headers, **line):
    return head(LENGTH, *headers, **line) + BODY


def chunked(text, *headers, **line):
    return head(CHUNKED, *headers, **line) + text


# The answers' statuses; "open" where the connection goes on.
CASES = {
    sized(): "200 open",
    chunked(CHUNKS): "200 open",
    chunked("4;a=b\r\n{\"n\"\r\n4\r\n: 3}\r\n0\r\nX-Original-URI: /public\r\nHost: b\r\nX: " + "y" * 3000 + "\r\n\r\n"): "200 open",
    # Fields behind a body say nothing, also not that the connection ends.
    chunked("8\r\n" + BODY + "\r\n0\r\nConnection: close\r\n\r\n"): "200 open",
    chunked("8\r\n" + BODY + "\r\n0\r\nConnection: keep-alive\r\n\r\n", "Connection: close"): "200",
    sized(version="HTTP/1.0"): "200",
    sized(version="HTTP/1.0", host=None): "200",
    sized("Connection: keep-alive", version="HTTP/1.0") * 3: "200 200 200 open",
    sized("Connection: close") * 3: "200",
    sized() * 20: "200 " * 20 + "open",
    (sized() + chunked(CHUNKS) + head(method="GET", target="/livez")) * 5: "200 " * 15 + "open",
    sized() + head(method="BREW"): "200 405 open",
    sized(target="http://a" + TARGET): "200 open",
    sized(target="http://b" + TARGET): "400",
    sized(target="ftp://a" + TARGET): "400",
    head(method="GET", target="/livez") + SMUGGLED: "200 405 open",
    # A body that GET has as well is no request.
    head(f"Content-Length: {len(SMUGGLED)}", method="GET", target="/livez") + SMUGGLED: "200 open",
    sized("Upgrade: websocket", "Connection: Upgrade"): "200 open",
    sized("Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMAAABkAAQAAP__"): "200 open",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n": "400",
    sized("Expect: 100-continue"): "[100] 200 open",
    head("Expect: 100-continue", method="GET", target="/livez"): "200 open",
    sized(*(f"X-{n}: a" for n in range(198))): "200 open",
    sized(*(f"X-{n}: a" for n in range(199))): "431",
    sized(*(f"X-{n}: a" for n in range(5000))): "431",
    sized("X: " + "a" * 20_000): "431",
    sized(target="/" + "a" * 20_000): "431",
    head("Content-Length: 99999999999"): "413",
    chunked("fffffff\r\n"): "413",
    chunked("ffffffffffffffff\r\n"): "413",
    chunked("8;" + "a" * 100_000 + "\r\n"): "431",
    chunked("8\r\n" + BODY + "\r\n0\r\n" + "X: y\r\n" * 20_000): "431",
    **{
        text + SMUGGLED: "400"
        for text in [
            sized("Content-Length: 8"),
            sized("Content-Length: 3"),
            head("Content-Length: 8, 8") + BODY,
            head("Content-Length: +8") + BODY,
            head("Content-Length: -8") + BODY,
            head("Content-Length: 0x8") + BODY,
            head("Content-Length:") + BODY,
            head("Content-Length : 8") + BODY,
            head("Content-Length: 18446744073709551624") + BODY,
            chunked(CHUNKS, LENGTH),
            head(LENGTH, CHUNKED) + CHUNKS,
            chunked(CHUNKS, CHUNKED),
            chunked(CHUNKS, version="HTTP/1.0"),
            head("Transfer-Encoding: chunked, chunked") + CHUNKS,
            head("Transfer-Encoding: gzip, chunked") + CHUNKS,
            head("Transfer-Encoding: chunked, identity") + CHUNKS,
            head("Transfer-Encoding: identity", LENGTH) + BODY,
            head("Transfer-Encoding: xchunked", LENGTH) + BODY,
            head("Transfer-Encoding: xchunked"),
            head("Transfer-Encoding:\r\n chunked") + CHUNKS,
            head("Transfer-Encoding:\x0bchunked", LENGTH) + BODY,
            head("Transfer-Encoding : chunked", LENGTH) + BODY,
            head("Transfer-Encoding\0: chunked", LENGTH) + BODY,
            sized("X: a\r\n b"),
            sized("X: a\0b"),
            sized("X: a\rb"),
            sized("X: a\n" + CHUNKED),
            sized("X\0: a"),
            sized(": a"),
            sized("a"),
            sized("Host: a"),
            sized(host=None),
            sized(target=TARGET + "\0"),
            sized(target=TARGET + " x"),
            sized(version="HTTP/2.0"),
            sized(version="HTTP/1.1 "),
            sized(method="PO ST"),
            sized(method="PO\1ST"),
            sized().replace("\r\n", "\n"),
            chunked("zz\r\n"),
            chunked("-8\r\n" + BODY),
            chunked("0x8\r\n" + BODY),
            chunked("8 \r\n" + BODY),
            chunked("\r\n" + BODY),
            chunked("fffffffffffffffff\r\n" + BODY),
            chunked("4\r\n" + BODY + "\r\n0\r\n\r\n"),
        ]
    },
}


def answers(text):
    """The statuses of the responses, one behind the other."""
    found = []
    while text:
        top, end, rest = text.partition(b"\r\n\r\n")
        assert end and top.startswith(b"HTTP/1.1 "), text
        lines = top.split(b"\r\n")
        sizes = [int(line[16:]) for line in lines if line.startswith(b"content-length: ")]
        status = lines[0].split(b" ")[1].decode()
        assert len(sizes) == (status != "100"), top
        found.append("[100]" if status == "100" else status)
        text = rest[sum(sizes) :]
    return found


class FramingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        serving.write_bundle(self.folder, {"m/x.hcl": POLICY, "authz/p.hcl": AUTHZ}, "1")

    def serve(self, *options):
        return serving.Service(PROGRAM, self.folder, "--timeout=60000", *options, listen=["127.0.0.1:0", "nginx@127.0.0.1:0"])

    def ask(self, connection, pieces):
        """What comes of the bytes: statuses, and "open" where the connection has not been closed."""
        out = b""
        try:
            for piece in pieces:
                connection.sendall(piece)
            # A last request says whether there is anybody. Behind what is refused it is thrown away.
            connection.sendall(head(method="GET", target="/none").encode())
            while not out.endswith(b'on the admin listener."}]}\n'):
                part = connection.recv(65536)
                if not part:
                    return " ".join(answers(out))
                out += part
        except ConnectionError:
            return " ".join(answers(out))
        found = answers(out)
        assert found[-1] == "404", found
        return " ".join([*found[:-1], "open"])

    def check(self, connect, split):
        for text, want in CASES.items():
            with connect() as connection:
                connection.settimeout(60)
                got = self.ask(connection, split(text.encode("latin1")))
            # A client that sends a body without waiting is not told to.
            want = want.replace("[100] ", "") if "[100]" not in got else want
            self.assertEqual(got.split(), want.split(), text[:300])

    def test_at_once(self):
        with self.serve() as service:
            self.check(lambda: socket.create_connection(("127.0.0.1", service.port())), lambda data: [data])

    def test_in_pieces(self):
        def pieces(data):
            size = 1 if len(data) < 3000 else 1000
            return [data[n : n + size] for n in range(0, len(data), size)]

        def connect():
            connection = socket.create_connection(("127.0.0.1", service.port()))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connection

        with self.serve() as service:
            self.check(connect, pieces)

    def test_over_tls(self):
        key, certificate = f"{self.folder}/.key.pem", f"{self.folder}/.certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True)
        context = ssl.create_default_context(cafile=certificate)
        context.check_hostname = False
        options = [f"--tls-certificate={certificate}", f"--tls-key={key}"]
        service = subprocess.Popen(
            [PROGRAM, "--bundle", self.folder, "--listen=unix:" + self.folder + "/.plain", "--listen=127.0.0.1:0", *options],
            stderr=subprocess.PIPE, text=True)
        self.addCleanup(service.wait)
        self.addCleanup(service.stderr.close)
        self.addCleanup(service.terminate)
        port = None
        for line in service.stderr:
            if '"address":"127.0.0.1:' in line:
                port = int(line.split('"address":"127.0.0.1:')[1].split('"')[0])
            if '"event":"bundle_activated"' in line:
                break

        def connect():
            return context.wrap_socket(socket.create_connection(("127.0.0.1", port)))

        self.check(connect, lambda data: [data])
        # An end that nobody has said could be that of somebody who has cut the connection.
        connection = context.wrap_socket(socket.create_connection(("127.0.0.1", port)), suppress_ragged_eofs=False)
        with connection:
            connection.sendall(sized("Connection: close").encode())
            answer = b""
            while part := connection.recv(65536):
                answer += part
            self.assertEqual(answers(answer), ["200"])
        # What is no TLS, or whose client does not take the certificate, is counted; who just leaves is not.
        before = self.tls_failures()
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"GET /livez HTTP/1.1\r\n\r\n")
            while connection.recv(100):
                pass
        with self.assertRaises(ssl.SSLError):
            ssl.create_default_context().wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="localhost")
        socket.create_connection(("127.0.0.1", port)).close()
        connect().close()
        serving.eventually(lambda: self.tls_failures() == before + 2)

    def tls_failures(self):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.folder + "/.plain")
            _, _, text = serving.exchange(connection, "GET", "/metrics")
        return int(text.partition(b"\nhclvm_tls_failures_total ")[2].split()[0])

    def test_many_requests_in_one_piece(self):
        count = 5000
        with self.serve() as service, socket.create_connection(("127.0.0.1", service.port()), timeout=60) as connection:
            stream = connection.makefile("rb")
            connection.sendall(sized().encode() * count)
            connection.shutdown(socket.SHUT_WR)
            for _ in range(count):
                status, _, body = serving.read_response(stream)
                self.assertEqual((status, body.startswith(b'{"value":6,')), (200, True))
            self.assertEqual(stream.read(), b"")

    def test_half_closed(self):
        with self.serve() as service:
            for text, want in [(sized(), "200"), (sized()[:-1], ""), (head()[:-4], ""), ("", ""), (chunked("8\r\n"), "")]:
                with socket.create_connection(("127.0.0.1", service.port()), timeout=60) as connection:
                    connection.sendall(text.encode())
                    connection.shutdown(socket.SHUT_WR)
                    out = b""
                    while part := connection.recv(65536):
                        out += part
                    self.assertEqual(" ".join(answers(out)), want, text)

    def test_waits_for_the_word_to_send(self):
        with self.serve() as service, socket.create_connection(("127.0.0.1", service.port()), timeout=60) as connection:
            stream = connection.makefile("rb")
            for _ in range(3):
                connection.sendall(head(LENGTH, "Expect: 100-continue").encode())
                self.assertEqual(stream.readline() + stream.readline(), b"HTTP/1.1 100 Continue\r\n\r\n")
                connection.sendall(BODY.encode())
                self.assertEqual(serving.read_response(stream)[0], 200)
            # One that would be refused is not asked for.
            connection.sendall(head("Content-Length: 99999999", "Expect: 100-continue").encode())
            self.assertEqual(serving.read_response(stream)[0], 413)

    def test_slow_bodies_end(self):
        with self.serve("--request-timeout=1") as service:
            connections = []
            for text in [sized()[:-1], chunked("8\r\n"), head()[:-2], "P"]:
                connection = socket.create_connection(("127.0.0.1", service.port()), timeout=60)
                connection.sendall(text.encode())
                connections.append(connection)
            for connection in connections:
                self.assertEqual(connection.recv(1), b"")
                connection.close()
            self.assertEqual(service.metric("hclvm_timeouts_total"), len(connections))

    # A body behind such an answer would be read as the answer to the next request.
    def test_not_modified_has_no_body(self):
        policy = 'variable "http" {\n}\nd = http.path\n'
        authz = 'authz {\n  entry = "p/d"\n  allow = false\n  status = 304\n  body = "HTTP/1.1 200 OK\\r\\n\\r\\n"\n}\n'
        folder = pathlib.Path(self.folder) / ".other"
        serving.write_bundle(folder, {"p/x.hcl": policy, "service.hcl": authz}, "1")
        asked = serving.request_bytes("GET", "/auth/", headers={"X-Forwarded-Method": "GET", "X-Forwarded-Uri": "/a"})
        with serving.Service(PROGRAM, folder, listen=["forwarded@127.0.0.1:0"]) as service:
            with socket.create_connection(("127.0.0.1", service.port()), timeout=60) as connection:
                connection.sendall(asked + head(method="GET", target="/livez").encode() + head(method="BREW").encode())
                connection.shutdown(socket.SHUT_WR)
                text = b""
                while part := connection.recv(65536):
                    text += part
        first, _, rest = text.partition(b"\r\n\r\n")
        self.assertTrue(first.startswith(b"HTTP/1.1 304 Not Modified\r\n"), text)
        self.assertNotIn(b"content-length", first)
        self.assertEqual(answers(rest), ["200", "405"])

    # What stands behind a body is no header of the proxy's.
    def test_trailers_say_nothing(self):
        with self.serve() as service:
            for original, trailer, want in [("/public", "/private", 200), ("/private", "/public", 403), (None, "/public", 403)]:
                headers = ["X-Original-Method: GET"] + ([f"X-Original-URI: {original}"] if original else [])
                text = chunked(f"0\r\nX-Original-URI: {trailer}\r\nX: {'y' * 5000}\r\n\r\n", *headers, target="/auth/")
                with socket.create_connection(("127.0.0.1", service.port(1)), timeout=60) as connection:
                    connection.sendall(text.encode())
                    self.assertEqual(serving.read_response(connection.makefile("rb"))[0], want, text[:200])


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
