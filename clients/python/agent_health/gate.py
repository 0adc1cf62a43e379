"""Decides whether to call an agent, by the health document that the agent serves itself (Agent Health State, Appendix A)."""

from __future__ import annotations

import datetime
import http.client
import json
import re
import ssl
import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import Any, Dict, Iterable, Mapping, Optional, Set, Tuple
from urllib.parse import SplitResult, urljoin, urlsplit

from ._calls import USER_AGENT
from ._runtime import Runtime, SystemRuntime

__all__ = ["Action", "Decision", "HealthGate"]

PATH = "/.well-known/agent-health"

_MAX_BYTES = 65_536
_MAX_URL = 2_048
_MAX_REDIRECTS = 3
_MIN_INTERVAL, _MAX_INTERVAL = 300.0, 3_600.0
_CONNECT_SECONDS, _USUAL_SECONDS = 2.0, 10.0
_MIN_SAMPLES = 10
_RECENT_START_SECONDS = 600
_RECENT_CHANGE_DAYS = 7
_CHUNK = 4_096

_PORTS = {"http": 80, "https": 443}
_TAG = re.compile(r'(W/)?"[\x21\x23-\x7e]{0,200}"')

#: Versions 0.1.x are compatible with each other; a later one may give the words another meaning.
_VERSION = re.compile(r"0\.1\.[0-9]{1,9}([-+][0-9A-Za-z.+-]{1,64})?")

_STATUSES = ("healthy", "degraded", "unhealthy", "unknown")

REASONS: Mapping[str, str] = {
    "degraded": "degraded",
    "no_longer_healthy": "healthy until recently: verify its credentials again",
    "low_response_ratio": "few requests succeed",
    "low_confidence": "few samples",
    "declining": "declining",
    "declining_after_model_change": "declining after a recent change of the model, a strong sign of decay",
    "possible_crash_loop": "restarted a short time ago, possibly a crash loop",
}


class Action(str, Enum):
    """What to do. None says that the agent can be trusted: a compromised one can call itself healthy."""

    PROCEED = "proceed"
    PROCEED_WITH_CAUTION = "proceed_with_caution"
    AVOID = "avoid"
    DEFAULT = "default"


@dataclass(frozen=True)
class Decision:
    """Whether to call an agent now.

    :ivar action: ``PROCEED``; ``PROCEED_WITH_CAUTION``: with the time-outs suggested here and another agent in reserve; ``AVOID`` until
        ``until``; ``DEFAULT``: nothing is known, so call it as usual and watch for errors
    :ivar reasons: words such as ``degraded``, ``low_response_ratio``, ``declining``; at least one for ``PROCEED_WITH_CAUTION``
    :ivar status: ``healthy``, ``degraded``, ``unhealthy``; ``unknown`` also where no valid document was read
    :ivar explanation: one sentence for logs
    :ivar until: when the document is read again
    :ivar document: as the agent serves it, where it is valid: text of a stranger
    """

    action: Action
    status: str
    explanation: str
    reasons: Tuple[str, ...] = ()
    until: Optional[datetime.datetime] = None
    connect_timeout: Optional[float] = None
    request_timeout: Optional[float] = None
    document: Optional[Mapping[str, Any]] = None

    @property
    def may_call(self) -> bool:
        """``False`` for ``AVOID`` only."""
        return self.action is not Action.AVOID


def _unknown(why: str) -> Decision:
    return Decision(Action.DEFAULT, "unknown", "health unknown: " + why)


