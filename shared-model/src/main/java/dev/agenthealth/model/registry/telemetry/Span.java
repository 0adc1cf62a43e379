package dev.agenthealth.model.registry.telemetry;

import java.time.Instant;
import java.util.Map;

/**
 * A finished span as it was sent, with the attributes that are read. Nothing of it is checked.
 *
 * @param key its ids
 * @param parentId the id of its parent in the same trace; empty for none
 * @param name its name
 * @param scope the name of the instrumentation that made it
 * @param startNanos when it began, in nanoseconds since 1970, unsigned
 * @param endNanos when it ended, in nanoseconds since 1970, unsigned; 0 where that was not sent
 * @param status its status: {@link #STATUS_UNSET}, {@link #STATUS_OK} or {@link #STATUS_ERROR}; any other number counts as unset
 * @param attributes its own attributes
 * @param resource the attributes of what sent it
 */
public record Span(
        SpanKey key,
        String parentId,
        String name,
        String scope,
        long startNanos,
        long endNanos,
        int status,
        Map<SpanAttribute, String> attributes,
        Map<SpanAttribute, String> resource) {

    public static final int STATUS_UNSET = 0;
    public static final int STATUS_OK = 1;
    public static final int STATUS_ERROR = 2;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    public Span {
        attributes = Map.copyOf(attributes);
        resource = Map.copyOf(resource);
    }

    /** The value of one of its own attributes; empty where it has none. */
    public String get(SpanAttribute attribute) {
        return attributes.getOrDefault(attribute, "");
    }

    /** Returns whether its status is an error, or is not set beside the type of an error. */
    boolean failed() {
        return status == STATUS_ERROR || status != STATUS_OK && has(SpanAttribute.ERROR_TYPE);
    }

    boolean has(SpanAttribute attribute) {
        return !get(attribute).isEmpty();
    }

    /** The id of the agent that the span names, or else its resource does; empty where neither does. */
    String agentId() {
        return attribute(SpanAttribute.AGENT_ID);
    }

    /** The value of an attribute of its own, or else of its resource; empty where neither has it. */
    String attribute(SpanAttribute attribute) {
        return has(attribute) ? get(attribute) : resource.getOrDefault(attribute, "");
    }

    /** The name of the service that sent it; empty where it has none. */
    public String service() {
        return resource.getOrDefault(SpanAttribute.SERVICE_NAME, "");
    }

    /** Returns its end, by the clock of its process. */
    Instant endedAt() {
        return Instant.ofEpochSecond(
                Long.divideUnsigned(endNanos, NANOS_PER_SECOND), Long.remainderUnsigned(endNanos, NANOS_PER_SECOND));
    }
}
