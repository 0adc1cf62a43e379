package dev.agenthealth.model.registry.profile;

import java.time.Instant;

/**
 * The model of an agent, as far as declared (Agent Health State §4.5).
 *
 * @param name the name; empty if unknown
 * @param version the version; empty if unknown
 * @param changedAt the moment at which the agent changed to this model; {@link Instant#MIN} if unknown
 */
public record ModelInfo(String name, String version, Instant changedAt) {

    /** The value if the model is unknown. */
    public static final ModelInfo UNKNOWN = new ModelInfo("", "", Instant.MIN);

    /**
     * Returns this model with the date of its change. A declared date counts first. Otherwise, the date of {@code before} counts if the model is
     * the same. If this model replaces another known model, the date is {@code now}. A model without a name has no date.
     */
    public ModelInfo replacing(ModelInfo before, Instant now) {
        if (hasChangeDate()) {
            return this;
        }
        if (name.isEmpty() && version.isEmpty()) {
            return UNKNOWN;
        }
        boolean same = name.equals(before.name) && version.equals(before.version);
        boolean known = !before.name.isEmpty() || !before.version.isEmpty();
        return new ModelInfo(name, version, same || !known ? before.changedAt : now);
    }

    /** Returns whether the date of the change is known. */
    public boolean hasChangeDate() {
        return changedAt.isAfter(Instant.MIN);
    }
}
