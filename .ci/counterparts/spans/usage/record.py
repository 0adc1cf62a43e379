"""Records the spans of libraries that call a model, and prints them as a fixture of UsageSpansTest. A server on loopback takes the place of the provider: it
asks for a tool once, and then answers. Each call reads 100 tokens, 40 of them from a cache, and writes 10. The `usage` is written by hand."""

import contextlib
import http.server
import json
import os
import sys
import threading
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "pip"))
import record  # noqa: E402

MODEL = "gpt-5"


class Provider(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = self.anthropic(asked) if self.path.endswith("/messages") else self.openai(asked)
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    @staticmethod
    def openai(asked):
        told = any(message["role"] == "tool" for message in asked["messages"])
        call = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
        message = {"role": "assistant", "content": "sunny"} if told or not asked.get("tools") else {"role": "assistant", "content": None, "tool_calls": [call]}
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110, "prompt_tokens_details": {"cached_tokens": 40}}
        choices = [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}]
        return {"id": "c-1", "object": "chat.completion", "created": 1, "model": MODEL + "-2026-08-07", "choices": choices, "usage": usage}

    @staticmethod
    def anthropic(asked):
        usage = {"input_tokens": 60, "output_tokens": 10, "cache_read_input_tokens": 40, "cache_creation_input_tokens": 0}
        return {
            "id": "m-1", "type": "message", "role": "assistant", "model": asked["model"], "content": [{"type": "text", "text": "sunny"}],
            "stop_reason": "end_turn", "stop_sequence": None, "usage": usage,
        }  # fmt: skip

    def log_message(self, *_):
        pass


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def weather() -> str:
    """Returns the weather."""
    return "sunny"


def openai_v2(provider, url):
    from openai import OpenAI
    from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor

    OpenAIInstrumentor().instrument(tracer_provider=provider)
    client = OpenAI(base_url=url + "/v1")
    for _ in range(2):
        client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": "Plan a trip"}])


def anthropic(provider, url):
    from anthropic import Anthropic
    from opentelemetry.instrumentation.anthropic import AnthropicInstrumentor

    AnthropicInstrumentor().instrument(tracer_provider=provider)
    client = Anthropic(base_url=url, api_key="none")
    client.messages.create(model="claude-5", max_tokens=100, messages=[{"role": "user", "content": "Plan a trip"}])


def _langchain(url):
    from langchain.agents import create_agent
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI

    model = ChatOpenAI(model=MODEL, base_url=url + "/v1", use_responses_api=False)
    create_agent(model, tools=[tool(weather)], name="planner").invoke({"messages": [("user", "Plan a trip")]})


def langchain_openllmetry(provider, url):
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor

    LangchainInstrumentor().instrument(tracer_provider=provider)
    _langchain(url)


def langchain_openinference(provider, url):
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument(tracer_provider=provider)
    _langchain(url)


def pydantic_ai(provider, url):
    from pydantic_ai import Agent, InstrumentationSettings
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    Agent.instrument_all(InstrumentationSettings(tracer_provider=provider))
    model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=url + "/v1", api_key="none"))
    Agent(model, name="planner", tools=[weather]).run_sync("Plan a trip")


def openai_agents(provider, url):
    from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool
    from openai import AsyncOpenAI
    from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

    OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
    model = OpenAIChatCompletionsModel(MODEL, AsyncOpenAI(base_url=url + "/v1"))
    Runner.run_sync(Agent(name="Planner", model=model, tools=[function_tool(weather)]), "Plan a trip")


def strands(provider, _):
    record.trace.set_tracer_provider(provider)
    from strands import Agent, tool
    from strands.models import Model

    class Stub(Model):
        def update_config(self, **_):
            pass

        def get_config(self):
            return {"model_id": MODEL}

        async def structured_output(self, *_, **__):
            raise NotImplementedError
            yield

        async def stream(self, messages, *_, **__):
            told = "toolResult" in messages[-1]["content"][0]
            yield {"messageStart": {"role": "assistant"}}
            yield {"contentBlockStart": {"start": {} if told else {"toolUse": {"name": "weather", "toolUseId": "1"}}}}
            yield {"contentBlockDelta": {"delta": {"text": "sunny"} if told else {"toolUse": {"input": "{}"}}}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "end_turn" if told else "tool_use"}}
            yield {"metadata": {"usage": {"inputTokens": 100, "outputTokens": 10, "totalTokens": 110, "cacheReadInputTokens": 40}, "metrics": {"latencyMs": 1}}}

    Agent(name="Planner", model=Stub(), tools=[tool(weather)], callback_handler=None)("Plan a trip")


def google_adk(provider, _):
    import asyncio

    record.trace.set_tracer_provider(provider)
    from google.adk.agents import LlmAgent
    from google.adk.models import BaseLlm, LlmResponse
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    class Stub(BaseLlm):
        async def generate_content_async(self, request, stream=False):
            told = request.contents[-1].parts[-1].function_response is not None
            part = types.Part(text="sunny") if told else types.Part.from_function_call(name="weather", args={})
            usage = types.GenerateContentResponseUsageMetadata(prompt_token_count=100, candidates_token_count=10, cached_content_token_count=40, total_token_count=110)
            yield LlmResponse(content=types.Content(role="model", parts=[part]), usage_metadata=usage)

    async def run():
        runner = InMemoryRunner(LlmAgent(name="planner", model=Stub(model="gemini-3"), tools=[weather]), app_name="checkout")
        await runner.session_service.create_session(app_name="checkout", user_id="u", session_id="s")
        message = types.Content(role="user", parts=[types.Part(text="Plan a trip")])
        async for _ in runner.run_async(user_id="u", session_id="s", new_message=message):
            pass

    asyncio.run(run())


LIBRARIES = {
    "openai-v2": (openai_v2, "OpenTelemetry: OpenAI", ["openai", "opentelemetry-instrumentation-openai-v2"]),
    "anthropic": (anthropic, "OpenLLMetry: Anthropic", ["anthropic", "opentelemetry-instrumentation-anthropic"]),
    "openllmetry-langchain": (langchain_openllmetry, "OpenLLMetry: LangChain", ["langchain", "langchain-openai", "opentelemetry-instrumentation-langchain"]),
    "openinference-langchain": (langchain_openinference, "OpenInference: LangChain", ["langchain", "langchain-openai", "openinference-instrumentation-langchain"]),
    "pydantic-ai": (pydantic_ai, "Pydantic AI", ["pydantic-ai-slim", "openai"]),
    "openinference-openai-agents": (openai_agents, "OpenInference: OpenAI Agents", ["openai-agents", "openinference-instrumentation-openai-agents"]),
    "strands": (strands, "Strands Agents for Python", ["strands-agents"]),
    "google-adk": (google_adk, "Google ADK for Python", ["google-adk"]),
}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in LIBRARIES:
        sys.exit("usage: record.py " + "|".join(LIBRARIES))
    run, emitter, packages = LIBRARIES[sys.argv[1]]
    os.environ["OPENAI_API_KEY"] = "none"
    url = serve()
    with contextlib.redirect_stdout(sys.stderr):
        request = record.recorded(lambda provider: run(provider, url))
    recorded = ", ".join(f"{package} {version(package)}" for package in packages)
    print(json.dumps({"emitter": emitter, "recorded": recorded, "note": "", "usage": {}, "models": [], "request": request}, indent=1))


if __name__ == "__main__":
    main()
