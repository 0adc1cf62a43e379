"""An agent: registration, heartbeats, outcomes, leases and drain."""

from __future__ import annotations

import atexit
import logging
import os
import signal
import socket
import sys
import threading
import weakref
from types import FrameType, TracebackType
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Type, TypeVar

from ._calls import Calls, RetryPolicy, is_passing, is_refused
from ._group import Group
from ._runtime import LOG, Runtime, SystemRuntime, Worker
from ._session import Session
from ._states import CLOSING, Drain, Hooks, RegisterAgain, State
from .activity import HUMAN, MODEL, TOOL, Working, call, progress
from .client import Client
from .credentials import Key
from .errors import AgentAlreadyRunning, AgentHealthError, Conflict
from .lease import Holdings, Lease
from .outcomes import Outcomes
from .schedule import Schedule
from .tasks import ErrorTypes, Running, Tasks
from .transport import HttpTransport, Transport

__all__ = ["Agent"]

F = TypeVar("F", bound=Callable[..., Any])

#: A registry that is away delays the start by at most about 12 s.
_START_RETRIES = RetryPolicy(attempts=2, max_pause_seconds=1.0, max_wait_seconds=1.0)
_START_TIMEOUT_SECONDS = 5.0

#: The status of a process that is to be started anew (EX_TEMPFAIL).
RESTART_STATUS = 75
_RESTART_SECONDS = 120.0

#: How long a process that was drained by SIGTERM has to end by itself.
_EXIT_SECONDS = 5.0


def _nothing(*_: Any) -> None:
    pass


def _host() -> str:
    # What a registration accepts: the name of a host decides nothing else.
    return "".join(letter for letter in socket.gethostname() if letter.isprintable())[:255]


#: The agents of this process, for the processes that it forks.
_STARTED: "weakref.WeakSet[Agent]" = weakref.WeakSet()


