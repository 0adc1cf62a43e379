export { Agent, type AgentOptions, type Schedule } from "./agent.js";
export { CalledAgent, type CalledAgentOptions } from "./called.js";
export { Client, type AgentFilter, type ClientOptions, type Invocation, type RequestedDrain, type UsagePeriod } from "./client.js";
export { type Fetch, type Key, type RetryPolicy, type TokenSource } from "./calls.js";
export {
  AgentAlreadyRunning, AgentBlocked, AgentGone, AgentHealthError, Conflict, type FieldError, Forbidden, InvalidRequest, type Json, LeaseHeld, LeaseLost, NotFound, PreconditionFailed,
  ProblemError, RateLimited, RegistryUnavailable, Superseded, Unauthenticated, UnexpectedAnswer,
} from "./errors.js";
export { type Lease, type LeaseOptions } from "./lease.js";
export { errorTypeOf, type ErrorType, type Outcome, type OutcomeDetails, type Result } from "./outcomes.js";
export { upstreamOf, type Upstream, type UpstreamError } from "./upstream.js";
export { type Logger, type Runtime } from "./runtime.js";
export { type Schemas } from "./schemas.js";
export { type Drain, type State } from "./session.js";
export { type Phase, type Running, type ToolCall, type Waiting, type Working } from "./work.js";
export { type DocumentAnswer, HEALTH_DOCUMENT_PATH, OwnHealth, type OwnHealthOptions } from "./document.js";
export { type Decision, HealthGate, type HealthGateOptions, type HealthState, type HealthStatus, type Reason } from "./gate.js";
export { aiSdkApprovals, aiSdkMiddleware } from "./ai-sdk.js";
export { type Usage } from "./usage.js";
export { commandSecret, type HeadersLike, verifyWebhook } from "./webhook.js";
