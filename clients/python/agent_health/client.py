"""Requests to the registry that need no agent of one's own: discovery, pools, health, trust, invocations."""

from __future__ import annotations

import uuid
from typing import Any, Dict, Iterator, Mapping, Optional, Sequence, Union

from ._calls import ONCE, Calls, Json, RetryPolicy, path
from ._runtime import Runtime, SystemRuntime
from .credentials import Key
from .errors import NotFound
from .transport import HttpTransport, Transport

__all__ = ["Client"]

Words = Union[str, Sequence[str], None]


class Client:
    """One registry and one key. Thread-safe.

    Answers are the JSON objects of the HTTP API, as ``docs/reference/requests.md`` has them. Errors are :class:`~agent_health.AgentHealthError`. A request
    that fails in passing (no answer, 429, 503) is sent again up to four times, after random pauses and not before ``Retry-After``.

    :param url: such as ``http://localhost:8080``
    :param key: an API key, a function that returns the current one, for keys that are rotated, or a :class:`TokenFile`
    :param timeout: seconds for each request
    """

    def __init__(
        self,
        url: str,
        key: Key,
        *,
        timeout: float = 10.0,
        retries: Optional[RetryPolicy] = None,
        transport: Optional[Transport] = None,
        runtime: Optional[Runtime] = None,
    ) -> None:
        self._retries = retries or RetryPolicy()
        self._calls = Calls(url, key, transport or HttpTransport(), runtime or SystemRuntime(), timeout)

    def __repr__(self) -> str:
        return "Client({!r})".format(self._calls.url)

    # Agents

    def find(
        self,
        *,
        capabilities: Words = None,
        capabilities_match: Optional[str] = None,
        kind: Words = None,
        status: Words = None,
        role_id: Optional[str] = None,
        min_available_capacity: Optional[int] = None,
        health_status: Words = None,
        verdict: Words = None,
        blocked: Optional[bool] = None,
        stalled: Optional[bool] = None,
        waiting: Optional[bool] = None,
        sort: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Json]:
        """The agents that pass all filters, page by page as the iterator goes on.

        :param capabilities_match: ``all`` for agents with all of the capabilities, ``any`` for those with any of them
        :param kind: ``agent`` or ``mcp_server``; both by default
        :param stalled: agents without progress for longer than they declare, or agents that are not
        :param waiting: agents that wait for a person, or agents that do not
        :param sort: ``available_capacity`` for those with the most free capacity first
        :param limit: agents in a page; to get at most so many in all, stop the iteration
        """
        query = {
            "capabilities": capabilities,
            "capabilities_match": capabilities_match,
            "kind": kind,
            "status": status,
            "role_id": role_id,
            "min_available_capacity": min_available_capacity,
            "health_status": health_status,
            "verdict": verdict,
            "blocked": blocked,
            "stalled": stalled,
            "waiting": waiting,
            "sort": sort,
            "limit": limit,
        }
        return self._pages("/api/v1/agents", "agents", query)

    def agent(self, agent_id: str) -> Json:
        """The whole record of an agent."""
        return self._get(path("/api/v1/agents/{}", agent_id))

    def register(self, agent_id: str, *, replace: bool = False, **profile: Any) -> Json:
        """Registers an agent, for a program that sends its heartbeats itself; :class:`Agent` does all of this. Returns its record.

        :param replace: whether it takes the place of an agent with this id; :class:`Conflict` otherwise
        :param profile: such as ``role_id``, ``capabilities``, ``heartbeat_config``
        """
        return self._call("POST", "/api/v1/agents", {"agent_id": agent_id, **({"replace": True} if replace else {}), **profile})

    def heartbeat(self, agent_id: str, *, status: str = "active", **report: Any) -> Json:
        """Sends a heartbeat. The answer has ``pending_commands``, and says in ``next_heartbeat_in_seconds`` how long to wait for the next.

        :param status: ``active``, or ``draining`` for an agent that takes no more work
        :param report: such as ``incarnation``, ``current_load``, ``tasks_in_progress``, ``outcomes`` with ``batch_id``
        :raises AgentGone: the agent is dead or deregistered: register it again
        :raises Superseded: another process registered it: stop
        """
        return self._call("POST", path("/api/v1/agents/{}/heartbeat", agent_id), {"status": status, **report})

    def update(self, agent_id: str, version: Union[int, str], **changes: Any) -> Json:
        """Changes the profile of an agent.

        :param version: the record's ``version``, or ``"*"`` for any
        :raises PreconditionFailed: the record has another version by now; read it again
        """
        tag = "*" if version == "*" else '"{}"'.format(version)
        return self._call("PATCH", path("/api/v1/agents/{}", agent_id), changes, headers={"If-Match": tag})

    def drain(self, agent_id: str, timeout_seconds: int) -> Json:
        """Starts the drain of an agent, or moves the deadline of its drain: the time counts from now."""
        body = {"status": "draining", "drain_timeout_seconds": timeout_seconds}
        return self._call("PATCH", path("/api/v1/agents/{}/status", agent_id), body, headers={"If-Match": "*"})

    def request_drain(self, agent_id: str, *, reason: str = "", timeout_seconds: Optional[int] = None) -> Json:
        """Asks an agent to drain; it learns of it with its next heartbeat."""
        return self._request("drain", agent_id, reason, timeout_seconds)

    def request_restart(self, agent_id: str, *, reason: str = "", timeout_seconds: Optional[int] = None) -> Json:
        """Asks an agent to drain and to end its process with status 75, so that its supervisor starts it anew. For coordinators and administrators."""
        return self._request("restart", agent_id, reason, timeout_seconds)

    def _request(self, command: str, agent_id: str, reason: str, timeout_seconds: Optional[int]) -> Json:
        body: Dict[str, Any] = {"command": command}
        if reason:
            body["reason"] = reason
        if timeout_seconds is not None:
            body["drain_timeout_seconds"] = timeout_seconds
        return self._call("POST", path("/api/v1/agents/{}/commands", agent_id), body)

    def withdraw_drain(self, agent_id: str) -> None:
        """Withdraws the request to drain or to restart; raises :class:`Conflict` where the drain has begun."""
        self._call("DELETE", path("/api/v1/agents/{}/commands/drain", agent_id))

    def issue_ping_url(self, agent_id: str) -> str:
        """Issues the ping address of an agent, and revokes the one before; the address is shown this once.

        A request there, without a key, is a heartbeat and the outcome of a run. The owner of the agent and administrators have an address
        each, which ends with the key that issued it. Only the owner's registers a dead agent again.
        """
        return str(self._call("POST", path("/api/v1/agents/{}/ping-url", agent_id))["ping_url"])

    def ping_address(self, agent_id: str) -> Optional[Json]:
        """What was last said at the ping address of an agent, with ``last_ping_at`` and ``last_message``; None where it has none."""
        try:
            return self._get(path("/api/v1/agents/{}/ping-url", agent_id))
        except NotFound as error:
            if error.code == "ping_url_not_found":
                return None
            raise

    def revoke_ping_url(self, agent_id: str) -> None:
        """Revokes the ping addresses of an agent, the owner's and the administrators'; does nothing where it has none."""
        self._call("DELETE", path("/api/v1/agents/{}/ping-url", agent_id))

    def deregister(self, agent_id: str, *, incarnation: Optional[int] = None) -> None:
        """Deregisters an agent; with an incarnation, only that one."""
        self._call("DELETE", path("/api/v1/agents/{}", agent_id), query={"incarnation": incarnation})

    def events(self, agent_id: str, *, since: Optional[str] = None) -> Iterator[Json]:
        """The events of an agent, oldest first."""
        return self._pages(path("/api/v1/agents/{}/events", agent_id), "events", {"since": since})

    def all_events(self, since: str) -> Iterator[Json]:
        """The events of all agents that the key may see since a moment in ISO 8601, oldest first."""
        return self._pages("/api/v1/events", "events", {"since": since, "limit": 1000})

    def report(self, agent_id: str, outcomes: Sequence[Mapping[str, Any]], *, batch_id: Optional[str] = None) -> Json:
        """Reports how executions of an agent ended, up to 500. A batch with the same id counts once."""
        body = {"batch_id": batch_id or str(uuid.uuid4()), "outcomes": list(outcomes)}
        return self._call("POST", path("/api/v1/agents/{}/outcomes", agent_id), body)

    # Leases, for coordinators and guards of resources

    def leases(self, intent_id: str, *, status: Words = None) -> Iterator[Json]:
        """The leases of an intent: those in force, or with the given statuses."""
        return self._pages(path("/api/v1/intents/{}/leases", intent_id), "leases", {"status": status})

    def leases_of(self, agent_id: str) -> Iterator[Json]:
        """The leases that an agent holds."""
        return self._pages(path("/api/v1/agents/{}/leases", agent_id), "leases", {})

    def verify_lease(self, intent_id: str, lease_id: str, fencing_token: int) -> Json:
        """Checks a lease before a write under it; raises :class:`PreconditionFailed` where it is not in force with this token."""
        where = path("/api/v1/intents/{}/leases/{}/verify", intent_id, lease_id)
        return self._call("POST", where, {"fencing_token": fencing_token})

    def revoke_lease(self, intent_id: str, lease_id: str) -> Json:
        """Revokes a lease: its holder may write nothing more under it."""
        return self._call("POST", path("/api/v1/intents/{}/leases/{}/revoke", intent_id, lease_id))

    # Pools and health

    def pools(self) -> Json:
        """Members, capacity and status of all roles."""
        return self._get("/api/v1/pools")

    def pool(self, role_id: str) -> Json:
        """Members, capacity and status of a role."""
        return self._get(path("/api/v1/pools/{}", role_id))

    def pool_versions(self, role_id: str, days: Optional[int] = None) -> Json:
        """The executions of a role's versions on the last days (7 by default), the newest version first."""
        return self._call("GET", path("/api/v1/pools/{}/versions", role_id), query={"days": days})

    def health(self, agent_id: str) -> Json:
        """The health document of an agent (Agent Health State)."""
        return self._get(path("/agents/{}/.well-known/agent-health", agent_id))

    def score(self, agent_id: str) -> Json:
        """The score of an agent with its dimensions and inputs."""
        return self._get(path("/api/v1/agents/{}/health", agent_id))

    def history(self, agent_id: str, from_: str, to: str) -> Iterator[Json]:
        """The points of an agent's history between two moments in ISO 8601, oldest first."""
        return self._pages(path("/api/v1/agents/{}/health/history", agent_id), "points", {"from": from_, "to": to})

    def usage(
        self,
        by: str,
        *,
        agent_id: Optional[str] = None,
        role_id: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        step: Optional[str] = None,
    ) -> Json:
        """Tokens and calls over time: the ``total``, and the ``series`` of each subject.

        :param by: ``agent``, with an ``agent_id`` or a ``role_id``; ``role``, ``owner``, ``model`` or ``provider``
        :param from_: a moment in ISO 8601, at most 90 days before ``to``; 24 hours before it by default
        :param step: ``hour`` or ``day`` between two points
        """
        chosen = {"by": by, "agent_id": agent_id, "role_id": role_id, "from": from_, "to": to, "step": step}
        return self._call("GET", "/api/v1/usage", query=chosen)

    def system_health(self) -> Json:
        """The health of all agents that the key may see, together."""
        return self._get("/api/v1/health")

    # Trust

    def trust(self, agent_id: str) -> Json:
        """The trust record of an agent."""
        return self._get(path("/v1/trust/agents/{}", agent_id))

    def trust_of_provider(self, provider_id: str) -> Json:
        """The trust record of a provider, over all its agents."""
        return self._get(path("/v1/trust/providers/{}", provider_id))

    def trusted_agents(self, *, blocked: Optional[bool] = None) -> Iterator[Json]:
        """The trust records of all agents; with ``blocked=True`` of those that are blocked."""
        return self._pages("/v1/trust/agents", "items", {"blocked": blocked})

    def trusted_providers(self, *, blocked: Optional[bool] = None) -> Iterator[Json]:
        """The trust records of all providers; with ``blocked=True`` of those that are blocked."""
        return self._pages("/v1/trust/providers", "items", {"blocked": blocked})

    def health_record(self, agent_id: str) -> Json:
        """The health record of an agent: what invocations through the gateway show (ServiceNet)."""
        return self._get(path("/v1/health/agents/{}", agent_id))

    def health_record_of_provider(self, provider_id: str) -> Json:
        """The health record of a provider, over all its agents."""
        return self._get(path("/v1/health/providers/{}", provider_id))

    def health_records(self) -> Iterator[Json]:
        """The health records of all agents."""
        return self._pages("/v1/health/agents", "items", {})

    def health_records_of_providers(self) -> Iterator[Json]:
        """The health records of all providers."""
        return self._pages("/v1/health/providers", "items", {})

    def block(self, agent_id: str, *, reason: str = "", until: Optional[str] = None) -> Json:
        """Blocks calls of an agent through the gateway; its leases and heartbeats go on. Returns the trust record.

        :param until: a moment in ISO 8601 at which the block ends by itself
        """
        return self._block("/v1/admin/agents/{}/block", agent_id, reason, until)

    def unblock(self, agent_id: str) -> Json:
        """Unblocks calls of an agent. Returns the trust record."""
        return self._call("POST", path("/v1/admin/agents/{}/unblock", agent_id))

    def block_provider(self, provider_id: str, *, reason: str = "", until: Optional[str] = None) -> Json:
        """Blocks calls of all agents of a provider, as :meth:`block` does of one."""
        return self._block("/v1/admin/providers/{}/block", provider_id, reason, until)

    def unblock_provider(self, provider_id: str) -> Json:
        """Unblocks calls of the agents of a provider. Returns the trust record."""
        return self._call("POST", path("/v1/admin/providers/{}/unblock", provider_id))

    def _block(self, template: str, identifier: str, reason: str, until: Optional[str]) -> Json:
        body = {name: value for name, value in (("reason", reason), ("until", until)) if value}
        return self._call("POST", path(template, identifier), body)

    # Keys, for administrators

    def keys(self) -> Iterator[Json]:
        """The keys in force, without their secrets."""
        return self._pages("/v1/admin/keys", "keys", {})

    def issue_key(
        self,
        role: str,
        *,
        name: str = "",
        role_ids: Sequence[str] = (),
        provider_ids: Sequence[str] = (),
        expires_at: Optional[str] = None,
        allowed_addresses: Sequence[str] = (),
        actions: Sequence[str] = (),
    ) -> Json:
        """Issues a key, and shows its secret this once as ``api_key``. It is not sent again when the answer is lost.

        :param role: ``agent``, ``coordinator``, ``viewer`` or ``administrator``
        :param role_ids: the roles that a coordinator or viewer is limited to; all without it
        :param provider_ids: the providers that agents of the key may name
        :param expires_at: from when on the key is refused, such as ``2027-02-08T10:00:00Z``; never without it
        :param allowed_addresses: blocks such as ``203.0.113.0/24`` from which it is accepted; all without it
        :param actions: ``heartbeat``, ``read`` and ``invoke``, as far as it may; all that its role may without it
        """
        body: Dict[str, Any] = {"role": role, "name": name}
        if role_ids:
            body["role_ids"] = list(role_ids)
        if provider_ids:
            body["provider_ids"] = list(provider_ids)
        if expires_at is not None:
            body["expires_at"] = expires_at
        if allowed_addresses:
            body["allowed_addresses"] = list(allowed_addresses)
        if actions:
            body["actions"] = list(actions)
        return self._calls.json("POST", "/v1/admin/keys", body, retries=ONCE)

    def rotate_key(self, key_id: str, *, overlap_seconds: int = 86_400) -> Json:
        """Gives a key a new secret, ``api_key``; the one before works for ``overlap_seconds`` more."""
        where = path("/v1/admin/keys/{}/rotate", key_id)
        return self._calls.json("POST", where, {"overlap_seconds": overlap_seconds}, retries=ONCE)

    def revoke_key(self, key_id: str) -> None:
        """Revokes a key; it is refused everywhere within a minute."""
        self._call("DELETE", path("/v1/admin/keys/{}", key_id))

    # Invocations

    def invoke(
        self,
        agent_id: str,
        message: Union[str, Mapping[str, Any]],
        *,
        timeout_ms: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        traceparent: Optional[str] = None,
    ) -> Json:
        """Calls an agent through the gateway and waits for its answer.

        A failed call is a :class:`ProblemError` whose ``document`` has the ``receipt_id``. The request carries an idempotency key, so that
        the agent is called once even where the request is sent again. With ``traceparent`` (W3C Trace Context) the agent continues the trace,
        and the receipt names it as ``trace_id``.
        """
        return self._invoke("/v1/agents/{}/invoke", agent_id, message, timeout_ms, idempotency_key, traceparent, 30.0)

    def invoke_async(
        self,
        agent_id: str,
        message: Union[str, Mapping[str, Any]],
        *,
        timeout_ms: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        traceparent: Optional[str] = None,
    ) -> Json:
        """Calls an agent without waiting: the answer has the ``receipt_id``."""
        return self._invoke("/v1/agents/{}/invoke-async", agent_id, message, timeout_ms, idempotency_key, traceparent, None)

    def receipt(self, receipt_id: str) -> Json:
        """The receipt of an invocation."""
        return self._get(path("/v1/receipts/{}", receipt_id))

    def _invoke(
        self,
        template: str,
        agent_id: str,
        message: Union[str, Mapping[str, Any]],
        timeout_ms: Optional[int],
        idempotency_key: Optional[str],
        traceparent: Optional[str],
        timeout: Optional[float],
    ) -> Json:
        body: Dict[str, Any] = {"message": message}
        if timeout_ms is not None:
            body["timeout_ms"] = timeout_ms
        headers = {"Idempotency-Key": '"{}"'.format(idempotency_key or uuid.uuid4())}
        if traceparent is not None:
            headers["traceparent"] = traceparent
        return self._call("POST", path(template, agent_id), body, headers=headers, timeout=timeout)

    # Any request

    def call(
        self, method: str, where: str, body: Optional[Mapping[str, Any]] = None, query: Optional[Mapping[str, Any]] = None
    ) -> Json:
        """Any request of ``docs/reference/requests.md``. It must bear repetition."""
        return self._call(method, where, body, query=query)

    def _get(self, where: str) -> Json:
        return self._call("GET", where)

    def _call(
        self,
        method: str,
        where: str,
        body: Optional[Mapping[str, Any]] = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Json:
        return self._calls.json(method, where, body, query, headers, self._retries, timeout)

    def _pages(self, where: str, items: str, query: Mapping[str, Any]) -> Iterator[Json]:
        token: Optional[str] = None
        while True:
            page = self._call("GET", where, query={**query, "next_token": token})
            yield from page.get(items) or ()
            token = page.get("next_token")
            if not token:
                return
