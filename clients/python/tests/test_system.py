"""The client against a running system: needs AGENT_HEALTH_URL and AGENT_HEALTH_ADMIN_KEY, and a sweep every few seconds."""

import asyncio
import datetime
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import unittest
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer

from agent_health import (
    Agent,
    AsyncAgent,
    Client,
    Forbidden,
    HttpTransport,
    LeaseHeld,
    NotFound,
    PreconditionFailed,
    ProblemError,
    RegistryUnavailable,
    State,
    Unauthenticated,
)
from agent_health._runtime import SystemRuntime

URL = os.environ.get("AGENT_HEALTH_URL", "")
ADMIN = os.environ.get("AGENT_HEALTH_ADMIN_KEY", "")

QUICK = {"heartbeat_config": {"interval_seconds": 1, "unhealthy_after_seconds": 2, "dead_after_seconds": 4}}

WAIT_SECONDS = 60


def until(condition, what):
    """Waits until the condition holds."""
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("waited {} s for {}".format(WAIT_SECONDS, what))


class Unplugged:
    """The real transport, until the test cuts it off."""

    def __init__(self):
        self.transport = HttpTransport()
        self.away = False

    def send(self, request):
        if self.away:
            raise RegistryUnavailable("unplugged", maybe_stored=False)
        return self.transport.send(request)


class WrongClock(SystemRuntime):
    def now(self):
        return super().now() + datetime.timedelta(days=1)