class _Poll:
    """One request for a document. Its result is given once."""

    def __init__(self, began: float) -> None:
        self.began = began
        self.done = threading.Event()
        self.decision = _unknown("no answer in time")
        self.holds_until = began + _MIN_INTERVAL
        self.lifetime = 0.0
        self.tag: Optional[str] = None
        self.connection: Optional[http.client.HTTPConnection] = None
        self._lock = threading.Lock()

    def finish(self, decision: Decision, interval: float = 0.0, lifetime: float = 0.0, tag: Optional[str] = None) -> None:
        with self._lock:
            if not self.done.is_set():
                self.decision, self.lifetime, self.tag = decision, lifetime, tag
                self.holds_until = self.began + _kept(interval)
                self.done.set()

    def give_up(self) -> None:
        """Ends a request that takes too long, however slowly the server sends its answer."""
        self.finish(self.decision)
        socket = getattr(self.connection, "sock", None)
        if socket is not None:
            try:
                socket.shutdown(2)
            except OSError:
                pass


def _kept(seconds: float) -> float:
    return max(_MIN_INTERVAL, min(_MAX_INTERVAL, seconds))


class HealthGate:
    """Decides whether to call an agent. Thread-safe; one gate serves a whole process. In asyncio: ``await asyncio.to_thread(gate.decide, url)``.

    A document is requested at most every 5 minutes, successfully or not, and less often where its caching headers say so, up to an hour.
    Calls for one document at the same time share a request. A failed request means that the health is unknown: it is not held against
    the agent. The gate sends neither a key nor a cookie.

    :param timeout: seconds that a decision may take, redirects included
    :param max_documents: the documents that are remembered
    :param min_response_ratio: below it, an agent that calls itself healthy is called with caution
    """

    def __init__(
        self,
        *,
        timeout: float = 3.0,
        max_documents: int = 1_000,
        min_response_ratio: float = 0.95,
        ssl_context: Optional[ssl.SSLContext] = None,
        runtime: Optional[Runtime] = None,
    ) -> None:
        if timeout <= 0 or max_documents < 1 or not 0 <= min_response_ratio <= 1:
            raise ValueError("timeout is above 0, max_documents at least 1, and min_response_ratio from 0 to 1")
        self._timeout = timeout
        self._max = max_documents
        self._ratio = min_response_ratio
        self._ssl = ssl_context
        self._runtime = runtime or SystemRuntime()
        self._lock = threading.Lock()
        self._polls: "OrderedDict[str, _Poll]" = OrderedDict()

    def decide(self, url: str) -> Decision:
        """Decides now. Never raises, and takes no longer than ``timeout``.

        :param url: any URL of the agent, whose origin serves the document, or that of the document itself
        """
        document = _document_url(url)
        if document is None:
            return _unknown("the URL is not usable")
        now = self._runtime.monotonic()
        with self._lock:
            known = self._polls.get(document)
            if known is None or (known.done.is_set() and not known.began <= now < known.holds_until):
                poll = self._polls[document] = _Poll(now)
                before = known
                threading.Thread(target=self._ask, args=(poll, document, before), name="agent-health-gate", daemon=True).start()
            else:
                poll = known
            self._polls.move_to_end(document)
            while len(self._polls) > self._max:
                self._polls.popitem(last=False)
        if not poll.done.wait(self._timeout):
            poll.give_up()
        return poll.decision

    def _ask(self, poll: _Poll, url: str, before: Optional[_Poll]) -> None:
        try:
            status, headers, body = self._get(poll, url, before.tag if before else None)
            self._read(poll, before, status, headers, body)
        except Exception as error:
            # The kind only: messages may have text of the server.
            poll.finish(_unknown("no answer in time" if isinstance(error, TimeoutError) else type(error).__name__))

    def _get(self, poll: _Poll, url: str, tag: Optional[str]) -> Tuple[int, Mapping[str, str], bytes]:
        for _ in range(_MAX_REDIRECTS + 1):
            parts = urlsplit(url)
            how: Dict[str, Any] = {"context": self._ssl} if parts.scheme == "https" else {}
            kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
            connection = poll.connection = kind(parts.hostname or "", parts.port, timeout=self._timeout, **how)
            try:
                headers = {"Accept": "application/json", "User-Agent": USER_AGENT, **({"If-None-Match": tag} if tag else {})}
                connection.request("GET", parts.path + ("?" + parts.query if parts.query else ""), headers=headers)
                answer = connection.getresponse()
                names = {name.lower(): value for name, value in answer.getheaders()}
                target = _redirected(parts, names.get("location")) if answer.status in (301, 302, 303, 307, 308) else None
                if target is None:
                    return answer.status, names, _limited(answer)
                url = target
            finally:
                connection.close()
        return 310, {}, b""

    def _read(self, poll: _Poll, before: Optional[_Poll], status: int, headers: Mapping[str, str], body: bytes) -> None:
        lifetime, storable = _freshness(headers)
        document: Optional[Mapping[str, Any]]
        if status == 304 and before is not None and before.tag and before.decision.document is not None:
            document, tag = before.decision.document, before.tag
            lifetime = before.lifetime if lifetime is None else lifetime
        elif status != 200:
            return poll.finish(_unknown("status {}".format(status)), _retry_after(headers))
        elif headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
            return poll.finish(_unknown("the answer is no JSON"))
        else:
            document, tag = _document(body), headers.get("etag", "")
        if document is None:
            return poll.finish(_unknown("the document is not valid"))
        until = self._runtime.now() + datetime.timedelta(seconds=_kept(lifetime or 0.0))
        decision = decided(document, before.decision.status if before else "unknown", until, self._ratio)
        poll.finish(decision, lifetime or 0.0, lifetime or 0.0, tag if storable and _TAG.fullmatch(tag) else None)


