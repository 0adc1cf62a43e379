"""What agents of other frameworks do, reported by the hooks of each framework. This module imports a framework only where it is asked for.

A run within a task of the agent, such as that of a sub-agent, is part of the task. Calls of models and tools outside of a task are not
reported.
"""

from __future__ import annotations

import threading
import weakref
from contextlib import nullcontext
from typing import Any, ContextManager, Dict, Hashable, Iterable, List, Mapping, Optional, Union

from . import usage
from .activity import HUMAN, MODEL, TOOL, Working, current
from .agent import Agent
from .aio import AsyncAgent
from .tasks import Running

__all__ = [
    "crewai_hooks",
    "google_adk_plugin",
    "langgraph_callback",
    "openai_agents_hooks",
    "pydantic_ai_capability",
    "strands_hooks",
]

AnyAgent = Union[Agent, AsyncAgent]


class _Calls:
    """Calls that begin and end in two hooks, under a key. The end of the task ends those whose second hook is not called. Thread-safe."""

    def __init__(self, agent: AnyAgent) -> None:
        self.tasks = (agent._agent if isinstance(agent, AsyncAgent) else agent)._tasks
        self._activities = self.tasks.activities
        self._known: "weakref.WeakValueDictionary[Hashable, Working]" = weakref.WeakValueDictionary()

    def find(self, key: Hashable = None) -> Optional[Working]:
        """What has this key, or else the innermost task or call of this thread or coroutine."""
        known = self._known.get(key)
        return known if known is not None else current(self._activities)

    def know(self, key: Hashable, working: Working) -> None:
        self._known[key] = working

    def begin(
        self, phase: str, key: Hashable, within: Hashable = None, tool: Any = "", arguments: Any = None
    ) -> None:
        """Begins a call of a task that has the key ``within`` or runs in this thread or coroutine; nothing where there is none."""
        self.end(key)
        parent = self.find(within)
        if parent is not None:
            working = Working(
                self._activities, phase, parent, ambient=False, tool=str(tool or ""), arguments=arguments
            )
            self.know(key, working.__enter__())

    def waiting(self, waits_for: str) -> ContextManager[Any]:
        """A wait for a person within the task of this thread or coroutine; nothing where there is none."""
        parent = self.find()
        return nullcontext() if parent is None else Working(self._activities, HUMAN, parent, waits_for=waits_for)

    def progress(self, key: Hashable) -> None:
        working = self.find(key)
        if working is not None:
            working.progress()

    def end(self, key: Hashable, used: Mapping[str, Any] = {}) -> None:
        working = self._known.pop(key, None)
        if working is not None:
            working.add_usage(used)
            working.__exit__(None, None, None)


class _Waits:
    """Waits for people between two runs, each under a key that the run which goes on has too. Thread-safe."""

    #: Beyond it, the oldest wait is given up: a conversation may never go on.
    MAX = 1_000

    def __init__(self, calls: _Calls) -> None:
        self._activities = calls.tasks.activities
        self._lock = threading.Lock()
        self._open: Dict[Hashable, Working] = {}

    def begin(self, key: Hashable, waits_for: str) -> None:
        self.end(key)
        waiting = Working(self._activities, HUMAN, ambient=False, waits_for=waits_for).__enter__()
        with self._lock:
            self._open[key] = waiting
            oldest = next(iter(self._open)) if len(self._open) > self.MAX else None
        if oldest is not None:
            self.end(oldest)

    def end(self, key: Hashable) -> None:
        with self._lock:
            waiting = self._open.pop(key, None)
        if waiting is not None:
            waiting.__exit__(None, None, None)


def _approval(tools: Iterable[Any]) -> str:
    return "approval of " + ", ".join(sorted({str(tool) for tool in tools}))


class _Runs(_Calls):
    """Runs that begin and end in two hooks, too: those outside of a task are tasks."""

    def __init__(self, agent: AnyAgent) -> None:
        super().__init__(agent)
        self._runs: Dict[Hashable, Running] = {}

    def begin_run(self, key: Hashable, within: Hashable = None) -> None:
        working = self.find(within)
        if working is None:
            working = self._runs[key] = Running(self.tasks, None, ambient=False).__enter__()
        else:
            working.progress()
        self.know(key, working)

    def end_run(self, key: Hashable, error: Optional[BaseException] = None) -> None:
        self.progress(key)
        running = self._runs.pop(key, None)
        if running is not None:
            running.__exit__(None if error is None else type(error), error, None)


