"""hclvm-serve for tests: a process on loopback, and a client that shows what came over the wire."""

import contextlib
import io
import json
import mmap
import os
import pathlib
import re
import resource
import signal
import socket
import struct
import subprocess
import tarfile
import tempfile
import time

START_SECONDS = 600
# How long tests wait for what has to come: until the test is ended, which says what it was waiting for.
PATIENCE = 600


def allow_many_files():
    """Raises the limit of descriptors as far as it goes, for this process and those that it starts; returns it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def write_bundle(folder, files, revision=None):
    """Writes the files, path to text, so that whoever looks at the folder sees no half of one."""
    folder = pathlib.Path(folder)
    if revision is not None:
        files = {**files, "manifest.json": json.dumps({"revision": revision})}
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        whole = target.with_name("." + target.name)
        whole.write_text(text)
        whole.rename(target)


def archive(files):
    """A tar.gz of the files, path to text."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for path, text in files.items():
            info = tarfile.TarInfo(path)
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()


class Service:
    """A running hclvm-serve. `options` are those behind the listeners, of which there is one on each kind."""

    def __init__(self, program, bundle, *options, environment=None, listen=("127.0.0.1:0",), pass_fds=()):
        self.folder = tempfile.TemporaryDirectory()
        self.log_path = pathlib.Path(self.folder.name) / "events.log"
        arguments = [str(program), *([] if bundle is None else ["--bundle", str(bundle)])]
        arguments += [f"--listen={address}" for address in listen]
        # In this process, and not in the new one by preexec_fn: Python would fork instead of calling vfork. The handlers that
        # gRPC's library has for forks abort now and then while its threads work, whatever GRPC_ENABLE_FORK_SUPPORT says.
        allow_many_files()
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                [*arguments, *map(str, options)],
                stderr=log,
                stdin=subprocess.DEVNULL,
                env={**os.environ, **(environment or {})},
                pass_fds=pass_fds,
            )
        count = len(listen) + sum(str(option).startswith(("--admin-listen=", "--grpc-listen=")) for option in options)
        self.addresses = [event["address"] for event in self.wait_for("listening", count)]
        if bundle is not None:
            eventually(lambda: any(event["event"].startswith("bundle_") for event in self.events()))

    def events(self):
        events = []
        for line in self.log_path.read_text().splitlines():
            with contextlib.suppress(json.JSONDecodeError):
                events.append(json.loads(line))
        return events

    def wait_for(self, name, count=1):
        """The events of that name, once there are so many."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            found = [event for event in self.events() if event["event"] == name]
            if len(found) >= count:
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise AssertionError(f"no {count} x {name} in: {self.log_path.read_text()}")

    def port(self, n=0):
        return int(self.addresses[n].rsplit(":", 1)[1])

    def ask(self, method, path, body=b"", headers=None, n=0):
        """(status, headers, body) of one request on a connection of its own."""
        with socket.create_connection(("127.0.0.1", self.port(n)), timeout=PATIENCE) as connection:
            return exchange(connection, method, path, body, headers)

    def decide(self, entry, scope, n=0):
        status, _, body = self.ask("POST", f"/v1/decide/{entry}", json.dumps(scope).encode(), n=n)
        return status, json.loads(body)

    def metric(self, name):
        """The value of a line of /metrics."""
        _, _, text = self.ask("GET", "/metrics")
        found = re.search(rf"^{re.escape(name)} (\S+)$", text.decode(), re.MULTILINE)
        assert found, f"no metric {name}"
        return float(found[1])

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE)

    def stop(self):
        """Ends it as a system does, and checks that it ends well."""
        status = self.kill(signal.SIGTERM)
        assert status == 0, f"exit status {status}: {self.log_path.read_text()}"

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            if kind is None:
                self.stop()
            else:
                self.kill()
        if kind is not None:
            print(self.log_path.read_text())
        self.folder.cleanup()


class Refusal:
    """The number of allocations until one is refused, which librefuse_malloc.so looks at in a running program."""

    def __init__(self, folder, library):
        self.library = library
        self.path = pathlib.Path(folder) / "left"
        self.path.write_bytes(struct.pack("q", -1))
        with open(self.path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 8)

    def environment(self):
        return {"LD_PRELOAD": str(self.library), "REFUSE_MALLOC_FILE": str(self.path)}

    def set(self, after):
        self.memory[:8] = struct.pack("q", after)

    def left(self):
        return struct.unpack("q", self.memory[:8])[0]


def request_bytes(method, path, body=b"", headers=None):
    lines = [f"{method} {path} HTTP/1.1", "Host: test"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if body or method in ("POST", "PUT"):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def exchange(connection, method, path, body=b"", headers=None):
    connection.sendall(request_bytes(method, path, body, headers))
    return read_response(connection.makefile("rb"), method)


def read_response(stream, method="GET"):
    """(status, headers in lower case, body) of the next response."""
    start = stream.readline()
    found = re.fullmatch(rb"HTTP/1\.1 (\d{3}) [^\r\n]*\r\n", start)
    assert found, f"no response: {start!r}"
    headers = {}
    while (line := stream.readline()) != b"\r\n":
        assert line.endswith(b"\r\n"), f"no header: {line!r}"
        name, _, value = line[:-2].decode().partition(": ")
        headers[name.lower()] = value
    if method == "HEAD":
        return int(found[1]), headers, b""
    size = int(headers["content-length"])
    body = stream.read(size)
    assert len(body) == size, "the response ends early"
    return int(found[1]), headers, body


def is_sanitized(program, names=("asan", "tsan")):
    """Whether the program is built with one of these sanitizers."""
    text = program.read_bytes()
    return any(f"__{name}_init".encode() in text for name in names)


def eventually(check, seconds=PATIENCE):
    """Waits until check() is true."""
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)
