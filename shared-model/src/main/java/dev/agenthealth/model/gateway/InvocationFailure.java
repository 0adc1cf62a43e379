package dev.agenthealth.model.gateway;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Duration;

/** The reason for an invocation without success. Most reasons are failed calls of the agent. For the others, the agent was not called. */
public enum InvocationFailure implements WireNamed {
    /** The name of the host leads to no address. */
    UNKNOWN_HOST("agent_unreachable", Phase.CONNECTING, ErrorType.OTHER),
    /** The connection was refused, or there is no route. */
    CONNECTION_REFUSED("agent_unreachable", Phase.CONNECTING, ErrorType.OTHER),
    /** No trustworthy secure connection could be made. */
    TLS_FAILED("agent_unreachable", Phase.CONNECTING, ErrorType.OTHER),
    CERTIFICATE_EXPIRED("agent_unreachable", Phase.CONNECTING, ErrorType.OTHER),
    CONNECT_TIMEOUT("agent_timeout", Phase.CONNECTING, ErrorType.TIMEOUT),
    /** The connection broke before the answer was complete. */
    CONNECTION_LOST("agent_unreachable", Phase.CALLED, ErrorType.OTHER),
    TIMEOUT("agent_timeout", Phase.CALLED, ErrorType.TIMEOUT),
    /** The agent answered with a redirect, which the gateway does not follow. */
    REDIRECT("agent_error", Phase.CALLED, ErrorType.OTHER),
    /** The agent answered with HTTP status 400, 413, 415 or 422, which blames the message. */
    MESSAGE_REFUSED("agent_error", Phase.CALLED, ErrorType.CLIENT_ERROR),
    /** The agent answered with HTTP status 429: it is overloaded. */
    OVERLOADED("agent_error", Phase.CALLED, ErrorType.SERVER_ERROR),
    /** The agent answered with any other HTTP status from 400 to 499. */
    CLIENT_ERROR("agent_error", Phase.CALLED, ErrorType.CLIENT_ERROR),
    /** The agent answered with any other HTTP status that is no success. */
    SERVER_ERROR("agent_error", Phase.CALLED, ErrorType.SERVER_ERROR),
    /** The answer violates the protocol. */
    MALFORMED("agent_malformed_response", Phase.CALLED, ErrorType.MALFORMED),
    TOO_LARGE("agent_response_too_large", Phase.CALLED, ErrorType.MALFORMED),
    /** The agent answered with an A2A error that blames the request. */
    RPC_REFUSED("agent_rpc_error", Phase.CALLED, ErrorType.CLIENT_ERROR),
    /** The agent answered with another A2A error. */
    RPC_ERROR("agent_rpc_error", Phase.CALLED, ErrorType.SERVER_ERROR),
    /** The agent rejected the task. */
    TASK_REJECTED("agent_task_failed", Phase.CALLED, ErrorType.CLIENT_ERROR),
    /** The agent's task failed or was cancelled. */
    TASK_FAILED("agent_task_failed", Phase.CALLED, ErrorType.OTHER),

    AGENT_NOT_FOUND("agent_not_found"),
    PROVIDER_BLOCKED("provider_blocked"),
    AGENT_BLOCKED("agent_blocked"),
    /** An operator stopped the agent. */
    AGENT_STOPPED("agent_stopped"),
    /** The agent is neither active nor unhealthy. */
    AGENT_NOT_ACTIVE("agent_not_active"),
    /** The agent is an MCP server, which does not answer A2A messages. */
    NOT_AN_AGENT("not_an_agent"),
    /** The agent's card only names bindings that the gateway does not call, such as gRPC. */
    BINDING_NOT_SUPPORTED("binding_not_supported"),
    NO_ENDPOINT("agent_has_no_endpoint"),
    ENDPOINT_NOT_ALLOWED("endpoint_not_allowed"),
    /** The stored credential for the agent cannot be decrypted. */
    CREDENTIAL_UNREADABLE("credential_unreadable"),
    /** The gateway was stopped before it knew the end of the invocation. */
    INTERRUPTED("interrupted"),
    /** The caller cancelled the invocation before its end was known. */
    CANCELLED("invocation_cancelled");

    private static final double DEFAULT_ENOUGH_MILLIS = 5_000;
    private static final double MAX_ENOUGH_MILLIS = 25_000;

    /** The phase of an invocation in which it failed. */
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

    /** Creates a reason for which the agent is not called, or the outcome is unknown. */
    InvocationFailure(String error) {
        this(error, Phase.NOT_CALLED, ErrorType.OTHER);
    }

    /** Returns the stable code for callers. Several reasons share a code. */
    public String error() {
        return error;
    }

    /** Returns whether the invocation counts as a failed execution of the agent. */
    public boolean isTheAgents() {
        return phase != Phase.NOT_CALLED;
    }

    /** Returns whether the agent answered with an A2A error. */
    public boolean isRpcError() {
        return this == RPC_ERROR || this == RPC_REFUSED;
    }

    /** Returns whether the agent answered with a task that it did not complete. */
    public boolean isTask() {
        return this == TASK_FAILED || this == TASK_REJECTED;
    }

    /** Returns whether the agent received the message and gave any answer. */
    public boolean isAnswer() {
        return phase == Phase.CALLED && this != CONNECTION_LOST && this != TIMEOUT;
    }

    /** Returns whether the agent did not answer in time. */
    public boolean isTimeout() {
        return errorType == ErrorType.TIMEOUT;
    }

    /**
     * Returns whether the caller may have caused the failure, by a message that the agent refuses or by a short timeout. A timeout is short if it
     * is below the agent's declared SLA, which counts up to 25 seconds. Without an SLA, it is short below 5 seconds.
     *
     * @param timeout the timeout that the caller set
     */
    public boolean mayBeOfCaller(Duration timeout, Expectations expected) {
        return switch (this) {
            case MESSAGE_REFUSED, RPC_REFUSED, TASK_REJECTED -> true;
            default -> isTimeout() && timeout.toMillis() < enoughMillis(expected);
        };
    }

    private static double enoughMillis(Expectations expected) {
        return Math.min(expected.slaMs().orElse(DEFAULT_ENOUGH_MILLIS), MAX_ENOUGH_MILLIS);
    }

    /** Returns whether nothing of the message reached the agent, so that a retry cannot execute it twice. */
    public boolean isSafeToRepeat() {
        return phase == Phase.CONNECTING;
    }

    /** Returns the type of failure that counts in the agent's health. */
    public ErrorType errorType() {
        return errorType;
    }
}
