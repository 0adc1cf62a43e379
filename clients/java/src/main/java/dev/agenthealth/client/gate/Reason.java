package dev.agenthealth.client.gate;

/** A statement of a health document that a caller should know (Agent Health State §4.3 to §4.5). */
public enum Reason {
    /** The agent reports reduced quality. */
    DEGRADED("degraded"),

    /** The agent was healthy in its previous document. Verify its credentials again before it gets more authority (§5.2). */
    NO_LONGER_HEALTHY("healthy until recently: verify its credentials again"),

    /** Fewer requests succeeded than the gate's minimum, by default 95 %. */
    LOW_RESPONSE_RATIO("few requests succeed"),

    /** The metrics cover fewer than 10 requests, and mean little. */
    LOW_CONFIDENCE("few samples"),

    /** The response ratio declines from window to window. */
    DECLINING("declining"),

    /** The response ratio declines and the model changed within the last week: a strong sign of decay. */
    DECLINING_AFTER_MODEL_CHANGE("declining after a recent change of the model, a strong sign of decay"),

    /** The agent is degraded and started less than ten minutes ago: it may crash and restart repeatedly. */
    POSSIBLE_CRASH_LOOP("restarted a short time ago, possibly a crash loop");

    private final String text;

    Reason(String text) {
        this.text = text;
    }

    /** Returns the reason for people. */
    public String text() {
        return text;
    }
}
