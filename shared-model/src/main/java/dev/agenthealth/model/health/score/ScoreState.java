package dev.agenthealth.model.health.score;

import dev.agenthealth.model.WireNamed;

/** The state that a score stands for (Agent Health Model, Health States). */
public enum ScoreState implements WireNamed {
    HEALTHY("Healthy", 0),
    DEGRADED("Degraded", 1),
    UNHEALTHY("Unhealthy", 2),
    /** The window has no execution, so that there is no score. */
    INACTIVE("Inactive", 0);

    private static final int HEALTHY_FROM = 8_500;
    private static final int DEGRADED_FROM = 6_500;

    private final String wireName;
    private final int severity;

    ScoreState(String wireName, int severity) {
        this.wireName = wireName;
        this.severity = severity;
    }

    /** Returns a number that grows with the severity of the state; 0 for a healthy or inactive agent. */
    public int severity() {
        return severity;
    }

    @Override
    public String wireName() {
        return wireName;
    }

    /**
     * Returns the state of a score.
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
