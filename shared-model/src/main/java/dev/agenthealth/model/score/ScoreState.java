package dev.agenthealth.model.score;

import java.util.Arrays;
import java.util.Optional;

/** What a score means (Agent Health Model, Health States). */
public enum ScoreState {
    HEALTHY("Healthy"),
    DEGRADED("Degraded"),
    UNHEALTHY("Unhealthy"),
    /** No execution in the window: no score. */
    INACTIVE("Inactive");

    private static final int HEALTHY_FROM = 8_500;
    private static final int DEGRADED_FROM = 6_500;

    private final String word;

    ScoreState(String word) {
        this.word = word;
    }

    /** The word in responses and events. */
    public String word() {
        return word;
    }

    /** The state with this word; empty where there is none. */
    public static Optional<ScoreState> ofWord(String word) {
        return Arrays.stream(values()).filter(s -> s.word.equals(word)).findFirst();
    }

    /**
     * What a score means.
     *
     * @param hundredths the score in hundredths of a point, 0 to 10,000
     */
    public static ScoreState ofHundredths(int hundredths) {
        if (hundredths >= HEALTHY_FROM) {
            return HEALTHY;
        }
        return hundredths >= DEGRADED_FROM ? DEGRADED : UNHEALTHY;
    }
}
