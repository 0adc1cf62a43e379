"""The state of an agent in the registry, and the callbacks that receive its changes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Callable, Optional, Union

from ._runtime import LOG
from .errors import AgentHealthError


#: Whether an agent that is gone registers again: ``True`` unless an operator ended it, ``"always"``, or ``False``.
RegisterAgain = Union[bool, str]


class State(str, Enum):
    """What the registry knows of this process, as far as this process knows."""

    STARTING = "starting"
    ACTIVE = "active"
    DRAINING = "draining"
    SUPERSEDED = "superseded"
    STOPPED = "stopped"

    @property
    def ended(self) -> bool:
        return self in (State.SUPERSEDED, State.STOPPED)


@dataclass(frozen=True)
class Drain:
    """A request to finish the work and take no more."""

    reason: str
    timeout_seconds: Optional[float]


#: The drain of an agent that an operator ended: its leases are lost, and it sends no more heartbeats.
ENDED = Drain("an operator ended the agent", None)

#: The drain of an agent that is closed: what calls ``close`` knows of it.
CLOSING = Drain("closed", None)


@dataclass
class Hooks:
    """What the session calls. Failures of these are logged and change nothing."""

    on_drain: Callable[[Drain], Any]
    on_restart: Callable[[Drain], Any]
    on_dead: Callable[[AgentHealthError], Any]
    on_superseded: Callable[[], Any]
    on_error: Callable[[AgentHealthError], Any]
    on_refused: Callable[[AgentHealthError], Any]
    on_end: Callable[[], Any] = lambda: None

    def call(self, name: str, *arguments: Any) -> None:
        try:
            getattr(self, name)(*arguments)
        except Exception:
            LOG.exception("%s failed", name)
