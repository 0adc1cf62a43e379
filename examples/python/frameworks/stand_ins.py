"""Stand-ins for models, one for each framework: they call the tool, and then answer. Asked for Atlantis, they do not answer."""

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
            return ChatResult(generations=[ChatGeneration(message=AIMessage(text or "", tool_calls=calls))])

    return StandIn()


def openai_agents_model():
    from agents.testing import ModelStep, ScriptedModel, assistant_message, function_call

    async def respond(call):
        items = call.input if isinstance(call.input, list) else [{"content": call.input}]
        text = await answer_async(items[0]["content"], items[-1].get("type") == "function_call_output")
        return [assistant_message(text) if text else function_call("weather", {"city": "Lisbon"}, call_id="1")]

    return ScriptedModel([ModelStep.respond(respond) for _ in range(100)])


def pydantic_ai_model():
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import DeltaToolCall, FunctionModel

    async def respond(messages, _):
        text = await answer_async(messages[0].parts[-1].content, messages[-1].parts[-1].part_kind == "tool-return")
        return ModelResponse(parts=[TextPart(text) if text else ToolCallPart("weather", {"city": "Lisbon"})])

    async def stream(messages, info):
        for part in (await respond(messages, info)).parts:
            yield part.content if isinstance(part, TextPart) else {0: DeltaToolCall(part.tool_name, '{"city": "Lisbon"}')}

    return FunctionModel(respond, stream_function=stream)


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

    return StandIn()


def crewai_model():
    from crewai import BaseLLM

    class StandIn(BaseLLM):
        def call(self, messages, *_, **__):
            texts = [str(message.get("content")) for message in messages]
            text = answer(" ".join(texts), any("Observation:" in one and "Lisbon is sunny" in one for one in texts))
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
            yield LlmResponse(content=types.Content(role="model", parts=[part]))

    return StandIn(model="stand-in")
