"""Tokens and calls of executions, and of the answers of frameworks."""

from __future__ import annotations

import threading
from typing import Any, Dict, Mapping, Optional, Tuple

from ._calls import plain_text

__all__ = ["TaskUsage", "usage_fields"]

USAGE_NUMBERS = ("input_tokens", "output_tokens", "cache_read_tokens", "model_calls", "tool_calls")
# What the registry accepts.
MAX_USAGE = 1_000_000_000_000
MAX_MODEL_LENGTH = 100
_MAX_MODELS = 100


def usage_fields(usage: Optional[Mapping[str, Any]]) -> Dict[str, Any]:
    """The usage as the registry accepts it, without wrong values; empty without a number."""
    fields: Dict[str, Any] = {}
    for name in USAGE_NUMBERS:
        number = (usage or {}).get(name)
        if isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= MAX_USAGE:
            fields[name] = number
    for name in ("model", "provider") if fields else ():
        text = (usage or {}).get(name)
        if isinstance(text, str) and text:
            fields[name] = plain_text(text)[:MAX_MODEL_LENGTH]
    return fields


class TaskUsage:
    """The tokens and calls of one task, added up. The model with the most tokens names the sum. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sums: Dict[str, int] = {}
        self._models: Dict[Tuple[str, str], int] = {}

    def add(self, usage: Mapping[str, Any]) -> None:
        """Adds a usage; wrong values are left out."""
        fields = usage_fields(usage)
        model = fields.pop("model", ""), fields.pop("provider", "")
        with self._lock:
            for name, number in fields.items():
                self._sums[name] = min(MAX_USAGE, self._sums.get(name, 0) + number)
            if any(model) and (model in self._models or len(self._models) < _MAX_MODELS):
                tokens = fields.get("input_tokens", 0) + fields.get("output_tokens", 0)
                self._models[model] = self._models.get(model, 0) + tokens

    def fields(self) -> Dict[str, Any]:
        """The sum, as in :func:`usage_fields`; empty if nothing was added."""
        with self._lock:
            fields: Dict[str, Any] = {name: self._sums[name] for name in USAGE_NUMBERS if self._sums.get(name)}
            if fields and self._models:
                model, provider = max(self._models, key=self._models.__getitem__)
                fields.update({name: text for name, text in (("model", model), ("provider", provider)) if text})
            return fields


def _told(of: Any, *names: str) -> Any:
    """A value by the names of attributes or keys, or ``None``: another version of a framework may not have it."""
    for name in names:
        of = of.get(name) if isinstance(of, Mapping) else getattr(of, name, None)
    return of


def _number(of: Any, *names: str) -> int:
    number = _told(of, *names)
    return number if isinstance(number, int) else 0


def _usage(inputs: int, outputs: int, cached: int, model: Any, provider: Any = None) -> Dict[str, Any]:
    return {"input_tokens": inputs, "output_tokens": outputs, "cache_read_tokens": cached, "model": model, "provider": provider}


def of_langchain(response: Any) -> Dict[str, Any]:
    """The usage of an ``LLMResult``. Each answer of one call has the tokens of the whole call."""
    message = next((_told(one, "message") for answers in response.generations for one in answers), None)
    used, told = _told(message, "usage_metadata"), _told(message, "response_metadata")
    cached = _number(used, "input_token_details", "cache_read")
    model = _told(told, "model_name") or _told(told, "model")
    return _usage(_number(used, "input_tokens"), _number(used, "output_tokens"), cached, model, _told(told, "model_provider"))


def of_pydantic_ai(response: Any) -> Dict[str, Any]:
    """The usage of a ``ModelResponse`` of Pydantic AI."""
    inputs, outputs, cached = (_number(response, "usage", name) for name in ("input_tokens", "output_tokens", "cache_read_tokens"))
    return _usage(inputs, outputs, cached, _told(response, "model_name"), _told(response, "provider_name"))


def of_openai_agents(agent: Any, response: Any) -> Dict[str, Any]:
    """The usage of a ``ModelResponse`` of the OpenAI Agents SDK. A model is a name, or an object with a name."""
    used = _told(response, "usage")
    cached = _number(used, "input_tokens_details", "cached_tokens")
    model = _told(agent, "model")
    return _usage(_number(used, "input_tokens"), _number(used, "output_tokens"), cached, _told(model, "model") or model)


def of_strands(event: Any) -> Dict[str, Any]:
    """The usage of an ``AfterModelCallEvent`` of Strands."""
    used = _told(event, "stop_response", "message", "metadata", "usage")
    inputs, outputs, total = (_number(used, name) for name in ("inputTokens", "outputTokens", "totalTokens"))
    cached = _number(used, "cacheReadInputTokens")
    if inputs + outputs < total:
        # Some providers count tokens of the cache beside the input.
        inputs += cached + _number(used, "cacheWriteInputTokens")
    config = _told(event, "agent", "model", "get_config")
    return _usage(inputs, outputs, cached, _told(config() if callable(config) else None, "model_id"))


def of_crewai(llm: Any, before: Any, after: Any) -> Dict[str, Any]:
    """The difference of two ``UsageMetrics`` of a model of CrewAI."""
    names = ("prompt_tokens", "completion_tokens", "cached_prompt_tokens")
    inputs, outputs, cached = (_number(after, name) - _number(before, name) for name in names)
    return _usage(inputs, outputs, cached, _told(llm, "model"), _told(llm, "provider"))


def of_google(response: Any) -> Dict[str, Any]:
    """The usage of an ``LlmResponse`` of Google ADK."""
    used = _told(response, "usage_metadata")
    inputs = _number(used, "prompt_token_count") + _number(used, "tool_use_prompt_token_count")
    outputs = _number(used, "candidates_token_count") + _number(used, "thoughts_token_count")
    return _usage(inputs, outputs, _number(used, "cached_content_token_count"), _told(response, "model_version"))
