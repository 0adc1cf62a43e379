package dev.agenthealth.client.gate;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The comparison of the response ratio with the ratio of the previous window (Agent Health State §4.5). */
public enum Trend {
    STABLE,
    DECLINING,
    IMPROVING;

    static Optional<Trend> ofWireName(String wireName) {
        return Stream.of(values())
                .filter(trend -> trend.name().toLowerCase(Locale.ROOT).equals(wireName))
                .findFirst();
    }
}
