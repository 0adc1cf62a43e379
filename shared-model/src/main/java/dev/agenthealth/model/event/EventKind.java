package dev.agenthealth.model.event;

import dev.agenthealth.model.WireNamed;

/** The meaning of an event for the problems of its subject. */
public enum EventKind implements WireNamed {
    /** A problem begins, or gets worse. */
    PROBLEM,
    /** A problem is over. */
    RECOVERY,
    NOTICE;
}
