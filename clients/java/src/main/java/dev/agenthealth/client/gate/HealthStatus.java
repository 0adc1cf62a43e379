package dev.agenthealth.client.gate;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What an agent says of its health (Agent Health State §4.3). */
public enum HealthStatus {
    HEALTHY,
    DEGRADED,
    UNHEALTHY,
    UNKNOWN;

    /** The word in documents, such as {@code healthy}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<HealthStatus> ofWord(String word) {
        return Stream.of(values()).filter(status -> status.word().equals(word)).findFirst();
    }
}
