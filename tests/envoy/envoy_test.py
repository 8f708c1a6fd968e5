#!/usr/bin/python3 -B
"""hclvm-envoy as Envoy sees it, over loopback: envoy_test.py HCLVM_ENVOY.

The Python is the system's, since gRPC is one of its packages.
"""

import json
import pathlib
import random
import signal
import sys
import tempfile
import threading
import time
import unittest

import envoy_clients as clients
import grpc
import serving

PROGRAM = None
SERVING, NOT_SERVING, SERVICE_UNKNOWN = 1, 2, 3

POLICY = """
variable "request" {
  type = object({ method = string, path_segments = list(string), headers = map(string) })
}
decision = {
  effect = request.path_segments[0] == "public" ? "allow" : request.path_segments[0] == "login" ? "login" : "deny"
  reason = "you ${request.method}"
  user   = lookup(request.headers, "x-user", "nobody")
}
"""
AUTHZ = """
authz {
  variables        = { request = http }
  entry            = "p/decision"
  allow            = result.effect == "allow"
  status           = result.effect == "login" ? 401 : 403
  headers          = { "x-reason" = result.reason, "x-users" = [result.user, "b"] }
  body             = "because ${result.reason}"
  response_headers = { "x-seen" = "yes" }
  headers_to_remove          = ["X-User"]
  query_parameters_to_set    = { "a" = "1" }
  query_parameters_to_remove = ["token"]
  dynamic_metadata           = { user = result.user, level = 3 }
}
"""
VARIABLES = """
variable "http" {
}
variable "envoy" {
}
"""
# Hours, if nothing ends it, and hardly any memory.
SLOW = """
variable "http" {
}
allow = http.path != "/slow" || length([for a in range(1000) : 0 if length([for b in range(1000) : 0
  if length([for c in range(1000) : 0 if a + b + c + strlen(http.path) < 0]) > 0]) > 0]) == 0
"""


class EnvoyTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.bundle = pathlib.Path(self.folder.name) / "bundle"
        self.bundle.mkdir()

    def serve(self, files, *options, revision="1"):
        serving.write_bundle(self.bundle, files, revision)
        return serving.Service(PROGRAM, self.bundle, "--grpc-listen=127.0.0.1:0", "--timeout=60000", *options)

    def client(self, service, n=1):
        return clients.Client(service.addresses[n])

    def test_answers(self):
        with self.serve({"p/p.hcl": POLICY, "service.hcl": AUTHZ}) as service, self.client(service) as client:
            answer = client.check(clients.question(headers={"x-user": "ann"}))
            self.assertEqual(
                clients.said(answer),
                "0 ok x-reason=you GET/2 x-users=ann/2 x-users=b/0 >x-seen=yes/2 -x-user ?a=1 ?-token",
            )
            metadata = dict(answer.dynamic_metadata.items())
            self.assertRegex(metadata.pop("decision_id"), "^[0-9a-f-]{36}$")
            self.assertEqual(metadata, {"revision": "1", "outcome": "allow", "user": "ann", "level": 3})
            self.assertEqual(
                clients.said(client.check(clients.question("/other"))),
                "7 denied 403 'because you GET' x-reason=you GET/2 x-users=nobody/2 x-users=b/0",
            )
            self.assertEqual(
                clients.said(client.check(clients.question("/login", "POST"))),
                "16 denied 401 'because you POST' x-reason=you POST/2 x-users=nobody/2 x-users=b/0",
            )
            # The policy has failed: there is no first segment. That is an error, and none of the client's.
            self.assertEqual(clients.said(client.check(clients.question("/"))), "13 error 500")
            # Nobody should decide about such a path, and Envoy's failure mode must not either.
            answer = client.check(clients.question("/public%2f..%2fother"))
            self.assertEqual(clients.said(answer), "7 denied 403")
            self.assertEqual(answer.dynamic_metadata["outcome"], "refused")
            for outcome, count in {"allow": 1, "deny": 2, "error": 1, "refused": 1}.items():
                self.assertEqual(service.metric(f'hclvm_checks_total{{outcome="{outcome}"}}'), count)

    def test_every_field(self):
        request = clients.question(
            "/a?b=c", "PUT", {"content-type": "application/json", "x-forwarded-for": "9.9.9.9"}, id="7",
            protocol="HTTP/2", raw_body=b'{"k": [1]}',
        )
        attributes = request.attributes
        attributes.source.address.socket_address.address = "10.0.0.1"
        attributes.source.address.socket_address.port_value = 4711
        attributes.source.principal = "spiffe://test/a"
        attributes.destination.address.pipe.path = "/run/x"
        attributes.destination.labels["app"] = "b"
        attributes.tls_session.sni = "sni.test"
        attributes.context_extensions["route"] = "r"
        attributes.request.time.seconds = 1
        attributes.metadata_context.filter_metadata["jwt"].update({"claims": {"sub": "ann", "roles": ["a", "b"]}})
        policy = 'allow = { allow = true, dynamic_metadata = { http = http, envoy = envoy } }\n'
        with self.serve({"authz/p.hcl": VARIABLES + policy}) as service, self.client(service) as client:
            seen = json.loads(clients.as_json(client.check(request).dynamic_metadata))
        peer = {"address": None, "certificate": None, "labels": {}, "port": None, "principal": None, "service": None}
        self.assertEqual(
            seen["http"],
            {
                "endpoint": "",
                "headers": {":method": "PUT", ":path": "/a?b=c", "content-type": "application/json",
                            "x-forwarded-for": "9.9.9.9"},
                "host": "example.test",
                "method": "PUT",
                "path": "/a",
                "path_segments": ["a"],
                "query": {"b": "c"},
                "scheme": "http",
                "source": {"address": "10.0.0.1", "forwarded": ["9.9.9.9"], "proxy": None},
            },
        )
        self.assertEqual(
            seen["envoy"],
            {
                "body": {"base64": None, "is_json": True, "json": {"k": [1]}, "text": '{"k": [1]}', "truncated": False},
                "context_extensions": {"route": "r"},
                "destination": {**peer, "address": "/run/x", "labels": {"app": "b"}},
                "id": "7",
                "metadata": {"jwt": {"claims": {"sub": "ann", "roles": ["a", "b"]}}},
                "protocol": "HTTP/2",
                "route_metadata": {},
                "size": None,
                "source": {**peer, "address": "10.0.0.1", "port": 4711, "principal": "spiffe://test/a"},
                "time": "1970-01-01T00:00:01.000000000Z",
                "tls": {"sni": "sni.test"},
            },
        )

    def test_names_of_opa(self):
        policy = """
variable "input" {
}
allow = {
  allowed     = input.attributes.request.http.method == "GET" && input.parsed_path[0] == "a"
  http_status = 404
  headers     = { x-who = input.attributes.source.principal }
}
"""
        with self.serve({"authz/p.hcl": policy}, "--input=opa") as service, self.client(service) as client:
            request = clients.question("/a/b")
            request.attributes.source.principal = "ann"
            self.assertEqual(clients.said(client.check(request)), "0 ok x-who=ann/2")
            request.attributes.request.http.path = "/b"
            self.assertEqual(clients.said(client.check(request)), "7 denied 404 x-who=ann/2")

    def test_errors_are_no_denials(self):
        files = {"authz/p.hcl": SLOW}
        with self.serve(files, "--limit=max_fuel=1000") as service, self.client(service) as client:
            answer = client.check(clients.question("/slow"))
            self.assertEqual(clients.said(answer), "8 error 503")
            self.assertEqual(answer.dynamic_metadata["outcome"], "limit")
            self.assertEqual(service.metric('hclvm_limits_total{limit="fuel"}'), 1)
        with self.serve(files, "--limit=max_fuel=1000", "--error-form=status") as service, self.client(service) as client:
            with self.assertRaises(grpc.RpcError) as raised:
                client.check(clients.question("/slow"))
            self.assertEqual(raised.exception.code(), grpc.StatusCode.RESOURCE_EXHAUSTED)
            # A refused request stays a denial.
            self.assertEqual(clients.said(client.check(clients.question("/%2f"))), "7 denied 403")
        with self.serve({"authz/p.hcl": "broken = \n"}, revision="2") as service, self.client(service) as client:
            self.assertEqual(clients.said(client.check()), "14 error 503")

    def test_text_that_is_not_utf8_is_denied(self):
        with self.serve({"p/p.hcl": POLICY, "service.hcl": AUTHZ}) as service, self.client(service) as client:
            check = client.channel.unary_unary("/envoy.service.auth.v3.Authorization/Check")
            good = clients.question("/public/abc", headers={"x-a": "value"}).SerializeToString()
            for text in (b"/public/abc", b"value"):
                wrong = good.replace(text, text[:-1] + b"\xff")
                self.assertNotEqual(wrong, good)
                answer = clients.auth.CheckResponse.FromString(check(wrong, timeout=60))
                self.assertEqual(clients.said(answer), "7 denied 403")
                self.assertEqual(answer.dynamic_metadata["outcome"], "refused")

    def test_deadlines_and_cancellations_stop_evaluations(self):
        with self.serve({"authz/p.hcl": SLOW}, "--threads=2", "--limit=max_fuel=1000000000000") as service:
            with self.client(service) as client:
                # Who hears of it first, the client by its clock or the server, is a matter of luck.
                try:
                    self.assertEqual(clients.said(client.check(clients.question("/slow"), timeout=0.2)), "8 error 503")
                except grpc.RpcError as error:
                    self.assertEqual(error.code(), grpc.StatusCode.DEADLINE_EXCEEDED)
                calls = [client.checks.Check.future(clients.question("/slow"), timeout=600) for _ in range(20)]
                time.sleep(0.2)
                # All threads evaluate, and health is told all the same.
                self.assertEqual(client.status(), SERVING)
                for call in calls:
                    call.cancel()
                # The threads are free again.
                self.assertEqual(clients.said(client.check()), "0 ok")
                canceled = 'hclvm_checks_total{outcome="canceled"}'
                serving.eventually(lambda: service.metric(canceled) + self.limits(service) == 21)
                self.assertGreaterEqual(service.metric(canceled), 20)
        with self.serve({"authz/p.hcl": SLOW}, "--timeout=50", revision="2") as service, self.client(service) as client:
            service.wait_for("listening")
            self.assertEqual(clients.said(client.check(clients.question("/slow"))), "8 error 503")

    def test_deadlines_and_cancellations_under_load(self):
        """Others are answered meanwhile, and nothing goes on that nobody waits for."""
        faults, answers, ending = [], [0], threading.Event()

        def ask(service, n):
            with self.client(service) as client:
                while not ending.is_set():
                    answer = client.check(clients.question(f"/{n}"))
                    answers[0] += 1
                    if clients.said(answer) != "0 ok":
                        faults.append(clients.said(answer))

        chooser = random.Random(1)
        options = ["--threads=4", "--max-queue=1000", "--limit=max_fuel=1000000000000"]
        with self.serve({"authz/p.hcl": SLOW}, *options) as service:
            threads = [threading.Thread(target=ask, args=[service, n]) for n in range(3)]
            for thread in threads:
                thread.start()
            with self.client(service) as client:
                client.check()
                for n in range(200):
                    if n % 2 == 0:
                        calls = [client.checks.Check.future(clients.question("/slow"), timeout=600) for _ in range(3)]
                        time.sleep(chooser.random() / 50)
                        for call in calls:
                            call.cancel()
                    else:
                        try:
                            answer = client.check(clients.question("/slow"), timeout=0.001 + chooser.random() / 50)
                            self.assertEqual(clients.said(answer), "8 error 503")
                        except grpc.RpcError as error:
                            self.assertEqual(error.code(), grpc.StatusCode.DEADLINE_EXCEEDED)
                before = answers[0]
                serving.eventually(lambda: answers[0] > before + 50)
                ending.set()
                for thread in threads:
                    thread.join()
                # Each has ended in one of two ways, or had ended before it was read.
                counted = [service.metric(f'hclvm_checks_total{{outcome="{name}"}}') for name in ("canceled", "limit")]
                print(f"{answers[0]} answers, {counted} canceled and late")
                self.assertGreater(counted[0], 50)
                # And no thread is busy any more.
                serving.eventually(lambda: self.is_idle(service))
        self.assertEqual(faults, [])
        self.assertGreater(answers[0], 100)

    def is_idle(self, service):
        def used():
            fields = pathlib.Path(f"/proc/{service.process.pid}/stat").read_text().rpartition(")")[2].split()
            return int(fields[11]) + int(fields[12])

        before = used()
        time.sleep(0.5)
        # Hundredths of a second, of fifty.
        return used() - before < 10

    def limits(self, service):
        return service.metric('hclvm_checks_total{outcome="limit"}')

    def test_overload(self):
        options = ["--threads=1", "--max-queue=2", "--limit=max_fuel=1000000000000"]
        with self.serve({"authz/p.hcl": SLOW}, *options) as service, self.client(service) as client:
            others = [self.client(service) for _ in range(5)]
            for other in others:
                other.check()
            slow = client.checks.Check.future(clients.question("/slow"), timeout=600)
            time.sleep(1)
            # One is in the thread, and two wait.
            pending = [other.checks.Check.future(clients.question(), timeout=600) for other in others]
            serving.eventually(lambda: sum(call.done() for call in pending) == 3)
            overloaded = [call.result() for call in pending if call.done()]
            self.assertEqual([answer.dynamic_metadata["outcome"] for answer in overloaded], 3 * ["overload"])
            slow.cancel()
            self.assertEqual(
                sorted(clients.said(call.result()) for call in pending), 2 * ["0 ok"] + 3 * ["14 error 503"]
            )
            self.assertEqual(clients.said(client.check()), "0 ok")
            for other in others:
                other.channel.close()

    def test_health(self):
        allow = "allow = true\n"
        options = ["--reload-interval=20", "--shutdown-delay=1000"]
        with self.serve({"authz/p.hcl": "broken = \n"}, *options) as service, self.client(service) as client:
            name = "envoy.service.auth.v3.Authorization"
            self.assertEqual([client.status(), client.status(name)], [NOT_SERVING, NOT_SERVING])
            with self.assertRaises(grpc.RpcError) as raised:
                client.status("other")
            self.assertEqual(raised.exception.code(), grpc.StatusCode.NOT_FOUND)
            watch = client.health.Watch(clients.health.HealthCheckRequest(service=name), timeout=60)
            other = client.health.Watch(clients.health.HealthCheckRequest(service="other"), timeout=60)
            self.assertEqual(next(watch).status, NOT_SERVING)
            self.assertEqual(next(other).status, SERVICE_UNKNOWN)
            serving.write_bundle(self.bundle, {"authz/p.hcl": allow}, "2")
            self.assertEqual(next(watch).status, SERVING)
            # A bundle that is refused changes nothing.
            serving.write_bundle(self.bundle, {"authz/p.hcl": "broken = \n"}, "3")
            service.wait_for("bundle_refused", 2)
            self.assertEqual([client.status(), client.status(name)], [SERVING, SERVING])
            service.process.send_signal(signal.SIGTERM)
            # Who asks or watches hears of it before the listener is gone.
            self.assertEqual(next(watch).status, NOT_SERVING)
            self.assertEqual(client.status(), NOT_SERVING)
            self.assertEqual(clients.said(client.check()), "0 ok")
            self.assertEqual(service.process.wait(timeout=60), 0)

    def test_reloads_under_load(self):
        def files(revision):
            return {"authz/p.hcl": f'allow = {{ allow = true, dynamic_metadata = {{ of = "{revision}" }} }}\n'}

        faults, answers, ending = [], [], threading.Event()

        def ask(service):
            with self.client(service) as client:
                while not ending.is_set():
                    metadata = client.check().dynamic_metadata
                    answers.append(metadata["revision"])
                    if metadata["of"] != metadata["revision"]:
                        faults.append(metadata)
                    if client.status() != SERVING:
                        faults.append("health")

        with self.serve(files(1), "--reload-interval=10") as service:
            threads = [threading.Thread(target=ask, args=[service]) for _ in range(3)]
            for thread in threads:
                thread.start()
            for revision in range(2, 30):
                serving.write_bundle(self.bundle, files(revision), str(revision))
                service.wait_for("bundle_activated", revision)
            serving.eventually(lambda: answers[-1] == "29")
            ending.set()
            for thread in threads:
                thread.join()
        self.assertEqual(faults, [])
        self.assertGreater(len(set(answers)), 10)

    def test_reflection(self):
        with self.serve({"authz/p.hcl": "allow = true\n"}) as service, self.client(service) as client:
            reflection = clients.Reflection(client.channel)
            self.assertEqual(
                reflection.services(),
                ["envoy.service.auth.v3.Authorization", "grpc.health.v1.Health",
                 "grpc.reflection.v1alpha.ServerReflection"],
            )
            # A client that knows nothing but what reflection says.
            made = reflection.messages("envoy.service.auth.v3.Authorization")
            request = made("envoy.service.auth.v3.CheckRequest")()
            request.attributes.request.http.path = "/"
            check = client.channel.unary_unary(
                "/envoy.service.auth.v3.Authorization/Check",
                request_serializer=lambda message: message.SerializeToString(),
                response_deserializer=made("envoy.service.auth.v3.CheckResponse").FromString,
            )
            self.assertEqual(clients.said(check(request, timeout=60)), "0 ok")

    def test_hostile_messages(self):
        chooser = random.Random(1)
        texts = ["", "/", "/public/..", "/%00", "%", "a" * 5000, "\0", "\u0301", "/a?" + "&" * 3000, "{", "[" * 500, "1e999"]

        def wrong(whole):
            """Bytes that are hardly ever a message."""
            data = bytearray(whole)
            for _ in range(chooser.randrange(1, 4)):
                kind, at = chooser.randrange(4), chooser.randrange(len(data) + 1)
                if kind == 0:
                    del data[at:]
                elif kind == 1:
                    data[at:at] = chooser.randbytes(chooser.randrange(1, 5))
                elif kind == 2:
                    del data[at : at + chooser.randrange(1, 20)]
                else:
                    data[at : at + 1] = chooser.randbytes(1)
            return bytes(data)

        def strange():
            """A message whose fields are what no Envoy sends."""
            request = clients.question(chooser.choice(texts), chooser.choice(texts), {"content-type": "application/json"})
            http = request.attributes.request.http
            http.raw_body = chooser.choice(texts).encode() + chooser.randbytes(chooser.randrange(3))
            http.size = chooser.choice([-(2**63), 0, 2**63 - 1])
            http.headers[chooser.choice(texts)] = chooser.choice(texts)
            request.attributes.request.time.seconds = chooser.choice([-(2**63), -1, 2**63 - 1])
            request.attributes.request.time.nanos = chooser.choice([-(2**31), 2**31 - 1])
            value = request.attributes.metadata_context.filter_metadata["f"].fields[chooser.choice(texts)]
            for _ in range(chooser.randrange(28)):
                value = value.list_value.values.add() if chooser.randrange(2) else value.struct_value.fields["x"]
            value.number_value = chooser.choice([float("nan"), float("inf"), 1e308, -0.0])
            return request.SerializeToString()

        request = clients.question("/public/a?b=c", headers={"x-user": "ann"}, raw_body=b'{"a": [1, 2]}')
        request.attributes.metadata_context.filter_metadata["jwt"].update({"claims": {"sub": ["a", 1, None]}})
        whole = request.SerializeToString()
        for style in ["http", "opa"]:
            files = {"p/p.hcl": POLICY, "service.hcl": AUTHZ}
            with self.serve(files, f"--input={style}") as service, self.client(service) as client:
                check = client.channel.unary_unary("/envoy.service.auth.v3.Authorization/Check")
                kinds = {}
                for n in range(5000):
                    try:
                        answer = check(wrong(whole) if n % 2 else strange(), timeout=60)
                        kind = clients.auth.CheckResponse.FromString(answer).WhichOneof("http_response")
                    except grpc.RpcError as error:
                        # How this gRPC says that it cannot read a message.
                        kind = error.code()
                    kinds[kind] = kinds.get(kind, 0) + 1
                answers = {"ok_response", "denied_response", "error_response"}
                self.assertLessEqual(set(kinds), answers | {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNIMPLEMENTED})
                self.assertGreater(sum(kinds.get(kind, 0) for kind in answers), 2400)
                self.assertEqual(clients.said(client.check(clients.question("/other")))[:12], "7 denied 403")
                # What the libraries say of such messages is no event of ours.
                self.assertEqual({event["event"] for event in service.events()}, {"listening", "bundle_activated"})

    def test_listeners(self):
        key, certificate = clients.make_certificate(self.folder.name)
        path = f"{self.folder.name}/socket"
        options = [f"--grpc-listen=unix:{path}", f"--tls-key={key}", f"--tls-certificate={certificate}"]
        serving.write_bundle(self.bundle, {"authz/p.hcl": "allow = true\n"}, "1")
        arguments = ["--grpc-listen=127.0.0.1:0", *options]
        # The listener of HTTP has TLS as well: it is not asked here.
        with serving.Service(PROGRAM, self.bundle, *arguments) as service:
            self.assertEqual(service.addresses[2], f"unix:{path}")
            credentials = grpc.ssl_channel_credentials(pathlib.Path(certificate).read_bytes())
            with clients.Client(service.addresses[1].replace("127.0.0.1", "localhost"), credentials) as client:
                self.assertEqual(clients.said(client.check()), "0 ok")
            with clients.Client(service.addresses[2]) as client:
                self.assertEqual(clients.said(client.check()), "0 ok")
            # A port belongs to one process.
            with self.assertRaises(AssertionError) as raised:
                serving.Service(PROGRAM, self.bundle, f"--grpc-listen={service.addresses[1]}")
            self.assertIn("cannot listen at", str(raised.exception))

    def test_examples(self):
        examples = clients.ROOT / "examples"
        arguments = ["--grpc-listen=127.0.0.1:0"]
        with serving.Service(PROGRAM, examples / "envoy/bundle", *arguments) as service:
            with self.client(service) as client:

                def ask(path, method="GET", user="ann", body=b"", **headers):
                    sent = {"content-type": "application/json", **headers}
                    request = clients.question(path, method, {**sent, "x-user": user} if user else sent, raw_body=body)
                    request.attributes.context_extensions["tenant"] = "blue"
                    return clients.said(client.check(request))

                told = "x-rule={}/2 x-tenant=blue/2"
                self.assertEqual(ask("/orders/1"), f"0 ok {told.format('read')} -x-debug")
                self.assertEqual(ask("/orders/1", user=None), rf"16 denied 401 'login\n' {told.format('login')}")
                self.assertEqual(ask("/other"), rf"7 denied 404 'unknown\n' {told.format('unknown')}")
                small = b'{"amount": 1000}'
                self.assertEqual(ask("/orders", "POST", body=small), f"0 ok {told.format('create')} -x-debug")
                for request in [
                    {"body": b'{"amount": 1001}'},
                    {"body": b'{"amount": "'},
                    {"body": b"[]"},
                    {"body": small, "x-envoy-auth-partial-body": "true"},
                    {"body": small, "content-type": "text/plain"},
                ]:
                    self.assertEqual(
                        ask("/orders", "POST", **request), rf"7 denied 403 'too-much\n' {told.format('too-much')}"
                    )
        # One that was written for nginx.
        with serving.Service(PROGRAM, examples / "service/bundle", *arguments) as service:
            with self.client(service) as client:
                self.assertEqual(clients.said(client.check(clients.question("/public/a.txt"))), "0 ok x-rule=public/2")
                self.assertEqual(
                    clients.said(client.check(clients.question("/private/b.txt"))),
                    r"""16 denied 401 'who are you?\n' www-authenticate=Basic realm="files"/2 x-rule=default/2""",
                )

    def test_log(self):
        log = pathlib.Path(self.folder.name) / "decisions.log"
        options = [f"--decision-log={log}", "--log-erase=envoy.source.certificate"]
        trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        request = clients.question("/a", headers={"traceparent": trace, "authorization": "secret"})
        request.attributes.source.certificate = "secret"
        with self.serve({"authz/p.hcl": VARIABLES + 'allow = http.path == "/a"\n'}, *options) as service:
            with self.client(service) as client:
                answer = client.check(request)
                client.check(clients.question("/b"))
        first, second = map(json.loads, log.read_text().splitlines())
        self.assertEqual(first["decision_id"], answer.dynamic_metadata["decision_id"])
        self.assertEqual((first["outcome"], second["outcome"]), ("allow", "deny"))
        self.assertEqual((first["trace_id"], first["span_id"]), (trace[3:35], trace[36:52]))
        self.assertEqual(first["input"]["http"]["path"], "/a")
        self.assertIn("/envoy/source/certificate", first["erased"])
        self.assertNotIn("secret", log.read_text())

    def test_clients_that_look_at_health_lose_no_call(self):
        left, failed = [], []

        def ask(service):
            with self.client(service) as client:
                try:
                    while client.status() == SERVING:
                        for _ in range(5):
                            client.check(clients.question("/a"))
                    left.append(True)
                except grpc.RpcError as error:
                    failed.append(error.code())

        with self.serve({"authz/p.hcl": VARIABLES + 'allow = http.path == "/a"\n'}, "--drain-timeout=60000") as service:
            threads = [threading.Thread(target=ask, args=(service,)) for _ in range(12)]
            for thread in threads:
                thread.start()
            time.sleep(0.5)
            service.process.send_signal(signal.SIGTERM)
            for thread in threads:
                thread.join()
            self.assertEqual(service.process.wait(timeout=60), 0)
        self.assertEqual((len(left), failed), (12, []))

    def test_stops_when_all_is_answered(self):
        with self.serve({"authz/p.hcl": SLOW}, "--drain-timeout=60000", "--limit=max_fuel=1000000000000") as service:
            with self.client(service) as client:
                client.check()
                begin = time.monotonic()
                call = client.checks.Check.future(clients.question("/slow"), timeout=2)
                time.sleep(0.3)
                service.process.send_signal(signal.SIGTERM)
                # The call has its time, and the process goes on for as long. At its end, the client may see first that
                # the process has closed the connection behind its last call.
                try:
                    self.assertEqual(clients.said(call.result()), "8 error 503")
                except grpc.RpcError as error:
                    ends = [grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE]
                    self.assertIn(error.code(), ends)
                self.assertGreater(time.monotonic() - begin, 1.5)
                self.assertEqual(service.process.wait(timeout=60), 0)
        with self.serve({"authz/p.hcl": SLOW}, "--drain-timeout=100", "--limit=max_fuel=1000000000000") as service:
            with self.client(service) as client:
                client.check()
                call = client.checks.Check.future(clients.question("/slow"), timeout=600)
                time.sleep(0.3)
                service.process.send_signal(signal.SIGTERM)
                # Nobody waits for it longer than that: it is canceled.
                self.assertEqual(service.process.wait(timeout=60), 0)
                self.assertIn(call.code(), [grpc.StatusCode.CANCELLED, grpc.StatusCode.UNAVAILABLE])
        with self.serve({"authz/p.hcl": SLOW}, "--drain-timeout=600000", "--limit=max_fuel=1000000000000") as service:
            with self.client(service) as client:
                client.check()
                client.checks.Check.future(clients.question("/slow"), timeout=600)
                time.sleep(0.3)
                service.process.send_signal(signal.SIGTERM)
                time.sleep(0.3)
                # A second signal ends that at once.
                service.process.send_signal(signal.SIGTERM)
                self.assertEqual(service.process.wait(timeout=60), 0)


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
