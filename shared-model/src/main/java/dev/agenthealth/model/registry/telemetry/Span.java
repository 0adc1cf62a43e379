package dev.agenthealth.model.registry.telemetry;

import dev.agenthealth.model.registry.version.AgentVersion;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A finished span as it was received, with the attributes that the registry uses. The values are not validated.
 *
 * @param key the ids of the span
 * @param parentId the id of the parent in the same trace; empty without a parent
 * @param name the name of the span
 * @param scope the name of the instrumentation
 * @param startNanos the start, in nanoseconds since 1970, unsigned
 * @param endNanos the end, in nanoseconds since 1970, unsigned; 0 if missing
 * @param status the status: {@link #STATUS_UNSET}, {@link #STATUS_OK} or {@link #STATUS_ERROR}; any other number counts as unset
 * @param attributes the attributes of the span
 * @param resource the attributes of the resource
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

    /** Returns the span around this one; empty without one, or if its id is not valid. */
    public Optional<SpanKey> parent() {
        return Optional.of(key.ofSameTrace(parentId)).filter(SpanKey::isValid);
    }

    /** Returns the value of an attribute of the span; empty if it is missing. */
    public String get(SpanAttribute attribute) {
        return attributes.getOrDefault(attribute, "");
    }

    /** Returns whether the status is an error, or is unset while the span has an error type. */
    boolean failed() {
        return status == STATUS_ERROR || status != STATUS_OK && has(SpanAttribute.ERROR_TYPE);
    }

    boolean has(SpanAttribute attribute) {
        return !get(attribute).isEmpty();
    }

    /** Returns the id of the agent in the span, else in the resource; empty if neither has one. */
    String agentId() {
        return attribute(SpanAttribute.AGENT_ID);
    }

    /** Returns the value of an attribute of the span, else of the resource; empty if neither has it. */
    String attribute(SpanAttribute attribute) {
        return has(attribute) ? get(attribute) : resource.getOrDefault(attribute, "");
    }

    /** Returns the name of the service; empty without a name. */
    public String service() {
        return resource.getOrDefault(SpanAttribute.SERVICE_NAME, "");
    }

    /**
     * Returns the version of the agent: of the agent in the span, else the declared version, else of the service.
     *
     * @param declared the version that the agent declares; empty without one
     * @return empty if no version is known, or the known texts are no versions
     */
    public String version(String declared) {
        return AgentVersion.first(
                attribute(SpanAttribute.AGENT_VERSION),
                declared,
                resource.getOrDefault(SpanAttribute.SERVICE_VERSION, ""));
    }

    /** Returns the end, by the clock of the process. */
    Instant endedAt() {
        return moment(endNanos);
    }

    /** Returns the moment of nanoseconds since 1970, unsigned. */
    static Instant moment(long nanos) {
        return Instant.ofEpochSecond(
                Long.divideUnsigned(nanos, NANOS_PER_SECOND), Long.remainderUnsigned(nanos, NANOS_PER_SECOND));
    }
}
