package dev.agenthealth.model.profile;

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

    /** Whether it is known when the model changed. */
    public boolean hasChangeDate() {
        return changedAt.isAfter(Instant.MIN);
    }
}
