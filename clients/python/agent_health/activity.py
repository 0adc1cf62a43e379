"""What the running tasks do and when they last made progress, so that heartbeats can tell work from a process that is merely alive."""

from __future__ import annotations

import contextvars
import json
import threading
from types import TracebackType
from typing import (
    Any,
    AsyncIterable,
    AsyncIterator,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Set,
    Type,
    TypeVar,
    Union,
    overload,
)

from ._runtime import Runtime
from .usage import TaskUsage

__all__ = ["Working"]

T = TypeVar("T")

MODEL = "model"
TOOL = "tool"
HUMAN = "human"
OTHER = "other"

_Span = Optional["Working"]

#: The innermost task or call of this thread or coroutine.
_CURRENT: "contextvars.ContextVar[_Span]" = contextvars.ContextVar("agent_health_working", default=None)

#: The maximum length of the text that says what a wait for a person is for, in characters.
MAX_WAITS_FOR = 200

#: A blocked event loop counts from here on; a shorter pause is usual.
_LOOP_SECONDS = 5.0


#: The registry accepts no larger number of repetitions, and no longer name of a tool.
_MAX_REPEATS = 1_000_000
_MAX_TOOL = 128

#: Up to this many calls in turn are a loop.
_LOOP_LENGTH = 4


class Repetitions:
    """Repeated calls of tools within one task: one call again and again, or up to four calls in turn. Keeps hashes only."""

    def __init__(self) -> None:
        self.tool = ""
        self._last: List[int] = []
        self._matches = [0] * _LOOP_LENGTH

    def call(self, tool: str, arguments: Any) -> bool:
        """Counts a call. Returns whether it repeats an earlier one."""
        signature = hash((tool, json.dumps(arguments, sort_keys=True, default=repr))) if tool else None
        for length in range(1, _LOOP_LENGTH + 1):
            same = signature is not None and len(self._last) >= length and self._last[-length] == signature
            self._matches[length - 1] = self._matches[length - 1] + 1 if same else 0
        self.tool = tool
        self._last = [*self._last, signature][-_LOOP_LENGTH:] if signature is not None else []
        return self.repeats > 0

    @property
    def repeats(self) -> int:
        """How often the calls were repeated."""
        return max(matches // (length + 1) for length, matches in enumerate(self._matches))


class Activities:
    """The tasks and calls that run now. Thread-safe."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self._loop: Callable[[], Optional[float]] = lambda: None
        self.forget()

    def forget(self) -> None:
        """Begins anew, as in a forked process."""
        self._lock = threading.Lock()
        self._open: Dict["Working", None] = {}

    def watch_loop(self, last_turn: Callable[[], Optional[float]]) -> None:
        """Counts an event loop that does not turn as a task: its last turn is its progress."""
        self._loop = last_turn

    def begin(self, working: "Working") -> None:
        with self._lock:
            if working.parent is not None:
                if working.parent.over:
                    return
                working.parent.calls.add(working)
            working.over = False
            self._open[working] = None

    def end(self, working: "Working") -> None:
        """Ends the calls within it too: a call that outlives its task is none of it."""
        with self._lock:
            if working.parent is not None:
                working.parent.calls.discard(working)
            self._close(working)

    def _close(self, working: "Working") -> None:
        working.over = True
        self._open.pop(working, None)
        while working.calls:
            self._close(working.calls.pop())

    def report(self) -> Optional[Dict[str, Any]]:
        """The activity for a heartbeat: of what is longest without progress. What waits for a person comes last, since it may last."""
        now = self.runtime.monotonic()
        with self._lock:
            waiting = [(one.phase, one.last_progress, one.waits_for) for one in self._open if not one.calls]
            repeated = [(one.repetitions.repeats, one.repetitions.tool) for one in self._open if one.parent is None]
        turned = self._loop()
        if turned is not None and now - turned >= _LOOP_SECONDS:
            waiting.append((OTHER, turned, ""))
        if not waiting:
            return None
        phase, last, waits_for = min(waiting, key=lambda one: (one[0] == HUMAN, one[1]))
        activity: Dict[str, Any] = {"phase": phase, "no_progress_seconds": round(max(0.0, now - last), 1)}
        if waits_for:
            activity["for"] = waits_for
        repeats, tool = max(repeated, default=(0, ""))
        if repeats:
            activity.update(repeats=min(repeats, _MAX_REPEATS), tool=tool)
        return activity


class Working:
    """A task, or a call within one, as a context manager. Entering a call and leaving it is progress of what it belongs to."""

    def __init__(
        self,
        activities: Activities,
        phase: str,
        parent: _Span = None,
        ambient: bool = True,
        waits_for: str = "",
        tool: str = "",
        arguments: Any = None,
    ) -> None:
        self._activities = activities
        self.waits_for = waits_for[:MAX_WAITS_FOR]
        self._called = (tool[:_MAX_TOOL], arguments) if phase == TOOL else None
        self._repeats = False
        self.repetitions: Repetitions = Repetitions() if parent is None else parent.repetitions
        self.usage: TaskUsage = TaskUsage() if parent is None else parent.usage
        self.phase = phase
        self.parent = parent
        self.calls: Set["Working"] = set()
        self.over = False
        self._ambient = ambient
        self._tokens: List["contextvars.Token[_Span]"] = []
        self.last_progress = 0.0

    def progress(self) -> None:
        """Says that the work goes on."""
        self.last_progress = self._activities.runtime.monotonic()

    @overload
    def each(self, items: Iterable[T]) -> Iterator[T]: ...

    @overload
    def each(self, items: AsyncIterable[T]) -> AsyncIterator[T]: ...

    def each(self, items: Union[Iterable[T], AsyncIterable[T]]) -> Union[Iterator[T], AsyncIterator[T]]:
        """The same items; each is progress: ``for chunk in call.each(stream):``, with ``async for`` where the stream is asynchronous."""
        return self._async_each(items) if isinstance(items, AsyncIterable) else self._each(items)

    def _each(self, items: Iterable[T]) -> Iterator[T]:
        for item in items:
            self.progress()
            yield item

    async def _async_each(self, items: AsyncIterable[T]) -> AsyncIterator[T]:
        async for item in items:
            self.progress()
            yield item

    def model(self) -> "Working":
        """A call of a model: ``with task.model() as call:``."""
        return Working(self._activities, MODEL, self)

    def tool(self, name: str = "", arguments: Any = None) -> "Working":
        """A call of a tool. With its name and arguments, a repeated call is no progress; only a hash of the arguments is kept."""
        return Working(self._activities, TOOL, self, tool=name, arguments=arguments)

    def human(self, waits_for: str = "") -> "Working":
        """A wait for a person; ``waits_for`` says what the person has to do, for those who may read the agent's record."""
        return Working(self._activities, HUMAN, self, waits_for=waits_for)

    def add_usage(self, usage: Mapping[str, Any]) -> None:
        """Adds tokens of a call to the outcome of its task: ``call.add_usage({"input_tokens": 900, "output_tokens": 70, "model": "gpt-5"})``.

        The client counts calls of models and tools itself. The model with the most tokens names the sum.

        :param usage: as in :meth:`Agent.record`
        """
        self.usage.add(usage)

    def current(self) -> "Current":
        """Makes this the innermost one for a block that begins and ends in one thread or coroutine."""
        return Current(self)

    def __enter__(self) -> Any:
        self.progress()
        self._count()
        if self._called is not None:
            self._repeats = self.repetitions.call(*self._called)
            self._called = (self._called[0], None)
            if self._repeats and self.parent is not None:
                self.last_progress = self.parent.last_progress
        self._activities.begin(self)
        if self._ambient:
            self._tokens.append(_CURRENT.set(self))
        return self

    def _count(self) -> None:
        """Counts a call of a model or a tool. A call of a model within another, such as that of a hook, is the same call."""
        if self.phase == TOOL:
            self.usage.add({"tool_calls": 1})
        elif self.phase == MODEL and not (self.parent is not None and self.parent.phase == MODEL):
            self.usage.add({"model_calls": 1})

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if self._tokens:
            _reset(self._tokens.pop())
        self._activities.end(self)
        if self.parent is not None and not self._repeats:
            self.parent.progress()


class Current:
    """See :meth:`Working.current`."""

    def __init__(self, working: Working) -> None:
        self._working = working

    def __enter__(self) -> None:
        self._token = _CURRENT.set(self._working)

    def __exit__(self, *_: Any) -> None:
        _reset(self._token)


def _reset(token: "contextvars.Token[_Span]") -> None:
    try:
        _CURRENT.reset(token)
    except ValueError:
        # A generator may be closed by another task than the one that used it.
        pass


def current(activities: Activities) -> _Span:
    """The innermost task or call of this agent that goes on here; ``None`` where there is none."""
    found = _CURRENT.get()
    return found if found is not None and found._activities is activities and not found.over else None


def call(activities: Activities, phase: str, waits_for: str = "", tool: str = "", arguments: Any = None) -> Working:
    """A call within the innermost task or call of this agent, if there is one."""
    return Working(activities, phase, current(activities), waits_for=waits_for, tool=tool, arguments=arguments)


def progress(activities: Activities) -> None:
    """Progress of the innermost task or call of this agent; nothing where there is none."""
    found = current(activities)
    if found is not None:
        found.progress()
