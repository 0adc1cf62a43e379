package dev.agenthealth.model.notification;

import dev.agenthealth.model.WireNamed;
import java.util.Optional;

/** The meaning of an event for the problems of its subject. */
public enum EventKind implements WireNamed {
    /** A problem begins, or gets worse. */
    PROBLEM,
    /** A problem is over. */
    RECOVERY,
    NOTICE;

    /** The kind with this wire name; empty where there is none. */
    public static Optional<EventKind> ofWireName(String wireName) {
        return WireNamed.find(EventKind.class, wireName);
    }
}
