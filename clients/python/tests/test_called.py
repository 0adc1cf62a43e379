"""Agents that run only while they are called. .ci/check-platforms runs them with the runtime of AWS Lambda."""

import asyncio
import logging
import threading
import time
import unittest
import unittest.mock

from agent_health import CalledAgent, Schedule
from tests.fakes import KEY, URL, FakeRegistry, FakeRuntime, problem, response

logging.getLogger("agent_health").setLevel(logging.CRITICAL)

REGISTER, UPDATE, REPORT = "POST /api/v1/agents", "PATCH /api/v1/agents/billing", "POST /api/v1/agents/billing/outcomes"


class Context:
    def __init__(self, seconds):
        self.get_remaining_time_in_millis = lambda: seconds * 1000


class CalledAgentTest(unittest.TestCase):
    def setUp(self):
        self.runtime = FakeRuntime()
        self.registry = FakeRegistry(self.runtime)

    def agent(self, **options):
        return CalledAgent(URL, KEY, "billing", transport=self.registry, runtime=self.runtime, **options)

    def routes(self):
        return [route for route, _, _ in self.registry.requests]

    def outcomes(self):
        return [(one["result"], one.get("error_type")) for route, body, _ in self.registry.requests if route == REPORT for one in body["outcomes"]]

    def test_registers_once_and_reports_each_call_before_its_answer(self):
        handler = self.agent(role_id="billing-processor", capabilities=["billing"]).handler(lambda event, context: event)
        self.assertEqual(self.routes(), [])
        self.assertEqual([handler(1, None), handler(2, None)], [1, 2])
        self.assertEqual(self.routes(), [REGISTER, REPORT, REPORT])
        registered = self.registry.requests[0][1]
        self.assertEqual(registered["heartbeat_config"], {"mode": "none", "signs_of_life": ["outcomes"]})
        self.assertEqual((registered["role_id"], registered.get("replace")), ("billing-processor", None))

    def test_tokens_of_a_call_are_those_of_its_outcome(self):
        agent = self.agent()

        def used(event, context):
            for _ in range(event):
                agent.add_usage({"input_tokens": 5, "model_calls": 1, "model": "m"})

        async def used_async(event, context):
            used(event, context)

        agent.add_usage({"input_tokens": 99})
        agent.handler(used)(2, None)
        asyncio.run(agent.handler(used_async)(1, None))
        agent.handler(used)(0, None)
        agent.add_usage({"input_tokens": 99})
        usages = [one.get("usage") for route, body, _ in self.registry.requests if route == REPORT for one in body["outcomes"]]
        self.assertEqual(usages, [{"input_tokens": 10, "model_calls": 2, "model": "m"}, {"input_tokens": 5, "model_calls": 1, "model": "m"}, None])

    def test_calls_of_models_and_tools_within_a_call_are_counted_in_its_outcome(self):
        agent = self.agent()

        def work(event, context):
            with agent.model() as one:
                one.add_usage({"input_tokens": 7, "model": "m"})
            with agent.tool("search", event), agent.tool():
                return event

        async def work_async(event, context):
            return work(event, context)

        self.assertEqual(agent.handler(work)(1, None), 1)
        self.assertEqual(asyncio.run(agent.handler(work_async)(2, None)), 2)
        with agent.model():
            pass
        usages = [one.get("usage") for route, body, _ in self.registry.requests if route == REPORT for one in body["outcomes"]]
        self.assertEqual(usages, [{"input_tokens": 7, "model_calls": 1, "tool_calls": 2, "model": "m"}] * 2)

    def test_an_agent_that_an_operator_ended_reports_nothing_more(self):
        gone = problem(410, "agent_gone", ended_by="operator", reason="deregistered")
        handler = self.agent().handler(lambda event, context: event)
        handler(1, None)
        self.registry.answers = [gone]
        self.runtime.advance(3600)
        self.assertEqual([handler(2, None), handler(3, None)], [2, 3])
        self.assertEqual(self.routes(), [REGISTER, REPORT, REPORT])

    def test_it_registers_again_where_its_program_says_so_or_its_owner_ended_it(self):
        for by, options in (("operator", {"register_again": "always"}), ("owner", {}), ("registry", {})):
            with self.subTest(by):
                self.setUp()
                handler = self.agent(**options).handler(lambda event, context: event)
                handler(1, None)
                self.registry.answers = [problem(410, "agent_gone", ended_by=by, reason="deregistered")]
                handler(2, None)
                self.runtime.advance(3600)
                handler(3, None)
                self.assertEqual(self.routes(), [REGISTER, REPORT, REPORT, REGISTER, REPORT, REPORT])
                self.assertEqual(len(self.outcomes()), 4)

    def test_how_a_call_ends(self):
        agent = self.agent()

        @agent.handler
        def handler(event, context):
            if isinstance(event, Exception):
                raise event
            return event

        @agent.handler
        async def handler_async(event):
            return handler.__wrapped__(event, None)

        for event in ({"statusCode": 500}, {"statusCode": 404}, "text"):
            self.assertEqual(handler(event, None), event)
        for error, caller in ((TimeoutError(), lambda one: handler(one, None)), (KeyError(), lambda one: asyncio.run(handler_async(one)))):
            with self.assertRaises(type(error)):
                caller(error)
        self.assertEqual(asyncio.run(handler_async("text")), "text")
        expected = [("failure", "server_error"), ("success", None), ("success", None), ("failure", "timeout"), ("failure", "other"), ("success", None)]
        self.assertEqual(self.outcomes(), expected)

    def test_a_stream_ends_with_its_last_item(self):
        agent = self.agent()

        @agent.handler
        def numbers(fails):
            yield 1
            if fails:
                raise ValueError

        @agent.handler
        async def numbers_async(fails):
            for number in numbers.__wrapped__(fails):
                yield number

        async def collected(fails):
            return [number async for number in numbers_async(fails)]

        self.assertEqual((list(numbers(False)), asyncio.run(collected(False))), ([1], [1]))
        for consumed in (lambda: list(numbers(True)), lambda: asyncio.run(collected(True))):
            self.assertRaises(ValueError, consumed)
        self.assertEqual([result for result, _ in self.outcomes()], ["success", "success", "failure", "failure"])
        numbers(True).close()
        next(unused := numbers(True))
        unused.close()
        self.assertEqual(len(self.outcomes()), 4)

    def test_a_classification_that_fails_hides_no_error(self):
        @self.agent(error_types=lambda error: "wrong").handler
        def handler():
            raise ZeroDivisionError

        self.assertRaises(ZeroDivisionError, handler)
        self.assertEqual(self.outcomes(), [("failure", "other")])

    def test_another_process_registered_it(self):
        self.registry.rules = {REPORT: response(202, {}), REGISTER: problem(409, "agent_exists"), UPDATE: response(200, {})}
        handler = self.agent(schedule=Schedule(every_seconds=60), role_id="r").handler(lambda: None)
        handler()
        handler()
        self.assertEqual(self.routes(), [REGISTER, UPDATE, REPORT, REPORT])
        body = self.registry.requests[1][1]
        self.assertEqual((body["role_id"], body["heartbeat_config"]["mode"]), ("r", None))
        self.assertEqual(body["heartbeat_config"]["schedule"]["every_seconds"], 60)

    def test_the_registry_is_away(self):
        handler = self.agent().handler(lambda: "answer")
        self.registry.down = True
        self.assertEqual({handler() for _ in range(50)}, {"answer"})
        self.assertEqual(self.routes(), [REGISTER])
        self.registry.down = False
        self.runtime.suspend(3600)
        self.assertEqual(handler(), "answer")
        self.assertEqual(self.routes(), [REGISTER, REGISTER, REPORT])
        self.assertEqual(self.outcomes(), [("success", None)] * 51)
        moments = {one["occurred_at"] for one in self.registry.requests[-1][1]["outcomes"]}
        self.assertEqual(moments, {"2026-02-08T12:00:00.000Z", "2026-02-08T13:00:00.000Z"})

    def test_an_answer_that_is_lost_counts_once(self):
        handler = self.agent().handler(lambda: None)
        self.registry.rules[REPORT] = problem(503, "temporarily_unavailable")
        handler()
        del self.registry.rules[REPORT]
        self.runtime.suspend(60)
        handler()
        batches = [body["batch_id"] for route, body, _ in self.registry.requests if route == REPORT]
        self.assertEqual((len(batches), batches[0] == batches[1], len(set(batches))), (3, True, 2))

    def test_a_wrong_key_keeps_outcomes_and_a_refused_one_goes(self):
        handler = self.agent().handler(lambda: None)
        self.registry.rules[REPORT] = problem(401, "unauthenticated")
        handler()
        self.registry.rules[REPORT] = problem(422, "batch_id_reused")
        self.runtime.suspend(60)
        handler()
        del self.registry.rules[REPORT]
        handler()
        # The first call's batch went twice, and was refused with what the second call had recorded.
        self.assertEqual(len(self.outcomes()), 4)

    def test_an_erased_agent_registers_again(self):
        handler = self.agent().handler(lambda: None)
        handler()
        self.registry.rules[REPORT] = problem(404, "agent_not_found")
        handler()
        del self.registry.rules[REPORT]
        self.runtime.suspend(60)
        handler()
        self.assertEqual(self.routes()[-3:], [REGISTER, REPORT, REPORT])

    def test_a_registry_that_hangs_delays_one_answer(self):
        release = threading.Event()
        self.addCleanup(release.set)
        self.registry.rules[REGISTER] = lambda body: release.wait(30)
        agent = CalledAgent(URL, KEY, "billing", transport=self.registry, max_delay=0.2)
        handler = agent.handler(threading.active_count)
        begun = time.monotonic()
        threads = [handler() for _ in range(20)]
        self.assertLess(time.monotonic() - begun, 2)
        # One request in the background, and not one for each call.
        self.assertEqual(len(set(threads[1:])), 1)
        self.assertEqual(self.routes(), [REGISTER])

    def test_a_mock_of_a_context_has_no_time_out(self):
        handler = self.agent().handler(lambda event, context: event)
        for context in (unittest.mock.MagicMock(), unittest.mock.Mock()):
            self.assertEqual(handler("event", context), "event")
        self.assertEqual(self.outcomes(), [("success", None)] * 2)

    def test_a_call_that_is_not_done_in_time(self):
        reported = threading.Event()
        self.registry.rules[REPORT] = lambda body: reported.set() or response(202, {})
        agent = self.agent()
        handler = agent.handler(lambda event, context: reported.wait(30))
        self.assertTrue(handler({}, Context(0.05)))
        self.assertEqual(self.outcomes(), [("failure", "timeout")])
        self.registry.rules.clear()
        agent.handler(lambda event, context: None)({}, Context(900))
        self.assertEqual(self.outcomes()[-1], ("success", None))
        self.assertEqual([one for one in threading.enumerate() if isinstance(one, threading.Timer) and not one.finished.is_set()], [])
