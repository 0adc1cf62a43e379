"""How requests reach the registry. Replace :class:`HttpTransport` to use another HTTP library."""

from __future__ import annotations

import http.client
import socket
import ssl
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Protocol

from .errors import RegistryUnavailable

__all__ = ["HttpTransport", "Request", "Response", "Transport"]

_MAX_BODY_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True)
class Request:
    """A request. The headers hold the key: do not log them."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: Optional[bytes]
    timeout: float


@dataclass(frozen=True)
class Response:
    """An answer, whatever its status. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport(Protocol):
    """Sends one request. Called by several threads at once."""

    def send(self, request: Request) -> Response:
        """Returns the answer; raises :class:`RegistryUnavailable` where there is none."""
        ...


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key must not follow a redirect to another host."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class HttpTransport:
    """Sends with ``urllib``: a connection for each request, and the proxies of the environment."""

    def __init__(self, ssl_context: Optional[ssl.SSLContext] = None) -> None:
        self._opener = urllib.request.build_opener(_NoRedirects, urllib.request.HTTPSHandler(context=ssl_context))

    def send(self, request: Request) -> Response:
        sent = urllib.request.Request(request.url, request.body, dict(request.headers), method=request.method)
        try:
            with self._opener.open(sent, timeout=request.timeout) as answer:
                return _response(answer.status, answer)
        except urllib.error.HTTPError as error:
            with error:
                try:
                    return _response(error.code, error)
                except (OSError, http.client.HTTPException) as cut:
                    raise _unavailable(request, cut) from cut
        except (OSError, http.client.HTTPException) as error:
            raise _unavailable(request, error) from error


def _response(status: int, answer: Any) -> Response:
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return Response(status, headers, answer.read(_MAX_BODY_BYTES))


def _unavailable(request: Request, error: Exception) -> RegistryUnavailable:
    reason = getattr(error, "reason", None) or error
    text = "{} {}: {}".format(request.method, request.url, str(reason) or type(reason).__name__)
    return RegistryUnavailable(text, maybe_stored=not isinstance(reason, (ConnectionRefusedError, socket.gaierror)))
