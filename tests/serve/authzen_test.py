#!/usr/bin/env -S python3 -B
"""The scenarios of AuthZEN's working group against hclvm-serve: authzen_test.py HCLVM_SERVE FILE...

What is asked and answered is that of its published texts: the events of interoperability (the application of todos, the gateway
before it, records) and the scenario of the certification, but for searches.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import serving

PROGRAM = None
BUNDLES = None
ONE = "/access/v1/evaluation"
MANY = "/access/v1/evaluations"


USERS = {
    "rick": ("CiRmZDA2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs", "rick@the-citadel.com", ["admin", "evil_genius"]),
    "morty": ("CiRmZDE2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs", "morty@the-citadel.com", ["editor"]),
    "summer": ("CiRmZDI2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs", "summer@the-smiths.com", ["editor"]),
    "beth": ("CiRmZDM2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs", "beth@the-smiths.com", ["viewer"]),
    "jerry": ("CiRmZDQ2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs", "jerry@the-smiths.com", ["viewer"]),
}
PEOPLE = {
    "alice": ("manager", "Sales"),
    "bob": ("employee", "Legal"),
    "carol": ("contractor", "Legal"),
    "dan": ("manager", "Finance"),
    "erin": ("employee", "Finance"),
    "felix": ("contractor", "Accounting"),
}
LEGAL, ACCOUNTING, SALES, FINANCE = "Legal", "Accounting", "Sales", "Finance"
# From 101 on; the owners are the people in turns.
DEPARTMENTS = [
    *(LEGAL, LEGAL, LEGAL, ACCOUNTING, LEGAL, ACCOUNTING, SALES, LEGAL, ACCOUNTING, SALES),
    *(ACCOUNTING, LEGAL, SALES, ACCOUNTING, FINANCE, LEGAL, LEGAL, ACCOUNTING, LEGAL, ACCOUNTING),
]
# The records that each may view, edit and delete, by their last two digits.
RECORDS = {
    "alice": (range(1, 21), [1, 7, 10, 13, 19], [1, 7, 13, 19]),
    "bob": ([1, 2, 3, 5, 8, 12, 14, 16, 17, 19, 20], [2, 8, 14, 20], [2, 8, 14, 20]),
    "carol": ([1, 2, 3, 5, 8, 9, 12, 15, 16, 17, 19], [3, 9, 15], [3, 9, 15]),
    "dan": (range(1, 21), [4, 10, 15, 16], [4, 10, 16]),
    "erin": ([5, 11, 15, 17], [5, 11, 17], [5, 11, 17]),
    "felix": ([4, 6, 9, 11, 12, 14, 18, 20], [6, 12, 18], [6, 12, 18]),
}


def entity(kind, name, **properties):
    return {"type": kind, "id": name, **({"properties": properties} if properties else {})}


def question(subject, action, resource, **more):
    return {"subject": subject, "action": {"name": action}, "resource": resource, **more}


class AuthzenTest(unittest.TestCase):
    bundle = None
    options = ()

    @classmethod
    def setUpClass(cls):
        cls.service = serving.Service(PROGRAM, BUNDLES / cls.bundle, "--timeout=60000", *cls.options)
        cls.addClassCleanup(cls.service.folder.cleanup)
        cls.addClassCleanup(cls.service.stop)

    def ask(self, path, body, headers=None):
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.service.ask("POST", path, text, {"Content-Type": "application/json", **(headers or {})})

    def answer(self, path, body):
        status, headers, text = self.ask(path, body)
        self.assertEqual((status, headers["content-type"]), (200, "application/json"), text)
        return json.loads(text)

    def decide(self, body):
        answer = self.answer(ONE, body)
        self.assertEqual(list(answer), ["decision"])
        return answer["decision"]

    def decide_many(self, body):
        answer = self.answer(MANY, body)
        self.assertEqual(list(answer), ["evaluations"])
        return [one["decision"] for one in answer["evaluations"]]


class InteropTest(AuthzenTest):
    bundle = "interop"

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        data = pathlib.Path(folder.name) / "data.json"
        records = {
            str(101 + n): {"owner": list(PEOPLE)[n % len(PEOPLE)], "department": department}
            for n, department in enumerate(DEPARTMENTS)
        }
        users = {pid: {"email": email, "roles": roles} for pid, email, roles in USERS.values()}
        people = {name: {"role": role, "department": department} for name, (role, department) in PEOPLE.items()}
        data.write_text(json.dumps({"users": users, "people": people, "records": records}))
        cls.options = ("--data", str(data))
        super().setUpClass()

    def todo(self, user, action, owner=None, kind="todo"):
        properties = {} if owner is None else {"ownerID": USERS[owner][1]}
        resource = entity(kind, "7240d0db-8ff0-41ec-98b2-34a096273b9f", **properties)
        return self.decide(question(entity("user", USERS[user][0]), action, resource, context={}))

    def test_todos(self):
        for user, (_, _, roles) in USERS.items():
            self.assertTrue(self.todo(user, "can_read_user", kind="user"))
            self.assertTrue(self.todo(user, "can_read_todos"))
            self.assertEqual(self.todo(user, "can_create_todo"), user in ("rick", "morty", "summer"))
            for owner in USERS:
                own = user == owner and "viewer" not in roles
                self.assertEqual(self.todo(user, "can_update_todo", owner), own or user == "rick", (user, owner))
                self.assertEqual(self.todo(user, "can_delete_todo", owner), own or user == "rick", (user, owner))

    def test_boxcar_of_todos(self):
        body = question(entity("user", USERS["morty"][0]), "can_update_todo", {}, context={})
        body["evaluations"] = [{"resource": entity("todo", owner, ownerID=USERS[owner][1])} for owner in ("rick", "morty")]
        self.assertEqual(self.decide_many(body), [False, True])

    def test_gateway(self):
        everybody = set(USERS)
        routes = {
            ("GET", "/users/{userId}"): everybody,
            ("GET", "/todos"): everybody,
            ("POST", "/todos"): {"rick", "morty", "summer"},
            ("PUT", "/todos/{todoId}"): {"rick", "morty", "summer"},
            ("DELETE", "/todos/{todoId}"): {"rick", "morty", "summer"},
        }
        for (method, route), may in routes.items():
            for user in USERS:
                subject = entity("identity", USERS[user][0])
                body = question(subject, method, entity("route", route), context={"headers": {"a": "b"}})
                self.assertEqual(self.decide(body), user in may, (user, method, route))

    # The searches of that event, and of the identity providers', as evaluations: a result is what an evaluation permits.
    def test_records(self):
        numbers = range(101, 121)
        for user, lists in RECORDS.items():
            for action, may in zip(("view", "edit", "delete"), lists):
                body = {"subject": entity("user", user), "action": {"name": action}}
                body["evaluations"] = [{"resource": entity("record", str(number))} for number in numbers]
                self.assertEqual(
                    [number for number, found in zip(numbers, self.decide_many(body)) if found],
                    [100 + number for number in may],
                    (user, action),
                )

    def test_searches_are_not_supported(self):
        body = {"subject": entity("user", "alice"), "action": {"name": "delete"}, "resource": {"type": "record"}}
        for kind in ("subject", "resource", "action"):
            status, headers, text = self.ask(f"/access/v1/search/{kind}", body, {"X-Request-ID": "bfe9eb29"})
            self.assertEqual((status, headers["x-request-id"]), (501, "bfe9eb29"))
            self.assertIn(b"not supported", text)


ALICE = entity("user", "alice")
BOB = entity("user", "bob")
ADMIN = entity("user", "bob", role="admin")
FIRST = entity("record", "record-1")
ARCHIVED = entity("record", "record-2", status="archived")


class CertificationTest(AuthzenTest):
    bundle = "certification"

    def test_decisions(self):
        soft, hard = ({"name": "delete", "properties": {"soft": soft}} for soft in (True, False))
        for want, subject, action, resource in [
            (True, ALICE, {"name": "read"}, FIRST),
            (True, ALICE, {"name": "write"}, FIRST),
            (True, BOB, {"name": "read"}, FIRST),
            (False, BOB, {"name": "write"}, FIRST),
            (False, ALICE, {"name": "write"}, ARCHIVED),
            (True, ADMIN, {"name": "write"}, ARCHIVED),
            (True, ALICE, soft, FIRST),
            (False, ALICE, hard, FIRST),
        ]:
            body = {"subject": subject, "action": action, "resource": resource}
            context = {"time": "2025-06-27T18:03-07:00", "ip": "192.168.1.1"}
            for more in ({}, {"context": context}, {"foo": "bar", "future": {"a": 1}}):
                for _ in range(3):
                    self.assertEqual(self.decide({**body, **more}), want, body)

    def test_properties_besides(self):
        subject = entity("user", "alice", department="Sales", role="manager")
        action = {"name": "read", "properties": {"method": "GET"}}
        resource = entity("record", "record-1", status="active", owner="bob")
        self.assertTrue(self.decide({"subject": subject, "action": action, "resource": resource}))

    def test_wrong_requests(self):
        good = question(ALICE, "read", FIRST)
        wrong = [{name: value for name, value in good.items() if name != lacks} for lacks in good]
        for part, lacks in [("subject", "type"), ("subject", "id"), ("action", "name"), ("resource", "type"), ("resource", "id")]:
            wrong.append({**good, part: {name: value for name, value in good[part].items() if name != lacks}})
        wrong += [{**good, "subject": "alice"}, {**good, "action": {"name": 123}}, b"", b"{", b"\xff", b'{"a":1}{}']
        for body in wrong:
            status, headers, text = self.ask(ONE, body, {"X-Request-ID": "r"})
            self.assertEqual((status, headers["x-request-id"]), (400, "r"), body)
            self.assertEqual(text.count(b"\n"), 1, text)
        for kind in ({}, {"Content-Type": "text/plain"}):
            self.assertEqual(self.service.ask("POST", ONE, json.dumps(good).encode(), kind)[0], 400)

    def test_requests_that_nobody_reads(self):
        body = json.dumps(question(ALICE, "read", FIRST)).encode()
        headers = {"Content-Type": "application/json", "X-Request-ID": "r"}
        with serving.Service(PROGRAM, BUNDLES / self.bundle, "--max-body=100") as service:
            status, found, text = service.ask("POST", ONE, body, headers)
        self.assertEqual((status, found["x-request-id"], text), (413, "r", b"The body has more bytes than are allowed.\n"))

    def test_request_ids(self):
        for given in ("bfe9eb29-ab87-4ca3-be83-a1d5d8305716", "any text; at all"):
            self.assertEqual(self.ask(ONE, question(ALICE, "read", FIRST), {"X-Request-ID": given})[1]["x-request-id"], given)
        self.assertNotIn("x-request-id", self.ask(ONE, question(ALICE, "read", FIRST))[1])

    def test_batches(self):
        read, write = {"name": "read"}, {"name": "write"}
        second = entity("record", "record-2")
        active = entity("record", "record-1", status="active")
        partial = {"id": "record-1", "properties": {"status": "active"}}
        for want, common, evaluations in [
            ([True, True], {"subject": ALICE, "action": read}, [{"resource": FIRST}, {"resource": second}]),
            ([True, False], {"subject": BOB, "resource": FIRST}, [{"action": read}, {"action": write}]),
            ([True, False], {"subject": ALICE, "action": write}, [{"resource": active}, {"resource": ARCHIVED}]),
            ([False, True], {"action": write, "resource": ARCHIVED}, [{"subject": ALICE}, {"subject": ADMIN}]),
            ([True, False], {}, [question(ALICE, "read", FIRST), question(BOB, "write", FIRST)]),
            (
                [True, False],
                {"subject": ALICE, "action": write, "resource": {"type": "record"}},
                [{"resource": partial}, {"resource": ARCHIVED}],
            ),
            ([True, False], {"subject": ALICE, "action": read}, [{"resource": FIRST}, {}]),
        ]:
            self.assertEqual(self.decide_many({**common, "evaluations": evaluations}), want, (common, evaluations))
        body = {"subject": ALICE, "action": read, "context": {"time": "18:03"}}
        body["evaluations"] = [{"resource": FIRST}, {"resource": second, "context": {"time": "19:00", "source": "batch"}}]
        self.assertEqual(len(self.decide_many(body)), 2)
        for more in ({}, {"evaluations": []}):
            self.assertEqual(self.answer(MANY, {**question(ALICE, "read", FIRST), **more}), {"decision": True})

    def test_semantics(self):
        body = {"subject": BOB, "resource": FIRST}
        body["evaluations"] = [{"action": {"name": name}} for name in ("read", "write", "read")]
        for semantic, want in [
            ("execute_all", [True, False, True]),
            ("deny_on_first_deny", [True, False]),
            ("permit_on_first_permit", [True]),
        ]:
            self.assertEqual(self.decide_many({**body, "options": {"evaluations_semantic": semantic}}), want)

    def test_replay(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        log = pathlib.Path(folder.name) / "decisions.log"
        evaluations = [{"resource": ARCHIVED}, {"subject": BOB, "resource": FIRST}, {"subject": ADMIN, "resource": ARCHIVED}]
        body = {"subject": ALICE, "action": {"name": "write"}, "evaluations": evaluations}
        with serving.Service(PROGRAM, BUNDLES / self.bundle, "--timeout=60000", f"--decision-log={log}") as service:
            headers = {"Content-Type": "application/json"}
            self.assertEqual(service.ask("POST", MANY, json.dumps(body).encode(), headers)[0], 200)
        shutil.copytree(BUNDLES / self.bundle, folder.name + "/new")
        policy = pathlib.Path(folder.name) / "new/fixture/policy.hcl"
        text = policy.read_text()
        policy.unlink()
        policy.write_text(text.replace('role == "admin"', 'role == "root"'))

        def replay(bundle):
            return subprocess.run([PROGRAM, "replay", log, "--bundle", bundle], capture_output=True, text=True, check=True).stdout

        self.assertEqual(replay(BUNDLES / self.bundle), "3 decisions: 3 the same, 0 changed\n")
        self.assertIn("3 decisions: 2 the same, 1 changed\n\nfixture/allow\n       1  true -> false", replay(folder.name + "/new"))

    def test_metadata(self):
        status, headers, text = self.service.ask("GET", "/.well-known/authzen-configuration")
        self.assertEqual((status, headers["content-type"]), (200, "application/json"))
        self.assertEqual(
            json.loads(text),
            {
                "policy_decision_point": "http://test",
                "access_evaluation_endpoint": "http://test" + ONE,
                "access_evaluations_endpoint": "http://test" + MANY,
            },
        )


if __name__ == "__main__":
    PROGRAM = sys.argv[1]
    BUNDLES = next(pathlib.Path(path).parents[1] for path in sys.argv[2:] if path.endswith("/interop/service.hcl"))
    unittest.main(argv=sys.argv[:1])
