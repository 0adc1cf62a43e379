"""What the client does with wrong settings, an absent registry and a wrong clock: see docs/clients.md. Nothing here ends the agent's work."""

import datetime
import unittest

from agent_health import (
    Agent,
    Forbidden,
    InvalidRequest,
    RegistryUnavailable,
    State,
    Unauthenticated,
    UnexpectedAnswer,
)
from agent_health._calls import parsed_time
from tests.fakes import KEY, START, URL, Fixture, problem, response


class StartTest(unittest.TestCase):
    def test_a_url_that_is_none_is_refused_at_once(self):
        for url in ("", "registry", "ftp://registry", "http://", "http://registry:port", "http://user:secret@registry", "http://r/?a=b"):
            with self.subTest(url), self.assertRaises(ValueError):
                Agent(url, KEY, "agent_a")

    def test_a_key_that_no_header_can_carry_is_refused_at_once(self):
        for key in ("", "two words", "line\nbreak", "schlüssel", None):
            with self.subTest(key), self.assertRaises(ValueError):
                Agent(URL, key, "agent_a")

    def test_the_key_is_in_no_text(self):
        fixture = Fixture(key="ahk_secret")
        fixture.agent.start()
        texts = [repr(fixture.agent), repr(fixture.agent.client), repr(fixture.registry.requests[0][2])]
        self.assertNotIn("ahk_secret", " ".join(texts))

    def test_a_url_of_something_else_is_an_error_of_the_start(self):
        fixture = Fixture()
        fixture.registry.answers = [response(404, {"message": "Not Found"})]
        with self.assertRaises(UnexpectedAnswer) as raised:
            fixture.agent.start()
        self.assertIn("is the URL that of the registry?", str(raised.exception))

    def test_a_refused_key_is_reported_once_and_tried_again_each_interval(self):
        for refusal, kind in ((problem(401, "unauthenticated"), Unauthenticated), (problem(403, "forbidden"), Forbidden)):
            fixture = Fixture(profile={"heartbeat_config": {"interval_seconds": 10}})
            fixture.registry.rules["POST /api/v1/agents"] = refusal
            with self.assertLogs("agent_health", "WARNING") as logged:
                fixture.agent.start()
                fixture.runtime.advance(60)
            self.assertTrue(fixture.agent.accepts_work)
            self.assertIsInstance(fixture.agent.last_error, kind)
            self.assertEqual([type(error) for error in fixture.refusals], [kind])
            self.assertEqual([type(error) for error in fixture.errors], [kind])
            self.assertEqual(len(logged.records), 1)
            self.assertEqual("is the key right?" in logged.output[0], kind is Unauthenticated)
            self.assertIn(len(fixture.registry.registrations()), (6, 7))
            del fixture.registry.rules["POST /api/v1/agents"]
            fixture.runtime.advance(10)
            self.assertEqual(fixture.agent.state, State.ACTIVE)

    def test_a_refused_agent_is_closed_without_a_request(self):
        fixture = Fixture()
        fixture.registry.answers = [problem(401, "unauthenticated")]
        fixture.agent.start()
        fixture.agent.close()
        self.assertEqual(len(fixture.registry.requests), 1)

    def test_a_callback_that_fails_for_a_refusal_ends_nothing(self):
        fixture = Fixture(on_refused=lambda error: 1 / 0)
        fixture.registry.answers = [problem(401, "unauthenticated")]
        with self.assertLogs("agent_health", "ERROR"):
            fixture.agent.start()
        self.assertTrue(fixture.agent.accepts_work)

    def test_a_profile_with_mistakes_is_an_error_that_names_them(self):
        fixture = Fixture()
        fixture.registry.answers = [problem(400, "invalid_request", errors=[{"field": "name", "message": "too long"}])]
        with self.assertRaises(InvalidRequest) as raised:
            fixture.agent.start()
        self.assertEqual([(error.field, error.message) for error in raised.exception.fields], [("name", "too long")])

    def test_a_live_agent_of_the_same_id_and_key_is_replaced(self):
        fixture = Fixture()
        fixture.agent.start()
        self.assertIs(fixture.registry.registrations()[0]["replace"], True)

    def test_a_registry_that_is_away_at_the_start_is_registered_with_later(self):
        fixture = Fixture()
        fixture.registry.down = True
        with fixture.agent as agent:
            self.assertEqual(len(fixture.errors), 1)
            self.assertTrue(agent.accepts_work)
            with agent.running():
                fixture.runtime.advance(300)
            self.assertEqual(agent.state, State.STARTING)
            fixture.registry.down = False
            fixture.runtime.advance(60)
            self.assertEqual(agent.state, State.ACTIVE)
            self.assertIs(fixture.registry.registrations()[-1]["replace"], True)
            self.assertEqual([len(body["outcomes"]) for body in fixture.registry.heartbeats() if "outcomes" in body], [1])

    def test_a_key_that_turns_out_to_be_wrong_later_is_reported_and_ends_nothing(self):
        fixture = Fixture()
        fixture.registry.down = True
        fixture.agent.start()
        fixture.registry.down = False
        fixture.registry.rules["POST /api/v1/agents"] = problem(401, "unauthenticated")
        fixture.runtime.advance(120)
        self.assertTrue(fixture.agent.accepts_work)
        self.assertEqual([type(error) for error in fixture.errors], [RegistryUnavailable, Unauthenticated])
        self.assertEqual([type(error) for error in fixture.refusals], [Unauthenticated])


