package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;

/**
 * A problem document with its HTTP status.
 *
 * @param retryAfter the value of the header Retry-After
 */
record Refusal(int status, ObjectNode document, Optional<Duration> retryAfter) {

    String code() {
        return document.path("error").asText("");
    }

    String message() {
        return status + " " + code() + ": " + document.path("detail").asText("");
    }

    ProblemException exception() {
        return switch (status) {
            case 401 -> new UnauthenticatedException(this);
            case 403 -> code().equals("agent_blocked") ? new AgentBlockedException(this) : new ForbiddenException(this);
            case 404 -> new NotFoundException(this);
            case 409 ->
                code().equals("agent_already_running")
                        ? new AgentAlreadyRunningException(this)
                        : new ConflictException(this);
            case 410 -> code().equals("superseded") ? new SupersededException(this) : new AgentGoneException(this);
            case 412 -> new PreconditionFailedException(this);
            case 429 -> new RateLimitedException(this);
            case 503 -> new RegistryBusyException(this);
            default -> new ProblemException(this);
        };
    }
}