@unittest.skipUnless(URL and ADMIN, "AGENT_HEALTH_URL and AGENT_HEALTH_ADMIN_KEY are not set")
class SystemTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.admin = Client(URL, ADMIN)
        issued = cls.admin.call("POST", "/v1/admin/keys", {"role": "agent", "name": "python", "provider_ids": ["python"]})
        cls.key, cls.key_id = issued["api_key"], issued["key_id"]

    def setUp(self):
        self.id = "python_" + uuid.uuid4().hex[:12]

    def agent(self, **options):
        options.setdefault("profile", QUICK)
        return Agent(URL, options.pop("key", self.key), options.pop("agent_id", self.id), **options)

    def status(self):
        return self.admin.agent(self.id)["status"]

    def test_is_found_reports_outcomes_and_drains_at_the_end(self):
        role = "role_" + self.id
        with self.agent(role_id=role, capabilities=["code review"], max_concurrent_tasks=3) as agent:

            @agent.task
            def work(fails):
                if fails:
                    raise ValueError("own")

            work(False)
            with self.assertRaises(ValueError):
                work(True)
            found = list(self.admin.find(capabilities="code review", role_id=role, limit=1))
            self.assertEqual([one["agent_id"] for one in found], [self.id])
            self.assertEqual(self.admin.pool(role)["role_id"], role)
            self.assertEqual(self.admin.pool_versions(role, 1)["days"], 1)
            self.assertEqual(agent.client.health(self.id)["agent_id"], self.id)
            self.assertEqual(self.admin.trust(self.id)["agent_id"], self.id)
            until(lambda: len(agent._outcomes) == 0, "the outcomes to be sent")
            until(lambda: self.admin.score(self.id)["executions"] == 2, "the outcomes in the health")
            self.assertEqual(self.admin.score(self.id)["errors"]["other"], 1)
            self.assertIn("survival", self.admin.system_health())
        self.assertEqual(self.status(), "deregistered")
        self.assertEqual([event["reason"] for event in self.admin.events(self.id) if event["type"] == "agent.lifecycle"],
                         ["registered", "drain_initiated", "drain_completed"])

    def test_operators_read_records_block_agents_and_issue_keys(self):
        provider = "provider_" + self.id
        issued = self.admin.issue_key("agent", name="python", provider_ids=[provider])
        with self.agent(key=issued["api_key"], profile={**QUICK, "provider_id": provider}):
            self.assertIn(self.id, [one["agent_id"] for one in self.admin.trusted_agents()])
            self.assertIn(provider, [one["provider_id"] for one in self.admin.trusted_providers()])
            self.assertIn(self.id, [one["agent_id"] for one in self.admin.health_records()])
            self.assertIn(provider, [one["provider_id"] for one in self.admin.health_records_of_providers()])
            self.assertEqual(self.admin.health_record(self.id)["agent_id"], self.id)
            self.assertEqual(self.admin.health_record_of_provider(provider)["provider_id"], provider)
            self.assertTrue(self.admin.block(self.id, reason="under review", until="2099-03-01T00:00:00Z")["blocked"])
            self.assertEqual([one["agent_id"] for one in self.admin.trusted_agents(blocked=True)], [self.id])
            self.assertFalse(self.admin.unblock(self.id)["blocked"])
            self.assertTrue(self.admin.block_provider(provider)["blocked"])
            self.assertFalse(self.admin.unblock_provider(provider)["blocked"])
            self.assertEqual(list(self.admin.leases_of(self.id)), [])
            self.assertEqual(list(self.admin.history(self.id, "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")), [])
        rotated = self.admin.rotate_key(issued["key_id"], overlap_seconds=0)
        self.assertNotEqual(rotated["api_key"], issued["api_key"])
        self.assertIn(issued["key_id"], [one["key_id"] for one in self.admin.keys()])
        self.admin.revoke_key(issued["key_id"])
        self.assertNotIn(issued["key_id"], [one["key_id"] for one in self.admin.keys()])

    def test_a_job_pings_without_a_key(self):
        self.admin.call("POST", "/api/v1/agents", {"agent_id": self.id, "owner_key_id": self.key_id})
        self.assertIsNone(self.admin.ping_address(self.id))
        issued = self.admin.issue_ping_url(self.id)
        with urllib.request.urlopen(issued, b"3 invoices") as answer:
            self.assertEqual(answer.status, 200)
        self.assertEqual(self.admin.ping_address(self.id)["last_message"], "3 invoices")
        self.admin.revoke_ping_url(self.id)
        self.assertIsNone(self.admin.ping_address(self.id))

    def test_the_examples_of_the_documents_work(self):
        root = pathlib.Path(__file__).resolve().parents[3]
        for name, paid, agent_id in (("README.md", 1, "agent_billing_02"), ("docs/clients.md", 100, "billing_python_01")):
            with self.subTest(name):
                document = (root / name).read_text(encoding="utf-8")
                code = document.split("```python\n", 1)[1].split("```", 1)[0]
                environment = {**os.environ, "AGENT_HEALTH_URL": URL, "AGENT_HEALTH_KEY": self.key}
                done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
                self.assertEqual((done.returncode, done.stdout.count("paid")), (0, paid), done.stderr)
                self.assertEqual(self.admin.agent(agent_id)["status"], "deregistered")

    def test_a_lease_excludes_others_and_is_released(self):
        with self.agent() as agent, self.agent(agent_id=self.id + "_b") as other:
            with agent.lease(self.id, "send", seconds=6) as lease:
                with self.assertRaises(LeaseHeld) as raised:
                    other.lease(self.id, "send").acquire()
                self.assertIsNotNone(raised.exception.available_at)
                time.sleep(7)
                lease.check()
                body = {"fencing_token": lease.fencing_token}
                self.assertTrue(self.admin.call("POST", "/api/v1/intents/{}/leases/{}/verify".format(self.id, lease.id), body)["valid"])
            with other.lease(self.id, "send") as next_lease:
                self.assertGreater(next_lease.fencing_token, lease.fencing_token)

    def test_a_revoked_lease_is_lost(self):
        reasons = []
        with self.agent() as agent, agent.lease(self.id, "send", seconds=6, on_lost=reasons.append) as lease:
            self.admin.call("POST", "/api/v1/intents/{}/leases/{}/revoke".format(self.id, lease.id))
            until(lambda: reasons, "the loss of the lease")
            self.assertTrue(lease.lost)

    def test_drains_by_command(self):
        drains = []
        with self.agent(on_drain=drains.append) as agent:
            with agent.running("invoice_42"):
                self.admin.request_drain(self.id, reason="restart", timeout_seconds=60)
                until(lambda: self.status() == "draining", "the drain")
                self.assertFalse(agent.accepts_work)
            self.assertTrue(agent.wait(WAIT_SECONDS))
            self.assertEqual([(one.reason, one.timeout_seconds) for one in drains], [("restart", 60)])
        self.assertEqual(self.status(), "deregistered")

    def test_a_new_process_replaces_the_old_one_for_good(self):
        old = self.agent().start()
        new = self.agent().start()
        until(lambda: old.state is State.SUPERSEDED, "the end of the old process")
        old.close()
        self.assertEqual(self.status(), "active")
        new.close()
        self.assertEqual(self.status(), "deregistered")

    def test_a_process_that_was_dead_registers_again_and_loses_no_outcome(self):
        deaths, transport = [], Unplugged()
        with self.agent(on_dead=deaths.append, transport=transport) as agent:
            transport.away = True
            with agent.running():
                until(lambda: self.status() == "dead", "the death")
            self.assertTrue(agent.accepts_work)
            transport.away = False
            until(lambda: self.status() == "active", "the new registration")
            self.assertEqual([error.code for error in deaths], ["agent_gone"])
            until(lambda: len(agent._outcomes) == 0, "the outcome")
            self.assertEqual(self.admin.agent(self.id)["incarnation"], 2)

    def test_a_key_that_is_revoked_ends_no_work(self):
        issued = self.admin.call("POST", "/v1/admin/keys", {"role": "agent", "name": "revoked"})
        errors = []
        agent = self.agent(key=issued["api_key"], on_error=errors.append).start()
        self.admin.call("DELETE", "/v1/admin/keys/" + issued["key_id"])
        until(lambda: errors, "the report of the error")
        self.assertIsInstance(errors[0], Unauthenticated)
        self.assertTrue(agent.accepts_work)
        agent.close()

    def test_a_wrong_key_and_an_id_of_another_key_end_no_work(self):
        refusals = []
        with self.agent(key="ahk_wrong", on_refused=refusals.append) as refused:
            self.assertTrue(refused.accepts_work)
        other = self.admin.call("POST", "/v1/admin/keys", {"role": "agent", "name": "other"})
        with self.agent():
            with self.agent(key=other["api_key"], on_refused=refusals.append) as refused:
                self.assertTrue(refused.accepts_work)
        self.assertEqual([type(refusal) for refusal in refusals], [Unauthenticated, Forbidden])

    def test_a_clock_that_is_off_by_a_day_costs_no_outcome(self):
        with self.agent(runtime=WrongClock()) as agent:
            with agent.running():
                pass
            until(lambda: len(agent._outcomes) == 0, "the outcome")
            self.assertEqual(self.status(), "active")

    def test_refusals_are_typed(self):
        with self.assertRaises(NotFound) as raised:
            self.admin.agent("nobody")
        self.assertEqual((raised.exception.code, raised.exception.title), ("agent_not_found", "Not Found"))
        with self.agent() as agent:
            with self.assertRaises(PreconditionFailed):
                agent.client.update(self.id, 99, name="n")
            self.assertEqual(agent.client.update(self.id, "*", name="n")["name"], "n")
            with self.assertRaises(ProblemError) as raised:
                agent.client.update(self.id, "*", name="n", colour="red")
            self.assertEqual(raised.exception.fields[0].field, "colour")

    def test_an_asyncio_agent_works_and_drains(self):
        async def main():
            drains = []

            async def on_drain(drain):
                await asyncio.sleep(0)
                drains.append(drain)

            async with AsyncAgent(URL, self.key, self.id, profile=QUICK, on_drain=on_drain) as agent:

                @agent.task
                async def work():
                    await asyncio.sleep(0.01)

                await asyncio.gather(work(), work())
                async with agent.lease(self.id, "send", seconds=30) as lease:
                    lease.check()
                self.assertIn("/p/", await agent.call(agent.client.issue_ping_url, self.id))
                await agent.call(self.admin.request_drain, self.id)
                self.assertTrue(await agent.wait(WAIT_SECONDS))
                self.assertEqual(len(drains), 1)

        asyncio.run(main())
        self.assertEqual(self.status(), "deregistered")

    def test_invokes_an_agent_through_the_gateway(self):
        class Echo(BaseHTTPRequestHandler):
            def do_POST(self):
                call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                result = {"kind": "message", "role": "agent", "messageId": "1", "parts": [{"kind": "text", "text": "hello"}]}
                body = json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}).encode()
                self.send_response(200)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Echo)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            with self.agent(endpoint="http://127.0.0.1:{}/".format(server.server_port)) as agent:
                answer = agent.client.invoke(self.id, "hi")
                self.assertEqual(answer["output"]["parts"][0]["text"], "hello")
                self.assertEqual(agent.client.receipt(answer["receipt_id"])["status"], "succeeded")
        finally:
            server.shutdown()
            server.server_close()

    def test_sigterm_drains_and_ends_the_process(self):
        code = (
            "import os, time\n"
            "from agent_health import Agent\n"
            "agent = Agent({!r}, {!r}, {!r}, profile={!r}, drain_on_sigterm=True,\n"
            "              on_drain=lambda drain: print('drain', drain.reason, flush=True)).start()\n"
            "print('ready', flush=True)\n"
            "{}"
        )
        for rest, status in (("time.sleep(120)\n", -signal.SIGTERM), ("agent.wait(); agent.close(); print('end', flush=True)\n", 0)):
            with self.subTest(rest):
                program = code.format(URL, self.key, self.id, QUICK, rest)
                with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
                    self.assertEqual(process.stdout.readline(), "ready\n")
                    process.send_signal(signal.SIGTERM)
                    self.assertEqual(process.wait(WAIT_SECONDS), status)
                    self.assertIn("drain SIGTERM", process.stdout.read())
                self.assertEqual(self.status(), "deregistered")

    def test_a_process_that_is_stopped_beyond_dead_after_comes_back(self):
        code = (
            "import sys\n"
            "from agent_health import Agent\n"
            "with Agent({!r}, {!r}, {!r}, profile={!r}, on_dead=lambda error: print('dead', flush=True)) as agent:\n"
            "    print('ready', flush=True)\n"
            "    sys.stdin.readline()\n"
        ).format(URL, self.key, self.id, QUICK)
        with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            self.assertEqual(process.stdout.readline(), "ready\n")
            process.send_signal(signal.SIGSTOP)
            until(lambda: self.status() == "dead", "the death")
            process.send_signal(signal.SIGCONT)
            self.assertEqual(process.stdout.readline(), "dead\n")
            until(lambda: self.status() == "active", "the new registration")
            process.communicate("\n", WAIT_SECONDS)
        self.assertEqual(self.status(), "deregistered")


if __name__ == "__main__":
    unittest.main()
