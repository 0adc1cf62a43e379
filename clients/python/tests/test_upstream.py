"""Model providers in outcomes: from exceptions of their packages, and said by a program."""

import types
import unittest
from typing import Any, Optional

from agent_health import upstream_of
from agent_health.upstream import checked


def _error(module: str, name: str, status: Optional[int] = None, host: str = "", **more: Any) -> Exception:
    kind = type(name, (Exception,), {"__module__": module})
    error = kind("secret prompt")
    if status is not None:
        error.status_code = status  # type: ignore[attr-defined]
    if host:
        error.request = types.SimpleNamespace(url=types.SimpleNamespace(host=host))  # type: ignore[attr-defined]
    for field, value in more.items():
        setattr(error, field, value)
    return error


class UpstreamTest(unittest.TestCase):
    def test_an_exception_of_a_package_names_its_provider_and_its_kind(self) -> None:
        for error, expected in (
            (_error("openai", "RateLimitError", 429, "api.openai.com"), {"provider": "openai", "error": "rate_limited"}),
            (_error("openai", "APIConnectionError"), {"provider": "openai", "error": "unavailable"}),
            (_error("openai", "APITimeoutError"), {"provider": "openai", "error": "timeout"}),
            (_error("openai", "RateLimitError", 429, "acme.openai.azure.com"), {"provider": "azure.ai.openai", "error": "rate_limited"}),
            (_error("openai", "RateLimitError", 429, "llm.acme.example"), {"provider": "llm.acme.example", "error": "rate_limited"}),
            (_error("anthropic._exceptions", "OverloadedError", 529), {"provider": "anthropic", "error": "unavailable"}),
            (_error("anthropic", "AuthenticationError", 401), {"provider": "anthropic", "error": "auth"}),
            (_error("google.genai.errors", "ServerError", code=503), {"provider": "gcp.gemini", "error": "unavailable"}),
            (
                _error("litellm.exceptions", "RateLimitError", 429, llm_provider="mistral", model="mistral-large"),
                {"provider": "mistral", "error": "rate_limited", "model": "mistral-large"},
            ),
        ):
            self.assertEqual(expected, upstream_of(error))

    def test_a_wrapped_exception_is_found(self) -> None:
        outer = RuntimeError("node failed")
        outer.__cause__ = _error("openai", "InternalServerError", 500)
        self.assertEqual({"provider": "openai", "error": "unavailable"}, upstream_of(outer))

    def test_other_exceptions_say_nothing(self) -> None:
        for error in (
            ValueError("x"),
            _error("openai", "BadRequestError", 400),
            _error("requests", "ConnectionError"),
            _error("openai_tools", "RateLimitError", 429),
            _error("openai", "OpenAIError"),
        ):
            self.assertIsNone(upstream_of(error))
        loop = RuntimeError("a")
        loop.__cause__ = loop
        self.assertIsNone(upstream_of(loop))

    def test_fields_that_the_registry_refuses_are_refused_here(self) -> None:
        for upstream, result in (
            ({}, "failure"),
            ({"provider": ""}, "failure"),
            ({"provider": "x" * 65}, "failure"),
            ({"provider": "a", "model": "x" * 65}, "failure"),
            ({"provider": "a", "error": "angry"}, "failure"),
            ({"provider": "a", "error": "timeout"}, "success"),
            ({"provider": "a"}, "trigger_failure"),
            ({"provider": "a", "status": "429"}, "failure"),
        ):
            with self.assertRaises(ValueError):
                checked(upstream, result)
        self.assertEqual({"provider": "a"}, checked({"provider": "a", "error": None}, "success"))  # type: ignore[dict-item]


if __name__ == "__main__":
    unittest.main()
