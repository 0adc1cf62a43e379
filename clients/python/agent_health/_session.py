"""One agent's registration and heartbeats: what is sent when, and what each answer means. The threads are elsewhere."""

from __future__ import annotations

import datetime
import hashlib
import json
import threading
from typing import Any, Callable, Dict, List, Mapping, Optional

from ._calls import ONCE, Calls, Json, RetryPolicy, full_jitter, is_passing, is_refused, parsed_time, path, usable_address
from ._group import Group, Other
from ._runtime import LOG, Runtime
from ._states import CLOSING, ENDED, Drain, Hooks, RegisterAgain, State
from .errors import (
    AgentAlreadyRunning,
    AgentGone,
    AgentHealthError,
    Conflict,
    NotFound,
    RegistryUnavailable,
    Superseded,
    Unauthenticated,
    UnexpectedAnswer,
)
from .outcomes import MAX_BATCH, Outcomes
from .tasks import MAX_TASK_IDS, Tasks

DEFAULT_INTERVAL_SECONDS = 30.0
_MAX_RETRY_SECONDS = 300.0

#: What the API description allows.
_MAX_HINT_SECONDS = 1_296_000.0
_MAX_EXTRA_BATCHES = 20
_RETRY_BASE_SECONDS = 1.0

#: How soon an agent that is not alive is looked at again.
_LOOK_AGAIN_SECONDS = 5.0

#: How often a process that does not lead looks at the others, where the interval is not shorter.
_MEMBER_SECONDS = 1.0
_SEEN_SECONDS = 2.5

#: Failed heartbeats after which a drained agent without work stops waiting for the registry.
_DRAIN_FAILURES = 3


