"""Repeated calls of tools: what heartbeats report, and what is no progress."""

import unittest

from agent_health.activity import MODEL, Activities, Working, call


class Clock:
    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


class RepeatedCalls(unittest.TestCase):
    def setUp(self):
        self.clock = Clock()
        self.activities = Activities(self.clock)

    def tool(self, name, arguments, seconds=10.0):
        with call(self.activities, "tool", tool=name, arguments=arguments):
            self.clock.now += seconds

    def report(self):
        report = self.activities.report()
        return report.get("repeats", 0), report.get("tool", "")

    def test_identical_calls_are_counted_and_are_no_progress(self):
        with Working(self.activities, "other"):
            for _ in range(25):
                self.tool("search", {"b": 1, "a": [2]})
            self.assertEqual((24, "search"), self.report())
            self.assertEqual(240.0, self.activities.report()["no_progress_seconds"])
            self.tool("search", {"a": [3], "b": 1})
            self.assertEqual((0, ""), self.report())
            self.assertEqual(0.0, self.activities.report()["no_progress_seconds"])

    def test_a_repeated_call_that_runs_has_the_age_of_the_loop(self):
        with Working(self.activities, "other"):
            self.tool("search", 1)
            self.tool("search", 1)
            with call(self.activities, "tool", tool="search", arguments=1):
                self.assertEqual(10.0, self.activities.report()["no_progress_seconds"])

    def test_a_dictionary_has_no_order(self):
        with Working(self.activities, "other"):
            self.tool("search", {"a": 1, "b": 2})
            self.tool("search", {"b": 2, "a": 1})
            self.assertEqual((1, "search"), self.report())

    def test_up_to_four_calls_in_turn_are_a_loop(self):
        for length, repeats in ((2, 10), (3, 10), (4, 10), (5, 0)):
            with Working(self.activities, "other"):
                for number in range(11 * length):
                    self.tool("search", number % length)
                self.assertEqual(repeats, self.report()[0], length)

    def test_calls_of_models_between_do_not_end_a_loop_and_a_call_without_name_does(self):
        with Working(self.activities, "other"):
            for _ in range(5):
                with call(self.activities, MODEL):
                    pass
                self.tool("search", "x")
            self.assertEqual((4, "search"), self.report())
            with call(self.activities, "tool"):
                pass
            self.assertEqual((0, ""), self.report())

    def test_the_end_of_the_task_ends_the_loop_and_other_tasks_have_their_own(self):
        with Working(self.activities, "other"):
            for _ in range(5):
                self.tool("search", "x")
        with Working(self.activities, "other"):
            self.tool("search", "x")
            self.assertEqual((0, ""), self.report())

    def test_arguments_that_are_no_json_are_compared_by_their_text(self):
        with Working(self.activities, "other"):
            self.tool("search", {1, 1})
            self.tool("search", {1})
            self.assertEqual((1, "search"), self.report())

    def test_arguments_are_not_kept(self):
        with Working(self.activities, "other") as task:
            with task.tool("search", "s3cret") as one:
                self.assertNotIn("s3cret", repr(vars(one)) + repr(vars(one.repetitions)))


if __name__ == "__main__":
    unittest.main()
