"""The hooks for agent frameworks. The tests of a framework are skipped where it is not installed; .ci/check-frameworks installs each."""

import asyncio
import contextlib
import gc
import importlib.util
import pathlib
import sys
import threading
import unittest
from unittest import mock

from agent_health import frameworks, usage
from agent_health.activity import HUMAN, MODEL, TOOL
from tests.fakes import Fixture

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples" / "python" / "frameworks"
SECONDS = 60


def installed(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ImportError:
        return False


class FrameworkCase(unittest.TestCase):
    def setUp(self):
        self.outcomes, self.phases = [], []
        self.agent = Fixture(on_outcome=self.outcomes.append).agent
        self.agent.start()
        self.activities = self.agent._tasks.activities
        self.when_paused = lambda: None
        with mock.patch.object(sys, "path", [*sys.path, str(EXAMPLES)]):
            import stand_ins
            import trips
        self.stand_ins, self.weather = stand_ins, trips.weather
        pauses = mock.patch.object(trips, "pause", self.pause)
        pauses.start()
        self.addCleanup(pauses.stop)

    def pause(self):
        """What the stand-ins and the tool do while they are at work."""
        self.phases.append(self.phase())
        self.when_paused()

    def phase(self):
        activity = self.activities.report()
        return activity and activity["phase"]

    def results(self):
        return [(one["result"], one.get("error_type")) for one in self.outcomes]

    def tearDown(self):
        gc.collect()
        self.assertIsNone(self.phase())
        self.assertEqual(self.agent._tasks.load, 0)

    def assert_waits(self, waits_for):
        activity = self.activities.report()
        self.assertEqual((activity["phase"], activity["for"]), (HUMAN, waits_for))

    def assert_trips(self, plan, **told):
        """A trip that succeeds and one that fails are two outcomes, with the tokens that the stand-in tells."""
        self.assertIn("go, it is sunny", str(plan("Lisbon")))
        self.assertEqual((self.results(), self.phases), ([("success", None)], [MODEL, TOOL, MODEL]))
        with self.assertRaises(TimeoutError):
            plan("Atlantis")
        self.assertEqual((self.results(), self.phases[3:]), ([("success", None), ("failure", "timeout")], [MODEL]))
        used = {"input_tokens": 200, "output_tokens": 20, "cache_read_tokens": 80, "model_calls": 2, "tool_calls": 1, "model": "stand-in", **told}
        usages = [{name: value for name, value in one["usage"].items() if value is not None} for one in self.outcomes]
        self.assertEqual(usages[0], {name: value for name, value in used.items() if value is not None})
        self.assertEqual({**usages[1], "model": None}, {"model_calls": 1, "model": None})

    def fail_in_the_tool(self):
        def fail():
            if self.phase() == TOOL:
                raise OSError("no weather")

        self.when_paused = fail


class WaitsTest(FrameworkCase):
    def test_a_wait_ends_with_its_key_and_the_oldest_of_many_is_given_up(self):
        waits = frameworks._Waits(frameworks._Calls(self.agent))
        for key in range(frameworks._Waits.MAX + 1):
            waits.begin(key, str(key))
        self.assert_waits("1")
        waits.begin(1, "once more")
        waits.end(0)
        for key in range(2, frameworks._Waits.MAX + 1):
            waits.end(key)
        self.assert_waits("once more")
        waits.end(1)

    def test_a_wait_is_shown_after_the_work_and_is_no_task(self):
        waits = frameworks._Waits(frameworks._Calls(self.agent))
        waits.begin("a", "approval")
        with self.agent.running():
            self.assertEqual(self.phase(), "other")
        self.assert_waits("approval")
        self.assertEqual(self.agent._tasks.load, 0)
        waits.end("a")


class CallsTest(FrameworkCase):
    def test_tokens_of_calls_add_up_to_those_of_the_outermost_task(self):
        runs = frameworks._Runs(self.agent)
        runs.begin_run("a")
        runs.begin_run("b", within="a")
        for key, model in (("c", "m"), ("d", "n"), ("e", "n")):
            runs.begin(MODEL, key, within="b")
            runs.end(key, {"input_tokens": 10, "output_tokens": -1, "model": model})
        runs.end("e", {"input_tokens": 99})
        runs.begin(TOOL, "f", within="b")
        runs.end("f")
        runs.end_run("b")
        runs.end_run("a")
        self.assertEqual(self.outcomes[0]["usage"], {"input_tokens": 30, "model_calls": 3, "tool_calls": 1, "model": "n"})

    def test_a_call_of_a_model_within_another_is_the_same_call(self):
        calls = frameworks._Calls(self.agent)
        with self.agent.running(), self.agent.model():
            calls.begin(MODEL, "a")
            calls.end("a", {"input_tokens": 5})
        self.assertEqual(self.outcomes[0]["usage"], {"input_tokens": 5, "model_calls": 1})

    def test_an_answer_of_an_unknown_shape_has_no_tokens(self):
        for read in (usage.of_pydantic_ai, usage.of_strands, usage.of_google):
            self.assertEqual(set(read(object()).values()) - {0, None}, set(), read)
        self.assertEqual(usage.of_langchain(mock.Mock(generations=[[]]))["input_tokens"], 0)
        self.assertEqual(usage.of_openai_agents(object(), object())["input_tokens"], 0)

    def test_crews_whose_agents_share_a_model_count_its_tokens_once(self):
        class Model:
            prompt_tokens = 0

            def get_token_usage_summary(self):
                return mock.Mock(prompt_tokens=self.prompt_tokens, completion_tokens=0, cached_prompt_tokens=0)

        tokens, model = frameworks._CrewTokens(), Model()
        tokens.begin("a", model)
        model.prompt_tokens = 10
        tokens.begin("b", model)
        model.prompt_tokens = 15
        found = [tokens.since(key).get("input_tokens") for key in ("a", "b", "b")]
        self.assertEqual(found, [15, 0, None])

    def test_a_call_whose_end_is_not_reported_ends_with_its_task(self):
        calls = frameworks._Calls(self.agent)
        with self.agent.running():
            calls.begin(TOOL, "a")
            self.assertEqual(self.phase(), TOOL)
        self.assertIsNone(self.phase())
        gc.collect()
        self.assertEqual(len(calls._known), 0)

    def test_another_call_with_its_key_takes_its_place(self):
        calls = frameworks._Calls(self.agent)
        with self.agent.running():
            calls.begin(TOOL, "a")
            calls.begin(MODEL, "a")
            self.assertEqual(self.phase(), MODEL)
            calls.end("a")
            calls.end("a")
            self.assertEqual(self.phase(), "other")

    def test_a_call_outside_of_a_task_or_of_one_that_is_over_is_not_reported(self):
        calls = frameworks._Calls(self.agent)
        calls.begin(MODEL, "a")
        self.assertIsNone(self.phase())
        with self.agent.running() as task:
            pass
        with task.current():
            calls.begin(MODEL, "a")
            self.assertIsNone(self.phase())
            with self.agent.tool():
                self.assertEqual(self.phase(), TOOL)

    def test_a_call_of_a_task_of_another_agent_is_not_reported(self):
        calls = frameworks._Calls(Fixture().agent)
        with self.agent.running():
            calls.begin(MODEL, "a")
            self.assertEqual(self.phase(), "other")

    def test_a_run_within_another_or_within_a_task_is_part_of_it(self):
        runs = frameworks._Runs(self.agent)
        runs.begin_run("a")
        runs.begin_run("b", within="a")
        runs.begin(MODEL, "c", within="b")
        self.assertEqual(self.phase(), MODEL)
        runs.end("c")
        runs.end_run("b", OSError())
        self.assertEqual(self.outcomes, [])
        runs.end_run("a")
        runs.end_run("a")
        self.assertEqual(self.results(), [("success", None)])
        with self.agent.running():
            runs.begin_run("d")
            runs.end_run("d", OSError())
        self.assertEqual(self.results(), [("success", None)] * 2)

    def test_progress_of_a_call_is_reported(self):
        calls = frameworks._Calls(self.agent)
        with self.agent.running():
            calls.begin(MODEL, "a")
            self.agent._runtime.time += 9
            self.assertEqual(self.activities.report()["no_progress_seconds"], 9)
            calls.progress("a")
            self.assertEqual(self.activities.report()["no_progress_seconds"], 0)


@unittest.skipUnless(installed("langgraph") and installed("langchain"), "LangGraph is not installed")
class LangGraphTest(FrameworkCase):
    def setUp(self):
        super().setUp()
        self.callback = frameworks.langgraph_callback(self.agent)

    def planner(self):
        from langchain.agents import create_agent

        return create_agent(self.stand_ins.langgraph_model(), tools=[self.weather]).with_config(callbacks=[self.callback])

    @staticmethod
    def question(city):
        return {"messages": [("user", "Plan a trip to " + city)]}

    def test_runs(self):
        self.assert_trips(lambda city: self.planner().invoke(self.question(city)))

    def test_runs_in_asyncio(self):
        self.assert_trips(lambda city: asyncio.run(self.planner().ainvoke(self.question(city))))

    def test_runs_of_a_batch_are_outcomes_of_their_own(self):
        self.planner().batch([self.question("Lisbon"), self.question("Porto"), self.question("Faro")])
        self.assertEqual(self.results(), [("success", None)] * 3)

    def test_a_run_in_a_task_or_in_the_node_of_a_graph_is_part_of_it(self):
        from langgraph.graph import START, StateGraph

        planner = self.planner()
        graph = StateGraph(dict)
        graph.add_node("plan", lambda state: {"answer": planner.invoke(self.question("Lisbon"))["messages"][-1].text})
        graph.add_edge(START, "plan")
        graph.compile().with_config(callbacks=[self.callback]).invoke({})
        self.agent.task(planner.invoke)(self.question("Lisbon"))
        self.assertEqual(self.results(), [("success", None)] * 2)
        self.assertEqual(self.phases, [MODEL, TOOL, MODEL] * 2)

    def test_a_run_that_pauses_for_a_person_is_no_outcome_and_the_one_that_goes_on_is(self):
        from langgraph.checkpoint.memory import InMemorySaver
        from langgraph.graph import START, StateGraph
        from langgraph.types import Command, interrupt

        graph = StateGraph(dict)
        graph.add_node("ask", lambda state: {"answer": interrupt("Book it?")})
        graph.add_edge(START, "ask")
        graph = graph.compile(checkpointer=InMemorySaver()).with_config(callbacks=[self.callback])
        config = {"configurable": {"thread_id": "1"}}
        graph.invoke({}, config)
        self.assertEqual(self.outcomes, [])
        self.assert_waits("an answer to an interrupt")
        graph.invoke({}, {"configurable": {"thread_id": "2"}})
        graph.invoke(Command(resume="yes"), config)
        self.assertEqual(self.results(), [("success", None)])
        self.assert_waits("an answer to an interrupt")
        graph.invoke(Command(resume="yes"), {"configurable": {"thread_id": "2"}})
        self.assertIsNone(self.phase())

    def test_a_graph_that_pauses_within_a_task_waits_too(self):
        from langgraph.checkpoint.memory import InMemorySaver
        from langgraph.graph import START, StateGraph
        from langgraph.types import Command, interrupt

        inner = StateGraph(dict)
        inner.add_node("ask", lambda state: {"answer": interrupt("Book it?")})
        inner.add_edge(START, "ask")
        graph = StateGraph(dict)
        graph.add_node("inner", inner.compile())
        graph.add_edge(START, "inner")
        graph = graph.compile(checkpointer=InMemorySaver()).with_config(callbacks=[self.callback])
        config = {"configurable": {"thread_id": "1"}}
        self.agent.task(graph.invoke)({}, config)
        self.assert_waits("an answer to an interrupt")
        asyncio.run(graph.ainvoke(Command(resume="yes"), config))
        self.assertIsNone(self.phase())

    def test_a_stream_that_is_left_and_a_run_that_is_cancelled_are_no_outcomes(self):
        next(steps := self.planner().stream(self.question("Lisbon")))
        steps.close()

        async def cancel():
            started, go_on = asyncio.Event(), threading.Event()
            loop = asyncio.get_running_loop()
            self.when_paused = lambda: (loop.call_soon_threadsafe(started.set), go_on.wait(SECONDS))
            run = asyncio.create_task(self.planner().ainvoke(self.question("Lisbon")))
            await started.wait()
            self.assertEqual(self.phase(), MODEL)
            run.cancel()
            go_on.set()
            with self.assertRaises(asyncio.CancelledError):
                await run
            await asyncio.sleep(0)

        asyncio.run(cancel())
        self.assertEqual(self.outcomes, [])

    def test_a_model_that_fails_is_over_where_its_node_goes_on(self):
        from langgraph.graph import START, StateGraph

        def ask(_):
            with self.assertRaises(TimeoutError):
                self.stand_ins.langgraph_model().invoke("Atlantis")
            self.pause()
            return {}

        graph = StateGraph(dict)
        graph.add_node("ask", ask)
        graph.add_edge(START, "ask")
        graph.compile().with_config(callbacks=[self.callback]).invoke({})
        self.assertEqual((self.results(), self.phases), ([("success", None)], [MODEL, "other"]))

    def test_a_tool_that_fails(self):
        self.fail_in_the_tool()
        with self.assertRaises(OSError):
            self.planner().invoke(self.question("Lisbon"))
        self.assertEqual(self.results(), [("failure", "other")])


@unittest.skipUnless(installed("pydantic_ai"), "Pydantic AI is not installed")
class PydanticAiTest(FrameworkCase):
    def planner(self, weather=None):
        from pydantic_ai import Agent

        hooks = frameworks.pydantic_ai_capability(self.agent)
        return Agent(self.stand_ins.pydantic_ai_model(), tools=[weather or self.weather], capabilities=[hooks])

    def test_runs(self):
        self.assert_trips(lambda city: self.planner().run_sync("Plan a trip to " + city).output)

    def test_a_stream(self):
        async def plan(city):
            async with self.planner().run_stream("Plan a trip to " + city) as result:
                return await result.get_output()

        # The stand-in estimates what a stream reads and writes.
        self.assert_trips(lambda city: asyncio.run(plan(city)), input_tokens=mock.ANY, output_tokens=mock.ANY, cache_read_tokens=None)

    def test_the_run_of_another_agent_in_a_tool_is_part_of_the_run(self):
        inner = self.planner()

        async def weather(city: str) -> str:
            return (await inner.run("Plan a trip to " + city)).output

        self.planner(weather).run_sync("Plan a trip to Lisbon")
        self.assertEqual((self.results(), self.phases), ([("success", None)], [MODEL, MODEL, TOOL, MODEL, MODEL]))

    def test_calls_that_need_an_approval_wait_for_a_person(self):
        from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults
        from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
        from pydantic_ai.models.function import FunctionModel

        def answer(messages, _):
            told = any(isinstance(part, ToolReturnPart) for message in messages for part in message.parts)
            return ModelResponse(parts=[TextPart("done") if told else ToolCallPart("pay", {}, tool_call_id="c1")])

        planner = Agent(
            FunctionModel(answer),
            output_type=[str, DeferredToolRequests],
            capabilities=[frameworks.pydantic_ai_capability(self.agent)],
        )
        planner.tool_plain(requires_approval=True)(self.pay)
        for approved in (True, False):
            asked = planner.run_sync("Pay")
            self.assert_waits("approval of pay")
            results = DeferredToolResults(approvals={"c1": approved})
            planner.run_sync(message_history=asked.all_messages(), deferred_tool_results=results)
            self.assertIsNone(self.phase())

    @staticmethod
    def pay() -> str:
        """Pays."""
        return "paid"

    def test_a_run_that_is_cancelled_is_no_outcome(self):
        async def cancel():
            started, go_on = asyncio.Event(), threading.Event()
            loop = asyncio.get_running_loop()
            self.when_paused = lambda: (loop.call_soon_threadsafe(started.set), go_on.wait(SECONDS))
            run = asyncio.create_task(self.planner().run("Plan a trip to Lisbon"))
            await started.wait()
            run.cancel()
            go_on.set()
            with self.assertRaises(asyncio.CancelledError):
                await run

        asyncio.run(cancel())
        self.assertEqual(self.outcomes, [])

    def test_a_tool_that_fails(self):
        self.fail_in_the_tool()
        with self.assertRaises(OSError):
            self.planner().run_sync("Plan a trip to Lisbon")
        self.assertEqual(self.results(), [("failure", "other")])


@unittest.skipUnless(installed("agents"), "the OpenAI Agents SDK is not installed")
class OpenAiAgentsTest(FrameworkCase):
    def setUp(self):
        super().setUp()
        from agents import Agent, Runner, function_tool, set_tracing_disabled

        set_tracing_disabled(True)
        self.runner = Runner
        self.hooks = frameworks.openai_agents_hooks(self.agent)
        self.planner = Agent(name="planner", model=self.stand_ins.openai_agents_model(), tools=[function_tool(self.weather)])

    def test_runs(self):
        run = self.agent.task(self.runner.run_sync)
        # A model that is no name of a model is not told.
        self.assert_trips(lambda city: run(self.planner, "Plan a trip to " + city, hooks=self.hooks).final_output, model=None)

    def test_a_stream(self):
        @self.agent.task
        async def stream(city):
            result = self.runner.run_streamed(self.planner, "Plan a trip to " + city, hooks=self.hooks)
            async for _ in result.stream_events():
                pass
            return result.final_output

        self.assert_trips(lambda city: asyncio.run(stream(city)), model=None)

    def test_a_tool_that_fails_is_told_to_the_model(self):
        self.fail_in_the_tool()
        self.agent.task(self.runner.run_sync)(self.planner, "Plan a trip to Lisbon", hooks=self.hooks)
        self.assertEqual((self.results(), self.phases), ([("success", None)], [MODEL, TOOL, MODEL]))


@unittest.skipUnless(installed("strands"), "Strands is not installed")
class StrandsTest(FrameworkCase):
    def planner(self):
        from strands import Agent, tool

        hooks = frameworks.strands_hooks(self.agent)
        return Agent(model=self.stand_ins.strands_model(), tools=[tool(self.weather)], hooks=[hooks], callback_handler=None)

    def test_runs(self):
        self.assert_trips(self.agent.task(lambda city: self.planner()("Plan a trip to " + city)))

    def test_a_stream(self):
        @self.agent.task
        async def stream(city):
            return [event async for event in self.planner().stream_async("Plan a trip to " + city)][-1]["result"]

        self.assert_trips(lambda city: asyncio.run(stream(city)))

    def test_a_tool_that_fails_is_told_to_the_model(self):
        self.fail_in_the_tool()
        self.agent.task(self.planner())("Plan a trip to Lisbon")
        self.assertEqual((self.results(), self.phases), ([("success", None)], [MODEL, TOOL, MODEL]))

    def test_an_interrupt_waits_for_a_person(self):
        from strands import Agent, tool
        from strands.hooks import BeforeToolCallEvent

        hooks = frameworks.strands_hooks(self.agent)
        planner = Agent(model=self.stand_ins.strands_model(), tools=[tool(self.weather)], hooks=[hooks], callback_handler=None)
        planner.hooks.add_callback(BeforeToolCallEvent, lambda event: event.interrupt("weather", reason="It costs a euro."))
        run = self.agent.task(planner)
        asked = run("Plan a trip to Lisbon")
        self.assertEqual(asked.stop_reason, "interrupt")
        self.assert_waits("approval of weather")
        run([{"interruptResponse": {"interruptId": asked.interrupts[0].id, "response": "yes"}}])
        self.assertIsNone(self.phase())


@unittest.skipUnless(installed("crewai"), "CrewAI is not installed")
class CrewAiTest(FrameworkCase):
    def setUp(self):
        super().setUp()
        from crewai import hooks

        frameworks.crewai_hooks(self.agent)
        # An older version has hooks of models and tools alone.
        self.addCleanup(getattr(hooks, "clear_all_hooks", hooks.clear_all_global_hooks))

    def crew(self):
        from crewai import Agent, Crew, Task
        from crewai.tools import tool

        planner = Agent(role="p", goal="g", backstory="b", llm=self.stand_ins.crewai_model(), tools=[tool("weather")(self.weather)])
        return Crew(agents=[planner], tasks=[Task(description="Plan a trip to {city}", expected_output="A plan", agent=planner)])

    def test_runs(self):
        # A model of a program is one of OpenAI unless it says otherwise.
        self.assert_trips(self.agent.task(lambda city: self.crew().kickoff(inputs={"city": city}).raw), provider="openai")

    def test_a_model_that_calls_tools_in_its_answer(self):
        asked = iter([[{"id": "1", "function": {"name": "weather", "arguments": '{"city": "Lisbon"}'}}], "go, it is sunny"])

        class Native(type(self.stand_ins.crewai_model())):
            def supports_function_calling(self):
                return True

            def call(native, *_, **__):
                self.pause()
                return next(asked)

        with mock.patch.object(self.stand_ins, "crewai_model", lambda: Native(model="stand-in")):
            self.agent.task(self.crew().kickoff)(inputs={"city": "Lisbon"})
        self.assertEqual((self.results(), self.phases), ([("success", None)], [MODEL, TOOL, MODEL]))

    def test_a_tool_that_fails_until_the_crew_gives_up(self):
        self.fail_in_the_tool()
        with self.assertRaises(Exception):
            self.agent.task(self.crew().kickoff)(inputs={"city": "Lisbon"})
        self.assertEqual((self.results(), self.phases[:2]), ([("failure", "other")], [MODEL, TOOL]))

    def test_runs_in_asyncio(self):
        async def plan(city):
            return (await self.crew().akickoff(inputs={"city": city})).raw

        self.assert_trips(lambda city: asyncio.run(self.agent.task(plan)(city)), provider="openai")

    def asking_crew(self, answers):
        from crewai.core.providers.human_input import SyncHumanInputProvider

        crew = self.crew()
        crew.tasks[0].human_input = True

        def ask(*_):
            self.assert_waits("feedback on a result")
            return next(answers)

        async def ask_in_asyncio(*_):
            return ask()

        for name, asked in (("_prompt_input", ask), ("_prompt_input_async", ask_in_asyncio)):
            patch = mock.patch.object(SyncHumanInputProvider, name, staticmethod(asked))
            patch.start()
            self.addCleanup(patch.stop)
        return crew

    def test_a_task_that_asks_for_feedback_waits_for_a_person(self):
        crew = self.asking_crew(iter(["shorter", ""]))
        frameworks.crewai_hooks(Fixture().agent)
        self.assertIn("go, it is sunny", self.agent.task(crew.kickoff)(inputs={"city": "Lisbon"}).raw)
        self.assertEqual(self.phases[:3], [MODEL, TOOL, MODEL])
        self.assertNotIn(HUMAN, self.phases)
        self.assertEqual(self.results(), [("success", None)])

    def test_a_task_that_asks_for_feedback_in_asyncio_waits_for_a_person(self):
        crew = self.asking_crew(iter([""]))

        async def plan():
            return (await crew.akickoff(inputs={"city": "Lisbon"})).raw

        self.assertIn("go, it is sunny", asyncio.run(self.agent.task(plan)()))
        self.assertEqual((self.results(), self.phases), ([("success", None)], [MODEL, TOOL, MODEL]))


@unittest.skipUnless(installed("google.adk"), "Google ADK is not installed")
class GoogleAdkTest(FrameworkCase):
    def setUp(self):
        super().setUp()
        from google.adk.agents import LlmAgent
        from google.adk.apps import App
        from google.adk.runners import InMemoryRunner

        planner = LlmAgent(name="planner", model=self.stand_ins.google_adk_model(), tools=[self.weather])
        self.runner = InMemoryRunner(app=App(name="trips", root_agent=planner, plugins=[frameworks.google_adk_plugin(self.agent)]))

    async def plan(self, city, streaming=False):
        from google.adk.agents.run_config import RunConfig, StreamingMode
        from google.genai import types

        mode = RunConfig(streaming_mode=StreamingMode.SSE if streaming else StreamingMode.NONE)
        session = await self.runner.session_service.create_session(app_name="trips", user_id="u")
        message = types.Content(role="user", parts=[types.Part(text="Plan a trip to " + city)])
        events = self.runner.run_async(user_id="u", session_id=session.id, new_message=message, run_config=mode)
        return [event async for event in events][-1].content.parts[0].text

    def test_runs(self):
        plan = self.agent.task(self.plan)
        self.assert_trips(lambda city: asyncio.run(plan(city)))

    def test_a_stream_of_the_model(self):
        asyncio.run(self.agent.task(self.plan)("Lisbon", streaming=True))
        self.assertEqual((self.results(), self.phases), ([("success", None)], [MODEL, TOOL, MODEL] + [MODEL] * len("go, it is sunny".split())))

    def test_a_tool_that_fails(self):
        self.fail_in_the_tool()
        with self.assertRaises(OSError):
            asyncio.run(self.agent.task(self.plan)("Lisbon"))
        self.assertEqual(self.results(), [("failure", "other")])

    def test_a_run_that_takes_too_long_is_a_failure_once(self):
        @self.agent.task
        async def plan():
            started, go_on = asyncio.Event(), threading.Event()
            loop = asyncio.get_running_loop()
            self.when_paused = lambda: (loop.call_soon_threadsafe(started.set), go_on.wait(SECONDS))
            run = asyncio.create_task(self.plan("Lisbon"))
            await started.wait()
            run.cancel()
            go_on.set()
            with contextlib.suppress(asyncio.CancelledError):
                await run
            raise TimeoutError

        with self.assertRaises(TimeoutError):
            asyncio.run(plan())
        self.assertEqual(self.results(), [("failure", "timeout")])

    def test_a_tool_that_asks_for_a_confirmation_waits_for_a_person(self):
        from google.adk.agents import LlmAgent
        from google.adk.apps import App
        from google.adk.runners import InMemoryRunner
        from google.adk.tools import FunctionTool
        from google.genai import types

        weather = FunctionTool(self.weather, require_confirmation=True)
        planner = LlmAgent(name="planner", model=self.stand_ins.google_adk_model(), tools=[weather])
        runner = InMemoryRunner(app=App(name="trips", root_agent=planner, plugins=[frameworks.google_adk_plugin(self.agent)]))

        async def say(session, part):
            message = types.Content(role="user", parts=[part])
            return [event async for event in runner.run_async(user_id="u", session_id=session.id, new_message=message)]

        async def ask_and_confirm():
            session = await runner.session_service.create_session(app_name="trips", user_id="u")
            events = await say(session, types.Part(text="Plan a trip to Lisbon"))
            self.assert_waits("confirmation of a tool")
            asked = [call for event in events for call in event.get_function_calls() if call.name == "adk_request_confirmation"]
            response = types.FunctionResponse(id=asked[0].id, name=asked[0].name, response={"confirmed": True})
            await say(session, types.Part(function_response=response))
            self.assertIsNone(self.phase())

        asyncio.run(ask_and_confirm())


if __name__ == "__main__":
    unittest.main()
