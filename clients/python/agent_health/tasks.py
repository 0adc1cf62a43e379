"""Counts running tasks and records how they end."""

from __future__ import annotations

import functools
import inspect
import threading
from types import TracebackType
from typing import Any, Callable, Dict, List, Mapping, Optional, Type, TypeVar, cast

from ._calls import plain_text
from ._runtime import LOG, Runtime
from .activity import OTHER as OTHER_PHASE
from .activity import Activities, Working
from .outcomes import ERROR_TYPES, OTHER, Outcomes, error_type_of, evaluation_fields
from .upstream import upstream_of
from .usage import usage_fields

__all__ = ["Running"]

F = TypeVar("F", bound=Callable[..., Any])

ErrorTypes = Callable[[BaseException], str]

#: What the registry accepts of one heartbeat.
MAX_TASK_IDS = 1_000
MAX_TASK_ID_LENGTH = 128


class Tasks:
    """The tasks that run now. Thread-safe."""

    def __init__(self, runtime: Runtime, outcomes: Outcomes, error_types: Optional[ErrorTypes]) -> None:
        self.runtime = runtime
        self.outcomes = outcomes
        self.activities = Activities(runtime)
        self._error_types = error_types or error_type_of
        self._on_idle: Callable[[], None] = lambda: None
        self.process = 0
        self.forget()

    def forget(self) -> None:
        """Begins anew, as in a forked process: what runs there is the work of its parent."""
        self.process += 1
        self.activities.forget()
        self._lock = threading.Lock()
        self._count = 0
        self._ids: Dict[str, int] = {}

    @property
    def load(self) -> int:
        return self._count

    def ids(self) -> List[str]:
        with self._lock:
            return sorted(self._ids)[:MAX_TASK_IDS]

    def when_idle(self, on_idle: Callable[[], None]) -> None:
        """Calls it whenever the last task ends."""
        self._on_idle = on_idle

    def error_type(self, error: BaseException) -> str:
        try:
            found = self._error_types(error)
        except Exception:
            LOG.exception("error_types failed")
            return OTHER
        return found if found in ERROR_TYPES else OTHER

    def begin(self, task_id: Optional[str]) -> None:
        with self._lock:
            self._count += 1
            if task_id is not None:
                self._ids[task_id] = self._ids.get(task_id, 0) + 1

    def end(self, task_id: Optional[str]) -> None:
        with self._lock:
            self._count -= 1
            if task_id is not None:
                self._ids[task_id] -= 1
                if not self._ids[task_id]:
                    del self._ids[task_id]
            idle = self._count == 0
        self.runtime.changed()
        if idle:
            self._on_idle()

    def decorate(self, function: F) -> F:
        """The same function, counted while it runs; generators and coroutines while they are used."""
        wrap: Callable[["Tasks", Callable[..., Any]], Callable[..., Any]]
        if inspect.iscoroutinefunction(function):
            wrap = _coroutine
        elif inspect.isasyncgenfunction(function):
            wrap = _async_generator
        elif inspect.isgeneratorfunction(function):
            wrap = _generator
        else:
            wrap = _plain
        return cast(F, functools.wraps(function)(wrap(self, function)))


def _coroutine(tasks: Tasks, function: Callable[..., Any]) -> Callable[..., Any]:
    async def wrapper(*args: Any, **kwargs: Any) -> Any:
        with Running(tasks, None):
            return await function(*args, **kwargs)

    return wrapper


def _async_generator(tasks: Tasks, function: Callable[..., Any]) -> Callable[..., Any]:
    async def wrapper(*args: Any, **kwargs: Any) -> Any:
        with Running(tasks, None, ambient=False) as running:
            items = function(*args, **kwargs)
            while True:
                try:
                    with running.current():
                        item = await items.__anext__()
                except StopAsyncIteration:
                    return
                running.progress()
                yield item

    return wrapper


