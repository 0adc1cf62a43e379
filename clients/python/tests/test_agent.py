"""Registration, heartbeats, drain and end of an agent, on a clock that the tests move."""

import asyncio
import json
import pathlib
import socket
import unittest

from agent_health import RegistryUnavailable, State
from agent_health.outcomes import MAX_BATCH
from tests.fakes import START, Fixture, problem, response

STARTED_AT = START.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class HeartbeatTest(unittest.TestCase):
    def setUp(self):
        self.fixture = Fixture(role_id="billing", capabilities=["a"], max_concurrent_tasks=5, profile={"metadata": {"x": 1}})
        self.registry, self.runtime, self.agent = self.fixture.registry, self.fixture.runtime, self.fixture.agent

    def test_registers_with_replace_and_its_profile(self):
        self.agent.start()
        self.assertEqual(
            self.registry.registrations(),
            [{"agent_id": "agent_a", "role_id": "billing", "capabilities": ["a"], "capacity": {"max_concurrent_tasks": 5},
              "instance": socket.gethostname(), "metadata": {"x": 1}, "replace": True, "started_at": STARTED_AT}],
        )
        self.assertEqual(self.agent.state, State.ACTIVE)

    def test_sends_heartbeats_with_jitter_never_later_than_the_interval(self):
        self.agent.start()
        times = []
        self.registry.rules["POST /api/v1/agents/agent_a/heartbeat"] = lambda body: times.append(self.runtime.time) or response(200, {})
        self.runtime.advance(3000)
        pauses = [round(later - earlier, 3) for earlier, later in zip(times, times[1:])]
        self.assertGreater(len(set(pauses)), 50)
        self.assertTrue(all(27 <= pause <= 30 for pause in pauses), pauses)

    def test_names_its_incarnation_and_time(self):
        self.agent.start()
        self.runtime.advance(0)
        self.assertEqual(self.registry.heartbeats()[0]["incarnation"], 1)
        self.assertEqual(self.registry.heartbeats()[0]["client_timestamp"], "2026-02-08T12:00:00.000Z")

    def test_obeys_the_interval_that_the_registry_suggests(self):
        self.agent.start()
        self.registry.acknowledgement = {"next_heartbeat_in_seconds": 95}
        self.runtime.advance(0)
        self.registry.acknowledgement = {}
        self.runtime.advance(94)
        self.assertEqual(len(self.registry.heartbeats()), 1)
        self.runtime.advance(1)
        self.assertEqual(len(self.registry.heartbeats()), 2)
        self.runtime.advance(30)
        self.assertEqual(len(self.registry.heartbeats()), 3)

    def test_sends_heartbeats_to_the_url_of_the_registration(self):
        self.registry.record["heartbeat_url"] = "http://registry.test:81/h/agent_a/heartbeat"
        self.agent.start()
        self.runtime.advance(0)
        self.assertEqual(self.registry.requests[-1][2].url, "http://registry.test:81/h/agent_a/heartbeat")

    def test_the_key_goes_to_no_address_without_tls_and_to_another_host_only_if_named_over_tls(self):
        file = pathlib.Path(__file__).resolve().parents[2] / "scenarios" / "addresses" / "heartbeat-url.json"
        for case in json.loads(file.read_text(encoding="utf-8")):
            with self.subTest(case["says"]):
                fixture = Fixture(url=case["registry"])
                named = case["named"].replace("{agent}", "agent_a")
                fixture.registry.record["heartbeat_url"] = named
                fixture.agent.start()
                fixture.runtime.advance(0)
                usual = case["registry"] + "/api/v1/agents/agent_a/heartbeat"
                self.assertEqual(fixture.registry.requests[-1][2].url, named if case["used"] else usual)

    def test_falls_back_to_the_api_where_that_url_does_not_answer(self):
        self.registry.record["heartbeat_url"] = "http://registry.test:81/h/agent_a/heartbeat"
        self.agent.start()
        for answer in (RegistryUnavailable("away"), response(403, {"Message": "Forbidden"})):
            self.registry.answers = [answer]
            self.registry.requests.clear()
            self.runtime.advance(30)
            self.assertEqual([request.url.split("/")[2] for _, _, request in self.registry.requests[:2]], ["registry.test:81", "registry.test"])
        self.assertEqual(self.fixture.errors, [])

    def test_reports_running_tasks_as_load(self):
        self.agent.start()
        with self.agent.running("invoice_1"), self.agent.running("invoice_2"), self.agent.running():
            self.runtime.advance(30)
        self.runtime.advance(30)
        during, after = self.registry.heartbeats()[1:3]
        self.assertEqual((during["current_load"], during["tasks_in_progress"]), (3, ["invoice_1", "invoice_2"]))
        self.assertEqual((after["current_load"], after["tasks_in_progress"]), (0, []))

    def test_waits_for_retry_after_when_it_is_limited(self):
        self.agent.start()
        self.registry.answers = [problem(429, "rate_limited", retry_after=20)]
        self.runtime.advance(19)
        self.assertEqual(len(self.registry.heartbeats()), 1)
        self.runtime.advance(2)
        self.assertEqual(len(self.registry.heartbeats()), 2)

    def test_a_failing_callback_changes_nothing(self):
        fixture = Fixture(on_error=lambda error: 1 / 0)
        fixture.agent.start()
        fixture.registry.down = True
        with self.assertLogs("agent_health", "ERROR"):
            fixture.runtime.advance(30)
        fixture.registry.down = False
        fixture.runtime.advance(60)
        self.assertIsNone(fixture.agent.last_error)


