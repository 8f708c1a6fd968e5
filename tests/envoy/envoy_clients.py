"""Clients of hclvm-envoy for tests: stubs that are made of our .proto files, and what answers say in few words."""

import os
import pathlib
import subprocess
import sys
import tempfile

# Programs are started between calls. What gRPC does at a fork to be of use in the child may wait for its own threads
# forever, and the child is another program at once.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from grpc_tools import protoc

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/serve"))
PROTOS = ["envoy_auth", "envoy_core", "envoy_type", "health", "rpc_status"]

_made = tempfile.TemporaryDirectory()


def _make_stubs():
    files = [f"hclvm/serve/proto/{name}.proto" for name in PROTOS]
    status = protoc.main(
        ["protoc", f"-Ihclvm/serve/proto={ROOT}/serve/proto", "-I/usr/include", f"--python_out={_made.name}",
         f"--grpc_python_out={_made.name}", *files]
    )
    assert status == 0, "protoc has failed"
    sys.path.insert(0, _made.name)


_make_stubs()

from hclvm.serve.proto import envoy_auth_pb2 as auth  # noqa: E402
from hclvm.serve.proto import envoy_auth_pb2_grpc as auth_grpc  # noqa: E402
from hclvm.serve.proto import health_pb2 as health  # noqa: E402
from hclvm.serve.proto import health_pb2_grpc as health_grpc  # noqa: E402


def question(path="/public/a", method="GET", headers=None, **http):
    """A CheckRequest as Envoy would send it."""
    request = auth.CheckRequest()
    target = request.attributes.request.http
    target.method, target.path, target.host, target.scheme = method, path, "example.test", "http"
    target.headers.update({":path": path, ":method": method, **(headers or {})})
    target.size = -1
    for name, value in http.items():
        setattr(target, name, value)
    return request


def said(response):
    """An answer in one line: the code, which kind it is, the status, and what is in it."""
    kind = response.WhichOneof("http_response")
    part = getattr(response, kind)
    words = [str(response.status.code), kind.partition("_")[0]]
    if kind != "ok_response":
        words.append(str(part.status.code))
        if part.body:
            words.append(repr(part.body))
    words += [f"{option.header.key}={option.header.value}/{option.append_action}" for option in part.headers]
    if kind == "ok_response":
        words += [f">{option.header.key}={option.header.value}/{option.append_action}"
                  for option in part.response_headers_to_add]
        words += [f"-{name}" for name in part.headers_to_remove]
        words += [f"?{parameter.key}={parameter.value}" for parameter in part.query_parameters_to_set]
        words += [f"?-{name}" for name in part.query_parameters_to_remove]
    return " ".join(words)


class Client:
    def __init__(self, address, credentials=None):
        # Otherwise all channels to an address share a connection.
        options = [("grpc.use_local_subchannel_pool", 1)]
        self.channel = (
            grpc.insecure_channel(address, options)
            if credentials is None
            else grpc.secure_channel(address, credentials, options)
        )
        self.checks = auth_grpc.AuthorizationStub(self.channel)
        self.health = health_grpc.HealthStub(self.channel)

    def check(self, request=None, timeout=60):
        return self.checks.Check(request or question(), timeout=timeout)

    def status(self, service=""):
        return self.health.Check(health.HealthCheckRequest(service=service), timeout=60).status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.channel.close()


def as_json(message):
    return json_format.MessageToJson(message)


def make_certificate(folder):
    """Paths of a new key and of a certificate for localhost by itself."""
    key, certificate = f"{folder}/key.pem", f"{folder}/certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )
    return key, certificate


def _fields(data):
    """Number and value of each field of a message: bytes or a number."""

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    at = 0
    while at < len(data):
        tag = number()
        value = number()
        if tag & 7 == 2:
            value, at = data[at : at + value], at + value
        yield tag >> 3, value


class Reflection:
    """What a server says of itself, read from the bytes: no stubs."""

    def __init__(self, channel):
        self.call = channel.stream_stream("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")

    def ask(self, field, text):
        request = bytes([field << 3 | 2, len(text)]) + text.encode()
        return dict(_fields(next(self.call(iter([request]), timeout=60))))

    def services(self):
        listed = self.ask(7, "")[6]
        return sorted(dict(_fields(service))[1].decode() for _, service in _fields(listed))

    def messages(self, symbol):
        """A function from the name of a message to its class."""
        files = {}
        waiting = [(4, symbol)]
        while waiting:
            for _, data in _fields(self.ask(*waiting.pop())[4]):
                file = descriptor_pb2.FileDescriptorProto.FromString(data)
                if file.name not in files:
                    files[file.name] = file
                    waiting += [(3, name) for name in file.dependency if name not in files]
        pool = descriptor_pool.DescriptorPool()

        def add(name):
            for other in files[name].dependency:
                add(other)
            pool.Add(files[name])

        for name in files:
            add(name)
        return lambda name: message_factory.MessageFactory(pool).GetPrototype(pool.FindMessageTypeByName(name))
