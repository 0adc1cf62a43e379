"""An agent that runs only while it is called, as a function on AWS Lambda or a container on Cloud Run."""

from __future__ import annotations

import asyncio
import datetime
import functools
import inspect
import threading
from types import TracebackType
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Type, TypeVar, cast

from ._calls import ONCE, full_jitter, is_passing
from ._runtime import LOG, Runtime, SystemRuntime
from ._states import RegisterAgain
from .activity import MODEL, OTHER, TOOL, Working, call, current
from .client import Client
from .credentials import Key
from .errors import AgentGone, Conflict, NotFound, ProblemError
from .outcomes import SERVER_ERROR, TIMEOUT, Outcomes
from .schedule import Schedule
from .tasks import ErrorTypes, Tasks
from .transport import HttpTransport, Transport
from .upstream import upstream_of

__all__ = ["CalledAgent"]

F = TypeVar("F", bound=Callable[..., Any])

_MAX_PAUSE_SECONDS = 60.0


class CalledAgent:
    """Registers an agent with its first call, and reports how each call ends before the caller gets the answer. Thread-safe.

    All processes of the platform are one agent: none replaces another, and none deregisters it. Between calls nothing is sent, and
    missing heartbeats are no fault unless a ``schedule`` says so. The registry being away never fails a call, and delays an answer only now and then:
    after a failure the next attempt waits up to a minute, and outcomes wait in the process.

    :param agent_id: of the function or service
    :param schedule: when it is called, where a run that does not come is a fault
    :param profile: more fields of the registration, such as ``endpoint``, ``metadata``, ``heartbeat_config``
    :param register_again: ``"always"`` to register again also after an operator ended the agent; by default, this process then reports nothing more
    :param max_delay: seconds by which an answer may wait for the registry
    :param error_types: says the ``error_type`` of an exception that leaves a call
    """

    def __init__(
        self,
        url: str,
        key: Key,
        agent_id: str,
        *,
        role_id: Optional[str] = None,
        capabilities: Sequence[str] = (),
        schedule: Optional[Schedule] = None,
        profile: Optional[Mapping[str, Any]] = None,
        register_again: RegisterAgain = True,
        max_delay: float = 1.0,
        error_types: Optional[ErrorTypes] = None,
        transport: Optional[Transport] = None,
        runtime: Optional[Runtime] = None,
    ) -> None:
        self.agent_id = agent_id
        self._runtime: Runtime = runtime or SystemRuntime()
        #: Other requests with the same URL and key, each sent once.
        self.client = Client(url, key, timeout=max_delay, retries=ONCE, transport=transport or HttpTransport(), runtime=self._runtime)
        declared: Dict[str, Any] = {"mode": "none"} if schedule is None else {"schedule": schedule.declared()}
        fields = {"role_id": role_id, "capabilities": list(capabilities) or None, **(profile or {})}
        self._profile = {name: value for name, value in fields.items() if value is not None}
        self._profile["heartbeat_config"] = {**declared, "signs_of_life": ["outcomes"], **self._profile.get("heartbeat_config", {})}
        self._max_delay = max_delay
        self._obeys = register_again != "always"
        self._stopped = False
        self._outcomes = Outcomes(self._runtime)
        self._tasks = Tasks(self._runtime, self._outcomes, error_types)
        self._lock = threading.Lock()
        self._sender: Optional[threading.Thread] = None
        self._registered = False
        self._failures = 0
        self._retry_at = 0.0

    def handler(self, function: F) -> F:
        """A decorator for the function that is called, plain, async or a generator. Its exception is a failure, and so is an answer with ``statusCode`` 500 or above.

        Where an argument is the context of AWS Lambda, a call that is not done in nine tenths of its time, or a second before its end, is a
        failure with ``timeout``.
        """
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def call_async(*args: Any, **kwargs: Any) -> Any:
                try:
                    with _Call(self, args, ambient=True) as call:
                        return call.judge(await function(*args, **kwargs))
                finally:
                    await asyncio.get_running_loop().run_in_executor(None, self.flush)

            return cast(F, call_async)

        if inspect.isasyncgenfunction(function):

            @functools.wraps(function)
            async def stream_async(*args: Any, **kwargs: Any) -> Any:
                try:
                    with _Call(self, args):
                        async for item in function(*args, **kwargs):
                            yield item
                finally:
                    await asyncio.get_running_loop().run_in_executor(None, self.flush)

            return cast(F, stream_async)

        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def stream(*args: Any, **kwargs: Any) -> Any:
                try:
                    with _Call(self, args):
                        yield from function(*args, **kwargs)
                finally:
                    self.flush()

            return cast(F, stream)

        @functools.wraps(function)
        def call_plain(*args: Any, **kwargs: Any) -> Any:
            try:
                with _Call(self, args, ambient=True) as call:
                    return call.judge(function(*args, **kwargs))
            finally:
                self.flush()

        return cast(F, call_plain)

    def add_usage(self, usage: Mapping[str, Any]) -> None:
        """Adds tokens and calls to the outcome of the call that goes on in this thread or coroutine, as in :meth:`Agent.record`.

        Does nothing outside of a call, and in a generator.
        """
        working = current(self._tasks.activities)
        if working is not None:
            working.add_usage(usage)

    def model(self) -> Working:
        """A call of a model within the call that goes on here: ``with agent.model() as call:``. The outcome counts it."""
        return call(self._tasks.activities, MODEL)

    def tool(self, name: str = "", arguments: Any = None) -> Working:
        """A call of a tool within the call that goes on here: ``with agent.tool("search", arguments):``. The outcome counts it."""
        return call(self._tasks.activities, TOOL, tool=name, arguments=arguments)

    def flush(self) -> None:
        """Sends what waits, for at most ``max_delay`` seconds. Never raises."""
        if self._stopped:
            self._outcomes.forget()
        end = self._runtime.monotonic() + self._max_delay
        while len(self._outcomes) and self._retry_at <= self._runtime.monotonic() < end:
            with self._lock:
                if self._sender is None or not self._sender.is_alive():
                    # In a thread, since nothing else bounds a look-up of a name.
                    self._sender = threading.Thread(target=self._send, name="agent-health-outcomes", daemon=True)
                    self._sender.start()
                sender = self._sender
            sender.join(max(0.0, end - self._runtime.monotonic()))
            if sender.is_alive():
                self._failed("no answer within {:g} s".format(self._max_delay))

    def _send(self) -> None:
        try:
            if not self._registered:
                self._register()
            batch = self._outcomes.next(self._time)
            while batch is not None:
                try:
                    self.client.report(self.agent_id, batch.outcomes, batch_id=batch.batch_id)
                    self._outcomes.settle(batch, {"status_code": 202})
                except ProblemError as error:
                    if is_passing(error) or error.status in (401, 403, 404, 410):
                        raise
                    self._outcomes.settle(batch, {**error.document, "status_code": error.status})
                batch = self._outcomes.next(self._time)
            self._failures = 0
        except Exception as error:
            if isinstance(error, (NotFound, AgentGone)):
                self._registered = False
            if self._obeys and isinstance(error, AgentGone) and error.ended_by == "operator":
                self._stopped = True
                LOG.warning("agent %s was ended by an operator: this process reports nothing more", self.agent_id)
                self._outcomes.forget()
                return
            self._failed(error)

    def _failed(self, why: Any) -> None:
        self._failures += 1
        self._retry_at = self._runtime.monotonic() + full_jitter(self._failures, 1.0, _MAX_PAUSE_SECONDS, self._runtime.random)
        LOG.warning("agent %s: %s (calls go on, and %d outcomes wait)", self.agent_id, why, len(self._outcomes))

    def _register(self) -> None:
        try:
            self.client.register(self.agent_id, **self._profile)
        except Conflict as error:
            if error.code != "agent_exists":
                raise
            # Another process registered it, perhaps of an earlier version.
            config = {"mode": None, "schedule": None, **self._profile["heartbeat_config"]}
            self.client.update(self.agent_id, "*", **{**self._profile, "heartbeat_config": config})
        self._registered = True

    def _time(self, monotonic: float) -> datetime.datetime:
        return self._runtime.now() - datetime.timedelta(seconds=self._runtime.monotonic() - monotonic)


