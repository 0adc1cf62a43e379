"""What proves to the registry who sends a request: a key, or a token that the platform keeps in a file."""

from __future__ import annotations

import codecs
import os
import re
import threading
import time
from typing import Callable, Optional, Tuple, Union

__all__ = ["Key", "TokenFile", "key_from_environment"]

_MAX_BYTES = 8 * 1024
_CHECK_SECONDS = 1.0

Stamp = Tuple[int, int, int]


class TokenFile:
    """A token of an identity provider in a file that the platform replaces before the token ends; give it in place of a key. Thread-safe.

    The file is read again where it has changed, at most once a second, and when the registry refuses the token. One without a token for a
    moment leaves the last in use.

    :raises ValueError: the file has no token that can be sent, or is larger than 8 KB
    """

    def __init__(self, file: Union[str, "os.PathLike[str]"], *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._stamp: Optional[Stamp] = None
        self._token = ""
        self.read_again()

    def after_fork(self) -> None:
        """Begins anew: the lock may have been held in the parent."""
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return "TokenFile({!r})".format(os.fspath(self._file))

    def __call__(self) -> str:
        """The token to send."""
        with self._lock:
            if self._monotonic() - self._checked_at >= _CHECK_SECONDS:
                try:
                    self._read(self._stamp)
                except (OSError, ValueError):
                    pass  # The registry says whether the last token still holds.
            return self._token

    def read_again(self) -> str:
        """The token that the file has now; raises :class:`ValueError` where it has none that can be sent."""
        with self._lock:
            try:
                self._read(None)
            except OSError as error:
                raise ValueError("the token file {} cannot be read: {}".format(self._file, error)) from error
            return self._token

    def _read(self, known: Optional[Stamp]) -> None:
        self._checked_at = self._monotonic()
        status = os.stat(self._file)
        # Taken before the content: a change in between is found by the next look.
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        if stamp == known:
            return
        with open(self._file, "rb") as opened:
            content = opened.read(_MAX_BYTES + 1)
        self._token = self._checked(content)
        self._stamp = stamp

    def _checked(self, content: bytes) -> str:
        text = (content[3:] if content.startswith(codecs.BOM_UTF8) else content).decode("latin-1").strip()
        if len(content) > _MAX_BYTES:
            raise ValueError("the token file {} is larger than 8 KB".format(self._file))
        if not text:
            raise ValueError("the token file {} is empty".format(self._file))
        if not is_visible_ascii(text):
            raise ValueError(
                "the token file {} has characters other than visible ASCII; it must hold the token alone".format(self._file)
            )
        return text


Key = Union[str, Callable[[], str], TokenFile]


def key_from_environment() -> Key:
    """The key in ``AGENT_HEALTH_KEY``, or else the token in the file that ``AGENT_HEALTH_TOKEN_FILE`` names.

    :raises ValueError: neither is set, or the file has no token
    """
    key = os.environ.get("AGENT_HEALTH_KEY", "").strip()
    file = os.environ.get("AGENT_HEALTH_TOKEN_FILE", "").strip()
    if key:
        return key
    if not file:
        raise ValueError("neither of the environment variables AGENT_HEALTH_KEY and AGENT_HEALTH_TOKEN_FILE is set")
    return TokenFile(file)


def is_visible_ascii(text: str) -> bool:
    return re.fullmatch(r"[\x21-\x7e]+", text) is not None
