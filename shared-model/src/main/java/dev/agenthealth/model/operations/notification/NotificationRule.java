package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.event.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The events of which an operator is notified, and when. The target is stored apart.
 *
 * @param name of the rule
 * @param createdAt since when it exists: what happened before is not reported
 * @param events the types of events
 * @param filter which of them
 * @param grouping for how long events are collected into one message, from the first one on
 * @param quiet the hours in which messages are held; empty for none
 * @param recovery whether the end of a reported problem is reported
 */
public record NotificationRule(
        String name,
        Instant createdAt,
        Set<EventType> events,
        NotificationFilter filter,
        Duration grouping,
        Optional<QuietTime> quiet,
        boolean recovery) {

    public static final int MIN_GROUP_SECONDS = 5;
    public static final int MAX_GROUP_SECONDS = 900;
    public static final int DEFAULT_GROUP_SECONDS = 30;

    /** The maximum number of rules. */
    public static final int MAX_RULES = 50;

    /** An event that arrives later, as one of a replay does, is not reported; one that a silence deferred has arrived before. */
    public static final Duration MAX_AGE = Duration.ofHours(24);

    public NotificationRule {
        events = Set.copyOf(events);
    }

    /**
     * The effect of an event.
     *
     * @param after what is to be noted about its subject
     * @param shown whether the event goes into a message
     * @param urgency decides whether it is sent in quiet hours: a recovery is as urgent as the problem that it ends
     */
    public record Admission(SubjectState after, boolean shown, Severity urgency) {}

    /** Returns whether an event that arrives now is reported too late. */
    public static boolean isTooOld(EventReading event, Instant now) {
        return event.entry().at().isBefore(now.minus(MAX_AGE));
    }

    /** Returns whether the rule reads events of a type: those that it names, and those that end the problems which they report. */
    public boolean covers(EventType type) {
        return events.contains(type)
                || recovery && EventReading.ends(type).stream().anyMatch(events::contains);
    }

    /**
     * Decides about an event. A duplicate, an event that a later one of the same subject has overtaken, and one that is part of another event of
     * the rule change nothing; a recovery is shown only if this rule reported the problem.
     *
     * @param before what is noted about its subject
     * @return empty if nothing is to be written
     */
    public Optional<Admission> admit(EventReading event, SubjectState before, Instant now) {
        NotificationEntry entry = event.entry();
        if (!covers(event.type())
                || event.partOf().filter(events::contains).isPresent()
                || !filter.admitsRole(event)
                || entry.at()
                        .isBefore(ClockRule.isTooFarAhead(createdAt, ClockRule.MAX_PASS, now) ? Instant.MIN : createdAt)
                || EventReading.LATER.compare(before.order(), event.order()) >= 0) {
            return Optional.empty();
        }
        Optional<Severity> problem = before.problem();
        if (entry.recovery()) {
            SubjectState over = new SubjectState(event.order(), Optional.empty(), "");
            // Noted even if it is not shown: the problem that it ends may arrive after it.
            return Optional.of(new Admission(over, recovery && problem.isPresent(), problem.orElse(entry.severity())));
        }
        if (!filter.admitsMeaning(event)) {
            return Optional.empty();
        }
        boolean begins = entry.kind() == EventKind.PROBLEM;
        SubjectState after =
                new SubjectState(event.order(), begins ? Optional.of(entry.severity()) : problem, before.messageId());
        return Optional.of(new Admission(after, true, entry.severity()));
    }

    /** Returns until when an event that arrives now is held; empty if it is not. */
    public Optional<Instant> heldUntil(Severity urgency, Instant now) {
        return quiet.filter(hours -> !hours.exceptSeverities().contains(urgency))
                .flatMap(hours -> hours.endAt(now));
    }
}
