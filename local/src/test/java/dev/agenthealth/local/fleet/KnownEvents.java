package dev.agenthealth.local.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of one agent that must have been published, as its status and its score moved from one sweep to the next: each change at once, but
 * none sooner than five minutes after the one before. Not thread-safe.
 */
final class KnownEvents {

    private static final Duration DWELL = Duration.ofMinutes(5);

    private final List<String> health = new ArrayList<>();
    private final List<String> score = new ArrayList<>();
    private String statusTold = "unknown";
    private String stateTold = "Inactive";
    private String lastKnown = "unknown";
    private Instant statusToldAt = Instant.EPOCH;
    private Instant stateToldAt = Instant.EPOCH;

    /** Takes note of the agent's health as a sweep found it. */
    void found(KnownHealth known, Instant now) {
        if (known.isGone()) {
            return;
        }
        if (!known.status().equals(statusTold) && !now.isBefore(statusToldAt.plus(DWELL))) {
            boolean fell = lastKnown.equals("healthy")
                    && (known.status().equals("degraded") || known.status().equals("unhealthy"));
            health.add(text(now, statusTold, known.status(), fell));
            statusTold = known.status();
            statusToldAt = now;
            lastKnown = statusTold.equals("unknown") ? lastKnown : statusTold;
        }
        if (!known.scoreState().equals(stateTold) && !now.isBefore(stateToldAt.plus(DWELL))) {
            score.add(text(now, stateTold, known.scoreState(), false));
            stateTold = known.scoreState();
            stateToldAt = now;
        }
    }

    /** The changes of the health status, oldest first, as {@link #text} has them. */
    List<String> health() {
        return List.copyOf(health);
    }

    /** The changes of the score's state, oldest first, as {@link #text} has them. */
    List<String> score() {
        return List.copyOf(score);
    }

    static String text(Instant at, String before, String after, boolean reverify) {
        return at + " " + before + " -> " + after + (reverify ? ", verify again" : "");
    }
}
