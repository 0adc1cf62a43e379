"""Records the spans of an agent framework whose model is a stand-in, and prints them as a fixture of GoldenSpansTest: without arguments, it names the
frameworks. The `executions` are written by hand: which of these spans are to count is what the test is for."""

import asyncio
import base64
import contextlib
import json
import sys
from importlib.metadata import version

from google.protobuf.json_format import MessageToDict
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

READ = (
    "gen_ai.operation.name", "gen_ai.agent.name", "gen_ai.workflow.name", "gen_ai.request.model", "gen_ai.agent.source", "error.type",
    "openinference.span.kind", "agent.name", "metadata", "traceloop.span.kind", "traceloop.entity.name",
    "gen_ai.response.model", "gen_ai.provider.name", "gen_ai.system", "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens",
    "gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens", "gen_ai.usage.prompt_tokens", "gen_ai.usage.completion_tokens",
    "llm.model_name", "llm.provider", "llm.system", "llm.token_count.prompt", "llm.token_count.completion", "llm.token_count.prompt_details.cache_read",
)  # fmt: skip


def pydantic_ai(provider):
    from pydantic_ai import Agent, InstrumentationSettings
    from pydantic_ai.models.function import AgentInfo, FunctionModel
    from pydantic_ai.models.test import TestModel

    def fails(messages, info: AgentInfo):
        raise ValueError("the model fails")

    Agent.instrument_all(InstrumentationSettings(tracer_provider=provider))
    agent = Agent(TestModel(), name="planner")
    agent.tool_plain(lambda: "sunny", name="weather")
    agent.run_sync("Plan a trip")
    try:
        Agent(FunctionModel(fails), name="broken").run_sync("Plan a trip")
    except ValueError:
        pass


def smolagents(provider):
    from openinference.instrumentation.smolagents import SmolagentsInstrumentor
    from smolagents import ToolCallingAgent
    from smolagents.models import ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction, MessageRole, Model

    class Stub(Model):
        def generate(self, messages, **_):
            call = ChatMessageToolCallFunction(name="final_answer", arguments={"answer": "sunny"})
            calls = [ChatMessageToolCall(id="1", type="function", function=call)]
            return ChatMessage(role=MessageRole.ASSISTANT, content="", tool_calls=calls)

    SmolagentsInstrumentor().instrument(tracer_provider=provider)
    ToolCallingAgent(tools=[], model=Stub(), name="planner", description="Plans.", verbosity_level=0).run("Plan a trip")


def llama_index(provider):
    from llama_index.core.agent.workflow import FunctionAgent, ReActAgent  # noqa: F401
    from llama_index.core.llms import MockLLM
    from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

    LlamaIndexInstrumentor().instrument(tracer_provider=provider)

    async def run():
        agent = ReActAgent(name="planner", description="Plans.", llm=MockLLM(max_tokens=3), tools=[])
        try:
            await agent.run("Answer: sunny")
        except Exception as error:
            print(error, file=sys.stderr)

    asyncio.run(run())


def openai_agents(provider):
    from agents import Agent, ModelResponse, Runner, Usage, function_tool
    from agents.models.interface import Model
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
    from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

    @function_tool
    def weather() -> str:
        return "sunny"

    class Stub(Model):
        def __init__(self):
            self.calls = 0

        async def get_response(self, *_, **__):
            self.calls += 1
            if self.calls == 1:
                output = ResponseFunctionToolCall(type="function_call", call_id="1", name="weather", arguments="{}")
            else:
                text = ResponseOutputText(type="output_text", text="sunny", annotations=[])
                output = ResponseOutputMessage(id="1", type="message", role="assistant", status="completed", content=[text])
            return ModelResponse(output=[output], usage=Usage(), response_id=None)

        def stream_response(self, *_, **__):
            raise NotImplementedError

    OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
    Runner.run_sync(Agent(name="Planner", model=Stub(), tools=[weather]), "Plan a trip")


def langgraph(provider):
    from langchain.agents import create_agent
    from langchain_core.language_models.fake_chat_models import FakeListChatModel
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument(tracer_provider=provider)
    create_agent(FakeListChatModel(responses=["sunny"]), tools=[], name="planner").invoke({"messages": [("user", "Plan a trip")]})


def strands(provider):
    trace.set_tracer_provider(provider)
    from strands import Agent
    from strands.models import Model

    class Stub(Model):
        def update_config(self, **_):
            pass

        def get_config(self):
            return {"model_id": "stub"}

        async def structured_output(self, *_, **__):
            raise NotImplementedError
            yield

        async def stream(self, *_, **__):
            yield {"messageStart": {"role": "assistant"}}
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": "sunny"}}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "end_turn"}}

    Agent(name="Planner", model=Stub(), callback_handler=None)("Plan a trip")