def decided(document: Mapping[str, Any], before: str, until: datetime.datetime, min_response_ratio: float) -> Decision:
    """The decision by a document. What of it has a wrong type or is out of range counts as left out."""
    health, calibration, decay = (_object(document, name) for name in ("health", "calibration", "decay"))
    status = str(health["status"])
    ratio, p99 = _number(calibration, "response_ratio", 1), _number(calibration, "latency_p99_ms")
    uptime, changed = _number(health, "uptime_seconds"), _number(decay, "days_since_model_change")
    samples = calibration.get("sample_count")
    few = type(samples) is int and 0 <= samples < _MIN_SAMPLES
    declining = decay.get("calibration_trend") == "declining"
    recent = changed is not None and changed <= _RECENT_CHANGE_DAYS
    holds: Dict[str, bool] = {
        "degraded": status == "degraded",
        "no_longer_healthy": before == "healthy" and status != "healthy",
        "low_response_ratio": not few and ratio is not None and ratio < min_response_ratio,
        "low_confidence": few,
        "declining": declining and not recent,
        "declining_after_model_change": declining and recent,
        "possible_crash_loop": status == "degraded" and uptime is not None and uptime < _RECENT_START_SECONDS,
    }
    reasons = tuple(name for name in REASONS if holds[name])
    texts = ", ".join(REASONS[name] for name in reasons)
    also = " ({})".format(texts) if texts else ""
    plain = Decision(Action.PROCEED, status, "operational by its own report, which is no proof of trust" + also, reasons, until, document=document)
    if status == "unknown":
        return replace(plain, action=Action.DEFAULT, explanation="health unknown: the agent does not know its health", reasons=())
    if status == "unhealthy":
        return replace(plain, action=Action.AVOID, explanation="unhealthy: avoid until {}{}".format(until.isoformat(timespec="seconds"), also))
    if status == "healthy" and "low_response_ratio" not in reasons:
        return plain
    seconds = _USUAL_SECONDS if p99 is None or few else max(1.0, min(30.0, p99 / 1_000))
    text = "{}; a time-out of {:.1f} s is suggested".format(texts, seconds)
    return replace(plain, action=Action.PROCEED_WITH_CAUTION, explanation=text, connect_timeout=_CONNECT_SECONDS, request_timeout=seconds)


# What a stranger sends


