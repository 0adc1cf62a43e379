package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.model.gateway.EndpointRule;
import dev.agenthealth.model.gateway.InvocationFailure;

/** The problem documents of failed invocations. They do not show the agent's address. */
final class InvocationErrors {

    /** The name of the field with the agent's own JSON-RPC error: code, message and data. */
    static final String AGENT_ERROR = "agent_error";

    private InvocationErrors() {}

    static ApiError of(InvocationFailure failure, String agentId) {
        return failure == InvocationFailure.AGENT_NOT_FOUND
                ? AgentError.unknownAgent(agentId)
                : ApiError.ofCall(status(failure), failure.error(), detail(failure));
    }

    static String detail(InvocationFailure failure) {
        return switch (failure) {
            case UNKNOWN_HOST, CONNECTION_REFUSED, TLS_FAILED, CERTIFICATE_EXPIRED -> "The agent cannot be reached.";
            case CONNECTION_LOST -> "The connection to the agent broke before its answer was complete.";
            case CONNECT_TIMEOUT -> "The agent cannot be reached in time.";
            case TIMEOUT -> "The agent did not answer in time.";
            case REDIRECT -> "The agent answered with an HTTP status that sends elsewhere, which is not followed.";
            case MESSAGE_REFUSED, OVERLOADED, CLIENT_ERROR ->
                "The agent refused the message with an HTTP status from 400 to 499.";
            case SERVER_ERROR -> "The agent failed with an HTTP status that says so.";
            case MALFORMED -> "The agent's answer is not one of the A2A protocol.";
            case TOO_LARGE -> "The agent's answer is too large.";
            case RPC_REFUSED, RPC_ERROR -> "The agent answered with an error.";
            case TASK_REJECTED, TASK_FAILED -> "The agent's task failed, or was rejected or cancelled.";
            case AGENT_NOT_FOUND -> "The agent is not registered.";
            case PROVIDER_BLOCKED -> "The agent's provider is blocked.";
            case AGENT_BLOCKED -> "The agent is blocked.";
            case AGENT_STOPPED -> "An operator stopped the agent.";
            case AGENT_NOT_ACTIVE -> "The agent takes no calls, as it is neither active nor unhealthy.";
            case NOT_AN_AGENT -> "It is an MCP server, which clients of MCP call at its own endpoint.";
            case BINDING_NOT_SUPPORTED ->
                "The agent's card names neither JSON-RPC nor HTTP+JSON for its endpoint. Other bindings, such as gRPC, are not called.";
            case NO_ENDPOINT -> "The agent declares no endpoint at which it could be called.";
            case CREDENTIAL_UNREADABLE -> "The agent's credential cannot be decrypted. Its owner has to set it again.";
            case ENDPOINT_NOT_ALLOWED ->
                "The agent's endpoint may not be called: it must be a public https address; "
                        + EndpointRule.LOOPBACK_OPTION + ".";
            case INTERRUPTED -> "The invocation was interrupted before it was known how it ended.";
            case CANCELLED -> "The caller cancelled the invocation.";
        };
    }

    /** Returns the HTTP status of a failed invocation. */
    static int status(InvocationFailure failure) {
        return switch (failure) {
            case AGENT_NOT_FOUND -> 404;
            case PROVIDER_BLOCKED, AGENT_BLOCKED, AGENT_STOPPED -> 403;
            case AGENT_NOT_ACTIVE, NOT_AN_AGENT, NO_ENDPOINT, BINDING_NOT_SUPPORTED, CANCELLED -> 409;
            case CONNECT_TIMEOUT, TIMEOUT -> 504;
            default -> 502;
        };
    }
}
