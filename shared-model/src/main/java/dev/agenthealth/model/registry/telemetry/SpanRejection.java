package dev.agenthealth.model.registry.telemetry;

/** The reason for which an execution in a span is not counted. */
public enum SpanRejection {
    INVALID_ID("have no valid trace id or span id"),
    NO_END("have no end"),
    NEGATIVE_DURATION("end before they begin"),
    TOO_LONG("last longer than 30 days"),
    INVALID_NAME("have no service.name, or a name that is longer than 256 characters or has control characters"),
    INVALID_AGENT_ID("carry an agent_health.agent_id that is not the id of an agent"),
    TOO_OLD("ended more than two measurement windows ago"),
    IN_FUTURE("end more than 5 minutes ahead of the clock of the registry"),
    UNKNOWN_AGENT("belong to no agent of this key"),
    TOO_MANY_AGENTS("are of more than the first 1,000 agents of the request");

    /** The maximum number of agents in one request, counted by ids and names. */
    public static final int MAX_AGENTS = 1_000;

    private final String reason;

    SpanRejection(String reason) {
        this.reason = reason;
    }

    /** Returns the reason as the end of a sentence. */
    public String reason() {
        return reason;
    }
}