def langgraph_callback(agent: AnyAgent) -> Any:
    """A callback handler for LangGraph and LangChain: ``graph.with_config(callbacks=[…])``.

    The outermost run of a graph or chain is a task, with its calls of models, tools and retrievers. A run that pauses at an interrupt, or
    that LangGraph drains, is no outcome: the run that goes on with it is. From the interrupt until the next run of its thread, the agent
    waits for a person.
    """
    from langchain_core.callbacks import BaseCallbackHandler

    try:
        from langgraph.callbacks import GraphCallbackHandler as Base
        from langgraph.errors import GraphBubbleUp as Paused
    except ImportError:
        Base, Paused = BaseCallbackHandler, ()
    runs = _Runs(agent)
    waits = _Waits(runs)
    threads: Dict[Any, Hashable] = {}

    class AgentHealthCallback(Base):  # type: ignore[misc]
        # No hook waits, so that none needs a thread.
        run_inline = True

        def on_chain_start(
            self, *_: Any, run_id: Any, parent_run_id: Any = None, metadata: Any = None, **__: Any
        ) -> None:
            thread = (metadata or {}).get("thread_id")
            if parent_run_id is None and thread is not None:
                threads[run_id] = thread
                waits.end(thread)
            runs.begin_run(run_id, parent_run_id)

        def on_chain_end(self, *_: Any, run_id: Any, **__: Any) -> None:
            threads.pop(run_id, None)
            runs.end_run(run_id)

        def on_chain_error(self, error: BaseException, *_: Any, run_id: Any, **__: Any) -> None:
            threads.pop(run_id, None)
            runs.end_run(run_id, GeneratorExit() if isinstance(error, Paused) else error)

        def on_interrupt(self, event: Any) -> None:
            runs.end_run(event.run_id, GeneratorExit())
            if event.run_id in threads:
                # The value of an interrupt may be a secret.
                waits.begin(threads[event.run_id], "an answer to an interrupt")

        def on_chat_model_start(self, *_: Any, run_id: Any, parent_run_id: Any = None, **__: Any) -> None:
            runs.begin(MODEL, run_id, parent_run_id)

        def on_tool_start(
            self, serialized: Any, input_str: Any, *_: Any, run_id: Any, parent_run_id: Any = None, **__: Any
        ) -> None:
            runs.begin(TOOL, run_id, parent_run_id, (serialized or {}).get("name"), input_str)

        def on_retriever_start(self, *_: Any, run_id: Any, parent_run_id: Any = None, **__: Any) -> None:
            runs.begin(TOOL, run_id, parent_run_id)

        def on_llm_new_token(self, *_: Any, run_id: Any, **__: Any) -> None:
            runs.progress(run_id)

        def on_llm_end(self, response: Any, *_: Any, run_id: Any, **__: Any) -> None:
            runs.end(run_id, usage.of_langchain(response))

        def on_tool_end(self, *_: Any, run_id: Any, **__: Any) -> None:
            runs.end(run_id)

        on_llm_start = on_chat_model_start
        on_stream_event = on_llm_new_token
        on_llm_error = on_tool_error = on_retriever_end = on_retriever_error = on_tool_end

    return AgentHealthCallback()


def pydantic_ai_capability(agent: AnyAgent) -> Any:
    """A capability for Pydantic AI: ``Agent(…, capabilities=[…])``. A run is a task, with its requests to models and its tools.

    From a run that returns calls which need an approval until the run that goes on with its messages, the agent waits for a person.
    """
    from pydantic_ai.capabilities import Hooks

    calls = _Calls(agent)
    waits = _Waits(calls)

    async def run(context: Any, *, handler: Any) -> Any:
        for message in context.messages[-2:]:
            for part in message.parts:
                waits.end(getattr(part, "tool_call_id", None))
        if calls.find() is not None:
            result = await handler()
        else:
            with agent.running():
                result = await handler()
        approvals = getattr(getattr(result, "output", None), "approvals", None)
        if isinstance(approvals, list) and approvals:
            names = [call.tool_name for call in approvals]
            waits.begin(approvals[0].tool_call_id, _approval(names))
        return result

    async def model_request(_: Any, *, request_context: Any, handler: Any) -> Any:
        with agent.model() as call:
            response = await handler(request_context)
            call.add_usage(usage.of_pydantic_ai(response))
            return response

    async def tool_execute(_: Any, *, args: Any, handler: Any, call: Any = None, **__: Any) -> Any:
        with agent.tool(getattr(call, "tool_name", ""), args):
            return await handler(args)

    # No hook for events: with one, every run would be a stream.
    return Hooks(run=run, model_request=model_request, tool_execute=tool_execute)


