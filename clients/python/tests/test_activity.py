"""What heartbeats say of running tasks: the one that is longest without progress."""

import asyncio
import threading
import unittest

from tests.fakes import Fixture


class ActivityTest(unittest.TestCase):
    def setUp(self):
        self.fixture = Fixture()
        self.runtime, self.agent = self.fixture.runtime, self.fixture.agent
        self.agent.start()

    def activity(self, seconds=0):
        self.runtime.time += seconds
        return self.agent._tasks.activities.report()

    def assert_activity(self, phase, age):
        self.assertEqual(self.activity(), {"phase": phase, "no_progress_seconds": float(age)})

    def test_heartbeats_carry_it_and_none_without_a_task(self):
        self.runtime.advance(1)
        self.assertNotIn("activity", self.fixture.registry.heartbeats()[-1])
        with self.agent.running(), self.agent.tool():
            self.runtime.advance(40)
        sent = self.fixture.registry.heartbeats()[-1]["activity"]
        self.assertEqual(sent["phase"], "tool")
        self.assertGreater(sent["no_progress_seconds"], 20)
        self.runtime.advance(40)
        self.assertNotIn("activity", self.fixture.registry.heartbeats()[-1])

    def test_the_task_without_a_call_is_in_its_own_code(self):
        with self.agent.running():
            self.runtime.time += 7
            self.assert_activity("other", 7)
            with self.agent.model():
                self.runtime.time += 3
                self.assert_activity("model", 3)
            self.runtime.time += 2
            self.assert_activity("other", 2)

    def test_progress_counts_for_the_innermost_call(self):
        with self.agent.running() as task, task.tool() as call:
            self.runtime.time += 9
            self.agent.progress()
            self.assert_activity("tool", 0)
            self.runtime.time += 9
            call.progress()
            self.assert_activity("tool", 0)

    def test_each_step_of_an_iterator_is_progress(self):
        with self.agent.running(), self.agent.model() as call:
            ages = []
            for _ in call.each([1, 2, 3]):
                ages.append(self.activity()["no_progress_seconds"])
                self.runtime.time += 5
        self.assertEqual(ages, [0.0, 0.0, 0.0])

    def test_each_item_of_a_generator_is_progress_and_its_user_is_no_part_of_it(self):
        @self.agent.task
        def stream():
            with self.agent.tool():
                yield 1
            self.runtime.time += 4
            yield 2

        steps = stream()
        next(steps)
        self.runtime.time += 50
        self.assert_activity("tool", 50)
        with self.agent.human():
            self.assert_activity("tool", 50)
        next(steps)
        self.assert_activity("other", 4)
        self.assertRaises(StopIteration, next, steps)
        self.assertIsNone(self.activity())

    def test_of_two_tasks_the_one_that_hangs_is_reported(self):
        hanging, working = self.agent.running(), self.agent.running()
        with hanging, working:
            with hanging.tool():
                for _ in range(10):
                    self.runtime.time += 60
                    working.progress()
                self.assert_activity("tool", 600)
            self.assert_activity("other", 0)

    def test_of_two_calls_of_one_task_the_one_that_hangs_is_reported(self):
        with self.agent.running() as task, task.tool():
            self.runtime.time += 60
            with task.model():
                self.runtime.time += 1
                self.assert_activity("tool", 61)

    def test_a_wait_for_a_person_hides_no_stuck_task(self):
        with self.agent.running() as asking, asking.human():
            self.runtime.time += 9000
            self.assert_activity("human", 9000)
            with self.agent.running() as stuck, stuck.tool():
                self.runtime.time += 1000
                self.assert_activity("tool", 1000)

    def test_a_wait_for_a_person_says_what_for(self):
        with self.agent.human("approval of invoice 42"):
            self.assertEqual("approval of invoice 42", self.activity()["for"])
            with self.agent.tool():
                self.assertNotIn("for", self.activity())
        with self.agent.human("x" * 201):
            self.assertEqual("x" * 200, self.activity()["for"])
        with self.agent.human():
            self.assertNotIn("for", self.activity())

    def test_another_thread_names_its_task(self):
        with self.agent.running() as task:

            def work():
                with task.tool():
                    self.runtime.time += 8
                    self.seen = self.activity()
                with self.agent.tool():
                    self.runtime.time += 1

            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        self.assertEqual(self.seen, {"phase": "tool", "no_progress_seconds": 8.0})
        self.assertIsNone(self.activity())

    def test_coroutines_have_their_own_innermost_call(self):
        @self.agent.task
        async def ask(phase, steps):
            with getattr(self.agent, phase)():
                for _ in range(steps):
                    await asyncio.sleep(0)
                    self.agent.progress()
                    self.runtime.time += 1

        async def both():
            slow = asyncio.ensure_future(ask("model", 0))
            await slow
            hang = asyncio.get_running_loop().create_future()

            @self.agent.task
            async def hanging():
                with self.agent.tool():
                    await hang

            stuck = asyncio.ensure_future(hanging())
            await asyncio.sleep(0)
            await ask("model", 5)
            self.seen = self.activity()
            hang.set_result(None)
            await stuck

        asyncio.run(both())
        self.assertEqual(self.seen, {"phase": "tool", "no_progress_seconds": 5.0})

    def test_each_item_of_an_async_stream_is_progress(self):
        async def items():
            for i in range(3):
                yield i

        async def use():
            @self.agent.task
            async def stream():
                with self.agent.model() as call:
                    async for item in call.each(items()):
                        self.runtime.time += 5
                        yield item

            return [(item, self.activity()["no_progress_seconds"]) async for item in stream()]

        self.assertEqual(asyncio.run(use()), [(0, 5.0), (1, 5.0), (2, 5.0)])

    def test_a_blocked_event_loop_is_reported(self):
        turned = [self.runtime.time]
        self.agent._tasks.activities.watch_loop(lambda: turned[0])
        self.assertIsNone(self.activity(4))
        self.assertEqual(self.activity(4), {"phase": "other", "no_progress_seconds": 8.0})
        turned[0] = self.runtime.time
        self.assertIsNone(self.activity())


if __name__ == "__main__":
    unittest.main()
