"""The client in the scenarios that all clients share: clients/scenarios/README.md."""

import concurrent.futures
import json
import logging
import os
import time
import unittest
import urllib.request

from agent_health import (
    Agent,
    AgentGone,
    Client,
    Conflict,
    Forbidden,
    InvalidRequest,
    LeaseHeld,
    NotFound,
    PreconditionFailed,
    RateLimited,
    RegistryUnavailable,
    Superseded,
    Unauthenticated,
    UnexpectedAnswer,
)
from tests.fakes import load_fake

URL = os.environ.get("AGENT_HEALTH_URL", "")
ADMIN = os.environ.get("AGENT_HEALTH_ADMIN_KEY", "")
WAIT_SECONDS = 20

ERRORS = {
    "conflict": Conflict,
    "forbidden": Forbidden,
    "gone": AgentGone,
    "invalid_request": InvalidRequest,
    "lease_held": LeaseHeld,
    "not_found": NotFound,
    "precondition_failed": PreconditionFailed,
    "rate_limited": RateLimited,
    "superseded": Superseded,
    "unauthenticated": Unauthenticated,
    "unavailable": RegistryUnavailable,
    "unexpected_answer": UnexpectedAnswer,
}


class Run:
    """One scenario, step by step."""

    def __init__(self, url, name):
        self.control = url
        loaded = self.ask("/_fake/scenarios", {"name": name})
        self.steps = loaded["steps"]
        if self.steps:
            self.control = loaded["url"]
            profile = dict(loaded["agent"])
            self.callbacks = {"drain": [], "dead": [], "lost": []}
            self.tasks = {}
            self.held = None
            self.client = Client(loaded["url"], loaded["key"])
            self.agent = Agent(
                loaded["url"],
                loaded["key"],
                profile.pop("agent_id"),
                profile=profile,
                on_drain=self.callbacks["drain"].append,
                on_dead=self.callbacks["dead"].append,
                close_timeout=1.0,
                **loaded["options"],
            )

    def ask(self, where, body):
        request = urllib.request.Request(self.control + where, json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def go(self):
        try:
            for step in self.steps:
                self.step(step)
            return self.ask("/_fake/verdict", {})["failures"] if self.steps else None
        finally:
            if self.steps:
                self.agent.close()

    def step(self, step):
        do = getattr(self, step["do"], None)
        if do is None:
            failure = self.ask("/_fake/step", step)["failure"]
            assert failure is None, failure
        elif "raises" in step:
            try:
                do(step)
            except ERRORS[step["raises"]] as error:
                assert "field" not in step or [one.field for one in error.fields] == [step["field"]], error
            else:
                raise AssertionError("{} raised nothing".format(step))
        else:
            do(step)

    def until(self, condition, step):
        end = time.monotonic() + WAIT_SECONDS
        while not condition():
            assert time.monotonic() < end, "waited for {}: {!r} {}".format(step, self.agent, self.callbacks)
            time.sleep(0.02)

    def start(self, step):
        self.agent.start()

    def close(self, step):
        self.agent.close()

    def drain(self, step):
        self.agent.drain(step["reason"])

    def outcome(self, step):
        self.agent.record(step["result"], latency_ms=step.get("latency_ms"), error_type=step.get("error_type"))

    def begin(self, step):
        self.tasks[step["task"]] = self.agent.running(step["task"])
        self.tasks[step["task"]].__enter__()

    def end(self, step):
        running = self.tasks.pop(step["task"])
        if "error_type" in step:
            running.fail(step["error_type"])
        running.__exit__(None, None, None)

    def lease(self, step):
        self.held = self.agent.lease(step["intent"], step["scope"], seconds=step["seconds"], on_lost=self.callbacks["lost"].append)
        self.held.acquire()

    def release(self, step):
        self.held.release()

    def document(self, step):
        document = self.client.health(step["agent"])
        assert {**document, **step.get("expect", {})} == document, document

    def score(self, step):
        self.client.score(step["agent"])

    def invoke(self, step):
        self.client.invoke(step["agent"], step["message"])

    def pause(self, step):
        time.sleep(step["seconds"])

    def await_state(self, step):
        self.until(lambda: self.agent.state.value == step["state"], step)

    def await_callback(self, step):
        self.until(lambda: self.callbacks[step["callback"]], step)
        if "reason" in step:
            assert self.callbacks[step["callback"]][0].reason == step["reason"], self.callbacks

    def expect_state(self, step):
        assert self.agent.state.value == step["state"], self.agent

    def expect_error(self, step):
        if "error" in step:
            assert isinstance(self.agent.last_error, ERRORS[step["error"]]), self.agent.last_error
        else:
            self.until(lambda: self.agent.last_error is None, step)

    def expect_lease(self, step):
        assert self.held.lost is not step["held"], self.held._reason


class ScenarioTest(unittest.TestCase):
    def setUp(self):
        self.module = load_fake()
        logger = logging.getLogger("agent_health")
        level = logger.level
        logger.setLevel(logging.CRITICAL)
        self.addCleanup(logger.setLevel, level)

    def run_all(self, fake, at_once, least):
        self.addCleanup(fake.close)
        names = self.module.names()
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            runs = {name: pool.submit(lambda one=name: Run(fake.url, one).go()) for name in names}
        ran = 0
        for name, future in runs.items():
            with self.subTest(name):
                failures = future.result()
                ran += failures is not None
                self.assertIn(failures, (None, []))
        self.assertGreaterEqual(ran, least)

    def test_every_scenario_with_a_registry_that_misbehaves(self):
        self.run_all(self.module.Fake().start(), len(self.module.names()), 35)

    @unittest.skipUnless(URL and ADMIN, "AGENT_HEALTH_URL and AGENT_HEALTH_ADMIN_KEY are not set")
    def test_scenarios_with_a_real_registry(self):
        self.run_all(self.module.Fake(registry=URL, admin_key=ADMIN).start(), len(self.module.names()), 11)


if __name__ == "__main__":
    unittest.main()
