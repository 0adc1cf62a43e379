package dev.agenthealth.model.gateway;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.outcome.ErrorType;
import dev.agenthealth.model.profile.Expectations;
import java.time.Duration;
import java.util.Optional;

/**
 * The reasons for which an invocation ended without success. Most are failures of the agent and count in its health and reputation; the others
 * do not.
 */
public enum InvocationFailure implements WireNamed {
    /** The host's name leads to no address. */
    UNKNOWN_HOST("agent_unreachable", Phase.CONNECTING, ErrorType.OTHER),
    /** The connection was refused, or there is no route. */
    CONNECTION_REFUSED("agent_unreachable", Phase.CONNECTING, ErrorType.OTHER),
    /** No trustworthy secure connection came about. */
    TLS_FAILED("agent_unreachable", Phase.CONNECTING, ErrorType.OTHER),
    CONNECT_TIMEOUT("agent_timeout", Phase.CONNECTING, ErrorType.TIMEOUT),
    /** The connection broke before the answer was complete. */
    CONNECTION_LOST("agent_unreachable", Phase.CALLED, ErrorType.OTHER),
    TIMEOUT("agent_timeout", Phase.CALLED, ErrorType.TIMEOUT),
    /** A redirect, which is not followed. */
    REDIRECT("agent_error", Phase.CALLED, ErrorType.OTHER),
    /** An HTTP status from 400 to 499. */
    CLIENT_ERROR("agent_error", Phase.CALLED, ErrorType.CLIENT_ERROR),
    /** Any other HTTP status but those of success. */
    SERVER_ERROR("agent_error", Phase.CALLED, ErrorType.SERVER_ERROR),
    /** The answer violates the protocol. */
    MALFORMED("agent_malformed_response", Phase.CALLED, ErrorType.MALFORMED),
    TOO_LARGE("agent_response_too_large", Phase.CALLED, ErrorType.MALFORMED),
    /** The agent answered with an error of JSON-RPC. */
    RPC_ERROR("agent_rpc_error", Phase.CALLED, ErrorType.SERVER_ERROR),
    /** The agent's task failed, or was rejected or cancelled. */
    TASK_FAILED("agent_task_failed", Phase.CALLED, ErrorType.OTHER),

    AGENT_NOT_FOUND("agent_not_found"),
    PROVIDER_BLOCKED("provider_blocked"),
    AGENT_BLOCKED("agent_blocked"),
    /** Neither active nor unhealthy. */
    AGENT_NOT_ACTIVE("agent_not_active"),
    NO_ENDPOINT("agent_has_no_endpoint"),
    ENDPOINT_NOT_ALLOWED("endpoint_not_allowed"),
    /** The credential that the agent requires is stored and cannot be decrypted. */
    CREDENTIAL_UNREADABLE("credential_unreadable"),
    /** The gateway was stopped before it knew how the invocation ended. */
    INTERRUPTED("interrupted");

    private static final double DEFAULT_ENOUGH_MILLIS = 5_000;
    private static final double MAX_ENOUGH_MILLIS = 25_000;

    /** The phases of an invocation. */
    private enum Phase {
        NOT_CALLED,
        CONNECTING,
        CALLED
    }

    private final String error;
    private final Phase phase;
    private final ErrorType errorType;

    InvocationFailure(String error, Phase phase, ErrorType errorType) {
        this.error = error;
        this.phase = phase;
        this.errorType = errorType;
    }

    /** A reason for which the agent is not called, or the outcome is unknown. */
    InvocationFailure(String error) {
        this(error, Phase.NOT_CALLED, ErrorType.OTHER);
    }

    /** The stable code that callers see: several kinds share one. */
    public String error() {
        return error;
    }

    /** Returns whether the invocation is an execution of the agent that failed. */
    public boolean isTheAgents() {
        return phase != Phase.NOT_CALLED;
    }

    /**
     * Returns whether the failure is evidence about the agent: it is the agent's, and the caller gave it enough time. A timeout shorter than the agent's
     * declared SLA, or 5 seconds where it declares none, and 25 seconds at most, is none.
     *
     * @param timeout what the caller allowed
     */
    public boolean isEvidence(Duration timeout, Expectations expected) {
        double enoughMillis = Math.min(expected.slaMs().orElse(DEFAULT_ENOUGH_MILLIS), MAX_ENOUGH_MILLIS);
        return isTheAgents() && (errorType != ErrorType.TIMEOUT || timeout.toMillis() >= enoughMillis);
    }

    /** Returns whether the agent received nothing of the message, so that a retry cannot execute it twice. */
    public boolean isSafeToRepeat() {
        return phase == Phase.CONNECTING;
    }

    /** The kind of error as which the failure counts in the agent's health. */
    public ErrorType errorType() {
        return errorType;
    }

    /** The failure with this wire name; empty where there is none. */
    public static Optional<InvocationFailure> ofWireName(String wireName) {
        return WireNamed.find(InvocationFailure.class, wireName);
    }
}
