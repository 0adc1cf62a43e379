"""The health document that an agent serves itself (Agent Health State §4), measured with the rules of the registry."""

from __future__ import annotations

import base64
import datetime
import hashlib
import json
import math
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Awaitable, Callable, Dict, Iterable, Mapping, Optional, Tuple

from .gate import PATH

__all__ = ["OwnHealth"]

_MAX_AGE_SECONDS = 60
_MIN_SAMPLES = 10
_SLICES = 30
_WIDTHS = (10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 10_800, 14_400)

Answer = Tuple[int, Dict[str, str], bytes]
Scope = Dict[str, Any]
Asgi = Callable[[Scope, Callable[..., Awaitable[Any]], Callable[..., Awaitable[Any]]], Awaitable[Any]]
Wsgi = Callable[[Dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class _Counts:
    """The outcomes of a slice of the window, or of several."""

    def __init__(self) -> None:
        self.successes = self.failures = self.above = 0
        self.latencies: "Counter[float]" = Counter()

    def add(self, other: "_Counts") -> None:
        self.successes += other.successes
        self.failures += other.failures
        self.above += other.above
        self.latencies.update(other.latencies)

    @property
    def samples(self) -> int:
        return self.successes + self.failures

    def quantile(self, percent: int) -> float:
        """By nearest rank; 0 without latencies."""
        rank = math.ceil(sum(self.latencies.values()) * percent / 100)
        for latency in sorted(self.latencies):
            rank -= self.latencies[latency]
            if rank <= 0:
                return latency
        return 0.0


def _two_digits(latency: float) -> float:
    """The precision with which latencies are kept, as in the registry."""
    return float("{:.1e}".format(latency))


class OwnHealth:
    """The measurements of an agent by itself, and the document that shows them. Thread-safe.

    The figures are those of this process: the health is unknown until 10 outcomes are recorded. The document is computed at most once a
    minute, however often it is read.

    :param agent_id: what the document shows as the agent's id: best the URL of its agent card
    :param baseline_latency_ms: the agent is degraded where the slowest 1 % takes more than three times as long; without it latencies do not count
    :param window_seconds: what is measured: 5 minutes to 7 days, 24 hours by default
    :param personal: the agent serves one natural person: the document shows the status only, and not whether it is degraded (§8)
    :param model_changed_at: when the agent's model changed (§4.5)
    """

    def __init__(
        self,
        agent_id: str,
        *,
        baseline_latency_ms: Optional[float] = None,
        window_seconds: int = 86_400,
        personal: bool = False,
        model_changed_at: Optional[datetime.datetime] = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if not agent_id.strip() or not 300 <= window_seconds <= 604_800:
            raise ValueError("the agent_id is not empty, and the window from 5 minutes to 7 days")
        if baseline_latency_ms is not None and not 0 < baseline_latency_ms <= 86_400_000:
            raise ValueError("the baseline is above 0, and at most a day")
        self._agent_id = agent_id
        self._limit = None if baseline_latency_ms is None else 3 * baseline_latency_ms
        self._window = window_seconds
        self._width = max(width for width in _WIDTHS if width <= window_seconds / _SLICES)
        self._personal = personal
        self._model_changed_at = model_changed_at
        self._clock = clock
        self._started = clock()
        self._lock = threading.Lock()
        self._slices: Dict[int, _Counts] = {}
        self._last_healthy: Optional[float] = None
        self._was_healthy = False
        self._served: Optional[Tuple[float, bytes, str]] = None

    def record(self, outcome: Mapping[str, Any]) -> None:
        """Counts how an execution ended now: ``{"result": "success", "latency_ms": 412.5}``. Give it to an agent as ``on_outcome``."""
        now = self._clock()
        with self._lock:
            start = int(now // self._width) * self._width
            if start not in self._slices:
                # The document names the last healthy moment, also one between two reads.
                self._measured(now)
            counts = self._slices.setdefault(start, _Counts())
            if outcome["result"] == "success":
                counts.successes += 1
            elif outcome["result"] == "failure":
                counts.failures += 1
            latency = outcome.get("latency_ms")
            if latency is not None:
                counts.latencies[_two_digits(latency)] += 1
                counts.above += self._limit is not None and latency > self._limit

    def document(self) -> Dict[str, Any]:
        """The document as it would be served now (§4.2)."""
        found: Dict[str, Any] = json.loads(self._current()[1])
        return found

    def answer(self, method: str, if_none_match: str = "") -> Answer:
        """Status, headers and body for a request, whatever serves it."""
        if method not in ("GET", "HEAD"):
            return 405, {"Allow": "GET, HEAD"}, b""
        _, body, tag = self._current()
        headers = {"Cache-Control": "public, max-age={}".format(_MAX_AGE_SECONDS), "ETag": tag}
        # Proxies may have weakened or strengthened the tag.
        named = {one.strip()[2:] if one.strip().startswith("W/") else one.strip() for one in if_none_match.split(",")}
        if named & {"*", tag[2:]}:
            return 304, headers, b""
        headers.update({"Content-Type": "application/json", "X-Content-Type-Options": "nosniff", "Content-Length": str(len(body))})
        return 200, headers, b"" if method == "HEAD" else body

    # Servers

    def wsgi(self, application: Wsgi) -> Wsgi:
        """The application, with the document at its well-known path."""

        def served(environ: Dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
            if environ.get("PATH_INFO") != PATH:
                return application(environ, start_response)
            status, headers, body = self.answer(environ["REQUEST_METHOD"], environ.get("HTTP_IF_NONE_MATCH", ""))
            start_response("{} {}".format(status, _PHRASES[status]), list(headers.items()))
            return [body]

        return served

    def asgi(self, application: Asgi) -> Asgi:
        """The application, with the document at its well-known path."""

        async def served(scope: Scope, receive: Callable[..., Awaitable[Any]], send: Callable[..., Awaitable[Any]]) -> None:
            if scope["type"] != "http" or scope["path"] != PATH:
                await application(scope, receive, send)
                return
            sent = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
            status, headers, body = self.answer(scope["method"], sent.get("if-none-match", ""))
            raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
            await send({"type": "http.response.start", "status": status, "headers": raw})
            await send({"type": "http.response.body", "body": body})

        return served

    def respond(self, handler: BaseHTTPRequestHandler) -> bool:
        """Answers a request for the document in a handler of :mod:`http.server`; returns whether it was one."""
        if handler.path.split("?")[0] != PATH:
            return False
        status, headers, body = self.answer(handler.command, handler.headers.get("If-None-Match", ""))
        handler.send_response(status)
        for name, value in {"Content-Length": "0", **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)
        return True

    def serve(self, port: int, host: str = "127.0.0.1") -> ThreadingHTTPServer:
        """Serves the document, and nothing else, in the background; ``shutdown()`` of what it returns ends that."""
        health = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if not health.respond(self):
                    self.send_error(404)

            do_HEAD = do_POST = do_GET

            def log_message(self, *_: Any) -> None:
                pass

        server = ThreadingHTTPServer((host, port), Handler)
        threading.Thread(target=server.serve_forever, name="agent-health-document", daemon=True).start()
        return server

    # Measurement

    def _measured(self, now: float) -> Tuple[_Counts, _Counts, str]:
        """The outcomes of the window that ends now and of the one before, and the status."""
        current, previous = _Counts(), _Counts()
        for start in list(self._slices):
            age = now - (start + self._width)
            if age < self._window:
                current.add(self._slices[start])
            elif age < 2 * self._window:
                previous.add(self._slices[start])
            else:
                del self._slices[start]
        status = self._status(current)
        if status == "healthy" or self._was_healthy:
            self._last_healthy = now
        self._was_healthy = status == "healthy"
        return current, previous, status

    def _status(self, counts: _Counts) -> str:
        if counts.samples < _MIN_SAMPLES:
            return "unknown"
        if 2 * counts.successes < counts.samples:
            return "unhealthy"
        below = 100 * counts.successes < 95 * counts.samples
        return "degraded" if below or self._is_slow(counts) else "healthy"

    def _is_slow(self, counts: _Counts) -> bool:
        return self._limit is not None and 100 * counts.above > sum(counts.latencies.values())

    def _current(self) -> Tuple[float, bytes, str]:
        now = self._clock()
        with self._lock:
            if self._served is None or not 0 <= now - self._served[0] < _MAX_AGE_SECONDS:
                document, tag = self._computed(now)
                self._served = (now, json.dumps(document).encode(), tag)
            return self._served

    def _computed(self, now: float) -> Tuple[Dict[str, Any], str]:
        counts, previous, status = self._measured(now)
        document: Dict[str, Any] = {"schema_version": "0.1.0", "agent_id": self._agent_id, "timestamp": _text(now)}
        if self._personal:
            document["health"] = {"status": "healthy" if status == "degraded" else status}
        else:
            healthy_at = None if self._last_healthy is None else _text(self._last_healthy)
            document["health"] = {"status": status, "last_healthy_at": healthy_at, "uptime_seconds": int(max(0, now - self._started))}
            document["calibration"] = self._calibration(counts)
            document["decay"] = self._decay(counts, previous, now)
        content = json.loads(json.dumps({**document, "timestamp": None, "started_at": self._started}))
        content["health"].pop("uptime_seconds", None)
        if status == "healthy":
            content["health"].pop("last_healthy_at", None)
        digest = hashlib.sha256(json.dumps(content).encode()).digest()[:12]
        return document, 'W/"{}"'.format(base64.urlsafe_b64encode(digest).decode())

    def _calibration(self, counts: _Counts) -> Dict[str, Any]:
        p99 = counts.quantile(99)
        if self._limit is not None:
            # On the side of the limit where it is by the exact counts.
            p99 = max(p99, self._limit) if self._is_slow(counts) else min(p99, self._limit)
        return {
            "response_ratio": _share(counts.successes, counts.samples),
            "error_ratio": _share(counts.failures, counts.samples),
            "latency_p50_ms": min(counts.quantile(50), p99),
            "latency_p99_ms": p99,
            "measurement_window_seconds": self._window,
            "sample_count": counts.samples,
        }

    def _decay(self, counts: _Counts, previous: _Counts, now: float) -> Dict[str, Any]:
        trend = "stable"
        if min(counts.samples, previous.samples) >= _MIN_SAMPLES:
            # Without rounding: a change of the ratio by more than a tenth.
            change = 10 * (counts.successes * previous.samples - previous.successes * counts.samples)
            if abs(change) > counts.samples * previous.samples:
                trend = "declining" if change < 0 else "improving"
        days = None
        if self._model_changed_at is not None:
            days = int(max(0.0, now - self._model_changed_at.timestamp()) // 86_400)
        return {"calibration_trend": trend, "days_since_model_change": days, "last_capability_update": _text(self._started)}


_PHRASES = {200: "OK", 304: "Not Modified", 405: "Method Not Allowed"}


def _share(number: int, of: int) -> float:
    return round(number / of, 6) if of else 0.0


def _text(moment: float) -> str:
    time = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc)
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
