"""The commands ``agent-health-agent run`` and ``agent-health-agent sidecar``; docs/guides/run.md has their options."""

from __future__ import annotations

import argparse
import difflib
import json
import logging
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from ._runtime import LOG
from ._states import Drain
from .agent import RESTART_STATUS, Agent
from .credentials import key_from_environment
from .errors import AgentHealthError

__all__ = ["main"]

Check = Callable[[], bool]

_NAME = "agent-health-agent"

#: The commands of the registry's program.
_OF_REGISTRY = frozenset(
    "serve demo login logout status agents agent availability usage versions problems events calls drain restart stop containment watch block unblock blocks erase ping-url import sources"
    " silences status-page notifications workflows configuration leases audit keys identity-providers fleet backup restore check completion".split()
)

#: The variables of this program, of the clients, and of the registry.
_PREFIX = "AGENT_HEALTH_"
_VARIABLES = (
    "URL KEY TOKEN_FILE AGENT_ID ROLE_ID NAME INSTANCE CAPABILITIES INTERVAL_SECONDS PROFILE WATCH WATCH_PORT WATCH_FILE WATCH_MAX_AGE_SECONDS"
    " WATCH_PID ON_DRAIN ON_EXIT REGISTER_AGAIN VERBOSE PID DRAIN_REASON DRAIN_TIMEOUT_SECONDS PING_URL ADMIN_KEY PORT HOST PUBLIC_URL DATA_DIR"
).split()

NOT_EXECUTABLE, NOT_FOUND, WRONG_OPTION = 126, 127, 64

_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2") if hasattr(signal, name)]
_ENDING = {getattr(signal, name, None) for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT")}
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)

#: What the terminal itself sends to all processes in its foreground.
_OF_TERMINAL = {getattr(signal, name, None) for name in ("SIGINT", "SIGQUIT")}

#: A number of a process, and how much of a file with one is read.
_PID = re.compile("[0-9]{1,10}")
_MAX_PID_FILE = 100

_CHECK_SECONDS = 5.0
_LOOK_SECONDS = 0.2
_AGAIN_SECONDS = 60.0
_END_SECONDS = 5.0
_RESTART_SECONDS = 120.0


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command line; returns the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in _OF_REGISTRY:
        sys.stderr.write(
            "{0}: '{1}' is a command of the registry's own program: run 'agent-health {1}' of its archive, or "
            "'java -jar agent-health-local.jar {1}'. This program has 'run' and 'sidecar'.\n".format(_NAME, given[0])
        )
        return WRONG_OPTION
    for warning in _mistyped(os.environ):
        sys.stderr.write("{}: {}\n".format(_NAME, warning))
    try:
        options = _parser().parse_args(given)
        options.work(options)
    except SystemExit as end:
        # argparse ends with 2, which a command may mean something else by.
        return WRONG_OPTION if end.code == 2 else int(end.code or 0)
    return int(options.status)