class EndTest(unittest.TestCase):
    def setUp(self):
        self.fixture = Fixture()
        self.registry, self.runtime, self.agent = self.fixture.registry, self.fixture.runtime, self.fixture.agent

    def test_close_deregisters_this_incarnation_only(self):
        self.agent.start()
        self.agent.close()
        self.assertEqual(self.registry.routes()[-3:], ["POST /api/v1/agents/agent_a/heartbeat"] * 2 + ["DELETE /api/v1/agents/agent_a"])
        self.assertEqual(self.registry.heartbeats()[-1]["status"], "draining")
        self.assertTrue(self.registry.requests[-1][2].url.endswith("?incarnation=1"))
        self.assertEqual(self.agent.state, State.STOPPED)
        count = len(self.registry.requests)
        self.agent.close()
        self.runtime.advance(100)
        self.assertEqual(len(self.registry.requests), count)

    def test_close_sends_no_deregistration_where_the_drain_is_complete_at_once(self):
        self.agent.start()
        self.registry.acknowledgement = {"agent_status": "deregistered"}
        self.agent.close()
        self.assertNotIn("DELETE /api/v1/agents/agent_a", self.registry.routes())

    def test_close_waits_for_running_tasks_and_sends_their_outcomes(self):
        self.agent.start()
        running = self.agent.running().__enter__()
        ended_at = []

        def end():
            running.__exit__(None, None, None)
            ended_at.append(self.runtime.time)

        steps = [lambda: 10.0, end]
        self.runtime.repeat("task", lambda: steps.pop(0)())
        self.agent.close()
        self.assertEqual(ended_at, [1010.0])
        self.assertEqual([(body["status"], body["current_load"]) for body in self.registry.heartbeats()[:3]],
                         [("draining", 1), ("draining", 0), ("draining", 0)])
        self.assertEqual(self.fixture.drains, [])
        self.assertEqual(sum(len(body.get("outcomes", [])) for body in self.registry.heartbeats()), 1)

    def test_close_sends_all_outcomes_that_wait(self):
        self.agent.start()
        for _ in range(1200):
            self.agent.record("success")
        self.registry.acknowledgement = {"agent_status": "deregistered"}
        self.agent.close()
        sent = self.registry.heartbeats() + self.registry.bodies("/outcomes")
        self.assertEqual(sum(len(body.get("outcomes", [])) for body in sent), 1200)

    def test_close_gives_up_soon_where_the_registry_is_away(self):
        self.agent.start()
        self.registry.down = True
        self.runtime.advance(300)
        count, before = len(self.registry.requests), self.runtime.time
        self.agent.close()
        self.assertEqual(len(self.registry.requests) - count, 1)
        self.assertEqual(self.runtime.time, before)
        self.assertEqual(self.agent.state, State.STOPPED)

    def test_an_exception_in_the_block_drains_too(self):
        with self.assertRaises(KeyError):
            with self.agent:
                raise KeyError("own")
        self.assertIn("DELETE /api/v1/agents/agent_a", self.registry.routes())

    def test_a_drain_command_calls_back_and_ends_when_the_work_is_done(self):
        self.runtime.runs_at_once = False
        self.agent.start()
        self.registry.acknowledgement = {"pending_commands": [{"command": "drain", "reason": "restart", "drain_timeout_seconds": 60}]}
        self.runtime.advance(0)
        self.registry.acknowledgement = {}
        self.assertFalse(self.agent.accepts_work)
        self.assertEqual(self.registry.heartbeats()[-1]["status"], "draining")
        self.assertEqual(self.registry.heartbeats()[-1]["current_load"], 1)
        self.registry.acknowledgement = {"agent_status": "deregistered"}
        self.runtime.begun[0]()
        self.runtime.advance(0)
        self.assertEqual([(drain.reason, drain.timeout_seconds) for drain in self.fixture.drains], [("restart", 60)])
        self.assertEqual(self.registry.heartbeats()[-1]["current_load"], 0)
        self.assertEqual(self.agent.state, State.STOPPED)
        self.assertTrue(self.agent.wait(0))

    def test_a_drain_by_an_operator_is_noticed_by_the_status(self):
        self.agent.start()
        self.registry.acknowledgement = {"agent_status": "draining"}
        self.runtime.advance(0)
        self.assertEqual(len(self.fixture.drains), 1)
        self.assertEqual(self.agent.state, State.DRAINING)

    def test_a_drain_that_ends_while_the_registry_is_away_ends_here(self):
        self.agent.start()
        self.runtime.advance(0)
        self.registry.down = True
        self.agent.drain("restart")
        self.runtime.advance(120)
        self.assertEqual(self.agent.state, State.STOPPED)

    def test_410_after_the_drain_is_no_death(self):
        self.agent.start()
        self.agent.drain()
        self.registry.rules["POST /api/v1/agents/agent_a/heartbeat"] = problem(410, "agent_gone")
        self.runtime.advance(0)
        self.assertEqual(self.fixture.deaths, [])
        self.assertEqual(len(self.registry.registrations()), 1)
        self.assertEqual(self.agent.state, State.STOPPED)

    def test_a_dead_agent_calls_back_and_registers_again_without_replace(self):
        self.agent.start()
        self.registry.answers = [problem(410, "agent_gone")]
        self.runtime.advance(10)
        self.assertEqual([error.code for error in self.fixture.deaths], ["agent_gone"])
        self.assertEqual([body.get("replace") for body in self.registry.registrations()], [True, None])
        # A process that registers again has not restarted.
        self.assertEqual([body["started_at"] for body in self.registry.registrations()], [STARTED_AT] * 2)
        self.runtime.advance(30)
        self.assertEqual(self.registry.heartbeats()[-1]["incarnation"], 2)

    def test_a_dead_agent_stays_away_by_policy(self):
        fixture = Fixture(register_again=False)
        fixture.agent.start()
        fixture.registry.answers = [problem(410, "agent_gone")]
        fixture.runtime.advance(100)
        self.assertEqual(len(fixture.registry.registrations()), 1)
        self.assertEqual(fixture.agent.state, State.STOPPED)

    def test_an_erased_agent_registers_again(self):
        self.agent.start()
        self.registry.answers = [problem(404, "agent_not_found")]
        self.runtime.advance(10)
        self.assertEqual(len(self.registry.registrations()), 2)

    def test_a_lost_answer_to_registering_again_is_recognised_by_the_incarnation(self):
        for incarnation, state in ((2, State.ACTIVE), (3, State.SUPERSEDED)):
            with self.subTest(incarnation):
                fixture = Fixture()
                fixture.agent.start()
                record = response(200, {"incarnation": incarnation, "last_heartbeat_at": fixture.registry.text()})
                fixture.registry.rules["GET /api/v1/agents/agent_a"] = record
                fixture.registry.answers = [problem(410, "agent_gone"), RegistryUnavailable("cut"), problem(409, "agent_exists")]
                fixture.runtime.advance(60)
                self.assertEqual([body.get("replace") for body in fixture.registry.registrations()], [True, None, None])
                self.assertEqual(fixture.agent.state, state)
        self.assertEqual(fixture.registry.heartbeats()[-1]["incarnation"], 1)

    def test_a_registration_that_was_surely_not_stored_recognises_nothing(self):
        self.agent.start()
        refused = RegistryUnavailable("refused", maybe_stored=False)
        self.registry.answers = [problem(410, "agent_gone"), refused, problem(429, "rate_limited"), problem(409, "agent_exists")]
        self.runtime.advance(60)
        self.assertEqual(self.agent.state, State.SUPERSEDED)

    def test_registering_again_yields_to_another_process(self):
        self.agent.start()
        self.registry.answers = [problem(410, "agent_gone"), problem(409, "agent_exists")]
        self.runtime.advance(60)
        self.assertEqual(self.agent.state, State.SUPERSEDED)

    def test_a_superseded_process_stops_for_good(self):
        self.agent.start()
        self.agent.record("success")
        self.registry.answers = [problem(410, "superseded", outcomes={"status_code": 202})]
        self.runtime.advance(300)
        self.assertEqual(len(self.registry.heartbeats()), 1)
        self.assertEqual(len(self.registry.registrations()), 1)
        self.assertEqual(self.registry.bodies("/outcomes"), [])
        self.assertEqual(self.fixture.superseded, [True])
        self.assertEqual(self.agent.state, State.SUPERSEDED)
        self.agent.close()
        self.assertNotIn("DELETE /api/v1/agents/agent_a", self.registry.routes())

    def test_a_callback_may_close_the_agent(self):
        fixture = Fixture(on_dead=lambda error: fixture.agent.close())
        fixture.agent.start()
        fixture.registry.answers = [problem(410, "agent_gone")]
        fixture.runtime.advance(100)
        self.assertEqual(len(fixture.registry.registrations()), 1)
        self.assertEqual(fixture.agent.state, State.STOPPED)


