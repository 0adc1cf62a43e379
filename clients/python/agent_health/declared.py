"""The declaration of an agent beside its code, as a decorator. It registers what :class:`Agent` with the same parameters does."""

from __future__ import annotations

import functools
import inspect
import os
from typing import Any, Callable, Optional, TypeVar, cast

from .agent import Agent
from .aio import AsyncAgent
from .credentials import Key, key_from_environment

__all__ = ["agent"]

T = TypeVar("T", bound=Callable[..., Any])

_CALLBACKS = ("on_drain", "on_restart", "on_dead", "on_superseded", "on_error", "on_refused", "on_outcome", "alive")


def agent(agent_id: str, *, url: Optional[str] = None, key: Optional[Key] = None, **options: Any) -> Callable[[T], T]:
    """Declares a class or a function as an agent, with the parameters of :class:`Agent`.

    Of a class, a ``with`` block of an instance is the life of the agent, which is its attribute ``agent``; its methods named as callbacks,
    such as ``on_drain``, are those. A function, plain or async, gets the running agent as its first argument, and its end is that of the agent.

    :param url: ``AGENT_HEALTH_URL`` without it
    :param key: as :func:`key_from_environment` says without it
    """

    def made(kind: Any, **callbacks: Any) -> Any:
        return kind(url or os.environ["AGENT_HEALTH_URL"], key or key_from_environment(), agent_id, **{**callbacks, **options})

    def declare(target: T) -> T:
        if inspect.isclass(target):
            return cast(T, _declared_class(target, made))
        if inspect.iscoroutinefunction(target):

            @functools.wraps(target)
            async def run_async(*args: Any, **kwargs: Any) -> Any:
                async with made(AsyncAgent) as running:
                    return await target(running, *args, **kwargs)

            return cast(T, run_async)

        @functools.wraps(target)
        def run(*args: Any, **kwargs: Any) -> Any:
            with made(Agent) as running:
                return target(running, *args, **kwargs)

        return cast(T, run)

    return declare


def _declared_class(target: Any, made: Callable[..., Any]) -> Any:
    def enter(self: Any) -> Any:
        self.agent = made(Agent, **{name: getattr(self, name) for name in _CALLBACKS if hasattr(target, name)}).start()
        return self

    def leave(self: Any, *_: Any) -> None:
        self.agent.close()

    target.__enter__, target.__exit__ = enter, leave
    return target
