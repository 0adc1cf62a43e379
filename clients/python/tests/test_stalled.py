"""Processes that are alive but stuck, and some that are not, against a running system: see ``test_system`` for what it needs."""

import os
import subprocess
import sys
import unittest

from agent_health import Client
from tests.test_system import ADMIN, URL, until

#: Work of an agent, by what it is stuck in; each runs in a process of its own.
WORK = {
    "tool": """
with agent.running(), agent.tool():
    time.sleep(600)
""",
    "model": """
server = socket.socket(); server.bind(("127.0.0.1", 0)); server.listen(1)
with agent.running(), agent.model():
    socket.create_connection(server.getsockname()).recv(1)
""",
    "progress": """
with agent.running() as task, task.tool() as call:
    for _ in call.each(iter(int, 1)):
        time.sleep(0.2)
""",
    "human": """
with agent.running(), agent.human():
    time.sleep(600)
""",
    "two_tasks": """
def hang():
    with agent.running("hangs") as task, task.tool():
        time.sleep(600)
threading.Thread(target=hang, daemon=True).start()
with agent.running("goes_on") as task:
    while True:
        time.sleep(0.2)
        task.progress()
""",
    "event_loop": """
async def main():
    async with AsyncAgent(*settings, profile=profile) as agent:
        await asyncio.sleep(1)
        time.sleep(600)
asyncio.run(main())
""",
}
STUCK = {"tool": "tool", "model": "model", "two_tasks": "tool", "event_loop": "other"}

PROGRAM = """
import asyncio, os, socket, sys, threading, time
from agent_health import Agent, AsyncAgent
settings = os.environ["AGENT_HEALTH_URL"], os.environ["AGENT_HEALTH_KEY"], sys.argv[1]
profile = {{"role_id": "stuck", "heartbeat_config": {{"interval_seconds": 1, "unhealthy_after_seconds": 10, "dead_after_seconds": 60,
            "stall_after_seconds": {{"model": 3, "tool": 3, "other": 7}}}}}}
agent = None if "AsyncAgent" in {work!r} else Agent(*settings, profile=profile).start()
{work}
"""


@unittest.skipUnless(URL and ADMIN, "needs a running system")
class StalledTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.admin = Client(URL, ADMIN)
        key = cls.admin.call("POST", "/v1/admin/keys", {"role": "agent", "name": "stuck"})["api_key"]
        environment = {**os.environ, "AGENT_HEALTH_URL": URL, "AGENT_HEALTH_KEY": key}
        cls.processes = [
            subprocess.Popen([sys.executable, "-c", PROGRAM.format(work=work), "stuck_" + name], env=environment)
            for name, work in WORK.items()
        ]

    @classmethod
    def tearDownClass(cls):
        for process in cls.processes:
            process.kill()
            process.wait()

    def events(self, name):
        page = self.admin.call("GET", "/api/v1/agents/stuck_{}/events".format(name))
        return [event for event in page["events"] if event["type"].startswith("agent.stall")]

    def row(self, name):
        rows = self.admin.call("GET", "/api/v1/agents?role_id=stuck")["agents"]
        return next((row for row in rows if row["agent_id"] == "stuck_" + name), None)

    def test_those_that_hang_are_stalled_and_those_that_work_are_not(self):
        for name in WORK:
            until(lambda: self.row(name) is not None, name + " to be registered")
        for name, phase in STUCK.items():
            with self.subTest(name):
                until(lambda: len(self.events(name)) >= 2, name + " to be stalled for twice as long")
                events = self.events(name)
                self.assertEqual([event["severity"] for event in events], ["warning", "error"])
                self.assertEqual({event["phase"] for event in events}, {phase})
                row = self.row(name)
                self.assertEqual((row["status"], row["verdict"], row["reasons"]), ("active", "down", ["stalled"]))
        for name in WORK.keys() - STUCK.keys():
            with self.subTest(name):
                self.assertEqual(self.events(name), [])
                self.assertEqual((self.row(name)["verdict"], self.row(name)["stalled"]), ("ok", False))
        self.assertEqual(self.admin.call("GET", "/api/v1/pools/stuck")["stalled"], len(STUCK))


if __name__ == "__main__":
    unittest.main()
