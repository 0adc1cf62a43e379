"""Agents that are declared with a decorator, and the plain calls to register and to send a heartbeat."""

import asyncio
import os
import unittest
from unittest import mock

from agent_health import Client, agent
from tests.fakes import KEY, URL, FakeRegistry, FakeRuntime


class DeclaredTest(unittest.TestCase):
    def setUp(self):
        self.runtime = FakeRuntime()
        self.registry = FakeRegistry(self.runtime)
        self.settings = {"url": URL, "key": KEY, "transport": self.registry, "runtime": self.runtime, "role_id": "billing"}

    def test_a_class_has_its_callbacks_and_its_life(self):
        drained = []

        @agent("billing-1", **self.settings)
        class Billing:
            def __init__(self, name):
                self.name = name

            def on_drain(self, drain):
                drained.append((self.name, drain.reason))

        with Billing("a") as billing:
            self.assertEqual(billing.agent.state.value, "active")
            billing.agent.drain("now")
            self.runtime.advance(0)
        self.assertEqual(drained, [("a", "now")])
        self.assertEqual([body["role_id"] for body in self.registry.registrations()], ["billing"])
        self.assertIn("DELETE /api/v1/agents/billing-1", self.registry.routes())

    def test_a_function_gets_the_running_agent(self):
        @agent("billing-2", **self.settings)
        def main(running, number):
            with running.running():
                return number + 1

        @agent("billing-3", **self.settings)
        async def main_async(running, number):
            with running.running():
                return number + 2

        self.assertEqual((main(1), asyncio.run(main_async(1)), main.__name__), (2, 3, "main"))
        self.assertEqual([body["agent_id"] for body in self.registry.registrations()], ["billing-2", "billing-3"])
        self.assertEqual(sum(len(body.get("outcomes", [])) for body in self.registry.heartbeats()), 2)

    def test_url_and_key_are_those_of_the_environment(self):
        del self.settings["url"], self.settings["key"]

        @agent("billing-4", **self.settings)
        def main(running):
            return running.client

        with mock.patch.dict(os.environ, {"AGENT_HEALTH_URL": URL, "AGENT_HEALTH_KEY": KEY}):
            self.assertEqual(repr(main()), repr(Client(URL, KEY)))

    def test_registers_and_sends_heartbeats_by_plain_calls(self):
        client = Client(URL, KEY, transport=self.registry, runtime=self.runtime)
        self.assertEqual(client.register("billing-5", replace=True, role_id="billing", capabilities=["billing"])["incarnation"], 1)
        self.assertEqual(client.heartbeat("billing-5", current_load=2, incarnation=1)["agent_status"], "active")
        self.assertEqual(
            [body for _, body, _ in self.registry.requests],
            [{"agent_id": "billing-5", "replace": True, "role_id": "billing", "capabilities": ["billing"]},
             {"status": "active", "current_load": 2, "incarnation": 1}],
        )
        client.register("billing-6")
        self.assertEqual(self.registry.registrations()[-1], {"agent_id": "billing-6"})


if __name__ == "__main__":
    unittest.main()
