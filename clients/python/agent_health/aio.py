"""The agent for asyncio. Heartbeats and renewals stay in threads, so that a blocked event loop does not make the agent look dead."""

from __future__ import annotations

import asyncio
import functools
import inspect
from types import TracebackType
from typing import Any, Callable, Optional, Type, TypeVar

from ._runtime import LOG
from ._states import State
from .activity import Working
from .agent import Agent
from .client import Client
from .errors import AgentHealthError
from .lease import Lease
from .tasks import Running

__all__ = ["AsyncAgent", "AsyncLease"]

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

#: For how many seconds the calling thread waits for the end of each callback; ``None`` without a limit.
_CALLBACK_SECONDS = {"on_drain": None, "on_restart": 0.0, "on_dead": 30.0, "on_superseded": 0.0, "on_error": 0.0, "on_refused": 0.0}

_LOOK_SECONDS = 0.1
_TURN_SECONDS = 1.0


async def _in_thread(work: Callable[..., T], *arguments: Any) -> T:
    return await asyncio.get_running_loop().run_in_executor(None, functools.partial(work, *arguments))


class AsyncLease:
    """A :class:`Lease` for an ``async with`` block."""

    def __init__(self, lease: Lease) -> None:
        self._lease = lease

    @property
    def fencing_token(self) -> int:
        return self._lease.fencing_token

    @property
    def lost(self) -> bool:
        return self._lease.lost

    def check(self) -> None:
        """Raises :class:`LeaseLost` unless the lease is in force as far as this process knows."""
        self._lease.check()

    async def __aenter__(self) -> "AsyncLease":
        await _in_thread(self._lease.acquire)
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await asyncio.shield(_in_thread(self._lease.release))


class AsyncAgent:
    """An :class:`Agent` with the same parameters for ``async with``. Callbacks, plain or async, run in the event loop of ``start``."""

    def __init__(self, url: str, key: Any, agent_id: str, **options: Any) -> None:
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._turned = 0.0
        for name, seconds in _CALLBACK_SECONDS.items():
            if options.get(name) is not None:
                options[name] = self._in_loop(options[name], seconds)
        self._agent = Agent(url, key, agent_id, **options)

    @property
    def client(self) -> Client:
        """Other requests with the same URL and key. It blocks: use :meth:`call`."""
        return self._agent.client

    @property
    def agent_id(self) -> str:
        return self._agent.agent_id

    @property
    def state(self) -> State:
        return self._agent.state

    @property
    def accepts_work(self) -> bool:
        return self._agent.accepts_work

    @property
    def last_error(self) -> Optional[AgentHealthError]:
        return self._agent.last_error

    async def start(self) -> "AsyncAgent":
        """See :meth:`Agent.start`. With ``drain_on_sigterm``, call it in the main thread."""
        self._loop = asyncio.get_running_loop()
        self._turn()
        self._agent._tasks.activities.watch_loop(lambda: None if self.state.ended else self._turned)
        self._agent._handle_sigterm()
        try:
            await _in_thread(self._agent.start)
        except BaseException:
            self._agent._restore_handler()
            raise
        return self

    def _turn(self) -> None:
        """Notes that the event loop turns: heartbeats report a blocked one as work without progress."""
        self._turned = self._agent._runtime.monotonic()
        if self._loop is not None and not self.state.ended:
            self._loop.call_later(_TURN_SECONDS, self._turn)

    async def close(self) -> None:
        """See :meth:`Agent.close`."""
        await asyncio.shield(_in_thread(self._agent.close))
        self._agent._restore_handler()

    async def wait(self, seconds: Optional[float] = None) -> bool:
        """See :meth:`Agent.wait`."""
        loop = asyncio.get_running_loop()
        until = None if seconds is None else loop.time() + seconds
        while not self.state.ended:
            if until is not None and loop.time() >= until:
                return False
            await asyncio.sleep(_LOOK_SECONDS)
        return True

    async def __aenter__(self) -> "AsyncAgent":
        return await self.start()

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    def drain(self, reason: str = "") -> None:
        """See :meth:`Agent.drain`."""
        self._agent.drain(reason)

    def task(self, function: F) -> F:
        """See :meth:`Agent.task`."""
        return self._agent.task(function)

    def running(self, task_id: Optional[str] = None) -> Running:
        """See :meth:`Agent.running`; for a plain ``with`` block, since it never waits."""
        return self._agent.running(task_id)

    def model(self) -> Working:
        """See :meth:`Agent.model`; for a plain ``with`` block, as ``tool`` and ``human`` are."""
        return self._agent.model()

    def tool(self, name: str = "", arguments: Any = None) -> Working:
        """See :meth:`Agent.tool`."""
        return self._agent.tool(name, arguments)

    def human(self, waits_for: str = "") -> Working:
        """See :meth:`Agent.human`."""
        return self._agent.human(waits_for)

    def progress(self) -> None:
        """See :meth:`Agent.progress`."""
        self._agent.progress()

    def record(self, result: str, **details: Any) -> None:
        """See :meth:`Agent.record`."""
        self._agent.record(result, **details)

    def lease(self, intent_id: str, scope: str, **options: Any) -> AsyncLease:
        """See :meth:`Agent.lease`; for an ``async with`` block."""
        if options.get("on_lost") is not None:
            options["on_lost"] = self._in_loop(options["on_lost"], 0.0)
        return AsyncLease(self._agent.lease(intent_id, scope, **options))

    async def call(self, request: Callable[..., T], *arguments: Any, **options: Any) -> T:
        """A request of the client without blocking the event loop: ``await agent.call(agent.client.health, "other")``."""
        return await _in_thread(functools.partial(request, *arguments, **options))

    def _in_loop(self, callback: Callable[..., Any], seconds: Optional[float]) -> Callable[..., None]:
        async def called(*arguments: Any) -> None:
            result = callback(*arguments)
            if inspect.isawaitable(result):
                await result

        def from_thread(*arguments: Any) -> None:
            loop = self._loop
            if loop is None or loop.is_closed():
                return
            future = asyncio.run_coroutine_threadsafe(called(*arguments), loop)
            if seconds == 0.0:
                future.add_done_callback(_log_failure)
            else:
                future.result(seconds)

        return from_thread


def _log_failure(future: Any) -> None:
    if not future.cancelled() and future.exception() is not None:
        LOG.error("a callback failed", exc_info=future.exception())
