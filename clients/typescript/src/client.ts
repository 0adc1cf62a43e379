// Requests to the registry that need no agent of one's own: discovery, pools, health, trust, invocations.
import { Calls, CallOptions, Fetch, Key, ONCE, path, RETRIES, RetryPolicy } from "./calls.js";
import { Json, NotFound } from "./errors.js";
import { Outcome } from "./outcomes.js";
import { Runtime, systemRuntime } from "./runtime.js";
import type { Schemas } from "./schemas.js";

type Pages<T> = AsyncGenerator<T, void, void>;
type Words = string | readonly string[];
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface ClientOptions {
  /** For each request; 10 by default. */
  readonly timeoutSeconds?: number;
  readonly retries?: RetryPolicy;
  /** Ends requests and the pauses between them; they reject with its reason. */
  readonly signal?: AbortSignal;
  readonly fetch?: Fetch;
  readonly runtime?: Runtime;
}

export interface AgentFilter {
  readonly capabilities?: Words;
  /** `all` for agents with all of the capabilities, `any` for those with any of them. */
  readonly capabilitiesMatch?: "all" | "any";
  readonly kind?: Words;
  readonly status?: Words;
  readonly roleId?: string;
  readonly minAvailableCapacity?: number;
  readonly healthStatus?: Words;
  readonly verdict?: Words;
  readonly blocked?: boolean;
  /** Agents without progress for longer than they declare, or agents that are not. */
  readonly stalled?: boolean;
  /** Agents that wait for a person, or agents that do not. */
  readonly waiting?: boolean;
  /** `available_capacity` for those with the most free capacity first. */
  readonly sort?: "available_capacity";
  /** Agents in a page; to get at most so many in all, stop the iteration. */
  readonly limit?: number;
}

export interface RequestedDrain {
  readonly reason?: string;
  readonly timeoutSeconds?: number;
}

export interface Invocation {
  readonly timeoutMs?: number;
  readonly idempotencyKey?: string;
  /** W3C Trace Context: the agent continues the trace, and the receipt names it as `trace_id`. */
  readonly traceparent?: string;
}

export interface UsagePeriod {
  readonly agentId?: string;
  readonly roleId?: string;
  /** A moment in ISO 8601; 24 hours before `to` without it, and at most 90 days. */
  readonly from?: string;
  readonly to?: string;
  /** The time between two points. */
  readonly step?: "hour" | "day";
}

const INVOCATION_SECONDS = 30;

/**
 * One registry and one key. Answers are the JSON objects of the HTTP API, as `docs/reference/requests.md` has them. A request that fails in passing (no answer,
 * 429, 503) is sent again up to four times, after random pauses and not before `Retry-After`.
 */
export class Client {
  readonly #calls: Calls;
  readonly #key: Key;
  readonly #options: ClientOptions;

  /** @throws TypeError where the URL or the key cannot be valid */
  constructor(url: string, key: Key, options: ClientOptions = {}) {
    this.#options = options;
    const { runtime = systemRuntime(), fetch = globalThis.fetch, timeoutSeconds = 10 } = options;
    this.#calls = new Calls(url, key, runtime, fetch, timeoutSeconds);
    this.#key = key;
  }

