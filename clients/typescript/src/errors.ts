// What can go wrong. Every error of this package is an AgentHealthError.

/** A JSON object of the HTTP API. */
export type Json = Record<string, unknown>;

export class AgentHealthError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** No answer of the registry: the network, a time-out, or a 5xx of a proxy. */
export class RegistryUnavailable extends AgentHealthError {
  /** @param maybeStored whether the request may have had an effect */
  constructor(message: string, readonly retryAfterSeconds?: number, readonly maybeStored = true) {
    super(message);
  }
}

/** An answer that the registry does not give. The URL is probably not that of a registry. */
export class UnexpectedAnswer extends AgentHealthError {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/** The lease is no longer in force. Nothing may be written under it. */
export class LeaseLost extends AgentHealthError {}

/** A field of a request that breaks a rule. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/**
 * A refusal by the registry: a problem document (RFC 9457). `code` is the stable word of the kind of problem (`error` in the document), and
 * `document` has the other members, such as `available_at` and `receipt_id`.
 */
export class ProblemError extends AgentHealthError {
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly fields: readonly FieldError[];

  constructor(readonly status: number, readonly document: Json, readonly retryAfterSeconds?: number) {
    const code = text(document.error);
    const detail = text(document.detail);
    const fields = (Array.isArray(document.errors) ? document.errors : [])
      .filter((error): error is Json => typeof error === "object" && error !== null)
      .map((error) => ({ field: text(error.field), message: text(error.message) }));
    super(`${status} ${code}: ${detail}${fields.map((one) => ` [${one.field}: ${one.message}]`).join("")}`);
    this.code = code;
    this.title = text(document.title);
    this.detail = detail;
    this.fields = fields;
  }
}

/** 400, 413 or 422: the request breaks a rule; `fields` names where. */
export class InvalidRequest extends ProblemError {}

/** 401: the key is missing, was never issued, or is revoked; or the token is not valid. */
export class Unauthenticated extends ProblemError {}

/** 403: the key is valid, but may not do this. */
export class Forbidden extends ProblemError {}

/** 403 `agent_blocked`: calls of the agent are refused. A limit, a rule or a person decided so. `retryAfterSeconds` is the time until the limit is reset. */
export class AgentBlocked extends Forbidden {
  /** The limit that is used up, such as `tokens_per_hour`; empty if no limit blocked the agent. */
  get usageLimit(): string {
    return text(this.document.usage_limit);
  }

  /** Who shares the limit: `agent`, `role` or `owner`; empty if no limit blocked the agent. */
  get limitScope(): string {
    return text(this.document.limit_scope);
  }

  /** The time at which the limit is reset, in ISO 8601. */
  get resetsAt(): string | undefined {
    return typeof this.document.resets_at === "string" ? this.document.resets_at : undefined;
  }

  /** The rule that contains the agent; empty if no rule blocked it. */
  get containmentRule(): string {
    return text(this.document.containment_rule);
  }
}

/** 404: there is no such agent, lease, or receipt. */
export class NotFound extends ProblemError {}

/** 409: the state of the registry does not allow it. */
export class Conflict extends ProblemError {}

/**
 * 409 `agent_already_running`: the agent runs elsewhere. Another instance takes over when that one has ended or has sent no heartbeats for two
 * intervals; `retryAfterSeconds` says when to try again.
 */
export class AgentAlreadyRunning extends Conflict {
  /** Where it runs. */
  get instance(): string {
    return text(this.document.running_instance);
  }

  /** When its last heartbeat came, in ISO 8601. */
  get lastHeartbeatAt(): string | undefined {
    return typeof this.document.last_heartbeat_at === "string" ? this.document.last_heartbeat_at : undefined;
  }
}

/** 409: the scope is leased by another agent, or was until a moment ago. */
export class LeaseHeld extends Conflict {
  /** When the scope may be free, in ISO 8601. */
  get availableAt(): string | undefined {
    return typeof this.document.available_at === "string" ? this.document.available_at : undefined;
  }
}

/** 410 `agent_gone`: the agent is dead or deregistered, and may register again, unless an operator ended it. */
export class AgentGone extends ProblemError {
  /** `operator`, `owner` or `registry`; empty where the registry does not say. */
  get endedBy(): string {
    return text(this.document.ended_by);
  }

  /** Why it ended, such as `deregistered`; empty where the registry does not say. */
  get reason(): string {
    return text(this.document.reason);
  }
}

/** 410 `superseded`: another process registered the agent. This process stops and does not register again. */
export class Superseded extends ProblemError {}

/** 412 or 428: the version in `If-Match` is not the current one, or is missing; or a lease is no longer in force. */
export class PreconditionFailed extends ProblemError {}

/** 429: too many requests; `retryAfterSeconds` says how long to wait. */
export class RateLimited extends ProblemError {}

const BY_CODE: Record<string, typeof ProblemError | undefined> = {
  agent_gone: AgentGone,
  superseded: Superseded,
  agent_already_running: AgentAlreadyRunning,
  agent_blocked: AgentBlocked,
  lease_held: LeaseHeld,
  lease_just_expired: LeaseHeld,
};

const BY_STATUS: Record<number, typeof ProblemError | undefined> = {
  400: InvalidRequest,
  401: Unauthenticated,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  412: PreconditionFailed,
  413: InvalidRequest,
  422: InvalidRequest,
  428: PreconditionFailed,
  429: RateLimited,
};

/** The error for an answer that is no success. */
export function errorOf(status: number, body: string, retryAfterSeconds?: number): AgentHealthError {
  const document = parsedObject(body);
  if (document && typeof document.error === "string" && "title" in document) {
    return new (BY_CODE[document.error] ?? BY_STATUS[status] ?? ProblemError)(status, document, retryAfterSeconds);
  }
  if (status >= 500 || status === 408 || status === 429) {
    return new RegistryUnavailable(`HTTP ${status} without a problem document`, retryAfterSeconds);
  }
  return new UnexpectedAnswer(status, `HTTP ${status} without a problem document: is the URL that of the registry?`);
}

/** The JSON object in a text; undefined where it has none. */
export function parsedObject(body: string): Json | undefined {
  try {
    const document: unknown = JSON.parse(body);
    return typeof document === "object" && document !== null && !Array.isArray(document) ? (document as Json) : undefined;
  } catch {
    return undefined;
  }
}

function text(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
