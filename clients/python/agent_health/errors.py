"""What can go wrong, as exceptions. All of them are an :class:`AgentHealthError`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Tuple, Type

__all__ = [
    "AgentAlreadyRunning",
    "AgentBlocked",
    "AgentGone",
    "AgentHealthError",
    "Conflict",
    "FieldError",
    "Forbidden",
    "InvalidRequest",
    "LeaseHeld",
    "LeaseLost",
    "NotFound",
    "PreconditionFailed",
    "ProblemError",
    "RateLimited",
    "RegistryUnavailable",
    "Superseded",
    "Unauthenticated",
    "UnexpectedAnswer",
]


class AgentHealthError(Exception):
    """The base of all errors of this package."""


class RegistryUnavailable(AgentHealthError):
    """No answer of the registry: the network, a timeout, or a 5xx of a proxy.

    ``maybe_stored`` is whether the request may have had an effect.
    """

    def __init__(self, message: str, retry_after: Optional[float] = None, maybe_stored: bool = True) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.maybe_stored = maybe_stored


class UnexpectedAnswer(AgentHealthError):
    """An answer that the registry does not give. The URL is probably not that of a registry."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class LeaseLost(AgentHealthError):
    """The lease is no longer in force. Nothing may be written under it."""


@dataclass(frozen=True)
class FieldError:
    """A field of a request that breaks a rule."""

    field: str
    message: str


class ProblemError(AgentHealthError):
    """A refusal by the registry: a problem document (RFC 9457).

    ``status`` is the HTTP status, ``code`` the stable word of the kind of problem (``error`` in the document), ``retry_after`` the seconds
    to wait where the registry names them, and ``document`` the whole document with members such as ``available_at`` and ``receipt_id``.
    """

    def __init__(self, status: int, document: Mapping[str, Any], retry_after: Optional[float] = None) -> None:
        self.status = status
        self.document: Dict[str, Any] = dict(document)
        self.code = str(document.get("error", ""))
        self.title = str(document.get("title", ""))
        self.detail = str(document.get("detail", ""))
        self.retry_after = retry_after
        self.fields: Tuple[FieldError, ...] = tuple(
            FieldError(str(error.get("field", "")), str(error.get("message", "")))
            for error in document.get("errors") or ()
            if isinstance(error, dict)
        )
        named = "".join(" [{}: {}]".format(error.field, error.message) for error in self.fields)
        super().__init__("{} {}: {}{}".format(status, self.code, self.detail, named))


class InvalidRequest(ProblemError):
    """400, 413 or 422: the request breaks a rule; ``fields`` names where."""


class Unauthenticated(ProblemError):
    """401: the key is missing, was never issued, or is revoked; or the token is not valid."""


class Forbidden(ProblemError):
    """403: the key is valid, but may not do this."""


class AgentBlocked(Forbidden):
    """403 ``agent_blocked``: calls of the agent are refused. A limit, a rule or a person decided so.

    ``retry_after`` is the number of seconds until the limit is reset. Each property is empty or None if it does not apply.
    """

    @property
    def usage_limit(self) -> str:
        """The limit that is used up, such as ``tokens_per_hour``."""
        return str(self.document.get("usage_limit") or "")

    @property
    def limit_scope(self) -> str:
        """Who shares the limit: ``agent``, ``role`` or ``owner``."""
        return str(self.document.get("limit_scope") or "")

    @property
    def resets_at(self) -> Optional[str]:
        """The time at which the limit is reset, in ISO 8601."""
        value = self.document.get("resets_at")
        return value if isinstance(value, str) else None

    @property
    def containment_rule(self) -> str:
        """The rule that contains the agent."""
        return str(self.document.get("containment_rule") or "")


class NotFound(ProblemError):
    """404: there is no such agent, lease, or receipt."""


class Conflict(ProblemError):
    """409: the state of the registry does not allow it."""


class AgentAlreadyRunning(Conflict):
    """409 ``agent_already_running``: the agent runs elsewhere, as ``instance``, and its last heartbeat came at ``last_heartbeat_at``.

    Another instance takes over when that one has ended or has sent no heartbeats for two intervals; ``retry_after`` says when to try again.
    """

    @property
    def instance(self) -> str:
        return str(self.document.get("running_instance", ""))

    @property
    def last_heartbeat_at(self) -> Optional[str]:
        value = self.document.get("last_heartbeat_at")
        return value if isinstance(value, str) else None


class LeaseHeld(Conflict):
    """409: the scope is leased by another agent, or was until a moment ago. ``available_at`` is when it may be free; None if an agent of another owner has it."""

    @property
    def available_at(self) -> Optional[str]:
        value = self.document.get("available_at")
        return value if isinstance(value, str) else None


class AgentGone(ProblemError):
    """410 ``agent_gone``: the agent is dead or deregistered, and may register again, unless an operator ended it.

    ``ended_by`` is ``operator``, ``owner`` or ``registry``, and ``reason`` says why; both are empty where the registry does not say.
    """

    @property
    def ended_by(self) -> str:
        return str(self.document.get("ended_by") or "")

    @property
    def reason(self) -> str:
        return str(self.document.get("reason") or "")


class Superseded(ProblemError):
    """410 ``superseded``: another process registered the agent. This process stops and does not register again."""


class PreconditionFailed(ProblemError):
    """412 or 428: the version in ``If-Match`` is not the current one, or is missing; or a lease is no longer in force."""


class RateLimited(ProblemError):
    """429: too many requests; ``retry_after`` says how long to wait."""


_BY_CODE: Mapping[str, Type[ProblemError]] = {
    "agent_gone": AgentGone,
    "superseded": Superseded,
    "agent_already_running": AgentAlreadyRunning,
    "agent_blocked": AgentBlocked,
    "lease_held": LeaseHeld,
    "lease_just_expired": LeaseHeld,
}

_BY_STATUS: Mapping[int, Type[ProblemError]] = {
    400: InvalidRequest,
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: PreconditionFailed,
    413: InvalidRequest,
    422: InvalidRequest,
    428: PreconditionFailed,
    429: RateLimited,
}


def problem(status: int, document: Mapping[str, Any], retry_after: Optional[float] = None) -> ProblemError:
    """The exception for a problem document."""
    code = str(document.get("error", ""))
    kind = _BY_CODE.get(code) or _BY_STATUS.get(status, ProblemError)
    return kind(status, document, retry_after)


def error_of(status: int, body: bytes, retry_after: Optional[float]) -> AgentHealthError:
    """The exception for an answer that is no success."""
    try:
        document = json.loads(body)
    except ValueError:
        document = None
    if isinstance(document, dict) and isinstance(document.get("error"), str) and "title" in document:
        return problem(status, document, retry_after)
    if status >= 500 or status in (408, 429):
        return RegistryUnavailable("HTTP {} without a problem document".format(status), retry_after)
    return UnexpectedAnswer(
        status, "HTTP {} without a problem document: is the URL that of the registry?".format(status)
    )
