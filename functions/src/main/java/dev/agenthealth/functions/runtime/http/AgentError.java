package dev.agenthealth.functions.runtime.http;

import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.registry.lifecycle.LastEnd;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The refusals of requests because of the state of an agent, or because of the number of agents of a key. */
public final class AgentError {

    /** The code of the problem {@link #superseded}. */
    public static final String SUPERSEDED = "superseded";

    /** The code of the problem {@link #unresponsive}, which has the status 503 although the registry works. */
    public static final String UNRESPONSIVE = "agent_unresponsive";

    private AgentError() {}

    /** Returns a 403 problem: a stop is in force. */
    public static ApiError stopped(String detail) {
        return ApiError.of(403, "agent_stopped", detail);
    }

    /** Returns a 403 problem: the key owns as many live agents as a key may own. */
    public static ApiError quotaReached(int maxAgents) {
        return ApiError.of(
                403,
                "agent_quota_reached",
                "The key owns " + maxAgents + " live agents or more, ten times as many with agents that are gone, or"
                        + " registered as many lately. It registers no further agent. Agents that were registered"
                        + " before may register again.");
    }

    /** Returns a 403 problem: the key has as many watched agents as a key may have. */
    public static ApiError watchQuotaReached(int maxAgents) {
        String field = "watch";
        return new ApiError(
                403,
                "watch_quota_reached",
                "The key has " + maxAgents
                        + " watched agents or more, or as many became watched lately. The registry watches"
                        + " no further agent of this key.",
                List.of(new FieldError(field, "must be absent: the key has " + maxAgents + " watched agents or more")),
                Map.of(),
                Map.of());
    }

    /** Returns a 404 problem: the agent is unknown. */
    public static ApiError unknownAgent(String agentId) {
        return ApiError.notFound("agent_not_found", "No agent is registered as '" + agentId + "'.");
    }

    /**
     * Returns a 410 problem: the agent is dead or deregistered and has to register again (RFC-0016 §4.4). If it is known who ended the
     * agent and why, the answer says so: a process stops if an operator ended its agent.
     */
    public static ApiError gone(Pulse gone) {
        String detail = "Agent '" + gone.agentId() + "' is " + gone.status().wireName();
        LastEnd end = gone.end();
        ApiError problem = ApiError.of(
                410,
                "agent_gone",
                end.isByOperator()
                        ? detail + " because an operator ended it: this process must stop, and must not register again."
                        : detail + " and must register again before it sends heartbeats.");
        return end.isKnown()
                ? problem.with("ended_by", end.by().wireName())
                        .with("reason", end.reason().wireName())
                : problem;
    }

    /** Returns a 410 problem: another process registered the agent after this incarnation. The sender stops, and does not register again. */
    public static ApiError superseded(String agentId, long named, long current) {
        return ApiError.of(
                410,
                SUPERSEDED,
                "Incarnation " + named + " of agent '" + agentId + "' is not the current one, which is " + current
                        + ": another process registered the agent. This process must stop, and must not register again.");
    }

    /** Returns a 410 problem: the agent is deregistered, and this document of the agent is no longer available. */
    public static ApiError deregistered(String agentId, String document) {
        return ApiError.of(
                410,
                "agent_gone",
                "Agent '" + agentId + "' is deregistered; its " + document
                        + " is unavailable until it registers again.");
    }

    /** Returns a 503 problem: the agent does not answer in time, and another call to the agent is in progress. */
    public static ApiError unresponsive(String detail, Duration wait) {
        return ApiError.of(503, UNRESPONSIVE, detail, ApiError.RETRY_AFTER, ApiError.wholeSeconds(wait));
    }
}
