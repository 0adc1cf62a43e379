package dev.agenthealth.functions.health.measurement;

import dev.agenthealth.model.WireNamed;

/** The result of computing the health of one due agent. */
enum MeasurementResult implements WireNamed {
    /** The health was stored. */
    COMPUTED,
    /** The health was stored, and events about its change are published. */
    PUBLISHED,
    /** Another computation was faster, or the agent changed meanwhile. The agent stays due. */
    OVERTAKEN,
    /** The agent does not exist. */
    UNKNOWN,
    /** The computation failed. The agent stays due. */
    FAILED,
    /** No time was left for the agent. The agent stays due. */
    POSTPONED
}
