"""``agent-health-agent run`` and ``sidecar`` as processes, with a registry that misbehaves where a test says so."""

import http.server
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from agent_health import command
from tests.fakes import Registry

ROOT = pathlib.Path(__file__).resolve().parents[1]
WAIT_SECONDS = 30
DRAIN = {"pending_commands": [{"command": "drain", "reason": "new version", "drain_timeout_seconds": 60}]}
RESTART = {"pending_commands": [{"command": "restart", "reason": "stuck", "drain_timeout_seconds": 1}]}
OPERATOR = {
    "request": "POST /api/v1/agents/{agent}/heartbeat", "from": 2, "status": 410, "error": "agent_gone",
    "body": {"ended_by": "operator", "reason": "deregistered"},
}
IDLE = "for i in $(seq 400); do sleep 0.05; done"


def usual_signals():
    """What runs the tests in the background may have them ignored, as nohup does."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


@unittest.skipUnless(hasattr(os, "fork"), "no POSIX here")
class ProcessCase(unittest.TestCase):
    def setUp(self):
        self.registry = self.made()

    def made(self, *answers):
        registry = Registry(answers)
        self.addCleanup(registry.close)
        return registry

    def begin(self, *arguments, registry=None, program=("-m", "agent_health"), **environment):
        registry = registry or self.registry
        known = {name: value for name, value in os.environ.items() if not name.startswith("AGENT_HEALTH_")}
        settings = {"AGENT_HEALTH_URL": registry.url, "AGENT_HEALTH_KEY": registry.key, "AGENT_HEALTH_AGENT_ID": registry.agent_id}
        settings["PYTHONPATH"] = str(ROOT)
        process = subprocess.Popen(
            [sys.executable, "-W", "error", *program, *arguments],
            env={**known, **settings, **environment}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=usual_signals)
        for stream in (process.stdin, process.stdout, process.stderr):
            self.addCleanup(stream.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def ended(self, process):
        out, errors = process.communicate(timeout=WAIT_SECONDS)
        return process.returncode, out, errors


class RunTest(ProcessCase):
    def drained(self, *options, script, registry=None):
        registry = registry or self.made({"request": "POST /api/v1/agents/{agent}/heartbeat", "from": 2, "to": 2, "merge": DRAIN})
        return registry, self.ended(self.begin("run", *options, "--", "sh", "-c", script, registry=registry))

    def test_passes_streams_arguments_and_status_and_leaves_after_success(self):
        script = 'read line; echo "$line $1 $AGENT_HEALTH_AGENT_ID"; echo problem >&2'
        process = self.begin("run", "--interval", "7", "--role", "billing", "--capabilities", "a, b", "--profile", '{"metadata":{"v":"1"}}', "--", "sh", "-c", script, "x", "a b")
        out, errors = process.communicate("42\n", timeout=WAIT_SECONDS)
        self.assertEqual((process.returncode, out, errors), (0, "42 a b {}\n".format(self.registry.agent_id), "problem\n"))
        registered = self.registry.loaded.requests[0]["body"]
        self.assertEqual(
            {name: registered[name] for name in ("role_id", "capabilities", "metadata", "replace")},
            {"role_id": "billing", "capabilities": ["a", "b"], "metadata": {"v": "1"}, "replace": True},
        )
        self.assertEqual(registered["heartbeat_config"], {"interval_seconds": 7, "unhealthy_after_seconds": 21, "dead_after_seconds": 70})
        self.assertEqual([one["result"] for one in self.registry.outcomes()], ["success"])
        self.assertIn("draining", [(one["body"] or {}).get("status") for one in self.registry.loaded.requests])

    def test_a_failure_is_an_outcome_and_leaves_the_agent_to_die(self):
        for options, script, status in (((), "exit 3", 3), ((), "kill -9 $$", 137), (("--on-exit", "leave"), "exit 0", 0)):
            registry = self.made()
            with self.subTest(script):
                self.assertEqual(self.ended(self.begin("run", *options, "--", "sh", "-c", script, registry=registry))[0], status)
                self.assertEqual([one["result"] for one in registry.outcomes()], ["success" if status == 0 else "failure"])
                changes = [one["body"] for one in registry.loaded.requests if one["request"].startswith("PATCH ")]
                self.assertEqual([one["instance"] for one in changes], [None], "any host may go on")
                self.assertNotIn("draining", [(one["body"] or {}).get("status") for one in registry.loaded.requests])

    def test_a_command_by_the_clock_stays_registered(self):
        profile = '{"heartbeat_config":{"schedule":{"every_seconds":3600}}}'
        self.assertEqual(self.ended(self.begin("run", "--profile", profile, "--", "true"))[0], 0)
        self.assertNotIn("draining", [(one["body"] or {}).get("status") for one in self.registry.loaded.requests])

    def test_what_cannot_be_run_has_the_status_of_a_shell(self):
        for arguments, status in (
            (("run", "--", "/no/such/command"), 127),
            (("run", "--", "/"), 126),
            (("run",), 64),
            (("run", "--colour", "--", "true"), 64),
            (("sidecar",), 64),
            (("run", "--profile", "[]", "--", "true"), 64),
        ):
            with self.subTest(arguments):
                self.assertEqual(self.ended(self.begin(*arguments))[0], status)
        self.assertEqual(self.registry.routes(), [])

    def test_signals_reach_the_whole_group(self):
        script = "trap 'echo got; exit 5' {0}; sh -c 'trap \"echo inner; exit\" {0}; echo ready; " + IDLE + "' & wait"
        for number, name in ((signal.SIGTERM, "TERM"), (signal.SIGHUP, "HUP"), (signal.SIGUSR1, "USR1")):
            with self.subTest(name):
                process = self.begin("run", "--", "bash", "-c", script.format(name))
                self.assertEqual(process.stdout.readline(), "ready\n")
                process.send_signal(number)
                status, out, _ = self.ended(process)
                self.assertEqual((status, sorted(out.split())), (5, ["got", "inner"]))

    def test_in_a_terminal_the_command_reads_from_it_and_gets_ctrl_c_once(self):
        command = (
            "import signal, time\nseen = []\nsignal.signal(signal.SIGINT, lambda *_: seen.append(1))\nprint('read', input(), flush=True)\n"
            "while not seen: time.sleep(0.02)\ntime.sleep(0.3)\nprint('interrupts', len(seen), flush=True)\nraise SystemExit(9)"
        )
        terminal = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn([sys.executable, '-m', 'agent_health', *sys.argv[1:]])))"
        process = self.begin("run", "--", sys.executable, "-c", command, program=("-c", terminal))
        process.stdin.write("42\n")
        process.stdin.flush()
        lines = iter(process.stdout.readline, "")
        self.assertTrue(any("read 42" in line for line in lines))
        process.stdin.write("\x03")
        process.stdin.flush()
        self.assertIn("interrupts 1", "".join(lines))
        self.assertEqual(process.wait(WAIT_SECONDS), 9)
        self.assertEqual(self.registry.outcomes(), [])

    def test_a_signal_that_ends_the_command_is_no_failure(self):
        process = self.begin("run", "--", "sleep", "60")
        self.registry.wait_for_heartbeats(2)
        process.terminate()
        self.assertEqual(self.ended(process)[0], 143)
        self.assertEqual(self.registry.outcomes(), [])
        self.registry.wait_for_heartbeats(1, status="draining")

    def test_a_drain_lets_the_command_end(self):
        registry, (status, out, _) = self.drained(script="trap 'echo end; sleep 0.5; exit 0' TERM; " + IDLE)
        self.assertEqual((status, out), (0, "end\n"))
        registry.wait_for_heartbeats(1, status="draining", current_load=1)
        self.assertEqual(len([route for route in registry.routes() if route == "POST /api/v1/agents"]), 1)

    def test_a_hook_begins_the_drain_in_place_of_sigterm(self):
        hook = 'echo "$AGENT_HEALTH_DRAIN_REASON $AGENT_HEALTH_DRAIN_TIMEOUT_SECONDS"; kill -USR1 $AGENT_HEALTH_PID'
        _, (status, out, _) = self.drained("--on-drain", hook, script="trap 'echo usr1; exit 4' USR1; trap '' TERM; " + IDLE)
        self.assertEqual((status, out), (4, "new version 60\nusr1\n"))
        _, (status, out, errors) = self.drained("--on-drain", "false", script="trap 'echo term; exit 0' TERM; " + IDLE)
        self.assertEqual((status, out), (0, "term\n"))
        self.assertIn("--on-drain ended with status 1", errors)

    def test_a_restart_kills_what_does_not_end_and_says_so_by_75(self):
        registry = self.made({"request": "POST /api/v1/agents/{agent}/heartbeat", "from": 2, "to": 2, "merge": RESTART})
        _, (status, _, _) = self.drained(script="trap '' TERM; " + IDLE, registry=registry)
        self.assertEqual(status, 75)

    def test_nothing_of_the_registry_touches_the_command(self):
        away = self.made()
        away.close()
        refusing = self.made({"request": "POST /api/v1/agents", "status": 401, "error": "unauthenticated"})
        for registry, environment, said in (
            (away, {}, "starts without the registry"),
            (refusing, {}, "is the key right?"),
            (self.registry, {"AGENT_HEALTH_URL": ""}, "a setting is wrong"),
            (self.registry, {"AGENT_HEALTH_KEY": ""}, "neither of the environment variables"),
        ):
            with self.subTest(said):
                status, out, errors = self.ended(self.begin("run", "--", "echo", "worked", registry=registry, **environment))
                self.assertEqual((status, out), (0, "worked\n"))
                self.assertIn(said, errors)

    def test_a_command_of_the_registry_is_answered_with_the_place_of_that_program(self):
        status, out, errors = self.ended(self.begin("keys", "list"))
        self.assertEqual((status, out), (64, ""))
        self.assertIn("agent-health keys", errors)
        self.assertIn("java -jar agent-health-local.jar keys", errors)

    def test_a_mistyped_variable_is_a_warning_with_the_nearest_name(self):
        status, out, errors = self.ended(self.begin("run", "--", "echo", "worked", AGENT_HEALTH_ROLEID="x", AGENT_HEALTH_OTHER="y"))
        self.assertEqual((status, out), (0, "worked\n"))
        self.assertIn("AGENT_HEALTH_ROLEID is no variable and is ignored. Is AGENT_HEALTH_ROLE_ID meant?", errors)
        self.assertNotIn("AGENT_HEALTH_OTHER", errors)

    def test_a_command_that_does_not_answer_sends_no_heartbeats(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "alive")
            file.touch()
            process = self.begin("run", "--", "sleep", "60", AGENT_HEALTH_WATCH_FILE=str(file))
            self.registry.wait_for_heartbeats(2)
            file.unlink()
            self.assertIn("no heartbeat is sent", process.stderr.readline())
            seen = len(self.registry.routes())
            time.sleep(0.5)
            self.assertEqual(len(self.registry.routes()), seen)
            file.touch()
            self.registry.wait_for_heartbeats(3)
            process.terminate()
            self.ended(process)


class SidecarTest(ProcessCase):
    def test_sends_heartbeats_while_all_that_is_watched_holds(self):
        class Answer(http.server.BaseHTTPRequestHandler):
            status = 200

            def do_GET(self):
                self.send_response(Answer.status)
                self.end_headers()

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        port = str(server.server_port)
        process = self.begin("sidecar", "--url", "http://127.0.0.1:{}/healthz".format(port), "--port", port, "--pid", str(os.getpid()))
        self.registry.wait_for_heartbeats(2)
        Answer.status = 503
        self.assertIn("no heartbeat is sent", process.stderr.readline())
        seen = len(self.registry.routes())
        time.sleep(0.5)
        self.assertEqual(len(self.registry.routes()), seen)
        Answer.status = 204
        self.registry.wait_for_heartbeats(3)
        process.terminate()
        self.assertEqual(self.ended(process)[0], 0)
        self.registry.wait_for_heartbeats(1, status="draining")

    def test_a_drain_ends_the_process_whose_number_is_in_a_file(self):
        registry = self.made({"request": "POST /api/v1/agents/{agent}/heartbeat", "from": 2, "to": 2, "merge": DRAIN})
        with tempfile.TemporaryDirectory() as folder, subprocess.Popen(["sleep", "60"]) as neighbour:
            threading.Thread(target=neighbour.wait, daemon=True).start()
            file = pathlib.Path(folder, "pid")
            file.write_text(str(neighbour.pid))
            process = self.begin("sidecar", "--pid", str(file), registry=registry)
            self.assertEqual(neighbour.wait(WAIT_SECONDS), -signal.SIGTERM)
            registry.wait_for_heartbeats(2, status="draining")
            # A platform would start it anew.
            self.assertIsNone(process.poll())
            process.terminate()
            self.assertEqual(self.ended(process)[0], 0)

    def test_no_number_stands_for_a_group_of_processes_or_another_users_process(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "pid")
            own = os.getpid()
            for text in ("-1", "0", "1", "-{}".format(own), "+{}".format(own), "1e3", "0x10", "{} 2".format(own), "", "\u0662", "9" * 30):
                file.write_text(text, encoding="utf-8")
                self.assertIsNone(command._number(str(file)), text)
                self.assertFalse(command._lives(str(file)), text)
                self.assertIsNone(command._number(text or "none"), text)
            file.write_text("{}\n".format(own))
            self.assertEqual(command._number(str(file)), own)
            pipe = pathlib.Path(folder, "pipe")
            os.mkfifo(pipe)
            self.assertIsNone(command._number(str(pipe)), "nobody writes into the pipe")

    def test_a_process_of_another_user_is_not_watched(self):
        others = [one for one in os.listdir("/proc") if one.isdigit() and int(one) > 1 and os.stat("/proc/" + one).st_uid != os.geteuid()] if os.path.isdir("/proc") else []
        if os.geteuid() == 0:
            # A child would be this process's to watch: its parent ends at once.
            text = subprocess.run(["sh", "-c", "sleep 60 >/dev/null & echo $!"], user=65534, stdout=subprocess.PIPE, text=True, check=True).stdout
            others = [text.strip()]
            self.addCleanup(os.kill, int(text), signal.SIGKILL)
        if not others:
            self.skipTest("there is no process of another user")
        self.assertFalse(command._lives(others[0]))

    def test_a_sidecar_signals_no_group_of_processes(self):
        with tempfile.TemporaryDirectory() as folder, subprocess.Popen(["sleep", "60"], start_new_session=True) as neighbour:
            file = pathlib.Path(folder, "pid")
            file.write_text("-{}".format(neighbour.pid))
            registry = self.made({"request": "POST /api/v1/agents/{agent}/heartbeat", "merge": DRAIN})
            process = self.begin("sidecar", "--pid", str(file), registry=registry)
            registry.wait("POST /api/v1/agents")
            time.sleep(0.7)
            self.assertEqual([neighbour.poll(), process.poll()], [None, None])
            self.assertEqual([one for one in registry.routes() if one.endswith("/heartbeat")], [])
            neighbour.kill()

    def test_a_command_whose_agent_an_operator_ended_gets_sigterm_and_is_not_registered_again(self):
        registry = self.made(OPERATOR)
        process = self.begin("run", "--", "sh", "-c", "trap 'exit 5' TERM; sleep 60 & wait", registry=registry)
        self.assertEqual(self.ended(process)[0], 5)
        self.assertEqual(registry.routes().count("POST /api/v1/agents"), 1)
        self.assertEqual([one for one in registry.routes() if one.startswith("DELETE")], [])

    def test_a_command_runs_on_where_it_is_to_register_again(self):
        registry = self.made({**OPERATOR, "from": 2, "to": 2})
        process = self.begin("run", "--register-again", "always", "--", "sleep", "60", registry=registry)
        registry.wait("POST /api/v1/agents", 2)
        registry.wait_for_heartbeats(1, incarnation=2)
        self.assertIsNone(process.poll())
        process.terminate()
        self.ended(process)

    def test_a_sidecar_whose_agent_an_operator_ended_ends_the_process_and_stays(self):
        registry = self.made(OPERATOR)
        with subprocess.Popen(["sleep", "60"]) as neighbour:
            threading.Thread(target=neighbour.wait, daemon=True).start()
            process = self.begin("sidecar", "--pid", str(neighbour.pid), registry=registry)
            self.assertEqual(neighbour.wait(WAIT_SECONDS), -signal.SIGTERM)
            time.sleep(0.7)
            self.assertIsNone(process.poll())
            self.assertEqual(registry.routes().count("POST /api/v1/agents"), 1)
            process.terminate()
            self.assertEqual(self.ended(process)[0], 0)


if __name__ == "__main__":
    unittest.main()
