package dev.agenthealth.model.notification;

import dev.agenthealth.model.WireNamed;
import java.util.Optional;

/** The severity of an event, in the words of PagerDuty; the most severe first. */
public enum Severity implements WireNamed {
    CRITICAL,
    ERROR,
    WARNING,
    INFO;

    /** The severity with this wire name; empty where there is none. */
    public static Optional<Severity> ofWireName(String wireName) {
        return WireNamed.find(Severity.class, wireName);
    }
}
