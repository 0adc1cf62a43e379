"""Outcomes of executions: what the registry computes an agent's health from."""

from __future__ import annotations

import asyncio
import datetime
import json
import math
import re
import threading
import uuid
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Deque, Dict, List, Mapping, Optional, Set

from ._calls import ONCE, Calls, is_passing, plain_text
from ._runtime import LOG, Runtime
from .errors import AgentHealthError
from .upstream import checked
from .usage import usage_fields

__all__ = ["CLIENT_ERROR", "MALFORMED", "OTHER", "SERVER_ERROR", "TIMEOUT", "UPSTREAM", "error_type_of"]

CLIENT_ERROR = "client_error"
SERVER_ERROR = "server_error"
TIMEOUT = "timeout"
MALFORMED = "malformed"
UPSTREAM = "upstream"
#: The maximum length of the name of an evaluation.
MAX_EVALUATION_LENGTH = 128
OTHER = "other"
ERROR_TYPES = (CLIENT_ERROR, SERVER_ERROR, TIMEOUT, MALFORMED, UPSTREAM, OTHER)

MAX_BATCH = 500

RESULTS = ("success", "failure", "trigger_failure")

#: What the API description allows: 30 days.
MAX_LATENCY_MS = 2_592_000_000.0

#: The outcomes that wait while the registry is away; older ones are dropped first.
MAX_WAITING = 10_000

_INDEX = re.compile(r"^outcomes\[(\d+)\]")


def error_type_of(error: BaseException) -> str:
    """The ``error_type`` of an exception: by its class, or by the HTTP status that it or its response carries."""
    # HTTP and model libraries have time-outs of their own: ReadTimeout, APITimeoutError.
    if isinstance(error, (TimeoutError, asyncio.TimeoutError)) or "Timeout" in type(error).__name__:
        return TIMEOUT
    if isinstance(error, (json.JSONDecodeError, UnicodeDecodeError)):
        return MALFORMED
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "status", "code"):
            status = getattr(holder, name, None)
            if isinstance(status, int) and 400 <= status < 600:
                return CLIENT_ERROR if status < 500 else SERVER_ERROR
    return OTHER


@dataclass(frozen=True)
class _Outcome:
    fields: Dict[str, Any]
    ended: float


@dataclass(frozen=True)
class Batch:
    """Outcomes under one id. It never changes, so that it counts once however often it is sent."""

    batch_id: str
    outcomes: List[Dict[str, Any]]
    taken: List[_Outcome]

    def json(self) -> Dict[str, Any]:
        return {"batch_id": self.batch_id, "outcomes": self.outcomes}


def evaluation_fields(result: str, quality: Optional[float], evaluation: Optional[str]) -> Dict[str, Any]:
    """Returns the fields of an evaluation; none without a quality.

    :raises ValueError: for a quality outside of 0 to 1, for a name without a quality, and for an execution that did not begin
    """
    if quality is None:
        if evaluation is not None:
            raise ValueError("an evaluation needs a quality")
        return {}
    if result == "trigger_failure" or not 0 <= quality <= 1:
        raise ValueError("the quality of a success or a failure must be from 0 to 1")
    fields: Dict[str, Any] = {"quality": float(quality)}
    if evaluation:
        fields["evaluation"] = plain_text(evaluation)[:MAX_EVALUATION_LENGTH]
    return fields


