package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.operations.notification.NotificationRule;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides when a rule with {@link NotificationRule#after} reports a problem: after the problem has been open and unacknowledged for that time.
 *
 * <p>Problems that wait for a rule form batches. Each batch covers a part of the rule's time, so that a rule has few batches at a time.
 */
public final class EscalationRule {

    /** The maximum time for which a rule waits. */
    public static final int MAX_SECONDS = 86_400;

    private static final String PREFIX = "rule:";
    private static final char SEPARATOR = ':';
    private static final int BATCHES = 30;
    private static final long MIN_PERIOD_SECONDS = 5;

    private EscalationRule() {}

    /** Returns the moment at which a rule reports a problem that stays open. A time in the future counts as now. */
    public static Instant dueAt(NotificationRule rule, ReceivedEvent problem, Instant now) {
        Instant at = problem.entry().at();
        return (at.isBefore(now) ? at : now).plus(rule.after());
    }

    /**
     * Returns when to report a problem, or to decide about it again; empty if the rule does not report it.
     *
     * @param known the present state of the problem; empty if it is not stored
     */
    public static Optional<Instant> next(
            NotificationRule rule, ReceivedEvent problem, Optional<SubjectProblem> known, Instant now) {
        Instant dueAt = dueAt(rule, problem, now);
        if (dueAt.isAfter(now) || known.isEmpty()) {
            return Optional.of(dueAt);
        }
        SubjectProblem present = known.get();
        boolean reopened = present.openedAt().isAfter(problem.entry().at());
        if (present.state(now).isClosed() || reopened) {
            return Optional.empty();
        }
        if (present.state(now) != ProblemState.ACKNOWLEDGED) {
            return Optional.of(dueAt);
        }
        return present.acknowledgement(now)
                .map(Handling::until)
                .filter(until -> until.isBefore(now.plusSeconds(MAX_SECONDS)))
                .map(until -> until.plus(rule.after()));
    }

    /** Returns the id of the batch in which a problem waits until a moment. */
    public static String batch(NotificationRule rule, Instant until) {
        long period = Math.max(MIN_PERIOD_SECONDS, rule.after().toSeconds() / BATCHES);
        long end = Math.floorDiv(
                        until.plus(Duration.ofSeconds(period)).minusMillis(1).getEpochSecond(), period)
                * period;
        return PREFIX + rule.name() + SEPARATOR + end;
    }

    /** Returns whether an id is the id of a batch. */
    public static boolean isBatch(String id) {
        return id.startsWith(PREFIX);
    }

    /** Returns whether an id is the id of a batch whose readings are due. */
    public static boolean isDue(String id, Instant now) {
        return isBatch(id) && Long.parseLong(id.substring(id.lastIndexOf(SEPARATOR) + 1)) <= now.getEpochSecond();
    }

    /** Returns the name of the rule of a batch. */
    public static String ruleOf(String batch) {
        return batch.substring(PREFIX.length(), batch.lastIndexOf(SEPARATOR));
    }
}