def openai_agents_hooks(agent: AnyAgent) -> Any:
    """Hooks for the OpenAI Agents SDK: ``Runner.run(…, hooks=…)`` within a task of the agent."""
    from agents import RunHooks

    calls = _Calls(agent)

    def tool_key(context: Any, tool: Any) -> Hashable:
        return getattr(context, "tool_call_id", None) or (id(context), id(tool))

    class AgentHealthHooks(RunHooks):  # type: ignore[misc]
        async def on_llm_start(self, context: Any, *_: Any) -> None:
            calls.begin(MODEL, id(context))

        async def on_llm_end(self, context: Any, agent: Any, response: Any) -> None:
            calls.end(id(context), usage.of_openai_agents(agent, response))

        async def on_tool_start(self, context: Any, _: Any, tool: Any) -> None:
            arguments = getattr(context, "tool_arguments", None)
            # An older version of the SDK does not tell the arguments.
            name = "" if arguments is None else tool.name
            calls.begin(TOOL, tool_key(context, tool), tool=name, arguments=arguments)

        async def on_tool_end(self, context: Any, _: Any, tool: Any, *__: Any) -> None:
            calls.end(tool_key(context, tool))

    return AgentHealthHooks()


class _StrandsHooks:
    def __init__(self, calls: _Calls) -> None:
        self._calls = calls
        self._waits = _Waits(calls)

    def register_hooks(self, registry: Any, **_: Any) -> None:
        from strands.hooks import AfterInvocationEvent, BeforeInvocationEvent
        from strands.hooks import AfterModelCallEvent, AfterToolCallEvent, BeforeModelCallEvent, BeforeToolCallEvent

        def after_invocation(event: Any) -> None:
            # An older version of Strands does not tell the result.
            interrupts = getattr(getattr(event, "result", None), "interrupts", None)
            if interrupts:
                self._waits.begin(id(event.agent), _approval(one.name for one in interrupts))

        registry.add_callback(BeforeInvocationEvent, lambda event: self._waits.end(id(event.agent)))
        registry.add_callback(AfterInvocationEvent, after_invocation)

        def tool_key(event: Any) -> Hashable:
            return id(event.agent), event.tool_use["toolUseId"]

        registry.add_callback(BeforeModelCallEvent, lambda event: self._calls.begin(MODEL, id(event.agent)))
        registry.add_callback(AfterModelCallEvent, lambda event: self._calls.end(id(event.agent), usage.of_strands(event)))

        def before_tool(event: Any) -> None:
            use = event.tool_use
            self._calls.begin(TOOL, tool_key(event), tool=use.get("name"), arguments=use.get("input"))

        registry.add_callback(BeforeToolCallEvent, before_tool)
        registry.add_callback(AfterToolCallEvent, lambda event: self._calls.end(tool_key(event)))


def strands_hooks(agent: AnyAgent) -> Any:
    """Hooks for Strands: ``Agent(…, hooks=[…])``, which is called within a task of the agent.

    From an interrupt until the next call of the same object, the agent waits for a person.
    """
    return _StrandsHooks(_Calls(agent))


def crewai_hooks(agent: AnyAgent) -> None:
    """Registers hooks of CrewAI, which are those of the process: a crew works for the agent in whose task it is started.

    While a task with ``human_input`` asks for feedback, the agent waits for a person.
    """
    from crewai import hooks

    calls = _Calls(agent)
    tokens = _CrewTokens()

    def model_key(context: Any) -> Hashable:
        return id(context.agent)

    def end_model(context: Any) -> None:
        key = model_key(context)
        calls.end(key, tokens.since(key))

    def before_model(context: Any) -> None:
        end_model(context)
        calls.begin(MODEL, model_key(context))
        tokens.begin(model_key(context), context.llm)

    def after_model(context: Any) -> None:
        end_model(context)

    def before_tool(context: Any) -> None:
        # An answer that calls tools has no hook of its own.
        end_model(context)
        arguments = getattr(context, "tool_input", None)
        name = "" if arguments is None else context.tool_name
        calls.begin(TOOL, (id(context.agent), context.tool_name), tool=name, arguments=arguments)

    def after_tool(context: Any) -> None:
        calls.end((id(context.agent), context.tool_name))

    hooks.register_before_llm_call_hook(before_model)
    hooks.register_after_llm_call_hook(after_model)
    hooks.register_before_tool_call_hook(before_tool)
    hooks.register_after_tool_call_hook(after_tool)
    _report_crew_input(calls)