def _after_fork() -> None:
    for agent in list(_STARTED):
        agent._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Agent:
    """A running agent. Use it in a ``with`` block, or call ``start`` and ``close``. Thread-safe.

    The registry being away never ends or delays the agent's own work: what cannot be sent is sent later, and callbacks report what
    happens. A key that the registry refuses does not end the agent either, at the start or later: the client logs the refusal, calls
    ``on_refused``, and tries again once an interval. ``start`` raises only mistakes of the program: a profile or a URL that cannot be right.

    :param url: of the registry, such as ``http://localhost:8080``
    :param key: an API key, a function that returns the current one, for keys that are rotated, or a :class:`TokenFile`
    :param agent_id: of this process; a new process with the same id replaces this one
    :param kind: ``mcp_server`` for the process of a server of the Model Context Protocol; ``agent`` by default
    :param instance: where this process runs; the name of the host by default. The same instance replaces the process before at once, another
        one when that has ended or has sent no heartbeats for two intervals: until then the agent works and tries again. ``""`` replaces always.
    :param schedule: when the agent runs, where it does not run all the time: a run that does not come is a fault
    :param only_called: ``True`` where the agent has no process that runs all the time and is only called: missing heartbeats are no fault
    :param signs_of_life: what the registry takes as a heartbeat beside those that the agent sends: ``calls``, ``outcomes``, ``spans``
    :param profile: more fields of the registration, such as ``heartbeat_config``, ``metadata``, ``provider_id``
    :param on_drain: called with a :class:`Drain` in a thread of its own when the agent is to finish its work and take no more. The drain
        is complete when the callback has returned and no task runs.
    :param on_restart: called with a :class:`Drain` in a thread of its own when the process is to restart, as one that is stuck. By default the
        agent drains for at most its ``timeout_seconds``, and then the process ends with status 75, so that its supervisor starts it anew.
    :param on_dead: called with the error when the registry has marked the agent as dead. Then the agent registers again.
    :param on_superseded: called when another process has registered the same id. This one never registers again.
    :param on_error: called with the error when heartbeats begin to fail
    :param on_refused: called with :class:`Unauthenticated` or :class:`Forbidden` when the registry begins to refuse the key, or what the key may do.
        By default the agent goes on with its work. A program that must not run without the registry ends itself here.
    :param on_outcome: called with each outcome, which is sent all the same, such as :meth:`OwnHealth.record`. It must return fast.
    :param alive: asked before each heartbeat; where it returns ``False``, none is sent, and the registry marks the agent as unhealthy in time
    :param register_again: ``False`` to stop for good instead of registering again after ``on_dead``; ``"always"`` to register again also after an
        operator ended the agent. By default, the agent then calls ``on_drain`` without heartbeats, and has ended when no task runs.
    :param share: ``False`` where other processes of this machine with the same id are none of this agent but replace it
    :param error_types: says the ``error_type`` of an exception that leaves a task
    :param drain_on_sigterm: SIGTERM drains, and ends the process when the drain is complete
    :param close_timeout: seconds that ``close`` waits for running tasks
    """

    def __init__(
        self,
        url: str,
        key: Key,
        agent_id: str,
        *,
        kind: Optional[str] = None,
        role_id: Optional[str] = None,
        name: Optional[str] = None,
        capabilities: Sequence[str] = (),
        max_concurrent_tasks: Optional[int] = None,
        endpoint: Optional[str] = None,
        instance: Optional[str] = None,
        schedule: Optional[Schedule] = None,
        only_called: bool = False,
        signs_of_life: Sequence[str] = (),
        profile: Optional[Mapping[str, Any]] = None,
        on_drain: Optional[Callable[[Drain], Any]] = None,
        on_restart: Optional[Callable[[Drain], Any]] = None,
        on_dead: Optional[Callable[[AgentHealthError], Any]] = None,
        on_superseded: Optional[Callable[[], Any]] = None,
        on_error: Optional[Callable[[AgentHealthError], Any]] = None,
        on_refused: Optional[Callable[[AgentHealthError], Any]] = None,
        on_outcome: Optional[Callable[[Dict[str, Any]], Any]] = None,
        alive: Optional[Callable[[], bool]] = None,
        register_again: RegisterAgain = True,
        share: bool = True,
        error_types: Optional[ErrorTypes] = None,
        drain_on_sigterm: bool = False,
        close_timeout: float = 30.0,
        timeout: float = 10.0,
        transport: Optional[Transport] = None,
        runtime: Optional[Runtime] = None,
    ) -> None:
        self.agent_id = agent_id
        self._runtime: Runtime = runtime or SystemRuntime()
        transport = transport or HttpTransport()
        #: Other requests with the same URL and key.
        self.client = Client(url, key, timeout=timeout, transport=transport, runtime=self._runtime)
        self._calls = Calls(url, key, transport, self._runtime, timeout)
        self._outcomes = Outcomes(self._runtime)
        self._outcomes.listener = on_outcome
        self._tasks = Tasks(self._runtime, self._outcomes, error_types)
        self._tasks.when_idle(self._idle)
        declared: Dict[str, Any] = dict(profile or {})
        more = {"kind": kind, "role_id": role_id, "name": name, "endpoint": endpoint, "capabilities": list(capabilities) or None}
        declared.update((field, value) for field, value in more.items() if value is not None)
        if instance is not None or "instance" not in declared:
            declared["instance"] = _host() if instance is None else instance
        if max_concurrent_tasks is not None:
            declared["capacity"] = {"max_concurrent_tasks": max_concurrent_tasks}
        if register_again not in (True, False, "always"):
            raise ValueError('register_again is True, False or "always"')
        if schedule is not None and only_called:
            raise ValueError("an agent that is only called has no schedule")
        signs: Dict[str, Any] = {}
        if only_called:
            signs["mode"] = "none"
        if schedule is not None:
            signs["schedule"] = schedule.declared()
        if signs_of_life:
            signs["signs_of_life"] = list(signs_of_life)
        if signs:
            declared["heartbeat_config"] = {**declared.get("heartbeat_config", {}), **signs}
        self._hooks = Hooks(
            on_drain or _nothing,
            on_restart or self._restart,
            on_dead or _nothing,
            on_superseded or _nothing,
            on_error or _nothing,
            on_refused or _nothing,
            self._ended,
        )
        self._session = Session(
            self._calls, self._runtime, agent_id, declared, self._tasks, self._outcomes, self._hooks, register_again, alive
        )
        self._holdings = Holdings(self._session)
        self._timeout = timeout
        self._close_timeout = close_timeout
        self._shares = share and runtime is None
        self._drain_on_sigterm = drain_on_sigterm
        self._earlier_handler: Any = None
        self._worker: Optional[Worker] = None
        self._process = 0
        self._closing = False
        self._closed = False
        self._terminated = False

    def __repr__(self) -> str:
        return "Agent({!r}, {!r}, state={})".format(self._calls.url, self.agent_id, self.state.value)

    # Life

    def start(self) -> "Agent":
        """Registers and begins to send heartbeats. If the registry is away or refuses the key, the agent starts, and the client retries in the background.

        :raises AgentHealthError: the profile breaks a rule (:class:`InvalidRequest`), or the URL is not that of a registry (:class:`UnexpectedAnswer`)
        """
        if self._worker is not None:
            raise RuntimeError("an agent is started once")
        self._handle_sigterm()
        group = Group.join(self._calls.url, self.agent_id) if self._shares else None
        try:
            if self._session.join(group):
                self._session.register_now(_START_RETRIES, min(self._timeout, _START_TIMEOUT_SECONDS))
        except AgentHealthError as error:
            if not is_passing(error) and not is_refused(error) and not isinstance(error, Conflict):
                self._restore_handler()
                if group is not None:
                    group.leave()
                raise
            waits = isinstance(error, AgentAlreadyRunning)
            self._session.failed_at_start(error, "waits to take over" if waits else "starts without the registry, and retries")
        self._process = os.getpid()
        atexit.register(self.close)
        self._shares = self._session.is_joined
        _STARTED.add(self)
        self._worker = self._runtime.repeat("agent-health-heartbeats", self._session.step)
        return self

    def _after_fork(self) -> None:
        """Makes the copy of a forked process part of the agent."""
        if self._worker is None or self._closed:
            return
        if not self._shares:
            LOG.warning("agent %s: nothing that this forked process does is reported", self.agent_id)
            self._closed = True
            return
        self._process = os.getpid()
        self._runtime.after_fork()  # type: ignore[attr-defined]
        for part in (self._outcomes, self._tasks, self._holdings):
            part.forget()
        self._calls.after_fork()
        self._session.after_fork()
        self._worker = self._runtime.repeat("agent-health-heartbeats", self._session.step)

    def drain(self, reason: str = "") -> None:
        """Begins to drain: calls ``on_drain``, and ends when no task runs any more. Returns at once."""
        self._session.request_drain(Drain(reason, None))
        if self._worker is not None:
            self._worker.wake()

    def wait(self, seconds: Optional[float] = None) -> bool:
        """Waits until the agent has ended: drained, replaced, or closed. Returns whether it has."""
        return self._runtime.wait(lambda: self.state.ended, seconds)

    def close(self) -> None:
        """Waits for running tasks, sends their outcomes and deregisters. Never raises for the registry. A second call does nothing."""
        if self._worker is None or self._closed or self._process != os.getpid():
            # A forked process whose copy of the agent is not its own.
            return
        self._closing = True
        if self._tasks.load > 0 and self.accepts_work and not self._session.is_shared:
            # The registry is to know while the tasks go on.
            self._session.request_drain(CLOSING)
            self._worker.wake()
        self._runtime.wait(lambda: self._tasks.load == 0 or self.state.ended, self._close_timeout)
        self._end(self._session.finish)

    def leave(self) -> None:
        """Sends the outcomes that wait, and no more heartbeats: the agent stays registered, and dies in time. Never raises for the registry."""
        if self._worker is not None and not self._closed and self._process == os.getpid():
            self._closing = True
            self._end(self._session.leave)

    def _end(self, end: Callable[[], None]) -> None:
        assert self._worker is not None
        self._holdings.release()
        end()
        self._closed = True
        self._worker.wake()
        atexit.unregister(self.close)
        self._restore_handler()

    def __enter__(self) -> "Agent":
        return self.start()

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    @property
    def state(self) -> State:
        """What this process is to the registry, as far as it knows."""
        return self._session.state

    @property
    def accepts_work(self) -> bool:
        """Whether the agent is to take new work: not while it drains nor once it has ended; but while the registry is away."""
        return self.state in (State.STARTING, State.ACTIVE)

    @property
    def last_error(self) -> Optional[AgentHealthError]:
        """Why the last request failed; ``None`` while the registry answers."""
        return self._session.last_error

    # Work

    def task(self, function: F) -> F:
        """A decorator: the function, plain, async or a generator, counts as load while it runs, and its end is an outcome."""
        return self._tasks.decorate(function)

    def running(self, task_id: Optional[str] = None) -> Running:
        """A context manager for a piece of work that is no function: ``with agent.running("invoice_42"):``."""
        return Running(self._tasks, task_id)

    def model(self) -> Working:
        """A call of a model within the running task, for heartbeats: ``with agent.model() as call:``."""
        return call(self._tasks.activities, MODEL)

    def tool(self, name: str = "", arguments: Any = None) -> Working:
        """A call of a tool within the running task: ``with agent.tool("search", arguments):``.

        With its name and arguments, heartbeats say how often the same calls were repeated. Only a hash of the arguments is kept.
        """
        return call(self._tasks.activities, TOOL, tool=name, arguments=arguments)

    def human(self, waits_for: str = "") -> Working:
        """A wait for a person within the running task: ``with agent.human("approval of invoice 42"):``."""
        return call(self._tasks.activities, HUMAN, waits_for)

    def progress(self) -> None:
        """Says that the running task, or its call, goes on; nothing outside of one."""
        progress(self._tasks.activities)

    def context_used(self, part: float) -> None:
        """Says how much of the model's context is used, in heartbeats from now on.

        :param part: from 0 to 1
        :raises ValueError: for another number
        """
        if not 0 <= part <= 1:
            raise ValueError("the used part of the context must be from 0 to 1")
        self._session.context_used = float(part)

    def record(
        self,
        result: str,
        *,
        latency_ms: Optional[float] = None,
        error_type: Optional[str] = None,
        sla_breached: Optional[bool] = None,
        receipt_id: Optional[str] = None,
        usage: Optional[Mapping[str, Any]] = None,
        upstream: Optional[Dict[str, str]] = None,
        quality: Optional[float] = None,
        evaluation: Optional[str] = None,
    ) -> None:
        """Records an outcome that was measured elsewhere and ended now.

        :param result: ``success``, ``failure``, or ``trigger_failure`` for an execution that should have begun and did not
        :param usage: tokens and calls: ``input_tokens``, ``output_tokens``, ``cache_read_tokens``, ``model_calls``, ``tool_calls``, ``model``,
            ``provider``; other keys and wrong values are left out
        :param upstream: the model provider that was called: ``provider``, and ``model`` and ``error`` if they are known
        :param quality: the quality of the result, from 0 to 1, as an evaluation found it
        :param evaluation: the name of this evaluation
        :raises ValueError: for another result, an ``error_type`` that there is not, or a quality outside of 0 to 1
        """
        self._outcomes.add(
            result, latency_ms, error_type, sla_breached, receipt_id, usage, upstream, quality, evaluation
        )

    def lease(
        self,
        intent_id: str,
        scope: str,
        *,
        seconds: int = 60,
        wait: float = 0.0,
        on_lost: Optional[Callable[[str], Any]] = None,
    ) -> Lease:
        """A lease for a ``with`` block: ``with agent.lease("invoice_42", "send") as lease:``.

        Entering the block raises :class:`LeaseHeld` where another agent holds it, and :class:`RegistryUnavailable` where the registry is
        away: there is no lease without it, nor before the agent is registered.

        :param wait: seconds to wait where another agent holds it
        :param on_lost: called with a reason when the lease is lost
        """
        return Lease(self._calls, self._runtime, self._holdings, intent_id, scope, seconds, wait, on_lost)

    # Notices

    def _idle(self) -> None:
        if self.state is State.DRAINING and self._worker is not None:
            self._worker.wake()

    def _handle_sigterm(self) -> None:
        if self._drain_on_sigterm and self._earlier_handler is None:
            self._earlier_handler = signal.signal(signal.SIGTERM, self._on_sigterm)

    def _on_sigterm(self, number: int, frame: Optional[FrameType]) -> None:
        if self.state.ended:
            self._restore_handler()
            os.kill(os.getpid(), signal.SIGTERM)
        else:
            self._terminated = True
            self.drain("SIGTERM")

    def _ended(self) -> None:
        if self._terminated:
            self._runtime.run("agent-health-exit", self._end_process)

    def _end_process(self) -> None:
        """Ends the process as SIGTERM does without a handler, unless it ends by itself meanwhile."""
        if not self._runtime.wait(lambda: self._closing, _EXIT_SECONDS):
            os.kill(os.getpid(), signal.SIGTERM)

    def _restart(self, drain: Drain) -> None:
        self.drain(drain.reason)
        self._runtime.wait(lambda: self.state.ended, drain.timeout_seconds or _RESTART_SECONDS)
        # What is stuck would hold up an exit that waits for threads.
        self._close_timeout = 0.0
        self.close()
        self._exit(RESTART_STATUS)

    @staticmethod
    def _exit(status: int) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        logging.shutdown()
        os._exit(status)

    def _restore_handler(self) -> None:
        # Only the main thread may set handlers.
        if self._earlier_handler is not None and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, self._earlier_handler)
            self._earlier_handler = None