class OutcomesTest(unittest.TestCase):
    def setUp(self):
        self.fixture = Fixture()
        self.registry, self.runtime, self.agent = self.fixture.registry, self.fixture.runtime, self.fixture.agent

    def test_tasks_are_outcomes_in_the_next_heartbeat(self):
        @self.agent.task
        def work(seconds):
            self.runtime.sleep(seconds)
            return "done"

        @self.agent.task
        def broken():
            raise TimeoutError("own")

        self.agent.start()
        self.assertEqual(work(0.25), "done")
        with self.assertRaises(TimeoutError):
            broken()
        self.runtime.advance(30)
        outcomes = self.registry.heartbeats()[0]["outcomes"]
        self.assertEqual([(one["result"], one["latency_ms"], one.get("error_type")) for one in outcomes],
                         [("success", 250.0, None), ("failure", 0.0, "timeout")])

    def test_async_functions_and_generators_count_while_they_run(self):
        loads = []

        @self.agent.task
        async def later():
            loads.append(self.agent._tasks.load)
            await asyncio.sleep(0)
            return 1

        @self.agent.task
        def items():
            yield self.agent._tasks.load
            raise ValueError("own")

        @self.agent.task
        async def later_items():
            yield self.agent._tasks.load

        async def collect():
            return [item async for item in later_items()]

        self.assertEqual(asyncio.run(later()), 1)
        loads.append(next(generator := items()))
        with self.assertRaises(ValueError):
            next(generator)
        loads.extend(asyncio.run(collect()))
        self.assertEqual(loads, [1, 1, 1])
        self.assertEqual(self.agent._tasks.load, 0)
        self.agent.start()
        self.runtime.advance(0)
        self.assertEqual([one["result"] for one in self.registry.heartbeats()[0]["outcomes"]], ["success", "failure", "success"])

    def test_what_is_cancelled_is_no_outcome(self):
        with self.assertRaises(asyncio.CancelledError):
            with self.agent.running():
                raise asyncio.CancelledError()
        self.assertEqual(len(self.agent._outcomes), 0)

    def test_a_task_may_fail_without_an_exception(self):
        with self.agent.running() as task:
            task.note(receipt_id="rcpt_1", sla_breached=True)
            task.fail("malformed")
        self.agent.start()
        self.runtime.advance(0)
        outcome = self.registry.heartbeats()[0]["outcomes"][0]
        self.assertEqual((outcome["result"], outcome["error_type"], outcome["receipt_id"], outcome["sla_breached"]),
                         ("failure", "malformed", "rcpt_1", True))

    def test_an_outcome_has_the_tokens_that_the_registry_accepts(self):
        with self.agent.running() as task:
            task.note(usage={"input_tokens": 9, "output_tokens": -1, "model_calls": True, "tool_calls": 10 ** 13, "model": "m" * 101, "x": 1})
        self.agent.record("success", usage={"model": "m"})
        self.agent.start()
        self.runtime.advance(0)
        first, second = self.registry.heartbeats()[0]["outcomes"]
        self.assertEqual(first["usage"], {"input_tokens": 9, "model": "m" * 100})
        self.assertNotIn("usage", second)

    def test_calls_of_a_task_are_counted_and_noted_numbers_win(self):
        with self.agent.running() as task:
            with self.agent.model() as call:
                call.add_usage({"input_tokens": 9, "output_tokens": 2, "model": "m"})
            with self.agent.tool("search"), task.tool():
                pass
            task.note(usage={"output_tokens": 5, "provider": "p"})
        with self.agent.running():
            pass
        self.agent.start()
        self.runtime.advance(0)
        first, second = self.registry.heartbeats()[0]["outcomes"]
        used = {"input_tokens": 9, "output_tokens": 5, "model_calls": 1, "tool_calls": 2, "model": "m", "provider": "p"}
        self.assertEqual(first["usage"], used)
        self.assertNotIn("usage", second)

    def test_an_outcome_has_the_quality_that_an_evaluation_found(self):
        with self.agent.running() as task:
            task.note(quality=0.25, evaluation="r" * 200)
        self.agent.record("failure", quality=1)
        self.agent.start()
        self.runtime.advance(0)
        first, second = self.registry.heartbeats()[0]["outcomes"]
        self.assertEqual((first["quality"], first["evaluation"]), (0.25, "r" * 128))
        self.assertEqual(second["quality"], 1.0)
        self.assertNotIn("evaluation", second)
        for wrong in (
            {"quality": 1.1},
            {"quality": -0.1},
            {"quality": float("nan")},
            {"evaluation": "relevance"},
        ):
            with self.assertRaises(ValueError):
                self.agent.record("success", **wrong)
        with self.assertRaises(ValueError):
            self.agent.record("trigger_failure", quality=1)

    def test_a_batch_keeps_its_id_and_content_until_it_is_counted(self):
        self.agent.start()
        self.agent.record("success", latency_ms=1)
        self.registry.answers = [RegistryUnavailable("cut"), response(200, {"outcomes": {"status_code": 503}})]
        self.runtime.advance(5)
        self.agent.record("success", latency_ms=2)
        self.runtime.advance(120)
        sent = [(body.get("batch_id"), body.get("outcomes")) for body in self.registry.heartbeats()[:5]]
        self.assertEqual(sent[0], sent[1])
        self.assertEqual(sent[1], sent[2])
        self.assertNotEqual(sent[2][0], sent[3][0])
        self.assertEqual([one["latency_ms"] for one in sent[3][1]], [2])
        self.assertEqual(sent[4], (None, None))

    def test_outcomes_of_a_dead_agent_are_sent_after_it_registered_again(self):
        self.agent.start()
        self.agent.record("success")
        self.registry.answers = [problem(410, "agent_gone")]
        self.runtime.advance(60)
        first, second = self.registry.heartbeats()[:2]
        self.assertEqual(first["batch_id"], second["batch_id"])

    def test_a_busy_agent_sends_full_batches_apart(self):
        self.agent.start()
        for _ in range(MAX_BATCH * 3 + 5):
            self.agent.record("success")
        self.runtime.advance(0)
        self.assertEqual([len(body["outcomes"]) for body in self.registry.bodies("/outcomes")], [MAX_BATCH, MAX_BATCH, 5])

    def test_what_the_registry_names_as_wrong_is_dropped_and_the_rest_sent_again(self):
        self.agent.start()
        for latency in (1, 2, 3):
            self.agent.record("success", latency_ms=latency)
        errors = [{"field": "outcomes[1].occurred_at", "message": "must not be before"}]
        self.registry.answers = [response(200, {"outcomes": {"status_code": 400, "errors": errors, "detail": "d"}})]
        with self.assertLogs("agent_health", "ERROR"):
            self.runtime.advance(0)
        self.runtime.advance(30)
        first, second = self.registry.heartbeats()
        self.assertNotEqual(first["batch_id"], second["batch_id"])
        self.assertEqual([one["latency_ms"] for one in second["outcomes"]], [1, 3])

    def test_only_the_newest_outcomes_wait(self):
        with self.assertLogs("agent_health", "WARNING"):
            for number in range(10_010):
                self.agent.record("success", latency_ms=number)
        self.assertEqual(len(self.agent._outcomes), 10_000)
        self.agent.start()
        self.runtime.advance(0)
        self.assertEqual(self.registry.heartbeats()[0]["outcomes"][0]["latency_ms"], 10)

    def test_what_no_heartbeat_can_carry_is_refused_or_mended_at_once(self):
        for wrong in ({"result": "maybe"}, {"result": "failure", "error_type": "bad luck"}, {"result": "success", "error_type": "other"}):
            with self.subTest(wrong), self.assertRaises(ValueError):
                self.agent.record(**wrong)
        self.agent.start()
        self.agent.record("success", latency_ms=float("nan"), receipt_id="r\ud800")
        with self.agent.running("x" * 200 + "\ud800"), self.agent.running(""):
            self.runtime.advance(0)
        body = self.registry.heartbeats()[0]
        self.assertEqual(body["tasks_in_progress"], ["x" * 128])
        self.assertEqual(body["current_load"], 2)
        self.assertEqual({name: body["outcomes"][0].get(name) for name in ("latency_ms", "receipt_id")}, {"latency_ms": None, "receipt_id": "r?"})

    def test_error_types_are_found_or_given(self):
        class Refused(Exception):
            status_code = 404

        fixture = Fixture(error_types=lambda error: "client_error" if isinstance(error, KeyError) else "nonsense")
        for agent, error in ((self.agent, Refused()), (fixture.agent, KeyError()), (fixture.agent, ValueError())):
            with self.assertRaises(type(error)):
                with agent.running():
                    raise error
        self.assertEqual(self.agent._outcomes._waiting[0].fields["error_type"], "client_error")
        self.assertEqual([one.fields["error_type"] for one in fixture.agent._outcomes._waiting], ["client_error", "other"])