def _report_crew_input(calls: _Calls) -> None:
    """Reports the waits of the provider that asks people. CrewAI has a provider for each context, so each start of a crew looks."""
    try:
        from crewai.core.providers.human_input import get_provider, set_provider
        from crewai.hooks import InterceptionPoint, register_hook
    except ImportError:
        # An older version of CrewAI has no provider, or no hook for the start of a crew.
        return

    def start(_: Any) -> None:
        provider = get_provider()
        known: Any = provider
        while isinstance(known, _CrewInput) and known.calls is not calls:
            known = known.provider
        if not isinstance(known, _CrewInput):
            set_provider(_CrewInput(calls, provider))

    register_hook(InterceptionPoint.EXECUTION_START, start)


class _CrewInput:
    """A provider of people's feedback for CrewAI. The agent in whose task it asks waits for a person meanwhile."""

    def __init__(self, calls: _Calls, provider: Any) -> None:
        self.calls = calls
        self.provider = provider

    def __getattr__(self, name: str) -> Any:
        return getattr(self.provider, name)

    def handle_feedback(self, *given: Any) -> Any:
        with self.calls.waiting("feedback on a result"):
            return self.provider.handle_feedback(*given)

    async def handle_feedback_async(self, *given: Any) -> Any:
        with self.calls.waiting("feedback on a result"):
            return await self.provider.handle_feedback_async(*given)


class _CrewTokens:
    """Tokens of calls of CrewAI's models, whose objects tell the sum of all their calls. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        #: The model of each agent with an open call, and the sum at the call's begin.
        self._open: Dict[Hashable, List[Any]] = {}

    @staticmethod
    def _sum(llm: Any) -> Any:
        tell = getattr(llm, "get_token_usage_summary", None)
        return tell() if tell is not None else None

    def begin(self, key: Hashable, llm: Any) -> None:
        with self._lock:
            self._open[key] = [llm, self._sum(llm)]

    def since(self, key: Hashable) -> Dict[str, Any]:
        """The tokens since the begin of the call. They count once, also where agents with open calls share a model."""
        with self._lock:
            llm, before = self._open.pop(key, (None, None))
            after = self._sum(llm)
            if before is None or after is None:
                return {}
            for other in self._open.values():
                if other[0] is llm:
                    other[1] = after
        return usage.of_crewai(llm, before, after)


def google_adk_plugin(agent: AnyAgent) -> Any:
    """A plugin for Google ADK: ``App(…, plugins=[…])``, whose runner is called within a task of the agent.

    From a tool that asks for a confirmation until the next message in its session, the agent waits for a person.
    """
    from google.adk.plugins.base_plugin import BasePlugin

    calls = _Calls(agent)
    waits = _Waits(calls)

    def model_key(context: Any) -> Hashable:
        return context.invocation_id, context.agent_name

    class AgentHealthPlugin(BasePlugin):  # type: ignore[misc]
        async def before_model_callback(self, *, callback_context: Any, **_: Any) -> None:
            calls.begin(MODEL, model_key(callback_context))

        async def after_model_callback(self, *, callback_context: Any, llm_response: Any) -> None:
            # Each part of a stream calls it.
            if llm_response.partial:
                calls.progress(model_key(callback_context))
            else:
                calls.end(model_key(callback_context), usage.of_google(llm_response))

        async def on_model_error_callback(self, *, callback_context: Any, **_: Any) -> None:
            calls.end(model_key(callback_context))

        async def before_tool_callback(self, *, tool: Any, tool_args: Any, tool_context: Any, **_: Any) -> None:
            key = (tool_context.invocation_id, tool_context.function_call_id)
            calls.begin(TOOL, key, tool=tool.name, arguments=tool_args)

        async def after_tool_callback(self, *, tool_context: Any, **_: Any) -> None:
            calls.end((tool_context.invocation_id, tool_context.function_call_id))

        on_tool_error_callback = after_tool_callback

        async def on_user_message_callback(self, *, invocation_context: Any, **_: Any) -> None:
            waits.end(invocation_context.session.id)

        async def on_event_callback(self, *, invocation_context: Any, event: Any) -> None:
            if getattr(event.actions, "requested_tool_confirmations", None):
                waits.begin(invocation_context.session.id, "confirmation of a tool")

    return AgentHealthPlugin("agent_health")
