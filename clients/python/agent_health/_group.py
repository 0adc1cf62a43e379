"""Several processes of one machine that are one agent. One of them leads: it registers and sends the heartbeats of all."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
import threading
import time
import uuid
from typing import Any, Dict, Iterator, List, Mapping, Optional, Set, Tuple

from ._runtime import LOG

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Line = Dict[str, Any]

#: Load, tasks, and why the agent is to drain, where this process asks for it.
Other = Tuple[int, List[str], Optional[str]]

#: The agents of this process: a second object of the same agent is not another process of it.
_HERE: Set[str] = set()

_HANDOVER_SECONDS = 5.0
_LOOK_SECONDS = 0.05


def _locked(file: str, flags: int) -> Optional[int]:
    """The file, open and locked by this process; ``None`` where another one has the lock. The kernel ends it with the process."""
    opened = os.open(file, flags | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(opened).st_nlink:
            return opened
    except OSError:
        pass
    # Of another process, or removed by one meanwhile.
    os.close(opened)
    return None


def _content(opened: int) -> bytes:
    os.lseek(opened, 0, os.SEEK_SET)
    with os.fdopen(os.dup(opened), "rb") as file:
        return file.read()


def _folder() -> str:
    """A folder that only this user can read and write."""
    folder = os.path.join(tempfile.gettempdir(), "agent-health-{}".format(os.getuid()))
    os.makedirs(folder, 0o700, exist_ok=True)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise OSError("{} belongs to somebody else, or can be read by others".format(folder))
    return folder


class Group:
    """The part of one process in it. Thread-safe.

    Files, all named after registry and agent: one whose lock the leader holds; its state; and for each process one with its load, and those
    with its outcomes. A process locks its files, so that the leader sees who lives, and reads only outcomes that are complete.
    """

    def __init__(self, base: str) -> None:
        self._base = base
        self._begin()

    @staticmethod
    def join(url: str, agent_id: str) -> "Optional[Group]":
        """The group of an agent; ``None`` where processes cannot share it, or this process has it already."""
        try:
            if fcntl is None:
                return None
            base = os.path.join(_folder(), hashlib.sha256("{} {}".format(url, agent_id).encode()).hexdigest()[:32])
            if base in _HERE:
                return None
            group = Group(base)
        except OSError as error:
            LOG.warning("other processes of agent %s are not heard: %s", agent_id, error)
            return None
        _HERE.add(base)
        return group

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._name = uuid.uuid4().hex
        self._leads: Optional[int] = None
        self._spool: Optional[int] = None
        self._shown: Optional[Line] = None
        self._told = b""
        self._member: Optional[int] = self._made(self._name, "member")

    def after_fork(self) -> None:
        """This is another process now. Its copies of files must not keep the locks of its parent."""
        for opened in (self._leads, self._spool, self._member):
            if opened is not None:
                os.close(opened)
        self._begin()

    # Who leads

    @property
    def leads(self) -> bool:
        return self._leads is not None

    def take(self) -> bool:
        """Whether this process leads from now on, as no other one does."""
        if self._leads is None:
            self._leads = _locked(self._base + ".lock", os.O_RDWR | os.O_CREAT)
        return self.leads

    def take_over(self) -> bool:
        """As ``take``; waits for a leader that is about to end."""
        until = time.monotonic() + _HANDOVER_SECONDS
        while not self.take():
            if not self.read().get("closing") or time.monotonic() > until:
                return False
            time.sleep(_LOOK_SECONDS)
        return True

    def publish(self, state: Mapping[str, Any]) -> None:
        """Shows the others what the leader knows."""
        if self.leads and state != self._shown:
            self._shown = dict(state)
            file = self._base + ".state"
            made = os.open(file + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
            with os.fdopen(made, "w", encoding="utf-8") as opened:
                json.dump(state, opened)
            os.replace(file + ".new", file)

    def read(self) -> Line:
        """What the leader has shown last; empty where nothing is known."""
        try:
            with open(self._base + ".state", encoding="utf-8") as opened:
                state = json.load(opened)
            return state if isinstance(state, dict) else {}
        except (OSError, ValueError):
            return {}

    # What the others do

    def tell(self, load: int, tasks: List[str], drain: Optional[str]) -> None:
        """Shows the leader what this process does and asks for, and hands it the outcomes so far."""
        self.hand_over()
        if self._member is not None:
            # One write over all that was there, as others read it at any time.
            self._told = json.dumps([load, tasks, drain]).encode().ljust(len(self._told))
            os.pwrite(self._member, self._told, 0)

    def spool(self, line: Mapping[str, Any]) -> None:
        """Keeps an outcome for the leader, also where this process ends at once."""
        with self._lock:
            try:
                if self._spool is None:
                    self._spool = self._made(uuid.uuid4().hex, "outcomes")
                os.write(self._spool, json.dumps(line).encode() + b"\n")
            except OSError as error:
                LOG.warning("an outcome is lost: %s", error)

    def _made(self, name: str, end: str) -> int:
        """A new file that this process has locked."""
        while True:
            opened = _locked("{}.{}.{}".format(self._base, name, end), os.O_RDWR | os.O_CREAT)
            if opened is not None:
                return opened
            # The leader took it, before it was locked, for one of a process that has ended.

    def hand_over(self) -> None:
        """Lets the leader read the outcomes so far."""
        with self._lock:
            if self._spool is not None:
                os.close(self._spool)
                self._spool = None

    def collect(self) -> List[Line]:
        """The outcomes of the other processes, each once."""
        lines: List[Line] = []
        for opened, file in self._ended(".outcomes"):
            # A process that was killed may have left half a line.
            for text in _content(opened).split(b"\n"):
                try:
                    line = json.loads(text)
                    lines += [line] if isinstance(line, dict) else []
                except ValueError:
                    pass
            os.unlink(file)
        return lines

    def others(self) -> List[Other]:
        """What each other process tells that lives and has seen a leader."""
        for _, file in self._ended(".member"):
            os.unlink(file)
        found = []
        for file in self._files(".member"):
            if self._name in file:
                continue
            try:
                with open(file, encoding="utf-8") as opened:
                    load, tasks, drain = json.load(opened)
                found.append((load, tasks, drain))
            except (OSError, ValueError):
                pass
        return found

    def withdraw(self) -> None:
        """Shows that this process ends, and hands over what it has. What the leader shows after that is what it knows of this."""
        self.hand_over()
        self._remove("." + self._name + ".member")

    def leave(self, last: bool = False) -> None:
        """This process has nothing more to do with the agent.

        :param last: nor does any other one
        """
        self.withdraw()
        if last and self.leads:
            # In this order: without a state, no process waits for the lock.
            self._remove(".lock")
            self._remove(".state")
        for opened in (self._leads, self._member):
            if opened is not None:
                os.close(opened)
        self._leads = self._member = None
        _HERE.discard(self._base)

    def _remove(self, end: str) -> None:
        try:
            os.unlink(self._base + end)
        except OSError:
            pass

    def _files(self, end: str) -> List[str]:
        folder, start = os.path.split(self._base)
        return [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith(start) and name.endswith(end)]

    def _ended(self, end: str) -> Iterator[Tuple[int, str]]:
        """The files of such a kind that no process has open any more."""
        for file in self._files(end):
            try:
                opened = _locked(file, os.O_RDWR)
            except OSError:
                continue  # Another one was faster.
            if opened is not None:
                try:
                    yield opened, file
                finally:
                    os.close(opened)
