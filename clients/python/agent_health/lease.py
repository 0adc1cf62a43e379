"""Leases that are renewed in the background."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any, Callable, Dict, List, Optional, Tuple, Type

from ._calls import ONCE, Calls, RetryPolicy, full_jitter, is_passing, parsed_time, path
from ._runtime import LOG, Runtime, Worker
from ._session import Session
from .errors import AgentAlreadyRunning, AgentHealthError, LeaseHeld, LeaseLost, RegistryUnavailable

__all__ = ["Lease"]

#: A lease is renewed when this part of it is over, so that two renewals may fail.
_RENEW_AT = 1 / 3

_MAX_WAIT_PAUSE_SECONDS = 5.0


class Holdings:
    """The leases of one process. Thread-safe."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.forget()
        session.when_gone(self._lose)

    def forget(self) -> None:
        """Begins anew, as in a forked process: the leases are those of its parent."""
        self._lock = threading.Lock()
        self._leases: Dict[Tuple[str, str], Lease] = {}

    def identity(self) -> Dict[str, Any]:
        """The fields that name this process in requests."""
        incarnation = self.session.incarnation
        return {"agent_id": self.session.agent_id, **({} if incarnation is None else {"incarnation": incarnation})}

    def reserve(self, lease: Lease) -> bool:
        """Whether no other lease object has the scope; it is this one's from now on."""
        with self._lock:
            return self._leases.setdefault((lease.intent_id, lease.scope), lease) is lease

    def remove(self, lease: Lease) -> None:
        """The scope is free for other lease objects."""
        with self._lock:
            if self._leases.get((lease.intent_id, lease.scope)) is lease:
                del self._leases[(lease.intent_id, lease.scope)]

    def release(self) -> None:
        """Releases all of them."""
        for lease in self._held():
            lease.release()

    def _lose(self, reason: str) -> None:
        for lease in self._held():
            lease.lose(reason)

    def _held(self) -> List[Lease]:
        with self._lock:
            return list(self._leases.values())


