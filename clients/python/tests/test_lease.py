"""Leases, on a clock that the tests move."""

import unittest

from agent_health import LeaseHeld, LeaseLost
from tests.fakes import Fixture, problem, response


class LeaseTest(unittest.TestCase):
    def setUp(self):
        self.fixture = Fixture()
        self.registry, self.runtime, self.agent = self.fixture.registry, self.fixture.runtime, self.fixture.agent
        self.agent.start()
        self.runtime.advance(0)
        self.reasons = []

    def lease(self, **options):
        return self.agent.lease("invoice_42", "send", seconds=60, on_lost=self.reasons.append, **options)

    def leases(self):
        return [(route, body) for route, body, _ in self.registry.requests if "/leases" in route]

    def test_is_acquired_renewed_and_released(self):
        with self.lease() as lease:
            self.assertEqual(lease.fencing_token, 7)
            self.runtime.advance(61)
            lease.check()
        self.assertEqual(
            self.leases(),
            [
                ("POST /api/v1/intents/invoice_42/leases", {"agent_id": "agent_a", "incarnation": 1, "scope": "send", "duration_seconds": 60}),
                *[("PATCH /api/v1/intents/invoice_42/leases/lease_1", {"incarnation": 1, "duration_seconds": 60})] * 3,
                ("DELETE /api/v1/intents/invoice_42/leases/lease_1", None),
            ],
        )
        self.runtime.advance(600)
        self.assertEqual(len(self.leases()), 5)
        with self.assertRaises(LeaseLost):
            lease.check()
        self.assertEqual(self.reasons, [])

    def test_is_lost_when_it_cannot_be_renewed_in_time(self):
        with self.lease() as lease:
            self.registry.down = True
            self.runtime.advance(59)
            self.assertFalse(lease.lost)
            self.runtime.advance(1)
            self.assertTrue(lease.lost)
            self.assertEqual(self.reasons, ["it ran out before it could be renewed"])
            with self.assertRaises(LeaseLost):
                lease.check()
        self.assertNotIn("DELETE", " ".join(route for route, _ in self.leases()))

    def test_survives_a_short_outage(self):
        with self.lease() as lease:
            self.runtime.advance(15)
            self.registry.down = True
            self.runtime.advance(30)
            self.registry.down = False
            self.runtime.advance(120)
            lease.check()

    def test_is_lost_when_the_registry_says_so(self):
        for refusal in (problem(412, "lease_not_in_force"), problem(410, "superseded"), problem(404, "lease_not_found")):
            with self.subTest(refusal.status):
                self.reasons.clear()
                with self.lease() as lease:
                    self.registry.rules["PATCH"] = refusal
                    self.runtime.advance(60)
                    self.assertTrue(lease.lost)
                    self.assertEqual(len(self.reasons), 1)
                del self.registry.rules["PATCH"]

    def test_is_lost_after_the_process_was_suspended(self):
        with self.lease() as lease:
            self.runtime.suspend(61)
            with self.assertRaises(LeaseLost):
                lease.check()

    def test_a_lease_that_the_agent_had_before_is_renewed_at_once(self):
        self.registry.rules["POST /api/v1/intents"] = response(200, self.registry.lease(10))
        with self.lease():
            self.runtime.advance(1)
        self.assertEqual([route.split()[0] for route, _ in self.leases()], ["POST", "PATCH", "DELETE"])

    def test_of_another_agent_is_refused_or_waited_for(self):
        held = problem(409, "lease_held", available_at="2026-02-08T12:01:00Z")
        self.registry.answers = [held]
        with self.assertRaises(LeaseHeld) as raised:
            self.lease().acquire()
        self.assertEqual(raised.exception.available_at, "2026-02-08T12:01:00Z")
        self.registry.answers = [held, held, problem(409, "lease_just_expired", retry_after=2)]
        with self.lease(wait=30):
            self.assertLess(self.runtime.time, 1030)
        self.registry.rules["POST /api/v1/intents"] = held
        began = self.runtime.time
        with self.assertRaises(LeaseHeld):
            self.lease(wait=30).acquire()
        self.assertAlmostEqual(self.runtime.time - began, 30, delta=0.01)

    def test_two_tasks_of_one_process_do_not_share_it(self):
        with self.lease():
            with self.assertRaises(LeaseHeld):
                self.lease().acquire()
        self.lease().acquire().release()

    def test_close_releases_what_is_held(self):
        self.lease().acquire()
        self.agent.close()
        self.assertIn("DELETE /api/v1/intents/invoice_42/leases/lease_1", self.registry.routes())


if __name__ == "__main__":
    unittest.main()
