"""A clock that the tests move, and a registry that answers as they say."""

import datetime
import importlib.util
import json
import pathlib
import random

from agent_health import Agent, RegistryUnavailable, Response

START = datetime.datetime(2026, 2, 8, 12, 0, tzinfo=datetime.timezone.utc)

URL = "http://registry.test"
KEY = "ahk_test"


class FakeRuntime:
    """Runs background work when ``advance`` says that time passes."""

    def __init__(self):
        self.random = random.Random(1)
        self.time = 1000.0
        self.clock_error = datetime.timedelta()
        self.workers = []
        self.begun = []
        self.runs_at_once = True

    def monotonic(self):
        return self.time

    def now(self):
        return START + datetime.timedelta(seconds=self.time - 1000.0) + self.clock_error

    def sleep(self, seconds):
        self.time += seconds

    def repeat(self, name, step):
        worker = FakeWorker(step, self.time)
        self.workers.append(worker)
        return worker

    def run(self, name, work):
        if self.runs_at_once:
            work()
        else:
            self.begun.append(work)

    def wait(self, condition, seconds):
        self.advance(0)
        left = 3600 if seconds is None else seconds
        while not condition() and left > 0:
            self.advance(min(1, left))
            left -= 1
        return condition()

    def changed(self):
        pass

    def advance(self, seconds):
        """Lets time pass, and does what is due in its order."""
        until = self.time + seconds
        while True:
            due = [worker for worker in self.workers if worker.due is not None and worker.due <= until]
            if not due:
                break
            worker = min(due, key=lambda one: one.due)
            self.time = max(self.time, worker.due)
            worker.due = None
            pause = worker.step()
            if pause is not None:
                worker.due = self.time + (0 if worker.woken else pause)
            worker.woken = False
        self.time = until

    def suspend(self, seconds):
        """Lets time pass without anything being done, as for a stopped process."""
        self.time += seconds


class FakeWorker:
    def __init__(self, step, due):
        self.step = step
        self.due = due
        self.woken = False

    def wake(self):
        if self.due is None:
            self.woken = True
        else:
            self.due = 0


def response(status, document=None, **headers):
    names = {name.replace("_", "-"): str(value) for name, value in headers.items()}
    return Response(status, names, b"" if document is None else json.dumps(document).encode())


def problem(status, code, **members):
    headers = {"retry_after": members.pop("retry_after")} if "retry_after" in members else {}
    return response(status, {"title": "T", "status": status, "detail": "d", "error": code, **members}, **headers)


class FakeRegistry:
    """Answers registrations and heartbeats as the registry does; ``answers`` come first, ``rules`` by method and path before the usual."""

    def __init__(self, runtime, url=URL):
        self.runtime = runtime
        self.url = url
        self.requests = []
        self.answers = []
        self.rules = {}
        self.down = False
        self.incarnation = 0
        self.record = {"heartbeat_config": {"interval_seconds": 30}}
        self.acknowledgement = {}

    def server_now(self):
        return START + datetime.timedelta(seconds=self.runtime.time - 1000.0)

    def text(self):
        return self.server_now().isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def send(self, request):
        route = request.method + " " + request.url.split("?")[0].replace(self.url, "", 1)
        body = json.loads(request.body) if request.body else None
        self.requests.append((route, body, request))
        answer = self._answer(route, body)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _answer(self, route, body):
        if self.down:
            return RegistryUnavailable("away", maybe_stored=False)
        if self.answers:
            return self.answers.pop(0)
        for start, rule in self.rules.items():
            if route.startswith(start):
                return rule(body) if callable(rule) else rule
        if route == "POST /api/v1/agents":
            self.incarnation += 1
            return response(201, {"incarnation": self.incarnation, "last_heartbeat_at": self.text(), **self.record})
        if route.endswith("/heartbeat"):
            outcomes = {"outcomes": {"status_code": 202}} if "outcomes" in body else {}
            return response(200, {"server_timestamp": self.text(), "agent_status": body["status"], **outcomes, **self.acknowledgement})
        if route.endswith("/outcomes"):
            return response(202, {"accepted": len(body["outcomes"])})
        if route.endswith("/leases"):
            return response(201, self.lease(body["duration_seconds"]))
        if "/leases/" in route and route.startswith("PATCH"):
            return response(200, self.lease(body["duration_seconds"]))
        if route.startswith("DELETE"):
            return response(204)
        raise AssertionError(route)

    def lease(self, seconds):
        until = self.server_now() + datetime.timedelta(seconds=seconds)
        return {"id": "lease_1", "fencing_token": 7, "expires_at": until.isoformat().replace("+00:00", "Z"), "status": "active"}

    def routes(self):
        return [route for route, _, _ in self.requests]

    def bodies(self, end):
        return [body for route, body, _ in self.requests if route.endswith(end)]

    def heartbeats(self):
        return self.bodies("/heartbeat")

    def registrations(self):
        return [body for route, body, _ in self.requests if route == "POST /api/v1/agents"]


class Fixture:
    """An agent with a fake registry and a fake clock, and what its callbacks saw."""

    def __init__(self, **options):
        self.runtime = FakeRuntime()
        url = options.pop("url", URL)
        self.registry = FakeRegistry(self.runtime, url)
        self.drains = []
        self.deaths = []
        self.superseded = []
        self.errors = []
        self.refusals = []
        key = options.pop("key", KEY)
        callbacks = {
            "on_drain": self.drains.append,
            "on_dead": self.deaths.append,
            "on_superseded": lambda: self.superseded.append(True),
            "on_error": self.errors.append,
            "on_refused": self.refusals.append,
        }
        self.agent = Agent(
            url, key, "agent_a", transport=self.registry, runtime=self.runtime, **{**callbacks, **options}
        )


def load_fake():
    """The module of the registry of clients/scenarios, which misbehaves as a scenario says."""
    file = pathlib.Path(__file__).resolve().parents[2] / "scenarios" / "fake.py"
    spec = importlib.util.spec_from_file_location("scenario_fake", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Registry:
    """The registry of clients/scenarios for one agent, on a real port, for processes that a test starts."""

    def __init__(self, answers=(), **more):
        self.fake = load_fake().Fake().start()
        quick = {"heartbeat_config": {"interval_seconds": 0.2}}
        shown = self.fake.load({"scenario": {"steps": [], "answers": list(answers), "agent": quick, **more}})
        self.url, self.key, self.agent_id = shown["url"], shown["key"], shown["agent"]["agent_id"]
        self.loaded = self.fake.loaded["1"]
        self.heartbeat = "POST /api/v1/agents/{}/heartbeat".format(self.agent_id)

    def wait(self, request, count=1, **body):
        failure = self.loaded.step({"do": "await", "request": request, "count": count, "body": body})
        assert failure is None, failure

    def wait_for_heartbeats(self, count=1, **body):
        self.wait(self.heartbeat, count, **body)

    def routes(self):
        return [one["request"].replace(self.agent_id, "{agent}") for one in self.loaded.requests]

    def outcomes(self):
        """All outcomes, each batch once."""
        batches = {one["body"]["batch_id"]: one["body"]["outcomes"] for one in self.loaded.requests if "batch_id" in (one["body"] or {})}
        return [outcome for batch in batches.values() for outcome in batch]

    def close(self):
        self.fake.close()
