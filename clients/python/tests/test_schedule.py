"""How an agent declares when it runs."""

import unittest

from agent_health import Schedule
from tests.fakes import Fixture


def declared(**options):
    fixture = Fixture(**options)
    fixture.agent.start()
    return fixture.registry.registrations()[0].get("heartbeat_config")


class ScheduleTest(unittest.TestCase):
    def test_registers_with_its_schedule_beside_the_thresholds_of_its_profile(self):
        nightly = Schedule(cron="0 2 * * *", time_zone="Europe/Berlin", grace_seconds=600)
        self.assertEqual(
            declared(schedule=nightly, profile={"heartbeat_config": {"dead_after_seconds": 7200}}),
            {"dead_after_seconds": 7200, "schedule": {"cron": "0 2 * * *", "time_zone": "Europe/Berlin", "grace_seconds": 600}},
        )
        self.assertEqual(declared(schedule=Schedule(every_seconds=3600)), {"schedule": {"every_seconds": 3600}})

    def test_sends_a_nickname_and_a_time_zone_before_the_fields_as_they_are(self):
        for cron in ("@daily", "@every 1h30m", "CRON_TZ=Europe/Berlin 0 2 * * *", "TZ=US/Pacific\t@weekly", "0\t2 ? * *"):
            with self.subTest(cron):
                self.assertEqual(declared(schedule=Schedule(cron=cron)), {"schedule": {"cron": cron}})

    def test_registers_as_one_that_is_only_called(self):
        self.assertEqual(declared(only_called=True), {"mode": "none"})
        self.assertIsNone(declared())

    def test_registers_with_its_signs_of_life(self):
        self.assertEqual(
            declared(only_called=True, signs_of_life=["calls", "outcomes"]),
            {"mode": "none", "signs_of_life": ["calls", "outcomes"]},
        )

    def test_refuses_at_once_what_means_nothing(self):
        for fields in (
            {},
            {"cron": "0 2 * * *", "every_seconds": 60},
            {"cron": "every day"},
            {"cron": "TZ=UTC 0 2 * *"},
            {"every_seconds": 0},
            {"every_seconds": 60, "time_zone": "UTC"},
            {"every_seconds": 60, "grace_seconds": -1},
        ):
            with self.subTest(fields), self.assertRaises(ValueError):
                Schedule(**fields)
        with self.assertRaises(ValueError):
            declared(schedule=Schedule(every_seconds=60), only_called=True)