def _text(moment: datetime.datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _interval_of(record: Mapping[str, Any]) -> float:
    interval = (record.get("heartbeat_config") or {}).get("interval_seconds")
    return float(interval) if isinstance(interval, (int, float)) and interval > 0 else DEFAULT_INTERVAL_SECONDS


class Session:
    """Thread-safe. ``step`` is called by one thread, and by ``finish`` of another after it."""

    def __init__(
        self,
        calls: Calls,
        runtime: Runtime,
        agent_id: str,
        profile: Mapping[str, Any],
        tasks: Tasks,
        outcomes: Outcomes,
        hooks: Hooks,
        register_again: RegisterAgain,
        alive: Optional[Callable[[], bool]] = None,
    ) -> None:
        self.agent_id = agent_id
        self.state = State.STARTING
        self.incarnation: Optional[int] = None
        self.last_error: Optional[AgentHealthError] = None
        self._calls = calls
        self._runtime = runtime
        self._profile = profile
        self._tasks = tasks
        self._outcomes = outcomes
        self._hooks = hooks
        self._register_again = register_again
        self._alive = alive
        self._group: Optional[Group] = None
        # A callback may close the agent.
        self._step_lock = threading.RLock()
        self._known_incarnation = 0
        self._unsure = False
        self._register_at = float("-inf")
        self._restarts = False
        self._ended_at = 0.0
        self._failures = 0
        self._interval = _interval_of(profile)
        self._hint: Optional[float] = None
        self._usual_url = path("/api/v1/agents/{}/heartbeat", agent_id)
        self._heartbeat_url = self._usual_url
        self._server_time = (runtime.monotonic(), runtime.now())
        self._started_at = _text(runtime.now())
        self._requested_drain: Optional[Drain] = None
        self._drain: Optional[Drain] = None
        self._asks: Optional[str] = None
        self._others: List[Other] = []
        self.context_used: Optional[float] = None
        self._gone_listeners: List[Callable[[str], None]] = []

    # What others ask for

    def when_gone(self, listener: Callable[[str], None]) -> None:
        """Calls it with a reason when the registration ends and every lease with it."""
        self._gone_listeners.append(listener)

    def request_drain(self, drain: Drain) -> None:
        """Begins a drain with the next step. Safe in a signal handler."""
        self._requested_drain = drain

    def server_time(self, monotonic: float) -> datetime.datetime:
        """The registry's time at a monotonic time, as far as its answers show."""
        known_at, known = self._server_time
        return known + datetime.timedelta(seconds=monotonic - known_at)

    # The steps

    def step(self) -> Optional[float]:
        """Does what is due, and returns the seconds until the next step; ``None`` once the session has ended."""
        with self._step_lock:
            pause = self._step()
            self._publish()
        self._runtime.changed()
        return pause

    def _step(self) -> Optional[float]:
        if self._group is not None and not self.state.ended:
            if not self._group.leads and not self._take_over():
                return self._follow(self._group)
            self._collect()
            for _, _, reason in self._others:
                if reason is not None:
                    self._begin_drain(Drain(reason, None))
        drain, self._requested_drain = self._requested_drain, None
        if drain is not None:
            self._begin_drain(drain)
        if self.state.ended:
            return None
        if self.incarnation is None:
            return self._register()
        if self._alive is not None and self.state is State.ACTIVE and not self._alive():
            return min(self._interval, _LOOK_AGAIN_SECONDS)
        return self._heartbeat(ONCE, None)

    # Several processes

    def join(self, group: Optional[Group]) -> bool:
        """Becomes part of a group; returns whether this process is to register the agent."""
        self._group = group
        self._others = []
        if group is None or group.take():
            self._outcomes.elsewhere = None
            if group is not None and group.others() and self._take_over() and self.incarnation is not None:
                # The leader has just ended, and this process was faster than those that go on.
                self.state = State.ACTIVE
                return False
            self._publish()
            return True
        if self.state is State.STARTING and group.read().get("state") not in (None, State.STARTING.value, State.ACTIVE.value):
            # A process that takes the place of one that drains is not to drain with it.
            group.leave()
            self._group = None
            return True
        self._outcomes.elsewhere = group.spool
        self._follow(group)
        return False

    @property
    def is_joined(self) -> bool:
        """Whether this process is part of a group."""
        return self._group is not None

    @property
    def is_shared(self) -> bool:
        """Whether other processes go on with the agent when this one ends."""
        return self._group is not None and bool(self._others or not self._group.leads)

    def after_fork(self) -> None:
        """Begins anew in a forked process: its parent leads."""
        self._step_lock = threading.RLock()
        self._requested_drain = None
        if self._group is not None:
            self._group.after_fork()
            self.join(self._group)

    def _follow(self, group: Group) -> Optional[float]:
        """Adopts what the leader shows, and shows it what this process does."""
        drain, self._requested_drain = self._requested_drain, None
        shown = group.read()
        state = State(shown.get("state", State.STARTING))
        if self.incarnation is not None and shown.get("incarnation") != self.incarnation:
            self._lose_leases("the agent is dead, or registered again")
        self.incarnation = shown.get("incarnation")
        if drain is None and state is State.DRAINING:
            drain = Drain(shown.get("reason", ""), shown.get("timeout"))
        elif drain is not None:
            self._asks = drain.reason
        if drain is not None:
            self._begin_drain(drain)
        elif state is State.ACTIVE and self.state is State.STARTING:
            self.state = state
        elif state is State.SUPERSEDED:
            self._end(state, "another process registered the agent")
            self._hooks.call("on_superseded")
        elif state is State.STOPPED and self.state is State.DRAINING and self._tasks.load == 0:
            self._end(state, "the drain is complete")
        group.tell(self._tasks.load, self._tasks.ids(), self._asks)
        return None if self.state.ended else min(_MEMBER_SECONDS, float(shown.get("interval") or _MEMBER_SECONDS))

    def _take_over(self) -> bool:
        """Whether this process leads from now on. It goes on with the life of the agent where it is the same agent."""
        group = self._group
        if group is None or not group.take():
            return False
        shown = group.read()
        group.hand_over()
        self._outcomes.elsewhere = None
        same = shown.get("profile") == self._digest() and shown.get("state") in (State.ACTIVE.value, State.DRAINING.value)
        self.incarnation = shown.get("incarnation") if same else None
        self._known_incarnation = self.incarnation or 0
        if same:
            self._interval = float(shown.get("interval") or DEFAULT_INTERVAL_SECONDS)
            self._started_at = str(shown.get("started_at") or self._started_at)
        LOG.info("agent %s: this process sends the heartbeats from now on", self.agent_id)
        return True

    def _digest(self) -> str:
        return hashlib.sha256(json.dumps(self._profile, sort_keys=True, default=str).encode()).hexdigest()

    def _publish(self, closing: bool = False) -> None:
        if self._group is None or not self._group.leads:
            return
        drain = self._drain or CLOSING
        known = {"state": self.state.value, "incarnation": self.incarnation, "interval": self._interval, "started_at": self._started_at}
        try:
            self._group.publish(
                {**known, "profile": self._digest(), "reason": drain.reason, "timeout": drain.timeout_seconds, "closing": closing}
            )
        except OSError as error:
            LOG.warning("other processes of agent %s are not heard: %s", self.agent_id, error)

    def _collect(self) -> None:
        """Takes in the outcomes of the other processes, and what they do."""
        self._others = []
        if self._group is not None and self._group.leads:
            # In this order: who is gone by now has handed over all that it had.
            self._others = self._group.others()
            for line in self._group.collect():
                self._outcomes.take_in(line)

    def _hand_over(self) -> bool:
        """At the end of this process: whether others go on with the agent."""
        if self._group is None:
            return False
        if not self._group.leads:
            self._group.withdraw()
            if not (self._group.take_over() and self._take_over()):
                return True
        self._publish(closing=True)
        self._collect()
        return bool(self._others) and not self.state.ended

    def register_now(self, retries: RetryPolicy, timeout: Optional[float] = None) -> None:
        """Registers; raises what prevents it."""
        # With the same start in each registration of this process, one after a death is no restart.
        body: Dict[str, Any] = {"started_at": self._started_at, **self._profile, "agent_id": self.agent_id}
        if self._known_incarnation == 0:
            body["replace"] = True
        sent = self._runtime.monotonic()
        try:
            record = self._calls.json("POST", "/api/v1/agents", body, retries=retries, timeout=timeout)
        except AgentHealthError as error:
            if isinstance(error, AgentAlreadyRunning):
                # The other one may end at any moment: the pause stays the same after many attempts.
                pause = error.retry_after or _LOOK_AGAIN_SECONDS
                self._register_at = self._runtime.monotonic() + pause + self._runtime.random.uniform(0, _RETRY_BASE_SECONDS)
            self._unsure |= getattr(error, "status", 500) >= 500 and getattr(error, "maybe_stored", True)
            raise
        self._adopt(record)
        self._learn_time(record.get("last_heartbeat_at"), sent)

    def _adopt(self, record: Mapping[str, Any]) -> None:
        try:
            self.incarnation = self._known_incarnation = int(record["incarnation"])
        except (KeyError, TypeError, ValueError) as error:
            raise RegistryUnavailable("the record of the agent has no incarnation") from error
        self._unsure = False
        self._interval = _interval_of(record)
        self._take_heartbeat_url(record.get("heartbeat_url"))
        self._hint = None
        if self.state is State.STARTING:
            self.state = State.ACTIVE
        self._succeeded()
        LOG.info("agent %s is registered, incarnation %d", self.agent_id, self.incarnation)

    def _register(self) -> Optional[float]:
        if self.state is State.DRAINING:
            # The registry does not know the agent, so there is no drain to report.
            return self._drained_locally()
        pause = self._register_at - self._runtime.monotonic()
        if pause > 0:
            return pause
        try:
            try:
                self.register_now(ONCE)
            except Conflict as conflict:
                if conflict.code != "agent_exists":
                    raise
                if not self._adopt_own():
                    self._superseded(conflict)
                    return None
        except AgentHealthError as error:
            return self._failed(error)
        return self._next_pause()

    def _adopt_own(self) -> bool:
        """Whether an earlier attempt without an answer registered this process, and not another process the id."""
        if not self._unsure:
            return False
        record = self._calls.json("GET", path("/api/v1/agents/{}", self.agent_id), retries=ONCE)
        if record.get("incarnation") != self._known_incarnation + 1:
            return False
        self._adopt(record)
        return True

    def _heartbeat(self, retries: RetryPolicy, timeout: Optional[float]) -> Optional[float]:
        batch = self._outcomes.next(self.server_time)
        body: Dict[str, Any] = {
            "status": "draining" if self.state is State.DRAINING else "active",
            "client_timestamp": _text(self._runtime.now()),
            "current_load": self._tasks.load,
            "tasks_in_progress": self._tasks.ids(),
            "incarnation": self.incarnation,
        }
        for load, ids, _ in self._others:
            body["current_load"] += load
            body["tasks_in_progress"] = sorted({*body["tasks_in_progress"], *ids})[:MAX_TASK_IDS]
        activity = self._tasks.activities.report()
        if activity is not None:
            body["activity"] = activity
        if self.context_used is not None:
            body["context_used"] = self.context_used
        if batch is not None:
            body.update(batch.json())
        sent = self._runtime.monotonic()
        limit = timeout or max(5.0, min(10.0, self._interval / 2))
        try:
            answer = self._send(body, retries, limit)
        except AgentGone as error:
            return self._gone(error)
        except Superseded as error:
            self._outcomes.settle(batch, error.document.get("outcomes"))
            self._superseded(error)
            return None
        except NotFound as error:
            return self._gone(error) if error.code == "agent_not_found" else self._failed(error)
        except AgentHealthError as error:
            return self._failed(error)
        self._succeeded()
        self._learn_time(answer.get("server_timestamp"), sent)
        self._outcomes.settle(batch, answer.get("outcomes"))
        return self._obey(answer)

    def _send(self, body: Mapping[str, Any], retries: RetryPolicy, limit: float) -> Json:
        try:
            return self._calls.json("POST", self._heartbeat_url, body, retries=retries, timeout=limit)
        except (RegistryUnavailable, UnexpectedAnswer):
            if self._heartbeat_url == self._usual_url:
                raise
            # The address of its own for heartbeats may be out of order, or be no more.
            return self._calls.json("POST", self._usual_url, body, retries=retries, timeout=limit)

    def _obey(self, answer: Mapping[str, Any]) -> Optional[float]:
        hint = answer.get("next_heartbeat_in_seconds")
        self._hint = float(hint) if isinstance(hint, (int, float)) and 0 < hint <= _MAX_HINT_SECONDS else None
        status = answer.get("agent_status")
        if status in ("deregistered", "dead"):
            self._end(State.STOPPED, "the drain is complete")
            return None
        command: Optional[Mapping[str, Any]] = next(
            (one for one in answer.get("pending_commands") or () if one.get("command") in ("drain", "restart")),
            {} if status == "draining" else None,
        )
        if command is not None and self.state is not State.DRAINING:
            drain = Drain(str(command.get("reason", "")), command.get("drain_timeout_seconds"))
            if command.get("command") != "restart":
                self._begin_drain(drain)
                return 0.0
            if not self._restarts:
                self._restarts = True
                LOG.warning("agent %s is to restart: %s", self.agent_id, drain.reason or "requested")
                self._runtime.run("agent-health-restart", lambda: self._hooks.call("on_restart", drain))
        else:
            self._restarts = False
        if len(self._outcomes) >= MAX_BATCH:
            self.flush(_MAX_EXTRA_BATCHES)
        return self._next_pause()

    def _next_pause(self) -> float:
        if self._hint is not None:
            # The registry spreads its agents itself.
            return self._hint
        return self._interval * self._runtime.random.uniform(0.9, 1.0)

    # How it ends

    def _begin_drain(self, drain: Drain) -> None:
        if self.state in (State.STARTING, State.ACTIVE):
            self.state = State.DRAINING
            self._drain = drain
            LOG.info("agent %s drains: %s", self.agent_id, drain.reason or "requested")
            if drain is CLOSING:
                return
            self._tasks.begin(None)
            self._runtime.run("agent-health-drain", lambda: self._call_on_drain(drain))

    def _call_on_drain(self, drain: Drain) -> None:
        # The callback counts as work: the drain is not complete before it returns.
        try:
            self._hooks.call("on_drain", drain)
        finally:
            self._tasks.end(None)

    def _gone(self, error: AgentHealthError) -> Optional[float]:
        ended = isinstance(error, AgentGone) and error.ended_by == "operator" and self._register_again != "always"
        if ended and self.state is not State.DRAINING:
            return self._ended_by_operator(error)
        self.incarnation = None
        self._lose_leases("the agent is dead or deregistered")
        if self.state is State.DRAINING:
            if self._tasks.load > 0:
                self._hooks.call("on_dead", error)
            self._end(State.STOPPED, "the drain is over")
            return None
        LOG.warning("agent %s is gone: %s", self.agent_id, error)
        self.last_error = error
        self._hooks.call("on_dead", error)
        if self.state.ended:
            return None
        if not self._register_again:
            self._end(State.STOPPED, "the agent is gone and does not register again")
            return None
        self.state = State.STARTING
        # A fleet that was marked as dead at once must not register at once.
        return full_jitter(1, _RETRY_BASE_SECONDS, _RETRY_BASE_SECONDS, self._runtime.random)

    def _ended_by_operator(self, error: AgentHealthError) -> Optional[float]:
        """The work ends as in a drain, without heartbeats, and the agent does not register again."""
        LOG.warning("agent %s was ended by an operator: it stops, and does not register again", self.agent_id)
        self.last_error = error
        self._begin_drain(ENDED)
        self.incarnation = None
        self._lose_leases(ENDED.reason)
        self._ended_at = self._runtime.monotonic()
        return self._drained_locally()

    def _superseded(self, error: AgentHealthError) -> None:
        self.last_error = error
        self._end(State.SUPERSEDED, str(error))
        self._lose_leases("another process registered the agent")
        self.flush(_MAX_EXTRA_BATCHES)
        self._hooks.call("on_superseded")

    def _drained_locally(self) -> Optional[float]:
        if self._tasks.load > 0:
            return self._interval
        if self._drain is ENDED:
            if self._others and self._runtime.monotonic() < self._ended_at + _SEEN_SECONDS or any(load for load, _, _ in self._others):
                # The other processes see the drain before its end, and end their work.
                return _MEMBER_SECONDS
            self.flush(_MAX_EXTRA_BATCHES)
        self._end(State.STOPPED, "drained without the registry")
        return None

    def _end(self, state: State, why: str) -> None:
        self.state = state
        LOG.log(30 if state is State.SUPERSEDED else 20, "agent %s: %s", self.agent_id, why)
        self._hooks.call("on_end")

    def _lose_leases(self, why: str) -> None:
        for listener in list(self._gone_listeners):
            listener(why)

    def finish(self) -> None:
        """Sends what is left and deregisters. Never raises, and gives up soon where the registry is away."""
        with self._step_lock:
            self._requested_drain = None
            if self._hand_over():
                self._leave("other processes go on with the agent")
                return
            if not self.state.ended:
                self.state = State.DRAINING
                if self.incarnation is not None:
                    retries = RetryPolicy(1 if self._failures else 3, max_pause_seconds=1.0, max_wait_seconds=3.0)
                    self._drain_to_the_end(retries)
            if not self.state.ended:
                self._end(State.STOPPED, "closed")
            self._leave("closed", last=True)

    def leave(self) -> None:
        """Sends what is left and nothing more. Never raises."""
        with self._step_lock:
            self._requested_drain = None
            last = not self._hand_over()
            scheduled = "schedule" in (self._profile.get("heartbeat_config") or {})
            placed = bool(self._profile.get("instance")) and not scheduled and not self.state.ended
            reaches = bool(self._known_incarnation) and self._failures == 0
            self._leave("left", last=last)
            if last and placed and reaches:
                self._give_place()

    def _give_place(self) -> None:
        # The next process of the agent, such as the retry of a job on another host, need not wait for missing heartbeats of this process.
        try:
            gone = {"instance": None, "incarnation": self.incarnation}
            self._calls.json("PATCH", path("/api/v1/agents/{}", self.agent_id), gone, retries=ONCE, timeout=5.0)
        except AgentHealthError as error:
            LOG.info("agent %s keeps its instance: %s", self.agent_id, error)

    def _leave(self, why: str, last: bool = False) -> None:
        # While the agent runs elsewhere the registry answers, and takes what this process did.
        reaches = self._known_incarnation and self._failures == 0
        if reaches or isinstance(self.last_error, AgentAlreadyRunning):
            self.flush(_MAX_EXTRA_BATCHES)
        if not self.state.ended:
            self._end(State.STOPPED, why)
        if self._group is not None:
            self._group.leave(last)
            self._group = None
        self._runtime.changed()

    def _drain_to_the_end(self, retries: RetryPolicy) -> None:
        # The first heartbeat begins the drain, and the next one without work completes it.
        for _ in range(2):
            self._heartbeat(retries, 5.0)
            if self.state.ended or self._failures:
                return
        self._deregister(retries)

    def _deregister(self, retries: RetryPolicy) -> None:
        try:
            self._calls.json(
                "DELETE",
                path("/api/v1/agents/{}", self.agent_id),
                query={"incarnation": self.incarnation},
                retries=retries,
                timeout=5.0,
            )
        except AgentHealthError as error:
            LOG.info("agent %s is not deregistered: %s", self.agent_id, error)

    # What every answer has

    def flush(self, batches: int) -> None:
        """Sends outcomes in requests of their own, until there are none or a request fails."""
        where = path("/api/v1/agents/{}/outcomes", self.agent_id)
        self._outcomes.send(self._calls, where, self.server_time, batches)

    def _succeeded(self) -> None:
        if self._failures:
            LOG.info("agent %s reaches the registry again", self.agent_id)
        self._failures = 0
        self.last_error = None

    def failed_at_start(self, error: AgentHealthError, what: str) -> None:
        """Reports a failed registration of the start. The registry is asked again: after a refusal in an interval, otherwise at once."""
        if is_refused(error):
            self._register_at = self._runtime.monotonic() + self._next_pause()
        self.report(error, what)

    def report(self, error: AgentHealthError, what: str) -> None:
        """Keeps why the last request failed. A new kind of failure is logged, and the callbacks are called.

        :param what: the agent does now, for the log
        """
        known, self.last_error = self.last_error, error
        if type(known) is type(error):
            return
        hint = " (is the key right?)" if isinstance(error, Unauthenticated) else ""
        LOG.warning("agent %s %s%s: %s", self.agent_id, what, hint, error)
        self._hooks.call("on_error", error)
        if is_refused(error):
            self._hooks.call("on_refused", error)

    def _failed(self, error: AgentHealthError) -> Optional[float]:
        self._failures += 1
        self.report(error, "goes on, and so do the retries")
        if self.state is State.DRAINING and self._tasks.load == 0 and self._failures >= _DRAIN_FAILURES:
            self._end(State.STOPPED, "drained without the registry")
            return None
        if isinstance(error, AgentAlreadyRunning):
            return self._register_at - self._runtime.monotonic()
        if not is_passing(error):
            return self._next_pause()
        limit = min(self._interval, _MAX_RETRY_SECONDS)
        pause = full_jitter(self._failures, _RETRY_BASE_SECONDS, limit, self._runtime.random)
        return pause + (getattr(error, "retry_after", None) or 0.0)

    def _learn_time(self, shown: Any, sent: float) -> None:
        """Notes the registry's time, since this machine's clock may be wrong."""
        time = parsed_time(shown)
        if time is not None:
            self._server_time = ((sent + self._runtime.monotonic()) / 2, time)

    def _take_heartbeat_url(self, url: Any) -> None:
        self._heartbeat_url = usable_address(self._calls.url, url) or self._usual_url
