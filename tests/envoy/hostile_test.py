#!/usr/bin/python3 -B
"""Clients of gRPC that want to do harm, over loopback: hostile_test.py HCLVM_ENVOY.

The Python is the system's, since gRPC is one of its packages. What its client does not send is sent as bytes.
"""

import contextlib
import os
import pathlib
import resource
import socket
import struct
import sys
import tempfile
import time
import unittest

import envoy_clients as clients
import grpc
import serving

PROGRAM = None
DATA, HEADERS, RST_STREAM, SETTINGS = 0, 1, 3, 4
END_STREAM, END_HEADERS = 1, 4
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def header(name, value):
    """A field of HTTP/2 as it stands in no table."""
    assert len(name) < 127 and len(value) < 127
    return bytes([0, len(name)]) + name + bytes([len(value)]) + value


HEAD = b"".join(
    header(*field)
    for field in [
        (b":method", b"POST"), (b":scheme", b"http"), (b":path", b"/envoy.service.auth.v3.Authorization/Check"),
        (b":authority", b"a"), (b"content-type", b"application/grpc"), (b"te", b"trailers"),
    ]
)


def call(stream, *fields):
    """A question as bytes, with more fields."""
    message = clients.question().SerializeToString()
    head = HEAD + b"".join(header(*field) for field in fields)
    text = b"\0" + struct.pack(">I", len(message)) + message
    return frame(HEADERS, END_HEADERS, stream, head) + frame(DATA, END_STREAM, stream, text)


def read(connection, size):
    """So many bytes, or what comes before the end."""
    data = b""
    with contextlib.suppress(ConnectionError):
        while len(data) < size and (part := connection.recv(size - len(data))):
            data += part
    return data


def resident_bytes(service):
    pages = pathlib.Path(f"/proc/{service.process.pid}/statm").read_text().split()[1]
    return int(pages) * resource.getpagesize()


class HostileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        serving.write_bundle(self.folder, {"authz/p.hcl": "allow = true\n"}, "1")

    def serve(self, *options, environment=None):
        options = ("--grpc-listen=127.0.0.1:0", "--timeout=60000", *options)
        return serving.Service(PROGRAM, self.folder, *options, environment=environment)

    def connect(self, service):
        return socket.create_connection(("127.0.0.1", service.port(1)), timeout=60)

    def check_passes(self, service):
        with clients.Client(service.addresses[1]) as client:
            self.assertEqual(clients.said(client.check()), "0 ok")

    def test_descriptors_run_out(self):
        """While none is left nobody new is let in. When there are some again, all is as before."""
        with self.serve() as service, clients.Client(service.addresses[1]) as client:
            self.assertEqual(clients.said(client.check()), "0 ok")
            used = pathlib.Path(f"/proc/{service.process.pid}/fd")
            _, hard = resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE)
            resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE, (100, hard))
            connections = [self.connect(service) for _ in range(200)]
            serving.eventually(lambda: len(list(used.iterdir())) == 100)
            time.sleep(0.5)
            self.assertEqual(clients.said(client.check()), "0 ok")
            for connection in connections:
                connection.close()
            serving.eventually(lambda: len(list(used.iterdir())) < 50)
            self.check_passes(service)
            self.assertGreater(service.metric("hclvm_overload_total"), 0)

    def test_connections_have_a_bound(self):
        with self.serve("--max-connections=10") as service:
            connections = [self.connect(service) for _ in range(20)]
            # gRPC sends its settings to those that it has got.
            got = sorted(len(read(connection, 9)) for connection in connections)
            self.assertEqual(got, 10 * [0] + 10 * [9])
            self.assertEqual(service.metric("hclvm_overload_total"), 10)
            for connection in connections:
                connection.close()
            time.sleep(0.5)
            self.check_passes(service)

    def test_packed_messages_are_refused(self):
        """A few kilobytes would become hundreds of megabytes before anybody looks at their size."""
        request = clients.question(raw_body=bytes(200_000_000))
        with self.serve() as service, clients.Client(service.addresses[1]) as client:
            client.check()
            before = resident_bytes(service)
            for packing in [grpc.Compression.Gzip, grpc.Compression.Deflate]:
                with self.assertRaises(grpc.RpcError) as raised:
                    client.checks.Check(request, timeout=60, compression=packing)
                self.assertEqual(raised.exception.code(), grpc.StatusCode.UNIMPLEMENTED)
            self.assertLess(resident_bytes(service), before + (30 << 20))
            self.assertEqual(clients.said(client.check()), "0 ok")

    def test_memory_comes_back(self):
        """After a flood of calls that are reset as soon as they are begun, the process is as large as before."""
        # The allocator of a sanitizer gives back less: of a gigabyte, most.
        sanitized = "ASAN_OPTIONS" in os.environ
        environment = {"ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:quarantine_size_mb=1"}
        with self.serve(environment=environment) as service:
            for _ in range(30):
                reset = struct.pack(">I", 8)
                calls = (frame(HEADERS, END_HEADERS, 2 * n + 1, HEAD) + frame(RST_STREAM, 0, 2 * n + 1, reset) for n in range(1000))
                with self.connect(service) as connection, contextlib.suppress(ConnectionError):
                    connection.sendall(PREFACE + frame(SETTINGS, 0, 0) + b"".join(calls))
                    read(connection, 9)
            # All of them have been read when somebody else is answered.
            self.check_passes(service)
            print(f"after the flood: {resident_bytes(service) >> 20} MiB")
            serving.eventually(lambda: resident_bytes(service) < (350 if sanitized else 60) << 20)

    def test_events_have_a_bound(self):
        """What gRPC says of wrong calls is no way to fill a disk."""
        with self.serve() as service:
            begin = time.monotonic()
            with self.connect(service) as connection:
                connection.sendall(PREFACE + frame(SETTINGS, 0, 0))
                for n in range(200):
                    connection.sendall(call(2 * n + 1, (b"grpc-previous-rpc-attempts", b"x")))
                serving.eventually(lambda: service.metric('hclvm_checks_total{outcome="allow"}') == 200)
            told = [event for event in service.events() if event["event"] == "grpc"]
            self.assertIn("grpc-previous-rpc-attempts", told[0]["error"])
            self.assertLessEqual(len(told), 2 + time.monotonic() - begin)


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
