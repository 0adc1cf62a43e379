"""Model providers whose call failed: the registry finds failures that many agents share."""

from __future__ import annotations

from typing import Any, Dict, Iterator, Optional

__all__ = ["upstream_of"]

ERRORS = ("rate_limited", "unavailable", "timeout", "auth")

#: Packages of providers, by the name of the module of their exceptions.
_PACKAGES = {
    "openai": "openai",
    "anthropic": "anthropic",
    "mistralai": "mistral_ai",
    "cohere": "cohere",
    "groq": "groq",
    "google.genai": "gcp.gemini",
}

#: Hosts of providers. Many packages call other hosts with the same API; such a host is a provider of its own.
_HOSTS = {
    "api.openai.com": "openai",
    "api.anthropic.com": "anthropic",
    "api.mistral.ai": "mistral_ai",
    "api.cohere.com": "cohere",
    "api.groq.com": "groq",
    "api.deepseek.com": "deepseek",
    "api.x.ai": "x_ai",
    "generativelanguage.googleapis.com": "gcp.gemini",
}

_AZURE = ".openai.azure.com"

#: How many exceptions of a chain are looked at: frameworks wrap the exceptions of providers.
_MAX_CHAIN = 5

_MAX_LENGTH = 64


def upstream_of(error: BaseException) -> Optional[Dict[str, str]]:
    """The ``upstream`` of an outcome with an exception of a provider's package: provider, model and error; None for another exception."""
    for one in _chain(error):
        provider = _provider(one)
        if provider:
            kind = _error(one)
            if kind is None:
                return None
            found = {"provider": provider[:_MAX_LENGTH], "error": kind}
            model = getattr(one, "model", None)
            if isinstance(model, str) and 0 < len(model) <= _MAX_LENGTH:
                found["model"] = model
            return found
    return None


def _chain(error: Optional[BaseException]) -> Iterator[BaseException]:
    for _ in range(_MAX_CHAIN):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _provider(error: BaseException) -> str:
    # LiteLLM names the provider of each exception.
    named = getattr(error, "llm_provider", None)
    if isinstance(named, str) and named:
        return named
    module = type(error).__module__ or ""
    package = next((name for name in _PACKAGES if module == name or module.startswith(name + ".")), None)
    if package is None:
        return ""
    host = _host(error)
    if host.endswith(_AZURE):
        return "azure.ai.openai"
    return _HOSTS.get(host, host) if host else _PACKAGES[package]


def _host(error: BaseException) -> str:
    try:
        request = getattr(error, "request", None) or getattr(getattr(error, "response", None), "request", None)
        host = getattr(getattr(request, "url", None), "host", "")
    except Exception:
        # A response without a request raises when it is asked for it.
        return ""
    return host.lower() if isinstance(host, str) else ""


def _error(error: BaseException) -> Optional[str]:
    status = _status(error)
    name = type(error).__name__
    if status in (401, 403):
        return "auth"
    if status in (408, 504) or "Timeout" in name:
        return "timeout"
    if status == 429:
        return "rate_limited"
    if status is not None:
        return "unavailable" if 500 <= status < 600 else None
    return "unavailable" if "Connection" in name else None


def _status(error: BaseException) -> Optional[int]:
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "status", "code"):
            status: Any = getattr(holder, name, None)
            if isinstance(status, int) and not isinstance(status, bool):
                return status
    return None


def checked(upstream: Optional[Dict[str, str]], result: str) -> Optional[Dict[str, str]]:
    """The fields of an ``upstream``.

    :raises ValueError: for fields that the registry refuses
    """
    if upstream is None:
        return None
    if result == "trigger_failure" or set(upstream) - {"provider", "model", "error"}:
        raise ValueError("the upstream of a success or a failure has the fields provider, model and error")
    provider, model, error = upstream.get("provider"), upstream.get("model"), upstream.get("error")
    if not isinstance(provider, str) or not 0 < len(provider) <= _MAX_LENGTH:
        raise ValueError("the provider of the upstream must have 1 to {} characters".format(_MAX_LENGTH))
    if model is not None and (not isinstance(model, str) or len(model) > _MAX_LENGTH):
        raise ValueError("the model of the upstream must have at most {} characters".format(_MAX_LENGTH))
    if error is not None and (result != "failure" or error not in ERRORS):
        raise ValueError("the error of the upstream of a failure must be one of " + ", ".join(ERRORS))
    return {name: value for name, value in upstream.items() if value is not None}