class RestartTest(unittest.TestCase):
    COMMAND = {"agent_status": "active", "pending_commands": [{"command": "restart", "reason": "stalled", "drain_timeout_seconds": 60}]}

    def test_drains_and_ends_the_process_with_status_75(self):
        fixture = Fixture()
        exits = []
        fixture.agent._exit = lambda status: exits.append((status, fixture.agent.state))
        fixture.agent.start()
        fixture.registry.acknowledgement = self.COMMAND
        fixture.runtime.advance(0)
        fixture.registry.acknowledgement = {"agent_status": "deregistered"}
        fixture.runtime.runs_at_once = False
        self.assertEqual(exits, [(75, State.STOPPED)])

    def test_a_task_that_hangs_delays_it_by_the_timeout_only(self):
        fixture = Fixture()
        exits = []
        fixture.agent._exit = lambda status: exits.append((status, fixture.runtime.time))
        fixture.agent.start()
        began = fixture.runtime.time
        with fixture.agent.running():
            fixture.registry.acknowledgement = self.COMMAND
            fixture.runtime.advance(0)
        self.assertEqual([status for status, _ in exits], [75])
        self.assertTrue(60 <= exits[0][1] - began < 130, exits)

    def test_a_hook_takes_its_place_and_is_called_once(self):
        asked = []
        fixture = Fixture(on_restart=asked.append)
        fixture.agent.start()
        fixture.registry.acknowledgement = self.COMMAND
        fixture.runtime.advance(100)
        self.assertEqual([(one.reason, one.timeout_seconds) for one in asked], [("stalled", 60)])
        self.assertEqual(fixture.agent.state, State.ACTIVE)


if __name__ == "__main__":
    unittest.main()