  /** The same client with other settings of requests, as with a signal: `client.with({ signal }).health("billing-1")`. */
  with(options: Pick<ClientOptions, "signal" | "retries" | "timeoutSeconds">): Client {
    return new Client(this.#calls.url, this.#key, { ...this.#options, ...options });
  }

  // Agents

  /** The agents that pass all filters, page by page as the iteration goes on. */
  find = (filter: AgentFilter = {}): Pages<Schemas["AgentRow"]> => this.#pages("/api/v1/agents", "agents", snakeCase(filter));
  /** The whole record of an agent. */
  agent = (agentId: string): Promise<Schemas["Agent"]> => this.#send("GET", path("/api/v1/agents/{}", agentId));
  /** Registers an agent, for a program that sends its heartbeats itself; `Agent` does all of this. With `replace` it takes the place of another. */
  register = (agentId: string, profile: Partial<Schemas["AgentRegistration"]> = {}): Promise<Schemas["Agent"]> =>
    this.#send("POST", "/api/v1/agents", { ...profile, agent_id: agentId });
  /**
   * Sends a heartbeat. The answer says in `next_heartbeat_in_seconds` how long to wait for the next. Rejects with `AgentGone` where the agent has
   * to be registered again, and with `Superseded` where another process registered it.
   */
  heartbeat = (agentId: string, report: Partial<Schemas["Heartbeat"]> = {}): Promise<Schemas["HeartbeatAcknowledgement"]> =>
    this.#send("POST", path("/api/v1/agents/{}/heartbeat", agentId), { status: "active", ...report });
  /** Changes the profile of an agent. `version` is the record's, or `"*"` for any; rejects with `PreconditionFailed` where it is another by now. */
  update(agentId: string, version: number | string, changes: Schemas["AgentChange"]): Promise<Schemas["Agent"]> {
    const headers = { "if-match": version === "*" ? "*" : `"${version}"` };
    return this.#send("PATCH", path("/api/v1/agents/{}", agentId), changes, { headers });
  }

  /** Starts the drain of an agent, or moves the deadline of its drain: the time counts from now. */
  drain(agentId: string, timeoutSeconds: number): Promise<Schemas["Agent"]> {
    const body = { status: "draining", drain_timeout_seconds: timeoutSeconds };
    return this.#send("PATCH", path("/api/v1/agents/{}/status", agentId), body, { headers: { "if-match": "*" } });
  }

  /** Asks an agent to drain; it learns of it with its next heartbeat. */
  requestDrain = (agentId: string, options: RequestedDrain = {}): Promise<Schemas["Command"]> => this.#command("drain", agentId, options);
  /** Asks an agent to drain and to end its process with status 75, so that its supervisor starts it anew. For coordinators and administrators. */
  requestRestart = (agentId: string, options: RequestedDrain = {}): Promise<Schemas["Command"]> => this.#command("restart", agentId, options);

  #command(command: string, agentId: string, { reason, timeoutSeconds }: RequestedDrain): Promise<Schemas["Command"]> {
    const body = { command, reason: reason || undefined, drain_timeout_seconds: timeoutSeconds };
    return this.#send("POST", path("/api/v1/agents/{}/commands", agentId), body);
  }