def _generator(tasks: Tasks, function: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with Running(tasks, None, ambient=False) as running:
            return (yield from _Steps(running, function(*args, **kwargs)))

    return wrapper


class _Steps:
    """A generator whose steps are progress. Between two steps, the code that uses it is not part of the task."""

    def __init__(self, running: "Running", steps: Any) -> None:
        self._running = running
        self._steps = steps

    def __iter__(self) -> "_Steps":
        return self

    def __next__(self) -> Any:
        return self._step(next, self._steps)

    def send(self, value: Any) -> Any:
        return self._step(self._steps.send, value)

    def throw(self, *error: Any) -> Any:
        return self._step(self._steps.throw, *error)

    def close(self) -> None:
        self._step(self._steps.close)

    def _step(self, step: Callable[..., Any], *arguments: Any) -> Any:
        self._running.progress()
        with self._running.current():
            return step(*arguments)


def _plain(tasks: Tasks, function: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with Running(tasks, None):
            return function(*args, **kwargs)

    return wrapper


class Running(Working):
    """A task that runs, as a context manager. Its end is an outcome: a failure where an exception leaves the block.

    What is cancelled (``CancelledError``, ``KeyboardInterrupt``, a generator that is closed) is neither a success nor a failure and is
    not reported.
    """

    def __init__(self, tasks: Tasks, task_id: Optional[str], ambient: bool = True) -> None:
        super().__init__(tasks.activities, OTHER_PHASE, ambient=ambient)
        self._tasks = tasks
        self._task_id = plain_text(task_id)[:MAX_TASK_ID_LENGTH] if task_id else None
        self._failure: Optional[str] = None
        self._receipt_id: Optional[str] = None
        self._sla_breached: Optional[bool] = None
        self._usage: Optional[Mapping[str, Any]] = None
        self._upstream: Optional[Dict[str, str]] = None
        self._quality: Optional[float] = None
        self._evaluation: Optional[str] = None
        self._began = 0.0

    def fail(self, error_type: str = "other") -> None:
        """Reports a failure although no exception leaves the block."""
        if error_type not in ERROR_TYPES:
            raise ValueError("the error_type must be one of " + ", ".join(ERROR_TYPES))
        self._failure = error_type

    def note(
        self,
        receipt_id: Optional[str] = None,
        sla_breached: Optional[bool] = None,
        usage: Optional[Mapping[str, Any]] = None,
        upstream: Optional[Dict[str, str]] = None,
        quality: Optional[float] = None,
        evaluation: Optional[str] = None,
    ) -> None:
        """Adds what is known of the execution.

        :param receipt_id: of an invocation through the gateway, which counts it itself
        :param usage: tokens and calls, as in :meth:`Agent.record`; its numbers replace the sums of :meth:`add_usage` and of the calls
        :param upstream: the model provider that was called last, as in ``record``
        :param quality: the quality of the result, from 0 to 1, as an evaluation found it
        :param evaluation: the name of this evaluation
        :raises ValueError: for a quality outside of 0 to 1
        """
        evaluation_fields("success", quality, evaluation)
        if quality is not None:
            self._quality, self._evaluation = quality, evaluation
        self._usage = usage or self._usage
        self._upstream = upstream or self._upstream
        self._receipt_id = receipt_id or self._receipt_id
        self._sla_breached = self._sla_breached if sla_breached is None else sla_breached

    def __enter__(self) -> Any:
        self._began = self._tasks.runtime.monotonic()
        self._process = self._tasks.process
        self._tasks.begin(self._task_id)
        return super().__enter__()

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if self._process != self._tasks.process:
            # A forked process leaves the block too; the task is that of its parent.
            return
        try:
            if error is None or isinstance(error, Exception):
                self._record(error)
        finally:
            super().__exit__(kind, error, trace)
            self._tasks.end(self._task_id)

    def _record(self, error: Optional[Exception]) -> None:
        failure = self._failure if error is None else self._tasks.error_type(error)
        upstream = self._upstream or (None if error is None else upstream_of(error))
        self._tasks.outcomes.add(
            "success" if failure is None else "failure",
            (self._tasks.runtime.monotonic() - self._began) * 1000,
            failure,
            receipt_id=self._receipt_id,
            sla_breached=self._sla_breached,
            usage={**self.usage.fields(), **usage_fields(self._usage)},
            upstream=upstream,
            quality=self._quality,
            evaluation=self._evaluation,
        )