class Outcomes:
    """The outcomes that are to be sent, in batches. Thread-safe."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        #: Gets each outcome too.
        self.listener: Optional[Callable[[Dict[str, Any]], Any]] = None
        #: Takes outcomes in place of the queue, where another process sends them.
        self.elsewhere: Optional[Callable[[Dict[str, Any]], None]] = None
        self.forget()

    def forget(self) -> None:
        """Begins anew, as in a forked process: what waits is sent by its parent."""
        self._lock = threading.Lock()
        self._waiting: Deque[_Outcome] = deque()
        self._batch: Optional[Batch] = None
        self._dropped = 0

    def add(
        self,
        result: str,
        latency_ms: Optional[float],
        error_type: Optional[str],
        sla_breached: Optional[bool] = None,
        receipt_id: Optional[str] = None,
        usage: Optional[Mapping[str, Any]] = None,
        upstream: Optional[Dict[str, str]] = None,
        quality: Optional[float] = None,
        evaluation: Optional[str] = None,
    ) -> None:
        """Adds an outcome that ended now.

        :raises ValueError: for words that are none of outcomes: in a heartbeat they would be refused too late to be noticed
        """
        if result not in RESULTS:
            raise ValueError("the result must be one of {}, but is {!r}".format(", ".join(RESULTS), result))
        if error_type is not None and (result != "failure" or error_type not in ERROR_TYPES):
            raise ValueError("the error_type of a failure must be one of " + ", ".join(ERROR_TYPES))
        called = checked(upstream, result)
        evaluated = evaluation_fields(result, quality, evaluation)
        fields: Dict[str, Any] = {"result": result}
        if latency_ms is not None and math.isfinite(latency_ms):
            fields["latency_ms"] = round(min(max(0.0, float(latency_ms)), MAX_LATENCY_MS), 3)
        if error_type is not None:
            fields["error_type"] = error_type
        if sla_breached is not None:
            fields["sla_breached"] = bool(sla_breached)
        if receipt_id is not None:
            fields["receipt_id"] = plain_text(receipt_id)
        used = usage_fields(usage)
        if used:
            fields["usage"] = used
        if called is not None:
            fields["upstream"] = {name: plain_text(value) for name, value in called.items()}
        fields.update(evaluated)
        if self.listener is not None:
            try:
                self.listener(dict(fields))
            except Exception:
                LOG.exception("on_outcome failed")
        if self.elsewhere is not None:
            self.elsewhere({"ended": self._runtime.monotonic(), **fields})
        else:
            self._keep(fields, self._runtime.monotonic())

    def take_in(self, line: Dict[str, Any]) -> None:
        """Takes what ``elsewhere`` was given in another process. The clock of both is that of the machine."""
        now = self._runtime.monotonic()
        ended = line.pop("ended", now)
        self._keep(line, min(ended, now))

    def _keep(self, fields: Dict[str, Any], ended: float) -> None:
        with self._lock:
            if len(self._waiting) >= MAX_WAITING:
                self._waiting.popleft()
                self._dropped += 1
                if self._dropped == 1:
                    LOG.warning("more than %d outcomes wait for the registry: the oldest are dropped", MAX_WAITING)
            self._waiting.append(_Outcome(fields, ended))

    def __len__(self) -> int:
        with self._lock:
            return len(self._waiting) + (len(self._batch.outcomes) if self._batch else 0)

    def next(self, server_now: Callable[[float], datetime.datetime]) -> Optional[Batch]:
        """The batch that is to be sent: the same one until it is settled.

        :param server_now: the registry's time at a monotonic time; this machine's own clock may be wrong
        """
        with self._lock:
            if self._batch is None and self._waiting:
                taken = [self._waiting.popleft() for _ in range(min(MAX_BATCH, len(self._waiting)))]
                outcomes = [
                    {**one.fields, "occurred_at": server_now(one.ended).isoformat(timespec="milliseconds").replace("+00:00", "Z")}
                    for one in taken
                ]
                self._batch = Batch(str(uuid.uuid4()), outcomes, taken)
            return self._batch

    def send(self, calls: Calls, where: str, server_now: Callable[[float], datetime.datetime], batches: int) -> None:
        """Sends so many batches in requests of their own, until there are none or a request fails."""
        for _ in range(batches):
            batch = self.next(server_now)
            if batch is None:
                return
            try:
                calls.json("POST", where, batch.json(), retries=ONCE)
                self._settled(batch)
            except AgentHealthError as error:
                if is_passing(error):
                    return
                self._refused(batch, getattr(error, "document", {"detail": str(error)}))

    def settle(self, batch: Optional[Batch], result: Any) -> None:
        """Reads what the answer to a heartbeat says of the batch that it carried."""
        status = result.get("status_code") if isinstance(result, dict) else None
        if batch is None or not isinstance(status, int) or status >= 500 or status == 429:
            return
        if status < 300:
            self._settled(batch)
        else:
            self._refused(batch, result)

    def _settled(self, batch: Batch) -> None:
        """The registry has the batch."""
        with self._lock:
            if self._batch is batch:
                self._batch = None

    def _refused(self, batch: Batch, document: Dict[str, Any]) -> None:
        """The registry refuses the batch. What it does not name as wrong is sent again in another batch."""
        wrong: Set[int] = set()
        for error in document.get("errors") or ():
            found = _INDEX.match(str(error.get("field", "")))
            if found:
                wrong.add(int(found.group(1)))
        with self._lock:
            if self._batch is not batch:
                return
            self._batch = None
            if wrong:
                kept = [one for index, one in enumerate(batch.taken) if index not in wrong]
                self._waiting.extendleft(reversed(kept))
            dropped = len(wrong) if wrong else len(batch.outcomes)
        LOG.error("the registry refuses %d outcomes: %s", dropped, document.get("detail"))
