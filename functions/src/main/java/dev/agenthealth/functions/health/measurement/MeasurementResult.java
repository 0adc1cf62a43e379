package dev.agenthealth.functions.health.measurement;

import dev.agenthealth.model.WireNamed;

/** The result for an agent that was due. */
enum MeasurementResult implements WireNamed {
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
    POSTPONED
}
