"""Connects AI agents to Agent Health.

``Agent`` registers a process, sends its heartbeats and reports its outcomes; ``AsyncAgent`` is the same for asyncio. ``Client`` finds agents
and reads pools, health and trust. The package needs nothing but the standard library and never ends the work of the agent that uses it
because the registry is away. Its log is the logger ``agent_health``.
"""

from ._calls import RetryPolicy
from ._states import Drain, State
from .activity import Working
from .agent import Agent
from .aio import AsyncAgent, AsyncLease
from .called import CalledAgent
from .client import Client
from .credentials import TokenFile, key_from_environment
from .declared import agent
from .document import OwnHealth
from .errors import (
    AgentAlreadyRunning,
    AgentBlocked,
    AgentGone,
    AgentHealthError,
    Conflict,
    FieldError,
    Forbidden,
    InvalidRequest,
    LeaseHeld,
    LeaseLost,
    NotFound,
    PreconditionFailed,
    ProblemError,
    RateLimited,
    RegistryUnavailable,
    Superseded,
    Unauthenticated,
    UnexpectedAnswer,
)
from .gate import Action, Decision, HealthGate
from .lease import Lease
from .outcomes import error_type_of
from .schedule import Schedule
from .transport import HttpTransport, Request, Response, Transport
from .upstream import upstream_of

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Agent",
    "AgentAlreadyRunning",
    "AgentBlocked",
    "AgentGone",
    "AgentHealthError",
    "AsyncAgent",
    "AsyncLease",
    "CalledAgent",
    "Client",
    "Conflict",
    "Decision",
    "Drain",
    "FieldError",
    "Forbidden",
    "HealthGate",
    "HttpTransport",
    "InvalidRequest",
    "Lease",
    "LeaseHeld",
    "LeaseLost",
    "NotFound",
    "OwnHealth",
    "PreconditionFailed",
    "ProblemError",
    "RateLimited",
    "RegistryUnavailable",
    "Request",
    "Response",
    "RetryPolicy",
    "Schedule",
    "State",
    "Superseded",
    "TokenFile",
    "Transport",
    "Unauthenticated",
    "UnexpectedAnswer",
    "Working",
    "agent",
    "error_type_of",
    "key_from_environment",
    "upstream_of",
]
