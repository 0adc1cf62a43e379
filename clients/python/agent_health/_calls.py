"""Requests with a key or a token, retries and typed errors."""

from __future__ import annotations

import datetime
import json
import random
import re
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Mapping, Optional
from urllib.parse import quote, urlencode, urlsplit

from ._runtime import Runtime
from .credentials import Key, TokenFile, is_visible_ascii
from .errors import AgentHealthError, Forbidden, ProblemError, RegistryUnavailable, Unauthenticated, UnexpectedAnswer, error_of
from .transport import Request, Response, Transport

Json = Dict[str, Any]

_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$")

USER_AGENT = "agent-health-python"


@dataclass(frozen=True)
class RetryPolicy:
    """How often a request is sent, and how long the pauses are: a random part of a limit that doubles (full jitter).

    A longer ``Retry-After`` wins over the pause. One beyond ``max_wait_seconds`` ends the retries.
    """

    attempts: int = 4
    base_seconds: float = 0.25
    max_pause_seconds: float = 5.0
    max_wait_seconds: float = 30.0

    def pause(self, failures: int, retry_after: Optional[float], rng: random.Random) -> Optional[float]:
        """The seconds to wait after so many failures; ``None`` to give up."""
        if failures >= self.attempts:
            return None
        pause = full_jitter(failures, self.base_seconds, self.max_pause_seconds, rng)
        if retry_after is not None:
            if retry_after > self.max_wait_seconds:
                return None
            # Clients that were refused together must not come back together.
            pause += retry_after
        return pause


ONCE = RetryPolicy(attempts=1)


def full_jitter(failures: int, base: float, limit: float, rng: random.Random) -> float:
    """A random time below a limit that doubles with every failure."""
    return rng.uniform(0, min(limit, base * 2 ** min(failures - 1, 20)))


def plain_text(value: Any) -> str:
    """A text that every heartbeat may carry: one that JSON cannot is no reason to look dead."""
    return str(value).encode("utf-8", "replace").decode()


def is_passing(error: AgentHealthError) -> bool:
    """Whether the same request may succeed later without a change."""
    if isinstance(error, ProblemError):
        return error.status in (429, 503) or error.code == "internal_error"
    return isinstance(error, RegistryUnavailable)


def is_refused(error: AgentHealthError) -> bool:
    """Whether the registry refuses the key, or what the key may do. An administrator can change that at any time."""
    return isinstance(error, (Unauthenticated, Forbidden))


