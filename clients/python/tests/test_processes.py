"""One agent of several processes: forked ones, and those of one server."""

import concurrent.futures
import importlib.util
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

from tests.fakes import Registry

ROOT = pathlib.Path(__file__).resolve().parents[1]
WAIT_SECONDS = 30

BEGIN = """
import os, sys, time
from agent_health import Agent
agent = Agent(os.environ["AGENT_HEALTH_URL"], os.environ["AGENT_HEALTH_KEY"], os.environ["AGENT_HEALTH_AGENT_ID"])
"""

FORKS = BEGIN + """
agent.start()
with agent.running("of the parent"):
    for child in range(5):
        if os.fork() == 0:
            for _ in range(15):
                with agent.running():
                    pass
            os._exit(0)
    for child in range(5):
        os.wait()
agent.close()
"""

SIBLING = BEGIN + """
with agent:
    print(os.getpid(), flush=True)
    for line in sys.stdin:
        with agent.running(line.strip()):
            print(agent.state.value, flush=True)
"""

FORBIDDEN = """
import logging
logging.basicConfig()
""" + BEGIN.replace("])\n", "], share=False)\n", 1) + """
agent.start()
if os.fork() == 0:
    agent.record("success")
    os._exit(0)
os.wait()
agent.close()
"""

DRAINED = """
import os, sys
from agent_health import Agent
with Agent(os.environ["AGENT_HEALTH_URL"], os.environ["AGENT_HEALTH_KEY"], os.environ["AGENT_HEALTH_AGENT_ID"],
           on_drain=lambda drain: print("drain", drain.reason, flush=True)) as agent:
    print("ready", flush=True)
    with agent.running(sys.argv[1]):
        if sys.stdin.readline() == "drain\\n":
            agent.drain("by itself")
            sys.stdin.readline()
    print(agent.wait(20), agent.state.value, agent.accepts_work, flush=True)
"""

#: The program in a document, by its file.
DOCUMENT = ROOT.parents[1] / "docs" / "guides" / "processes.md"


def documented(name):
    return next(block for block in DOCUMENT.read_text(encoding="utf-8").split("```") if block.startswith("python\n# " + name))[7:]


