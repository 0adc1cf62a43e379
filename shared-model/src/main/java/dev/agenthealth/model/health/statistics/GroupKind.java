package dev.agenthealth.model.health.statistics;

import dev.agenthealth.model.WireNamed;

/** A property by which agents are grouped. */
public enum GroupKind implements WireNamed {
    ROLE,
    PROVIDER,
    PLATFORM;

    /** Returns the number of an agent's group; {@link dev.agenthealth.model.identity.GroupNumber#NONE} if the agent has no group of this kind. */
    public long numberOf(FleetRow row) {
        return switch (this) {
            case ROLE -> row.pulse().coordination().roleNumber();
            case PROVIDER -> row.summary().providerNumber();
            case PLATFORM -> row.summary().platformNumber();
        };
    }
}