def checked_url(url: str) -> str:
    """The URL without a slash at its end; raises :class:`ValueError` where it is none of a registry."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("the URL must begin with http:// or https:// and a host, but is {!r}".format(url))
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("the URL must have no credentials, query or fragment")
    parts.port  # raises ValueError where it is no number
    return url.rstrip("/")


def usable_address(registry: str, named: Any) -> Optional[str]:
    """An address that the registry names in an answer; ``None`` where it is no absolute http or https URL, or must not get the key.

    The key never leaves an encrypted connection, and goes to another host only if the registry named that host over TLS.
    """
    try:
        own, parts = urlsplit(registry), urlsplit(named if isinstance(named, str) else "")
        parts.port  # raises ValueError where it is no number
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        return None
    allowed = parts.scheme == "https" if own.scheme == "https" else parts.hostname == own.hostname
    return parts.geturl() if allowed else None


def checked_key(key: str) -> str:
    """The key; raises :class:`ValueError` where no header can carry it."""
    if not isinstance(key, str) or not is_visible_ascii(key):
        raise ValueError("the key must be visible ASCII characters without spaces, as it was issued")
    return key


def path(template: str, *ids: str) -> str:
    """The path with each ``{}`` replaced by an id."""
    return template.format(*(quote(identifier, safe="") for identifier in ids))


def parsed_time(text: Any) -> Optional[datetime.datetime]:
    """The moment in a text of the registry; ``None`` where there is none. Python 3.9 reads 3 or 6 decimals only."""
    found = _TIME.match(text) if isinstance(text, str) else None
    if found is None:
        return None
    try:
        return datetime.datetime.fromisoformat(
            "{}.{}+00:00".format(found.group(1), (found.group(2) or "").ljust(6, "0")[:6])
        )
    except ValueError:
        return None


class Calls:
    """Sends requests to one registry with one key. Thread-safe."""

    def __init__(self, url: str, key: Key, transport: Transport, runtime: Runtime, timeout: float) -> None:
        self.url = checked_url(url)
        self._key = key
        if not callable(key):
            checked_key(key)
        self._transport = transport
        self._runtime = runtime
        self._timeout = timeout

    def after_fork(self) -> None:
        if isinstance(self._key, TokenFile):
            self._key.after_fork()

    def json(
        self,
        method: str,
        where: str,
        body: Optional[Mapping[str, Any]] = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        retries: Optional[RetryPolicy] = None,
        timeout: Optional[float] = None,
    ) -> Json:
        """The JSON object in the answer; empty for an answer without a body.

        :param where: a path below the URL, or a whole URL
        """
        response = self.send(method, where, body, query, headers, retries or RetryPolicy(), timeout)
        if not response.body:
            return {}
        try:
            document = json.loads(response.body)
        except ValueError:
            document = None
        if not isinstance(document, dict):
            raise UnexpectedAnswer(
                response.status, "the answer is no JSON object: is {} the URL of the registry?".format(self.url)
            )
        return document

    def send(
        self,
        method: str,
        where: str,
        body: Optional[Mapping[str, Any]],
        query: Optional[Mapping[str, Any]],
        headers: Optional[Mapping[str, str]],
        retries: RetryPolicy,
        timeout: Optional[float],
    ) -> Response:
        url = where if "://" in where else self.url + where
        parameters = _parameters(query or {})
        if parameters:
            url += "?" + urlencode(parameters)
        data = None if body is None else json.dumps(body, separators=(",", ":")).encode()
        failures = 0
        while True:
            try:
                return self._authenticated(method, url, data, headers or {}, timeout or self._timeout)
            except AgentHealthError as error:
                failures += 1
                pause = None
                if is_passing(error):
                    pause = retries.pause(failures, getattr(error, "retry_after", None), self._runtime.random)
                if pause is None:
                    raise
                self._runtime.sleep(pause)

    def _authenticated(
        self, method: str, url: str, data: Optional[bytes], headers: Mapping[str, str], timeout: float
    ) -> Response:
        key = self._current_key()
        try:
            return self._once(Request(method, url, self._headers(key, data, headers), data, timeout))
        except Unauthenticated as refusal:
            other = self._key_after(refusal)
            if other == key:
                raise
        return self._once(Request(method, url, self._headers(other, data, headers), data, timeout))

    def _headers(self, key: str, data: Optional[bytes], more: Mapping[str, str]) -> Dict[str, str]:
        headers = {"Accept": "application/json", "User-Agent": USER_AGENT}
        if isinstance(self._key, TokenFile):
            headers["Authorization"] = "Bearer " + key
        else:
            headers["X-API-Key"] = key
        if data is not None:
            headers["Content-Type"] = "application/json"
        headers.update(more)
        return headers

    def _key_after(self, refusal: Unauthenticated) -> str:
        """What is valid now, where the key or token was replaced while the request was under way."""
        if not isinstance(self._key, TokenFile):
            return self._current_key()
        try:
            return self._key.read_again()
        except ValueError as error:
            raise refusal from error

    def _current_key(self) -> str:
        if not callable(self._key):
            return self._key
        try:
            # Anew for every request, so that a rotated key needs no restart.
            return checked_key(self._key())
        except Exception as error:
            raise AgentHealthError("the function that gives the key failed: {!r}".format(error)) from error

    def _once(self, request: Request) -> Response:
        response = self._transport.send(request)
        if 200 <= response.status < 300:
            return response
        raise error_of(response.status, response.body, self._retry_after(response))

    def _retry_after(self, response: Response) -> Optional[float]:
        value = response.headers.get("retry-after", "").strip()
        if not value:
            return None
        if value.isdigit():
            return float(value)
        try:
            # The difference to the answer's own date is right on every clock.
            until = parsedate_to_datetime(value)
            sent = parsedate_to_datetime(response.headers.get("date", ""))
            return max(0.0, (until - sent).total_seconds())
        except (TypeError, ValueError, IndexError):
            return None


def _parameters(query: Mapping[str, Any]) -> Dict[str, str]:
    parameters = {}
    for name, value in query.items():
        if value is None:
            continue
        if isinstance(value, bool):
            parameters[name] = "true" if value else "false"
        elif isinstance(value, (list, tuple, set, frozenset)):
            if value:
                parameters[name] = ",".join(str(one) for one in value)
        else:
            parameters[name] = str(value)
    return parameters