def until(condition, what):
    end = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < end, "waited for " + what
        time.sleep(0.05)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class ProcessCase(unittest.TestCase):
    def setUp(self):
        self.registry = Registry()
        self.addCleanup(self.registry.close)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.environment = {
            **os.environ,
            "AGENT_HEALTH_URL": self.registry.url,
            "AGENT_HEALTH_KEY": self.registry.key,
            "AGENT_HEALTH_AGENT_ID": self.registry.agent_id,
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "TMPDIR": self.folder.name,
        }

    def run_program(self, code):
        # Python 3.12 warns of a fork in a process with threads.
        done = subprocess.run([sys.executable, "-c", code], env=self.environment, capture_output=True, text=True, timeout=WAIT_SECONDS)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def begin(self, *arguments, **how):
        process = subprocess.Popen([sys.executable, *arguments], env=self.environment, cwd=self.folder.name, text=True, **how)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                self.addCleanup(stream.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def check_life(self, outcomes):
        """One registration, one drain to the end, all outcomes, and nothing left behind."""
        self.assertEqual(len(self.registry.outcomes()), outcomes, self.registry.loaded.requests)
        self.assertEqual(self.registry.routes().count("POST /api/v1/agents"), 1, self.registry.routes())
        states = [(one["body"] or {}).get("status") for one in self.registry.loaded.requests]
        self.assertIn("draining", states)
        self.assertNotIn("active", states[states.index("draining"):])
        left = [file.name for file in pathlib.Path(self.folder.name).rglob("*") if file.is_file() and file.parent.name.startswith("agent-health-")]
        self.assertEqual(left, [])


@unittest.skipUnless(hasattr(os, "fork"), "no fork here")
class ProcessesTest(ProcessCase):
    def test_every_outcome_of_forked_processes_arrives(self):
        self.run_program(FORKS)
        self.check_life(75 + 1)

    def test_a_pool_of_forked_processes_works_for_the_agent(self):
        self.assertEqual(self.run_program(documented("billing_pool.py")).stdout, "paid 39\n")
        self.check_life(40)

    def test_a_forked_process_that_cannot_report_says_so_once(self):
        done = self.run_program(FORBIDDEN)
        self.assertEqual(done.stderr.count("nothing that this forked process does is reported"), 1, done.stderr)
        self.check_life(0)

    def test_processes_beside_each_other_are_one_agent_and_one_goes_on_when_the_leader_dies(self):
        processes = [self.begin("-c", SIBLING, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(3)]
        for process in processes:
            process.stdout.readline()
        for process in processes:
            process.stdin.write("a task\n")
            process.stdin.flush()
            self.assertIn(process.stdout.readline(), ("active\n", "starting\n"))
        until(lambda: len(self.registry.outcomes()) == 3, "the outcomes of all")
        leader = next(one for one in processes if self.leads(one))
        leader.send_signal(signal.SIGKILL)
        leader.wait()
        processes.append(self.begin("-c", SIBLING, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        processes[-1].stdout.readline()
        beats = self.registry.routes().count("POST /api/v1/agents/{agent}/heartbeat")
        until(lambda: self.registry.routes().count("POST /api/v1/agents/{agent}/heartbeat") > beats + 1, "heartbeats of another one")
        for process in processes:
            if process is not leader:
                process.communicate("a task\na task\n", timeout=WAIT_SECONDS)
                self.assertEqual(process.returncode, 0)
        self.check_life(3 + 6)

    def test_a_drain_reaches_all_and_waits_for_the_tasks_of_all(self):
        self.registry.close()
        drain = {"pending_commands": [{"command": "drain", "reason": "new version", "drain_timeout_seconds": 60}]}
        rule = {"request": "POST /api/v1/agents/{agent}/heartbeat", "having": {"tasks_in_progress": ["a", "b", "c"]}, "from": 1, "to": 1}
        self.registry = Registry([{**rule, "merge": drain}])
        self.environment.update(AGENT_HEALTH_URL=self.registry.url, AGENT_HEALTH_AGENT_ID=self.registry.agent_id)
        processes = [self.begin("-c", DRAINED, name, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for name in "abc"]
        self.check_drain(processes, "new version")

    def test_a_process_that_starts_while_another_one_drains_takes_its_place(self):
        draining = self.begin("-c", DRAINED, "a", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.registry.wait_for_heartbeats(1, tasks_in_progress=["a"])
        draining.stdin.write("drain\n")
        draining.stdin.flush()
        self.registry.wait_for_heartbeats(1, status="draining")
        self.begin("-c", DRAINED, "b", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.registry.wait_for_heartbeats(1, status="active", incarnation=2, tasks_in_progress=["b"])

    def test_a_drain_that_one_process_begins_reaches_all(self):
        processes = [self.begin("-c", DRAINED, name, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for name in "abc"]
        self.registry.wait_for_heartbeats(1, tasks_in_progress=["a", "b", "c"])
        follower = next(one for one in processes if not self.leads(one))
        follower.stdin.write("drain\n")
        follower.stdin.flush()
        self.check_drain(processes, "by itself")

    def test_the_word_of_an_operator_reaches_all_and_none_registers_again(self):
        self.registry.close()
        ended = {"request": "POST /api/v1/agents/{agent}/heartbeat", "having": {"tasks_in_progress": ["a", "b", "c"]}}
        answer = {"status": 410, "error": "agent_gone", "body": {"ended_by": "operator", "reason": "deregistered"}}
        self.registry = Registry([{**ended, **answer}])
        self.environment.update(AGENT_HEALTH_URL=self.registry.url, AGENT_HEALTH_AGENT_ID=self.registry.agent_id)
        processes = [self.begin("-c", DRAINED, name, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for name in "abc"]
        for process in processes:
            self.assertEqual([process.stdout.readline() for _ in range(2)], ["ready\n", "drain an operator ended the agent\n"])
        for process in processes:
            process.stdin.write("\n")
            process.stdin.flush()
        for process in processes:
            self.assertEqual(process.communicate(timeout=WAIT_SECONDS)[0], "True stopped False\n")
        time.sleep(1.5)
        self.assertEqual(self.registry.routes().count("POST /api/v1/agents"), 1)
        self.assertEqual(len(self.registry.outcomes()), 3)

    def check_drain(self, processes, reason):
        for process in processes:
            self.assertEqual([process.stdout.readline() for _ in range(2)], ["ready\n", "drain {}\n".format(reason)])
        for process, left in zip(processes, (["b", "c"], ["c"], None)):
            process.stdin.write("\n")
            process.stdin.flush()
            if left is not None:
                self.registry.wait_for_heartbeats(1, status="draining", tasks_in_progress=left)
        for process in processes:
            self.assertEqual(process.communicate(timeout=WAIT_SECONDS)[0], "True stopped False\n")
        self.check_life(3)

    def leads(self, process):
        """Whether a process has the lock of the leader open; only Linux says so."""
        try:
            return any(os.readlink("/proc/{}/fd/{}".format(process.pid, one)).endswith(".lock") for one in os.listdir("/proc/{}/fd".format(process.pid)))
        except FileNotFoundError:
            self.skipTest("no /proc here")


@unittest.skipUnless(importlib.util.find_spec("gunicorn"), "gunicorn, uvicorn and celery are not installed")
class ServersTest(ProcessCase):
    """The programs of the document, in real servers."""

    def serve(self, name, *command):
        pathlib.Path(self.folder.name, name).write_text(documented(name), encoding="utf-8")
        self.answered = []
        return self.begin("-m", *command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def check_server(self, server, port, processes=3):
        url = "http://127.0.0.1:{}/".format(port)
        until(lambda: len(list(pathlib.Path(self.folder.name).rglob("*.member"))) == processes, "all processes")
        until(lambda: self.read(url) is not None, "the server")
        with concurrent.futures.ThreadPoolExecutor(8) as callers:
            self.assertEqual(set(callers.map(self.read, [url + "42"] * 40)), {b"paid /42"})
        server.terminate()
        server.wait(WAIT_SECONDS)
        self.check_life(len(self.answered))

    def read(self, url):
        try:
            with urllib.request.urlopen(url, timeout=WAIT_SECONDS) as answer:
                self.answered.append(url)
                return answer.read()
        except OSError:
            return None

    def test_gunicorn_preloads(self):
        port = free_port()
        self.check_server(self.serve("billing.py", "gunicorn", "--preload", "-w", "3", "-b", "127.0.0.1:" + port, "billing:application"), port, 4)

    def test_gunicorn(self):
        port = free_port()
        self.check_server(self.serve("billing.py", "gunicorn", "-w", "3", "-b", "127.0.0.1:" + port, "billing:application"), port)

    def test_uvicorn(self):
        port = free_port()
        # On a busy machine, a worker that answers uvicorn later than after 5 s would be killed, and end without a drain.
        patient = ["--timeout-worker-healthcheck", str(WAIT_SECONDS)]
        self.check_server(self.serve("billing_asgi.py", "uvicorn", "--workers", "3", *patient, "--port", port, "billing_asgi:application"), port)

    def test_celery(self):
        self.environment["BROKER_URL"] = "filesystem://"
        for name in ("in", "control"):
            pathlib.Path(self.folder.name, name).mkdir()
        settings = "broker_transport_options = {'data_folder_in': 'in', 'data_folder_out': 'in', 'control_folder': 'control'}\n"
        pathlib.Path(self.folder.name, "celeryconfig.py").write_text(settings, encoding="utf-8")
        configured = "from billing_tasks import app, pay\napp.config_from_object('celeryconfig')\n"
        pathlib.Path(self.folder.name, "configured.py").write_text(configured, encoding="utf-8")
        worker = self.serve("billing_tasks.py", "celery", "-A", "configured", "worker", "-c", "3")
        subprocess.run(
            [sys.executable, "-c", "from configured import pay\nfor one in range(40): pay.delay(one)"],
            env=self.environment, cwd=self.folder.name, check=True, timeout=WAIT_SECONDS)
        until(lambda: len(self.registry.outcomes()) == 40, "the outcomes of all tasks")
        worker.terminate()
        worker.wait(WAIT_SECONDS)
        self.check_life(40)


if __name__ == "__main__":
    unittest.main()