class Lease:
    """A lease on a scope of an intent, for the length of a ``with`` block. Thread-safe.

    The lease is renewed in the background. Where that fails until the lease has run out on this machine's monotonic clock, or the registry
    says that the lease has ended, the lease is lost: ``lost`` is true, ``on_lost`` is called with a reason, and ``check`` raises
    :class:`LeaseLost`. A lease that is lost is lost for good. The work itself is not interrupted.
    """

    def __init__(
        self,
        calls: Calls,
        runtime: Runtime,
        holdings: Holdings,
        intent_id: str,
        scope: str,
        seconds: int,
        wait: float,
        on_lost: Optional[Callable[[str], Any]],
    ) -> None:
        self.intent_id = intent_id
        self.scope = scope
        self.id = ""
        self._calls = calls
        self._runtime = runtime
        self._holdings = holdings
        self._seconds = seconds
        self._wait = wait
        self._on_lost = on_lost
        self._lock = threading.Lock()
        self._token: Optional[int] = None
        self._until = 0.0
        self._reason: Optional[str] = None
        self._closed = False
        self._failures = 0
        self._worker: Optional[Worker] = None

    @property
    def fencing_token(self) -> int:
        """Rises with every lease of the scope. Pass it to the guarded resource, which refuses lower ones."""
        if self._token is None:
            raise LeaseLost("the lease has not been acquired yet")
        return self._token

    @property
    def lost(self) -> bool:
        """Whether the lease has ended without being released here."""
        if self._reason is None and self.id and not self._closed and self._runtime.monotonic() >= self._until:
            self.lose("it ran out before it could be renewed")
        return self._reason is not None

    def check(self) -> None:
        """Raises :class:`LeaseLost` unless the lease is in force as far as this process knows. Call it before each write."""
        if self.lost:
            raise LeaseLost("the lease on {!r} of {!r} is lost: {}".format(self.scope, self.intent_id, self._reason))
        if self._closed or not self.id:
            raise LeaseLost("the lease on {!r} of {!r} is not held".format(self.scope, self.intent_id))

    def acquire(self) -> "Lease":
        """Acquires the lease; where another agent holds it, waits as long as ``wait`` says.

        :raises LeaseHeld: another agent holds it
        """
        until = self._runtime.monotonic() + self._wait
        while True:
            try:
                self._acquire_once()
                break
            except LeaseHeld as held:
                left = until - self._runtime.monotonic()
                if left <= 0:
                    raise
                pause = held.retry_after or _MAX_WAIT_PAUSE_SECONDS
                jitter = full_jitter(1, 1.0, 1.0, self._runtime.random)
                self._runtime.sleep(min(left, pause + jitter, _MAX_WAIT_PAUSE_SECONDS))
        self._worker = self._runtime.repeat("agent-health-lease", self._step)
        return self

    def _acquire_once(self) -> None:
        # The registry gives an agent the lease that it has, so two tasks of one process need a rule of their own.
        if not self._holdings.reserve(self):
            detail = "This process holds the lease on {!r} of {!r} already.".format(self.scope, self.intent_id)
            raise LeaseHeld(409, {"error": "lease_held", "detail": detail})
        sent = self._runtime.monotonic()
        try:
            self._require_registered()
            body = {**self._holdings.identity(), "scope": self.scope, "duration_seconds": self._seconds}
            answer = self._calls.json("POST", path("/api/v1/intents/{}/leases", self.intent_id), body)
            self._token = int(answer["fencing_token"])
            self.id = str(answer["id"])
        except BaseException:
            self._holdings.remove(self)
            raise
        left = float(self._seconds)
        expires = parsed_time(answer.get("expires_at"))
        if expires is not None:
            # A lease that the agent already had lasts less long; then the first renewal is due at once.
            left = min(left, (expires - self._holdings.session.server_time(sent)).total_seconds())
        self._until = sent + left

    def _require_registered(self) -> None:
        """A process without an incarnation would be given the leases of the process before it."""
        session = self._holdings.session
        if session.incarnation is not None or session.last_error is None:
            return
        if isinstance(session.last_error, AgentAlreadyRunning):
            detail = "Agent {!r} runs as another instance, which may hold the lease.".format(session.agent_id)
            raise LeaseHeld(409, {"error": "lease_held", "detail": detail})
        raise RegistryUnavailable("agent {} is not registered yet".format(session.agent_id), maybe_stored=False)

    def _step(self) -> Optional[float]:
        if self._closed or self.lost:
            return None
        now = self._runtime.monotonic()
        due = self._until - self._seconds * (1 - _RENEW_AT)
        if now < due:
            return due - now
        return self._renew(now)

    def _renew(self, sent: float) -> Optional[float]:
        identity = self._holdings.identity()
        body = {name: identity[name] for name in ("incarnation",) if name in identity}
        body["duration_seconds"] = self._seconds
        try:
            limit = max(0.5, min(5.0, self._until - sent))
            self._calls.json("PATCH", self._path(), body, retries=ONCE, timeout=limit)
        except AgentHealthError as error:
            if self._closed:
                return None
            if not is_passing(error):
                self.lose(str(error))
                return None
            self._failures += 1
            if self._failures == 1:
                LOG.warning("the lease on %s of %s is not renewed yet: %s", self.scope, self.intent_id, error)
            pause = full_jitter(self._failures, 0.5, self._seconds / 6, self._runtime.random)
            pause = max(pause, getattr(error, "retry_after", None) or 0.1)
            return max(0.0, min(pause, self._until - self._runtime.monotonic()))
        self._failures = 0
        self._until = sent + self._seconds
        return self._seconds * _RENEW_AT

    def lose(self, reason: str) -> None:
        """Marks the lease as lost, once."""
        with self._lock:
            if self._closed or self._reason is not None or not self.id:
                return
            self._reason = reason
        LOG.warning("the lease on %s of %s is lost: %s", self.scope, self.intent_id, reason)
        if self._on_lost is not None:
            try:
                self._on_lost(reason)
            except Exception:
                LOG.exception("on_lost failed")

    def release(self) -> None:
        """Releases the lease. Where the registry is away, the lease runs out instead; never raises for that."""
        with self._lock:
            if self._closed or not self.id:
                return
            self._closed = True
        if self._worker is not None:
            self._worker.wake()
        if self._reason is None:
            try:
                self._calls.json("DELETE", self._path(), retries=RetryPolicy(3, max_pause_seconds=1.0), timeout=5.0)
            except AgentHealthError as error:
                LOG.warning("the lease on %s of %s is not released: %s", self.scope, self.intent_id, error)
        self._holdings.remove(self)

    def __enter__(self) -> "Lease":
        return self.acquire()

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.release()

    def _path(self) -> str:
        return path("/api/v1/intents/{}/leases/{}", self.intent_id, self.id)
