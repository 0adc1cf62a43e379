package dev.agenthealth.functions.health.availability;

import java.time.Duration;

/** The windows of an availability. A window ends now. */
enum Window {
    DAY("24h", Duration.ofHours(24)),
    MONTH("30d", Duration.ofDays(30)),
    QUARTER("90d", Duration.ofDays(90));

    private final String wireName;
    private final Duration length;

    Window(String wireName, Duration length) {
        this.wireName = wireName;
        this.length = length;
    }

    String wireName() {
        return wireName;
    }

    Duration length() {
        return length;
    }
}