def _mistyped(environment: Mapping[str, str]) -> List[str]:
    """A warning for each variable that is near to one of this program, but is none."""
    warnings = []
    for name in sorted(environment):
        word = name[len(_PREFIX) :]
        if name.startswith(_PREFIX) and word not in _VARIABLES:
            near = difflib.get_close_matches(word, _VARIABLES, 1, 0.8)
            warnings += ["{} is no variable and is ignored. Is {} meant?".format(name, _PREFIX + one) for one in near]
    return warnings


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=_NAME, description="Makes a process an agent of Agent Health.")
    commands = parser.add_subparsers(required=True, metavar="run|sidecar")
    run = commands.add_parser("run", help="start a command, and send heartbeats while it lives", usage="%(prog)s [options] -- COMMAND ...")
    run.add_argument("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    run.set_defaults(work=_run, pid=None, error=run.error)
    sidecar = commands.add_parser("sidecar", help="send heartbeats for a process beside this one")
    _option(sidecar, "--pid", "WATCH_PID", "process to watch, or a file with its number")
    sidecar.set_defaults(work=_sidecar, error=sidecar.error)
    for one in (run, sidecar):
        _option(one, "--registry", "URL", "URL of the registry", metavar="URL")
        _option(one, "--id", "AGENT_ID", "id of the agent; the host's name without it")
        _option(one, "--role", "ROLE_ID", "role that instances share")
        _option(one, "--name", "NAME", "name for people")
        _option(one, "--instance", "INSTANCE", "where it runs; the host's name without it")
        _option(one, "--capabilities", "CAPABILITIES", "what it can do, separated by commas")
        _option(one, "--interval", "INTERVAL_SECONDS", "seconds between heartbeats", type=int, metavar="SECONDS")
        _option(one, "--profile", "PROFILE", "more fields of the registration, as a JSON object", type=_object, metavar="JSON")
        _option(one, "--watch", "WATCH", "URL that answers with 2xx", "--url", metavar="URL")
        _option(one, "--port", "WATCH_PORT", "port that accepts connections", type=_address, metavar="[HOST:]PORT")
        _option(one, "--file", "WATCH_FILE", "file that is written again and again")
        _option(one, "--max-age", "WATCH_MAX_AGE_SECONDS", "how old the file may be", type=float, default="90", metavar="SECONDS")
        _option(one, "--on-drain", "ON_DRAIN", "shell command that begins a drain", metavar="COMMAND")
        _option(one, "--register-again", "REGISTER_AGAIN", "whether also after an operator ended the agent", choices=("auto", "always"), default="auto")
        _option(one, "--on-exit", "ON_EXIT", "what becomes of the agent", choices=("auto", "deregister", "leave"), default="auto")
        one.add_argument("--verbose", action="store_true", default=bool(os.environ.get("AGENT_HEALTH_VERBOSE")))
    return parser


def _option(parser: argparse.ArgumentParser, name: str, variable: str, text: str, *more: str, default: Optional[str] = None, **how: Any) -> None:
    variable = "AGENT_HEALTH_" + variable
    # A default that is a text is read as the option is.
    how["default"] = os.environ.get(variable) or default
    parser.add_argument(name, *more, help="{} (${})".format(text, variable), **how)


def _object(text: str) -> Dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("no JSON object")
    return value


def _address(text: str) -> Tuple[str, int]:
    host, _, port = text.rpartition(":")
    return host or "127.0.0.1", int(port)


# What is looked at before a heartbeat


def _answers(url: str) -> bool:
    # A neighbour is not reached through the proxy of the environment.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=_CHECK_SECONDS) as answer:
            return 200 <= int(answer.status) < 300
    except (OSError, ValueError):
        return False


def _accepts(address: Tuple[str, int]) -> bool:
    try:
        socket.create_connection(address, timeout=_CHECK_SECONDS).close()
        return True
    except OSError:
        return False


def _is_written(file: str, max_age: float) -> bool:
    try:
        return time.time() - os.stat(file).st_mtime <= max_age
    except OSError:
        return False


def _number(pid: str) -> Optional[int]:
    """The number of a process that may be watched and get signals; ``None`` where there is none.

    0, 1 and negative numbers stand for groups of processes or for the first one, and a process of another user is not this one's to end.
    """
    try:
        if not pid.isdigit():
            if not os.path.isfile(pid):
                return None  # Nothing may ever write into a pipe.
            with open(pid, encoding="ascii") as file:
                pid = file.read(_MAX_PID_FILE).strip()
        number = int(pid) if _PID.fullmatch(pid) else 0
        return number if number > 1 and _is_own(number) else None
    except (OSError, ValueError):
        return None


def _is_own(number: int) -> bool:
    """Whether a process is a child of this one, or of the same user. The first user may signal every process, so the permission alone says nothing."""
    try:
        with open("/proc/{}/status".format(number), encoding="utf-8", errors="replace") as file:
            fields = dict(line.split(":", 1) for line in file if ":" in line)
        user, parent = fields["Uid"].split()[0], fields["PPid"].strip()
    except FileNotFoundError:
        if os.path.isdir("/proc/self"):
            return False  # There is no such process.
        listed = subprocess.run(["ps", "-o", "ruid=,ppid=", "-p", str(number)], capture_output=True, text=True, check=False)
        user, parent = (listed.stdout.split() + ["", ""])[:2]
    return user == str(os.geteuid()) or parent == str(os.getpid())


def _lives(pid: str) -> bool:
    return _number(pid) is not None


def _checks(options: argparse.Namespace) -> List[Check]:
    checks: List[Check] = []
    if options.watch:
        checks.append(lambda: _answers(options.watch))
    if options.port:
        checks.append(lambda: _accepts(options.port))
    if options.file:
        checks.append(lambda: _is_written(options.file, options.max_age))
    if options.pid:
        checks.append(lambda: _lives(options.pid))
    return checks


class _Watch:
    """Whether all checks hold; says when that changes."""

    def __init__(self, checks: Sequence[Check]) -> None:
        self._checks = checks
        self._held = True

    def __call__(self) -> bool:
        holds = all(check() for check in self._checks)
        if holds != self._held:
            LOG.warning("heartbeats go on" if holds else "no heartbeat is sent until what is watched answers again")
        self._held = holds
        return holds


# The agent


class _Registered:
    """The agent of a process. Whatever the registry does, the process goes on."""

    def __init__(self, options: argparse.Namespace, follow: Callable[[Drain], None], restart: Callable[[Drain], None]) -> None:
        logging.basicConfig(stream=sys.stderr, format="agent-health-agent: %(message)s")
        LOG.setLevel(logging.INFO if options.verbose else logging.WARNING)
        self.id: str = options.id or socket.gethostname()
        self._options = options
        self._profile: Dict[str, Any] = dict(options.profile or {})
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._register, name="agent-health-start", daemon=True)
        self._agent = self._made(follow, restart)

    def _made(self, follow: Callable[[Drain], None], restart: Callable[[Drain], None]) -> Optional[Agent]:
        options = self._options
        if options.interval:
            times = {"interval_seconds": options.interval, "unhealthy_after_seconds": 3 * options.interval}
            times["dead_after_seconds"] = 10 * options.interval
            self._profile["heartbeat_config"] = {**times, **self._profile.get("heartbeat_config", {})}
        checks = _checks(options)
        try:
            return Agent(
                options.registry or "",
                key_from_environment(),
                self.id,
                role_id=options.role,
                name=options.name,
                instance=options.instance,
                capabilities=[word.strip() for word in (options.capabilities or "").split(",") if word.strip()],
                profile=self._profile,
                on_drain=follow,
                on_restart=restart,
                alive=_Watch(checks) if checks else None,
                register_again="always" if options.register_again == "always" else True,
                share=False,
                close_timeout=_END_SECONDS,
                timeout=_END_SECONDS,
            )
        except ValueError as error:
            LOG.warning("not registered, as a setting is wrong: %s", error)
            return None

    @property
    def scheduled(self) -> bool:
        return "schedule" in (self._profile.get("heartbeat_config") or {})

    def start(self) -> None:
        self._thread.start()

    def _register(self) -> None:
        while self._agent is not None:
            try:
                self._agent.start()
                return
            except AgentHealthError as error:
                # A profile that breaks a rule of this registry may be allowed later.
                LOG.warning("agent %s is not registered: %s", self.id, error)
            if self._stopped.wait(_AGAIN_SECONDS):
                return

    def drain(self, reason: str) -> None:
        if self._agent is not None:
            self._agent.drain(reason)

    def end(self, deregisters: bool, result: Optional[str] = None, seconds: float = 0.0) -> None:
        """Sends the outcome, and deregisters the agent or leaves it."""
        self._stopped.set()
        self._thread.join(_END_SECONDS)
        agent = self._agent
        if agent is None:
            return
        if result is not None:
            agent.record(result, latency_ms=seconds * 1000)
        # A registry that is slow must not hold up the end of the process.
        last = threading.Thread(target=agent.close if deregisters else agent.leave, name="agent-health-end", daemon=True)
        last.start()
        last.join(2 * _END_SECONDS)


