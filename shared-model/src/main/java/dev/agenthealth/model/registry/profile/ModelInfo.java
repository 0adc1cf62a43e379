package dev.agenthealth.model.registry.profile;

import java.time.Instant;

/**
 * The model an agent runs on, as far as it says (Agent Health State §4.5).
 *
 * @param name empty when unknown
 * @param version empty when unknown
 * @param changedAt when the agent changed to it; {@link Instant#MIN} when unknown
 */
public record ModelInfo(String name, String version, Instant changedAt) {

    /** Nothing is known about the model. */
    public static final ModelInfo UNKNOWN = new ModelInfo("", "", Instant.MIN);

    /**
     * This model with the date of its change: its own where it has one, that of {@code before} where it is the same model, and
     * {@code now} where it replaces another that was known. A model without a name has no date.
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

    /** Returns whether it is known when the model changed. */
    public boolean hasChangeDate() {
        return changedAt.isAfter(Instant.MIN);
    }
}