def _time_left(arguments: Sequence[Any]) -> Optional[float]:
    """The seconds that the context of AWS Lambda among the arguments says; a mock of one says nothing."""
    contexts = (one for one in arguments if hasattr(one, "get_remaining_time_in_millis"))
    said = (one.get_remaining_time_in_millis() for one in contexts)
    return next((millis / 1000 for millis in said if isinstance(millis, (int, float))), None)


class _Call:
    """One call, from its begin to the moment before its answer."""

    def __init__(self, agent: CalledAgent, arguments: Sequence[Any], ambient: bool = False) -> None:
        self._agent = agent
        self._working = Working(agent._tasks.activities, OTHER, ambient=ambient)
        self._failure: Optional[str] = None
        self._open = threading.Lock()
        self._began = agent._runtime.monotonic()
        left = _time_left(arguments)
        self._timer: Optional[threading.Timer] = None
        if left is not None:
            # The platform ends the process without a notice, so there has to be time to report it.
            self._timer = threading.Timer(max(left * 0.9, left - 1.0), self._time_out)
            self._timer.daemon = True

    def judge(self, answer: Any) -> Any:
        status = answer.get("statusCode") if isinstance(answer, dict) else None
        self._failure = SERVER_ERROR if isinstance(status, int) and status >= 500 else None
        return answer

    def __enter__(self) -> "_Call":
        if self._timer is not None:
            self._timer.start()
        self._working.__enter__()
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._working.__exit__(kind, error, trace)
        if error is None or isinstance(error, Exception):
            self._end(
                self._failure if error is None else self._agent._tasks.error_type(error),
                None if error is None else upstream_of(error),
            )

    def _time_out(self) -> None:
        self._end(TIMEOUT)
        self._agent.flush()

    def _end(self, failure: Optional[str], upstream: Optional[Dict[str, str]] = None) -> None:
        # A call ends once: by its time-out or by itself.
        if self._open.acquire(blocking=False):
            latency = (self._agent._runtime.monotonic() - self._began) * 1000
            self._agent._outcomes.add("success" if failure is None else "failure", latency, failure, usage=self._working.usage.fields(), upstream=upstream)