  /** Withdraws the request to drain or to restart; rejects with `Conflict` where the drain has begun. */
  withdrawDrain = (agentId: string): Promise<void> => this.#send("DELETE", path("/api/v1/agents/{}/commands/drain", agentId));
  /**
   * Issues the ping address of an agent, and revokes the one before; the address is shown this once. A request there, without a key, is a
   * heartbeat and the outcome of a run. The owner of the agent and administrators have an address each, which ends with the key that issued it. Only
   * the owner's registers a dead agent again.
   */
  async issuePingUrl(agentId: string): Promise<string> {
    return (await this.#send<Schemas["PingUrl"]>("POST", path("/api/v1/agents/{}/ping-url", agentId))).ping_url;
  }

  /** What was last said at the ping address of an agent; undefined where it has none. */
  async pingAddress(agentId: string): Promise<Schemas["PingAddress"] | undefined> {
    try {
      return await this.#send("GET", path("/api/v1/agents/{}/ping-url", agentId));
    } catch (error) {
      if (error instanceof NotFound && error.code === "ping_url_not_found") return undefined;
      throw error;
    }
  }

  /** Revokes the ping addresses of an agent, the owner's and the administrators'; does nothing where it has none. */
  revokePingUrl = (agentId: string): Promise<void> => this.#send("DELETE", path("/api/v1/agents/{}/ping-url", agentId));
  /** Deregisters an agent; with an incarnation, only that one. */
  deregister = (agentId: string, incarnation?: number): Promise<void> =>
    this.#send("DELETE", path("/api/v1/agents/{}", agentId), undefined, { query: { incarnation } });

  /** The events of an agent, oldest first. */
  events = (agentId: string, since?: string): Pages<Schemas["EventPage"]["events"][number]> =>
    this.#pages(path("/api/v1/agents/{}/events", agentId), "events", { since });

  /** The events of all agents that the key may see since a moment in ISO 8601, oldest first. */
  allEvents = (since: string): Pages<Schemas["SystemEventPage"]["events"][number]> => this.#pages("/api/v1/events", "events", { since, limit: 1000 });
  /** Reports how executions of an agent ended, up to 500. A batch with the same id counts once. */
  report(agentId: string, outcomes: readonly Outcome[], batchId: string = crypto.randomUUID()): Promise<Schemas["OutcomeReceipt"]> {
    const body = { batch_id: batchId, outcomes: outcomes.map(snakeCase) };
    return this.#send("POST", path("/api/v1/agents/{}/outcomes", agentId), body);
  }

  // Leases, for coordinators and guards of resources

  /** The leases of an intent: those in force, or with the given statuses. */
  leases = (intentId: string, status?: Words): Pages<Schemas["Lease"]> =>
    this.#pages(path("/api/v1/intents/{}/leases", intentId), "leases", { status });

  /** The leases that an agent holds. */
  leasesOf = (agentId: string): Pages<Schemas["Lease"]> => this.#pages(path("/api/v1/agents/{}/leases", agentId), "leases", {});
  /** Checks a lease before a write under it; rejects with `PreconditionFailed` where it is not in force with this token. */
  verifyLease = (intentId: string, leaseId: string, fencingToken: number): Promise<Schemas["VerifiedLease"]> =>
    this.#send("POST", path("/api/v1/intents/{}/leases/{}/verify", intentId, leaseId), { fencing_token: fencingToken });

  /** Revokes a lease: its holder may write nothing more under it. */
  revokeLease = (intentId: string, leaseId: string): Promise<Schemas["Lease"]> =>
    this.#send("POST", path("/api/v1/intents/{}/leases/{}/revoke", intentId, leaseId));

  // Pools and health

  /** Members, capacity and status of all roles. */
  pools = (): Promise<Schemas["PoolPage"]> => this.#send("GET", "/api/v1/pools");
  /** Members, capacity and status of a role. */
  pool = (roleId: string): Promise<Schemas["Pool"]> => this.#send("GET", path("/api/v1/pools/{}", roleId));
  /** The executions of a role's versions on the last days (7 by default), the newest version first. */
  poolVersions = (roleId: string, days?: number): Promise<Schemas["PoolVersions"]> => this.#send("GET", path("/api/v1/pools/{}/versions", roleId), undefined, { query: { days } });
  /** The health document of an agent (Agent Health State). */
  health = (agentId: string): Promise<Schemas["HealthDocument"]> => this.#send("GET", path("/agents/{}/.well-known/agent-health", agentId));
  /** The score of an agent with its dimensions and inputs. */
  score = (agentId: string): Promise<Schemas["AgentHealth"]> => this.#send("GET", path("/api/v1/agents/{}/health", agentId));
  /** The points of an agent's history between two moments in ISO 8601, oldest first. */
  history = (agentId: string, from: string, to: string): Pages<Schemas["HealthHistory"]["points"][number]> =>
    this.#pages(path("/api/v1/agents/{}/health/history", agentId), "points", { from, to });

  /** Tokens and calls over time: the total, and the series of each subject. `agent` needs an `agentId` or a `roleId`. */
  usage = (by: Schemas["UsageSeries"]["by"], options: UsagePeriod = {}): Promise<Schemas["UsageSeries"]> =>
    this.#send("GET", "/api/v1/usage", undefined, { query: { by, ...snakeCase(options) } });

  /** The health of all agents that the key may see, together. */
  systemHealth = (): Promise<Schemas["SystemHealth"]> => this.#send("GET", "/api/v1/health");

  // Trust

  /** The trust record of an agent. */
  trust = (agentId: string): Promise<Schemas["AgentTrust"]> => this.#send("GET", path("/v1/trust/agents/{}", agentId));
  /** The trust record of a provider, over all its agents. */
  trustOfProvider = (providerId: string): Promise<Schemas["ProviderTrust"]> => this.#send("GET", path("/v1/trust/providers/{}", providerId));
  /** The trust records of all agents; with `true` of those that are blocked. */
  trustedAgents = (blocked?: boolean): Pages<Schemas["AgentTrust"]> => this.#pages("/v1/trust/agents", "items", { blocked });
  /** The trust records of all providers; with `true` of those that are blocked. */
  trustedProviders = (blocked?: boolean): Pages<Schemas["ProviderTrust"]> => this.#pages("/v1/trust/providers", "items", { blocked });
  /** The health record of an agent: what invocations through the gateway show (ServiceNet). */
  healthRecord = (agentId: string): Promise<Schemas["AgentRecord"]> => this.#send("GET", path("/v1/health/agents/{}", agentId));
  /** The health record of a provider, over all its agents. */
  healthRecordOfProvider = (providerId: string): Promise<Schemas["ProviderRecord"]> => this.#send("GET", path("/v1/health/providers/{}", providerId));
  /** The health records of all agents. */
  healthRecords = (): Pages<Schemas["AgentRecord"]> => this.#pages("/v1/health/agents", "items", {});
  /** The health records of all providers. */
  healthRecordsOfProviders = (): Pages<Schemas["ProviderRecord"]> => this.#pages("/v1/health/providers", "items", {});
  /**
   * Blocks calls of an agent through the gateway; its leases and heartbeats go on. Resolves to the trust record. At `until`, a moment in
   * ISO 8601, the block ends by itself.
   */
  block = (agentId: string, options: { reason?: string; until?: string } = {}): Promise<Schemas["AgentTrust"]> =>
    this.#send("POST", path("/v1/admin/agents/{}/block", agentId), options);

  /** Unblocks calls of an agent. Resolves to the trust record. */
  unblock = (agentId: string): Promise<Schemas["AgentTrust"]> => this.#send("POST", path("/v1/admin/agents/{}/unblock", agentId));
  /** Blocks calls of all agents of a provider, as `block` does of one. */
  blockProvider = (providerId: string, options: { reason?: string; until?: string } = {}): Promise<Schemas["ProviderTrust"]> =>
    this.#send("POST", path("/v1/admin/providers/{}/block", providerId), options);

  /** Unblocks calls of the agents of a provider. Resolves to the trust record. */
  unblockProvider = (providerId: string): Promise<Schemas["ProviderTrust"]> => this.#send("POST", path("/v1/admin/providers/{}/unblock", providerId));

  // Keys, for administrators

  /** The keys in force, without their secrets. */
  keys = (): Pages<Schemas["Key"]> => this.#pages("/v1/admin/keys", "keys", {});
  /**
   * Issues a key, and shows its secret this once as `api_key`. It is not sent again when the answer is lost. `roleIds` limit a coordinator or
   * viewer, and agents of the key may name `providerIds`.
   */
  issueKey(
    role: Schemas["KeyRole"], options: { name?: string; roleIds?: readonly string[]; providerIds?: readonly string[] } = {},
  ): Promise<Schemas["IssuedKey"]> {
    return this.#send("POST", "/v1/admin/keys", { role, name: "", ...snakeCase(options) }, { retries: ONCE });
  }

  /** Gives a key a new secret, `api_key`; the one before works for `overlapSeconds` more. */
  rotateKey = (keyId: string, overlapSeconds = 86_400): Promise<Schemas["IssuedKey"]> =>
    this.#send("POST", path("/v1/admin/keys/{}/rotate", keyId), { overlap_seconds: overlapSeconds }, { retries: ONCE });

  /** Revokes a key; it is refused everywhere within a minute. */
  revokeKey = (keyId: string): Promise<void> => this.#send("DELETE", path("/v1/admin/keys/{}", keyId));

  // Invocations

  /**
   * Calls an agent through the gateway and waits for its answer. A failed call is a `ProblemError` whose `document` has the `receipt_id`. The
   * request carries an idempotency key, so that the agent is called once even where the request is sent again.
   */
  invoke = (agentId: string, message: Schemas["InvocationRequest"]["message"], options: Invocation = {}): Promise<Schemas["InvocationResult"]> =>
    this.#invoke("/v1/agents/{}/invoke", agentId, message, options, INVOCATION_SECONDS);

  /** Calls an agent without waiting: the answer has the `receipt_id`. */
  invokeAsync = (agentId: string, message: Schemas["InvocationRequest"]["message"], options: Invocation = {}): Promise<Schemas["AcceptedInvocation"]> =>
    this.#invoke("/v1/agents/{}/invoke-async", agentId, message, options);

  /** The receipt of an invocation. */
  receipt = (receiptId: string): Promise<Schemas["Receipt"]> => this.#send("GET", path("/v1/receipts/{}", receiptId));

  #invoke<T>(template: string, agentId: string, message: unknown, options: Invocation, timeoutSeconds?: number): Promise<T> {
    const headers: Record<string, string> = { "idempotency-key": `"${options.idempotencyKey ?? crypto.randomUUID()}"` };
    if (options.traceparent) headers.traceparent = options.traceparent;
    return this.#send("POST", path(template, agentId), { message, timeout_ms: options.timeoutMs }, { headers, timeoutSeconds });
  }

  // Any request

  /** Any request of `docs/reference/requests.md`. It must bear repetition. */
  call<T = Json>(method: Method, where: string, body?: unknown, query?: Readonly<Record<string, unknown>>): Promise<T> {
    return this.#send(method, where, body, { query });
  }

  async #send<T>(method: Method, where: string, body?: unknown, options: CallOptions = {}): Promise<T> {
    const { signal, retries = RETRIES, timeoutSeconds } = this.#options;
    const own = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    return (await this.#calls.json(method, where, body, { signal, retries, timeoutSeconds, ...own })) as T;
  }

  async *#pages<T>(where: string, items: string, query: Json): AsyncGenerator<T, void, void> {
    let next: unknown;
    do {
      const page: Json = await this.#send("GET", where, undefined, { query: { ...query, next_token: next } });
      yield* (page[items] ?? []) as T[];
      next = page.next_token;
    } while (next);
  }
}

/** The fields by their names in the API. */
function snakeCase(fields: object): Json {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`), value]));
}