class RunningTest(unittest.TestCase):
    def setUp(self):
        self.fixture = Fixture()
        self.registry, self.runtime, self.agent = self.fixture.registry, self.fixture.runtime, self.fixture.agent
        self.agent.start()
        self.runtime.advance(0)

    def test_ten_minutes_without_the_registry_lose_nothing(self):
        self.registry.down = True
        for _ in range(10):
            with self.agent.running():
                self.runtime.advance(60)
            self.assertTrue(self.agent.accepts_work)
        attempts = len(self.registry.heartbeats()) - 1
        self.assertTrue(20 <= attempts <= 60, attempts)
        self.assertEqual(len(self.fixture.errors), 1)
        self.assertIsInstance(self.agent.last_error, RegistryUnavailable)
        self.registry.down = False
        self.registry.requests.clear()
        self.runtime.advance(60)
        self.assertIsNone(self.agent.last_error)
        self.assertEqual(sum(len(body.get("outcomes", [])) for body in self.registry.heartbeats()), 10)
        self.assertEqual(self.registry.registrations(), [])

    def test_an_outage_longer_than_dead_after_registers_again(self):
        self.registry.down = True
        self.runtime.advance(600)
        self.registry.down = False
        self.registry.answers = [problem(410, "agent_gone")]
        self.runtime.advance(60)
        self.assertEqual(len(self.fixture.deaths), 1)
        self.assertEqual(self.agent.state, State.ACTIVE)
        self.assertEqual(self.agent._session.incarnation, 2)

    def test_a_clock_that_is_off_by_a_day_reports_outcomes_at_the_time_of_the_registry(self):
        fixture = Fixture()
        fixture.runtime.clock_error = datetime.timedelta(days=1)
        fixture.agent.start()
        fixture.runtime.advance(40)
        with fixture.agent.running():
            fixture.runtime.sleep(5)
        fixture.runtime.advance(30)
        body = next(body for body in fixture.registry.heartbeats() if "outcomes" in body)
        occurred_at = parsed_time(body["outcomes"][0]["occurred_at"])
        self.assertLess(abs(occurred_at - START - datetime.timedelta(seconds=45)), datetime.timedelta(milliseconds=5))
        self.assertTrue(body["client_timestamp"].startswith("2026-02-09"))

    def test_a_revoked_key_is_reported_once_and_the_work_goes_on(self):
        self.registry.rules["POST /api/v1/agents/agent_a/heartbeat"] = problem(401, "unauthenticated")
        self.runtime.advance(300)
        self.assertEqual([type(error) for error in self.fixture.errors], [Unauthenticated])
        self.assertTrue(self.agent.accepts_work)
        self.assertTrue(10 <= len(self.registry.heartbeats()) - 1 <= 12)

    def test_a_rotated_key_is_read_anew(self):
        keys = ["ahk_old"]
        fixture = Fixture(key=lambda: keys[-1])
        fixture.agent.start()
        keys.append("ahk_new")
        fixture.runtime.advance(0)
        self.assertEqual([request.headers["X-API-Key"] for _, _, request in fixture.registry.requests], ["ahk_old", "ahk_new"])

    def test_a_function_without_a_key_is_reported_and_ends_nothing(self):
        keys = [KEY]
        fixture = Fixture(key=lambda: keys[0])
        fixture.agent.start()
        keys.clear()
        fixture.runtime.advance(100)
        self.assertEqual(len(fixture.errors), 1)
        self.assertTrue(fixture.agent.accepts_work)
        keys.append(KEY)
        fixture.runtime.advance(60)
        self.assertIsNone(fixture.agent.last_error)

    def test_a_process_suspended_beyond_dead_after_registers_again_and_has_lost_its_leases(self):
        reasons = []
        lease = self.agent.lease("invoice_42", "send", seconds=600, on_lost=reasons.append).acquire()
        self.agent.record("success")
        self.runtime.suspend(400)
        dead = [problem(410, "agent_gone")]
        self.registry.rules["POST /api/v1/agents/agent_a/heartbeat"] = lambda body: dead.pop() if dead else response(200, {})
        self.runtime.advance(60)
        self.assertEqual([error.code for error in self.fixture.deaths], ["agent_gone"])
        self.assertEqual([body.get("replace") for body in self.registry.registrations()], [True, None])
        self.assertTrue(lease.lost)
        self.assertEqual(reasons, ["the agent is dead or deregistered"])
        self.assertEqual(len(self.registry.heartbeats()[-1]["outcomes"]), 1)

    def test_answers_that_are_not_of_the_registry_end_nothing(self):
        self.registry.answers = [response(200), response(302), response(403, {"message": "Forbidden"}), response(502)]
        self.runtime.advance(150)
        self.assertTrue(self.agent.accepts_work)
        self.assertIsNone(self.agent.last_error)


if __name__ == "__main__":
    unittest.main()
