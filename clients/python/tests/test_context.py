"""How full the context of the model is, in heartbeats."""

import unittest

from tests.fakes import Fixture


class ContextTest(unittest.TestCase):
    def setUp(self):
        self.fixture = Fixture()
        self.agent = self.fixture.agent
        self.agent.start()

    def test_heartbeats_have_it_from_the_first_call_on(self):
        self.fixture.runtime.advance(31)
        self.assertNotIn("context_used", self.fixture.registry.heartbeats()[-1])
        self.agent.context_used(0.62)
        self.fixture.runtime.advance(31)
        self.assertEqual(self.fixture.registry.heartbeats()[-1]["context_used"], 0.62)
        self.agent.context_used(1)
        self.fixture.runtime.advance(31)
        self.assertEqual(self.fixture.registry.heartbeats()[-1]["context_used"], 1.0)

    def test_another_number_is_refused_and_changes_nothing(self):
        self.agent.context_used(0.5)
        for wrong in (-0.1, 1.1, float("nan"), float("inf")):
            with self.assertRaises(ValueError):
                self.agent.context_used(wrong)
        self.fixture.runtime.advance(31)
        self.assertEqual(self.fixture.registry.heartbeats()[-1]["context_used"], 0.5)
