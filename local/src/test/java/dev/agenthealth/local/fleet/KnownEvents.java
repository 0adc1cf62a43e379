package dev.agenthealth.local.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The events of one agent that must have been published, as its status and its score moved from one sweep to the next: a fall at once, the
 * return from it once it has held for five minutes, and any other change none sooner than five minutes after the event before. Not thread-safe.
 */
final class KnownEvents {

    private static final Duration DWELL = Duration.ofMinutes(5);

    private final List<String> health = new ArrayList<>();
    private final List<String> score = new ArrayList<>();
    private String statusPublished = "unknown";
    private String statePublished = "Inactive";
    private String lastKnown = "unknown";
    private Instant statusPublishedAt = Instant.EPOCH;
    private Instant statePublishedAt = Instant.EPOCH;
    private String status = "unknown";
    private String state = "Inactive";
    private Instant statusSince = Instant.EPOCH;
    private Instant stateSince = Instant.EPOCH;

    /** Takes note of the agent's health as a sweep found it. */
    void found(KnownHealth known, Instant now) {
        if (known.isGone()) {
            return;
        }
        statusSince = known.status().equals(status) ? statusSince : now;
        status = known.status();
        stateSince = known.scoreState().equals(state) ? stateSince : now;
        state = known.scoreState();
        if (!status.equals(statusPublished) && isDue(lastKnown, status, statusPublishedAt, statusSince, now)) {
            boolean fell = lastKnown.equals("healthy")
                    && (known.status().equals("degraded") || known.status().equals("unhealthy"));
            health.add(text(now, statusPublished, known.status(), fell));
            statusPublished = known.status();
            statusPublishedAt = now;
            lastKnown = statusPublished.equals("unknown") ? lastKnown : statusPublished;
        }
        if (!state.equals(statePublished) && isDue(statePublished, state, statePublishedAt, stateSince, now)) {
            score.add(text(now, statePublished, known.scoreState(), false));
            statePublished = known.scoreState();
            statePublishedAt = now;
        }
    }

    private static boolean isDue(String before, String after, Instant publishedAt, Instant since, Instant now) {
        boolean says = !after.equals("unknown") && !after.equals("Inactive");
        if (says && badness(after) > badness(before)) {
            return true;
        }
        Instant from = says && badness(after) < badness(before) ? since : publishedAt;
        return !now.isBefore(from.plus(DWELL));
    }

    private static int badness(String word) {
        return List.of("degraded", "unhealthy").indexOf(word.toLowerCase(Locale.ROOT));
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
