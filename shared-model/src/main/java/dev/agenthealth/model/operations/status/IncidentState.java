package dev.agenthealth.model.operations.status;

import dev.agenthealth.model.WireNamed;

/** The progress of operators with an incident on the status page. */
public enum IncidentState implements WireNamed {
    INVESTIGATING,
    /** The cause is known. */
    IDENTIFIED,
    /** A repair is in place, and operators watch its effect. */
    MONITORING,
    RESOLVED
}
