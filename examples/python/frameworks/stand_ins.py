"""Stand-ins for models, one for each framework: they call the tool, and then answer. Asked for Atlantis, they do not answer. Each call reads 100 tokens,
40 of them from a cache, and writes 10."""

import asyncio

import trips


def answer(question: str, has_weather: bool) -> "str | None":
    """What a model says; ``None`` where it calls the tool first."""
    trips.pause()
    if "Atlantis" in question:
        raise TimeoutError("the model does not answer")
    return "go, it is sunny" if has_weather else None


async def answer_async(question: str, has_weather: bool) -> "str | None":
    """The same in asyncio."""
    return await asyncio.to_thread(answer, question, has_weather)


def langgraph_model():
    from langchain_core.language_models.chat_models import BaseChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.outputs import ChatGeneration, ChatResult

    class StandIn(BaseChatModel):
        _llm_type = "stand-in"

        def bind_tools(self, tools, **_):
            return self

        def _generate(self, messages, *_, **__):
            text = answer(messages[0].text, messages[-1].type == "tool")
            calls = [] if text else [{"name": "weather", "args": {"city": "Lisbon"}, "id": "1"}]
            used = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110, "input_token_details": {"cache_read": 40}}
            message = AIMessage(text or "", tool_calls=calls, usage_metadata=used, response_metadata={"model_name": "stand-in"})
            return ChatResult(generations=[ChatGeneration(message=message)])

    return StandIn()


def openai_agents_model():
    from agents import Usage
    from agents.testing import ModelStep, ScriptedModel, assistant_message, function_call
    from openai.types.responses.response_usage import InputTokensDetails

    async def respond(call):
        items = call.input if isinstance(call.input, list) else [{"content": call.input}]
        text = await answer_async(items[0]["content"], items[-1].get("type") == "function_call_output")
        return [assistant_message(text) if text else function_call("weather", {"city": "Lisbon"}, call_id="1")]

    details = InputTokensDetails.model_construct(cached_tokens=40)
    used = Usage(requests=1, input_tokens=100, output_tokens=10, total_tokens=110, input_tokens_details=details)
    return ScriptedModel([ModelStep.respond(respond) for _ in range(100)], default_usage=used)


def pydantic_ai_model():
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import DeltaToolCall, FunctionModel
    from pydantic_ai.usage import RequestUsage

    async def respond(messages, _):
        text = await answer_async(messages[0].parts[-1].content, messages[-1].parts[-1].part_kind == "tool-return")
        part = TextPart(text) if text else ToolCallPart("weather", {"city": "Lisbon"})
        return ModelResponse(parts=[part], usage=RequestUsage(input_tokens=100, output_tokens=10, cache_read_tokens=40))

    async def stream(messages, info):
        for part in (await respond(messages, info)).parts:
            yield part.content if isinstance(part, TextPart) else {0: DeltaToolCall(part.tool_name, '{"city": "Lisbon"}')}

    return FunctionModel(respond, stream_function=stream, model_name="stand-in")


def strands_model():
    from strands.models import Model

    class StandIn(Model):
        def update_config(self, **_):
            pass

        def get_config(self):
            return {"model_id": "stand-in"}

        async def structured_output(self, *_, **__):
            raise NotImplementedError
            yield

        async def stream(self, messages, *_, **__):
            text = await answer_async(messages[0]["content"][0]["text"], "toolResult" in messages[-1]["content"][0])
            delta = {"text": text} if text else {"toolUse": {"input": '{"city": "Lisbon"}'}}
            yield {"messageStart": {"role": "assistant"}}
            yield {"contentBlockStart": {"start": {} if text else {"toolUse": {"name": "weather", "toolUseId": "1"}}}}
            yield {"contentBlockDelta": {"delta": delta}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "end_turn" if text else "tool_use"}}
            used = {"inputTokens": 60, "outputTokens": 10, "totalTokens": 110, "cacheReadInputTokens": 40}
            yield {"metadata": {"usage": used, "metrics": {"latencyMs": 1}}}

    return StandIn()


def crewai_model():
    from crewai import BaseLLM

    class StandIn(BaseLLM):
        def call(self, messages, *_, **__):
            texts = [str(message.get("content")) for message in messages]
            text = answer(" ".join(texts), any("Observation:" in one and "Lisbon is sunny" in one for one in texts))
            self._track_token_usage_internal({"prompt_tokens": 100, "completion_tokens": 10, "cached_prompt_tokens": 40})
            if text:
                return f"Thought: I now know the final answer\nFinal Answer: {text}"
            return 'Thought: I look at the weather\nAction: weather\nAction Input: {"city": "Lisbon"}'

    return StandIn(model="stand-in")


def google_adk_model():
    from google.adk.models import BaseLlm, LlmResponse
    from google.genai import types

    class StandIn(BaseLlm):
        async def generate_content_async(self, request, stream=False):
            last = request.contents[-1].parts[-1]
            text = await answer_async(request.contents[0].parts[0].text, last.function_response is not None)
            for word in (text or "").split() if stream else ():
                yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=word)]), partial=True)
                trips.pause()
            part = types.Part(text=text) if text else types.Part.from_function_call(name="weather", args={"city": "Lisbon"})
            used = types.GenerateContentResponseUsageMetadata(
                prompt_token_count=100, cached_content_token_count=40, candidates_token_count=7, thoughts_token_count=3
            )
            yield LlmResponse(content=types.Content(role="model", parts=[part]), usage_metadata=used, model_version="stand-in")

    return StandIn(model="stand-in")
