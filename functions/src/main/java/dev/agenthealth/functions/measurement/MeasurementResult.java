package dev.agenthealth.functions.measurement;

import java.util.Locale;

/** What became of an agent that was due. */
enum MeasurementResult {
    /** The health was stored. */
    COMPUTED,
    /** The health was stored, and events about its change are published. */
    PUBLISHED,
    /** Another computation was first, or the agent changed meanwhile: it stays due. */
    OVERTAKEN,
    /** There is no such agent. */
    UNKNOWN,
    /** The computation failed; the agent stays due. */
    FAILED,
    /** There was no time for the agent; it stays due. */
    POSTPONED;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /** The wire name in logs and messages. */
    String wireName() {
        return wireName;
    }
}