def _hook(command: str, pid: Optional[int], drain: Drain) -> bool:
    """Runs the command that begins a drain; returns whether it succeeded."""
    told: Dict[str, str] = {"AGENT_HEALTH_DRAIN_REASON": drain.reason, "AGENT_HEALTH_PID": str(pid or "")}
    told["AGENT_HEALTH_DRAIN_TIMEOUT_SECONDS"] = str(drain.timeout_seconds or "")
    status = subprocess.call(command, shell=True, env={**os.environ, **told})
    if status:
        LOG.warning("--on-drain ended with status %d", status)
    return status == 0


# run


class _Command:
    """A command that is run, and the signals that it gets."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.arguments = arguments
        self.asked = False
        self.restarts = False
        self.ended = threading.Event()
        self.process: "Optional[subprocess.Popen[bytes]]" = None
        self._early: List[int] = []
        self._interactive = _is_in_foreground()

    def start(self, environment: Mapping[str, str]) -> None:
        for number in _SIGNALS:
            # One that is ignored, as by nohup, stays so for the command too.
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._on_signal)
        # A group of its own in a terminal could not read from it.
        own_group = None if self._interactive or not hasattr(os, "setpgrp") else os.setpgrp
        self.process = subprocess.Popen(self.arguments, env=environment, preexec_fn=own_group)
        for number in self._early:
            self.send(number)

    def _on_signal(self, number: int, frame: Any) -> None:
        self.asked |= number in _ENDING
        if self.process is None:
            self._early.append(number)
        elif not (self._interactive and number in _OF_TERMINAL):
            self.send(number)

    def send(self, number: int) -> None:
        """Sends a signal to the command and what it started."""
        process = self.process
        if process is None or process.returncode is not None:
            return
        try:
            if self._interactive or not hasattr(os, "killpg"):
                process.send_signal(number)
            else:
                os.killpg(process.pid, number)
        except OSError:
            pass  # It has just ended.

    def wait(self) -> int:
        """The status with which the command ended, as a shell has it."""
        assert self.process is not None
        status = self.process.wait()
        self.ended.set()
        return status if status >= 0 else 128 - status

    def follow(self, hook: Optional[str], drain: Drain) -> None:
        """Lets the command end; returns when it has."""
        self.asked = True
        pid = self.process.pid if self.process is not None else None
        if not (hook and _hook(hook, pid, drain)):
            self.send(signal.SIGTERM)
        self.ended.wait()

    def restart(self, drain: Drain) -> None:
        """Lets the command end within the time of the request."""
        self.asked = self.restarts = True
        if not self.ended.wait(drain.timeout_seconds or _RESTART_SECONDS):
            self.send(_KILL)


def _is_in_foreground() -> bool:
    try:
        return os.isatty(0) and os.tcgetpgrp(0) == os.getpgrp()
    except (OSError, AttributeError):
        return False


def _run(options: argparse.Namespace) -> None:
    arguments = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not arguments:
        options.error("a command is missing")
    command = _Command(arguments)

    def restart(drain: Drain) -> None:
        registered.drain(drain.reason)
        command.restart(drain)

    registered = _Registered(options, lambda drain: command.follow(options.on_drain, drain), restart)
    began = time.monotonic()
    try:
        command.start({**os.environ, "AGENT_HEALTH_AGENT_ID": registered.id})
    except OSError as error:
        LOG.warning("%s: %s", arguments[0], error.strerror or error)
        options.status = NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_EXECUTABLE
        return
    registered.start()
    status = command.wait()
    result = "success" if status == 0 else None if command.asked else "failure"
    clean = (status == 0 or command.asked) and not registered.scheduled
    deregisters = clean if options.on_exit == "auto" else options.on_exit == "deregister"
    registered.end(deregisters, result, time.monotonic() - began)
    options.status = RESTART_STATUS if command.restarts else status


# sidecar


def _sidecar(options: argparse.Namespace) -> None:
    if not _checks(options):
        options.error("one of --url, --port, --file and --pid is missing")
    # Its put() is safe in a signal handler; an Event's set() is not.
    stops: "queue.SimpleQueue[int]" = queue.SimpleQueue()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stops.put(0))

    def follow(drain: Drain) -> None:
        pid = _number(options.pid) if options.pid else None
        if not (options.on_drain and _hook(options.on_drain, pid, drain)) and pid is not None:
            try:
                os.kill(pid, signal.SIGTERM)
            except OSError as error:
                LOG.warning("process %d gets no SIGTERM: %s", pid, error)
        while pid is not None and _lives(str(pid)) and not ended.is_set():
            time.sleep(_LOOK_SECONDS)

    def restart(drain: Drain) -> None:
        registered.drain(drain.reason)
        stops.put(RESTART_STATUS)

    ended = threading.Event()
    registered = _Registered(options, follow, restart)
    registered.start()
    options.status = stops.get()
    ended.set()
    registered.end(options.on_exit != "leave")
