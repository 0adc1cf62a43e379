"""Time and threads. Tests replace them."""

from __future__ import annotations

import datetime
import logging
import queue
import random
import threading
import time
from typing import Any, Callable, Optional, Protocol

LOG = logging.getLogger("agent_health")

#: Does what is due, and returns the seconds until it is to be called again, or ``None`` if it is done.
Step = Callable[[], Optional[float]]


class Worker(Protocol):
    """Something that runs in the background."""

    def wake(self) -> None:
        """Lets it do its next step now."""


class Runtime(Protocol):
    """Clocks, pauses and background work."""

    random: random.Random

    def monotonic(self) -> float:
        """Seconds that pass also while the machine sleeps."""
        ...

    def now(self) -> datetime.datetime:
        """The time of this machine's clock, in UTC."""
        ...

    def sleep(self, seconds: float) -> None:
        """Waits."""

    def repeat(self, name: str, step: Step) -> Worker:
        """Runs the step in the background, at once and whenever it is due."""
        ...

    def run(self, name: str, work: Callable[[], Any]) -> None:
        """Runs something once in the background."""

    def wait(self, condition: Callable[[], bool], seconds: Optional[float]) -> bool:
        """Waits until the condition holds, at most so long; ``None`` for no limit. Returns whether it holds."""
        ...

    def changed(self) -> None:
        """Lets all waiting threads look at the condition again."""


class SystemRuntime:
    """The machine's clocks and daemon threads."""

    #: A condition may become true without a notice, so it is looked at this often.
    _LOOK_SECONDS = 0.5

    def __init__(self) -> None:
        self.after_fork()
        # CLOCK_MONOTONIC stands still while a virtual machine is suspended, and leases would seem to last.
        self._clock: Optional[int] = getattr(time, "CLOCK_BOOTTIME", None)

    def after_fork(self) -> None:
        """Begins anew: a lock may have been held in the parent."""
        self.random = random.Random()
        self._change = threading.Condition()

    def monotonic(self) -> float:
        return time.monotonic() if self._clock is None else time.clock_gettime(self._clock)

    def now(self) -> datetime.datetime:
        return datetime.datetime.now(datetime.timezone.utc)

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def repeat(self, name: str, step: Step) -> Worker:
        worker = _ThreadWorker(name, step)
        worker.start()
        return worker

    def run(self, name: str, work: Callable[[], Any]) -> None:
        threading.Thread(target=work, name=name, daemon=True).start()

    def wait(self, condition: Callable[[], bool], seconds: Optional[float]) -> bool:
        until = None if seconds is None else self.monotonic() + seconds
        with self._change:
            while not condition():
                left = self._LOOK_SECONDS if until is None else min(self._LOOK_SECONDS, until - self.monotonic())
                if left <= 0:
                    return False
                self._change.wait(left)
        return True

    def changed(self) -> None:
        with self._change:
            self._change.notify_all()


class _ThreadWorker(threading.Thread):
    """A daemon thread: it never keeps a process alive."""

    def __init__(self, name: str, step: Step) -> None:
        super().__init__(name=name, daemon=True)
        self._step = step
        # Its put() is safe in a signal handler; an Event's set() is not.
        self._wakes: "queue.SimpleQueue[None]" = queue.SimpleQueue()

    def wake(self) -> None:
        self._wakes.put(None)

    def run(self) -> None:
        while True:
            try:
                pause = self._step()
            except Exception:
                # A defect of a callback or of this package must not end the heartbeats.
                LOG.exception("a step of %s failed", self.name)
                pause = 5.0
            if pause is None:
                return
            try:
                self._wakes.get(timeout=max(0.0, pause))
                while True:
                    self._wakes.get_nowait()
            except queue.Empty:
                pass