def google_adk(provider):
    trace.set_tracer_provider(provider)
    from google.adk.agents import LlmAgent
    from google.adk.models import BaseLlm, LlmResponse
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    class Stub(BaseLlm):
        async def generate_content_async(self, request, stream=False):
            yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text="sunny")]))

    async def run():
        runner = InMemoryRunner(LlmAgent(name="planner", model=Stub(model="stub")), app_name="checkout")
        await runner.session_service.create_session(app_name="checkout", user_id="u", session_id="s")
        message = types.Content(role="user", parts=[types.Part(text="Plan a trip")])
        async for _ in runner.run_async(user_id="u", session_id="s", new_message=message):
            pass

    asyncio.run(run())


def crew():
    """A crew of two agents, of which the second fails where it is asked to."""
    from crewai import Agent, BaseLLM, Crew, Task

    class Stub(BaseLLM):
        fails: bool = False

        def call(self, messages, *_, **__):
            if self.fails:
                raise ValueError("the model fails")
            return "Thought: I now know the final answer\nFinal Answer: sunny"

    for fails in (False, True):
        models = {"Researcher": Stub(model="stub"), "Writer": Stub(model="stub", fails=fails)}
        agents = [Agent(role=role, goal="Plans", backstory="Plans", llm=model) for role, model in models.items()]
        tasks = [Task(description="Plan a trip", expected_output="A plan", agent=agent) for agent in agents]
        try:
            Crew(agents=agents, tasks=tasks).kickoff()
        except ValueError:
            pass


def crewai_openinference(provider):
    from openinference.instrumentation.crewai import CrewAIInstrumentor

    CrewAIInstrumentor().instrument(tracer_provider=provider)
    crew()


def crewai_openllmetry(provider):
    from opentelemetry.instrumentation.crewai import CrewAIInstrumentor

    CrewAIInstrumentor().instrument(tracer_provider=provider)
    crew()


FRAMEWORKS = {
    "openinference-crewai": (crewai_openinference, "OpenInference: CrewAI", ["crewai", "openinference-instrumentation-crewai"]),
    "openllmetry-crewai": (crewai_openllmetry, "OpenLLMetry: CrewAI", ["crewai", "opentelemetry-instrumentation-crewai"]),
    "pydantic-ai": (pydantic_ai, "Pydantic AI", ["pydantic-ai-slim"]),
    "smolagents": (smolagents, "OpenInference: smolagents", ["smolagents", "openinference-instrumentation-smolagents"]),
    "llama-index": (llama_index, "OpenInference: LlamaIndex", ["llama-index-core", "openinference-instrumentation-llama-index"]),
    "openinference-openai-agents": (openai_agents, "OpenInference: OpenAI Agents", ["openai-agents", "openinference-instrumentation-openai-agents"]),
    "openinference-langgraph": (langgraph, "OpenInference: LangGraph", ["langgraph", "openinference-instrumentation-langchain"]),
    "strands-python": (strands, "Strands Agents for Python", ["strands-agents"]),
    "google-adk-python": (google_adk, "Google ADK for Python", ["google-adk"]),
}


def hexadecimal(span):
    for name in ("traceId", "spanId", "parentSpanId"):
        if name in span:
            span[name] = base64.b64decode(span[name]).hex()
    span["attributes"] = [one for one in span.get("attributes", []) if one["key"] in READ]
    span["status"] = {"code": {"STATUS_CODE_OK": 1, "STATUS_CODE_ERROR": 2}.get(span.get("status", {}).get("code"), 0)}
    return {name: span[name] for name in ("traceId", "spanId", "parentSpanId", "name", "startTimeUnixNano", "endTimeUnixNano", "attributes", "status") if name in span}


def recorded(run):
    """The spans of a run, as an exporter sends them."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource({"service.name": "checkout"}))
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    run(provider)
    scopes = MessageToDict(encode_spans(exporter.get_finished_spans()))["resourceSpans"][0]["scopeSpans"]
    for scope in scopes:
        scope["spans"] = [hexadecimal(span) for span in scope["spans"]]
        scope["scope"] = {"name": scope["scope"]["name"]}
        scope.pop("schemaUrl", None)
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "checkout"}}]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": scopes}]}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in FRAMEWORKS:
        sys.exit("usage: record.py " + "|".join(FRAMEWORKS))
    run, emitter, packages = FRAMEWORKS[sys.argv[1]]
    with contextlib.redirect_stdout(sys.stderr):
        request = recorded(run)
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    print(json.dumps({"emitter": emitter, "recorded": versions, "note": "", "executions": [], "request": request}, indent=1))


if __name__ == "__main__":
    main()