def _document_url(url: str) -> Optional[str]:
    """The URL of the document for any URL of the agent (RFC 8615 §3)."""
    try:
        parts = urlsplit(url.strip())
        if parts.scheme not in _PORTS or not parts.hostname or parts.username is not None or len(url) > _MAX_URL:
            return None
        host = "[{}]".format(parts.hostname) if ":" in parts.hostname else parts.hostname
        port = "" if parts.port in (None, _PORTS[parts.scheme]) else ":{}".format(parts.port)
        itself = parts.path.endswith(PATH)
        query = "?" + parts.query if itself and parts.query else ""
        return "{}://{}{}{}{}".format(parts.scheme, host, port, parts.path if itself else PATH, query)
    except ValueError:
        return None


def _redirected(origin: SplitResult, location: Optional[str]) -> Optional[str]:
    """The target of a redirect, on the same host only: an agent must not send its callers to services inside of their network."""
    try:
        to = urlsplit(urljoin(origin.geturl(), location or ""))
        port, before = to.port or _PORTS.get(to.scheme), origin.port or _PORTS[origin.scheme]
    except ValueError:
        return None
    same = (to.scheme, port) == (origin.scheme, before) or (to.scheme, port) == ("https", 443)
    return to.geturl() if location and same and to.hostname == origin.hostname and to.username is None else None


def _limited(answer: http.client.HTTPResponse) -> bytes:
    body = b""
    while True:
        part = answer.read1(_CHUNK)
        if not part:
            return body
        body += part
        if len(body) > _MAX_BYTES:
            raise ValueError("the document is larger than {} bytes".format(_MAX_BYTES))


def _once(pairs: Iterable[Tuple[str, Any]]) -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError("a member occurs twice")
        found[name] = value
    return found


def _no_number(text: str) -> Any:
    raise ValueError("no JSON: " + text)


def _document(body: bytes) -> Optional[Dict[str, Any]]:
    """The document; ``None`` where it is no JSON, of an unknown version or without a status."""
    try:
        document = json.loads(body.decode("utf-8-sig"), object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or not _VERSION.fullmatch(str(document.get("schema_version"))):
        return None
    return document if _object(document, "health").get("status") in _STATUSES else None


def _object(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = document.get(name)
    return value if isinstance(value, dict) else {}


def _number(document: Mapping[str, Any], name: str, most: float = float("inf")) -> Optional[float]:
    value: Any = document.get(name)
    return value if type(value) in (int, float) and 0 <= value <= most else None


def _freshness(headers: Mapping[str, str]) -> Tuple[Optional[float], bool]:
    """For how many seconds the answer is fresh, where its headers say so, and whether it may be kept to ask for changes only."""
    directives: Set[str] = {one.strip() for one in headers.get("cache-control", "").lower().split(",")}
    storable = "no-store" not in directives
    if not storable or any(one.startswith("no-cache") for one in directives):
        return 0.0, storable
    ages = [_seconds(one[8:].strip('"')) for one in directives if one.startswith("max-age=")]
    age = _seconds(headers.get("age", ""))
    if ages:
        return max(0.0, min(ages) - age), True
    if "expires" in headers:
        # By the server's own clock only, as this machine's may be wrong.
        return max(0.0, _since_sent(headers, headers["expires"]) - age), True
    return None, True


def _retry_after(headers: Mapping[str, str]) -> float:
    value = headers.get("retry-after", "")
    return _seconds(value) or _since_sent(headers, value)


def _since_sent(headers: Mapping[str, str], moment: str) -> float:
    try:
        return (parsedate_to_datetime(moment) - parsedate_to_datetime(headers.get("date", ""))).total_seconds()
    except (TypeError, ValueError, IndexError):
        return 0.0


def _seconds(text: str) -> float:
    """Zero for what is no number: a header that cannot be read makes nothing fresh."""
    digits = text.strip()
    return float(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 10 else 0.0
