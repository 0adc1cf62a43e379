package dev.agenthealth.model.census;

import java.util.Locale;

/** By what agents are grouped. */
public enum GroupKind {
    ROLE,
    PROVIDER,
    PLATFORM;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The word in responses. */
    public String word() {
        return word;
    }

    /** The number of an agent's group; {@link dev.agenthealth.model.identity.GroupNumber#NONE} where it has none of this kind. */
    public long numberOf(FleetRow row) {
        return switch (this) {
            case ROLE -> row.pulse().coordination().roleNumber();
            case PROVIDER -> row.standing().providerNumber();
            case PLATFORM -> row.standing().platformNumber();
        };
    }
}
