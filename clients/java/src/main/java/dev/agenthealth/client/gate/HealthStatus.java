package dev.agenthealth.client.gate;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The health status that an agent declares (Agent Health State §4.3). */
public enum HealthStatus {
    HEALTHY,
    DEGRADED,
    UNHEALTHY,
    UNKNOWN;

    /** Returns the wire name in documents, such as {@code healthy}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<HealthStatus> ofWireName(String wireName) {
        return Stream.of(values())
                .filter(status -> status.wireName().equals(wireName))
                .findFirst();
    }
}
