package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Thrown if the registry refused a request with a problem document (RFC 9457). {@link #code} is stable; the detail is for people.
 *
 * <p>Subclasses exist for the problems that callers handle.
 */
public sealed class ProblemException extends AgentHealthException
        permits UnauthenticatedException,
                ForbiddenException,
                NotFoundException,
                ConflictException,
                AgentGoneException,
                SupersededException,
                PreconditionFailedException,
                RateLimitedException,
                RegistryBusyException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final transient ObjectNode document;
    private final transient Optional<Duration> retryAfter;

    ProblemException(Refusal refusal) {
        super(refusal.message(), null);
        this.status = refusal.status();
        this.code = refusal.code();
        this.document = refusal.document();
        this.retryAfter = refusal.retryAfter();
    }

    /**
     * A field of the request that breaks a rule.
     *
     * @param field its name, such as {@code heartbeat_config.interval_seconds}
     * @param message the description of the mistake
     */
    public record FieldError(String field, String message) {}

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns the stable code of the problem, such as {@code agent_gone}. */
    public String code() {
        return code;
    }

    /** Returns the explanation for people. */
    public String detail() {
        return document().path("detail").asText("");
    }

    /** Returns every field of the request that breaks a rule; empty if no field does. */
    public List<FieldError> errors() {
        List<FieldError> errors = new ArrayList<>();
        for (JsonNode error : document().path("errors")) {
            errors.add(new FieldError(
                    error.path("field").asText(""), error.path("message").asText("")));
        }
        return List.copyOf(errors);
    }

    /** Returns the whole problem document. */
    public ObjectNode document() {
        return document == null ? Json.object() : document.deepCopy();
    }

    /** Returns the minimum time to wait before a retry; empty if the registry names no time. */
    public Optional<Duration> retryAfter() {
        return retryAfter == null ? Optional.empty() : retryAfter;
    }
}
