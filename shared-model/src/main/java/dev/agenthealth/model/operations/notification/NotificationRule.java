package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.event.Severity;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Set;

/**
 * A rule that says which events an operator is notified of, and when. The target is stored separately.
 *
 * @param name the name of the rule
 * @param createdAt the creation of the rule; earlier events are not reported
 * @param events the types of the events
 * @param filter the selection among these events
 * @param timing the times of its messages
 * @param recovery whether the end of a reported problem is reported
 */
public record NotificationRule(
        String name,
        Instant createdAt,
        Set<EventType> events,
        NotificationFilter filter,
        Timing timing,
        boolean recovery) {

    /**
     * The times of a rule's messages.
     *
     * @param after the time for which a problem must have been open and unacknowledged before it is reported; zero for at once
     * @param grouping the time for which events are collected into one message, from the first event on
     * @param quiet the hours in which messages are held; empty for none
     */
    public record Timing(Duration after, Duration grouping, Optional<QuietTime> quiet) {}

    /** Creates a rule that reports at once. */
    public NotificationRule(
            String name,
            Instant createdAt,
            Set<EventType> events,
            NotificationFilter filter,
            Duration grouping,
            Optional<QuietTime> quiet,
            boolean recovery) {
        this(name, createdAt, events, filter, new Timing(Duration.ZERO, grouping, quiet), recovery);
    }

    public static final int MIN_GROUP_SECONDS = 5;
    public static final int MAX_GROUP_SECONDS = 900;
    public static final int DEFAULT_GROUP_SECONDS = 30;

    private static final ZoneId UTC = ZoneId.of("UTC");

    /** The maximum number of rules. */
    public static final int MAX_RULES = 50;

    /**
     * The maximum age of an event that is reported. Events of a replay may be older. An event that a silence deferred counts from its first
     * arrival.
     */
    public static final Duration MAX_AGE = Duration.ofHours(24);

    public NotificationRule {
        events = Set.copyOf(events);
    }

    /**
     * The effect of an event on a rule.
     *
     * @param after the new state of its subject
     * @param shown whether the event goes into a message
     * @param urgency decides whether the event is sent in quiet hours; a recovery is as urgent as the problem that it ends
     */
    public record Admission(SubjectState after, boolean shown, Severity urgency) {}

    /** Returns the rule with another moment of creation. */
    public NotificationRule created(Instant at) {
        return new NotificationRule(name, at, events, filter, timing, recovery);
    }

    /** Returns the time for which a problem must have been open and unacknowledged; zero for at once. */
    public Duration after() {
        return timing.after();
    }

    /** Returns the time for which events are collected into one message. */
    public Duration grouping() {
        return timing.grouping();
    }

    /** Returns the hours in which messages are held. */
    public Optional<QuietTime> quiet() {
        return timing.quiet();
    }

    /** Returns whether an event that arrives now is too old to be reported. */
    public static boolean isTooOld(ReceivedEvent event, Instant now) {
        return event.entry().at().isBefore(now.minus(MAX_AGE));
    }

    /** Returns whether the rule reads events of a type: the types that it names, and the types that end reported problems. */
    public boolean covers(EventType type) {
        return events.contains(type) || recovery && type.ends().stream().anyMatch(events::contains);
    }

    /**
     * Decides the effect of an event. Nothing changes for a duplicate, an event that a later one of its subject has overtaken, or a part of another
     * event of the rule. A recovery is shown only if this rule reported the problem.
     *
     * @param before the present state of the subject
     * @return the effect; empty if nothing is to be written
     */
    public Optional<Admission> admit(ReceivedEvent event, SubjectState before, Instant now) {
        NotificationEntry entry = event.entry();
        if (!covers(event.type())
                || event.partOf().filter(this::takesPart).isPresent()
                || !filter.admitsRole(event)
                || entry.at()
                        .isBefore(ClockRule.isTooFarAhead(createdAt, ClockRule.MAX_PASS, now) ? Instant.MIN : createdAt)
                || ReceivedEvent.LATER.compare(before.order(), event.order()) >= 0) {
            return Optional.empty();
        }
        Optional<Severity> problem = before.problem();
        // The rule reported the part, and has nothing new to say of the same problem.
        if (event.outlives().filter(whole -> !takesPart(whole)).isPresent()
                && problem.equals(Optional.of(entry.severity()))) {
            return Optional.empty();
        }
        if (entry.recovery()) {
            SubjectState over = new SubjectState(event.order(), Optional.empty(), "");
            // The event is noted even if it is not shown, as the problem that it ends may arrive later.
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

    /** Returns whether the rule leaves out an event because of the event that it is a part of. An escalation waits for a problem, and a part has none. */
    private boolean takesPart(EventType whole) {
        return events.contains(whole) || whole == EventType.UPSTREAM_FAILING && !after().isZero();
    }

    /** Returns the time zone of the times in messages: the zone of the quiet hours, or UTC. */
    public ZoneId zone() {
        return quiet().map(QuietTime::zone).orElse(UTC);
    }

    /** Returns the moment until which an event that arrives now is held; empty if it is not held. */
    public Optional<Instant> heldUntil(Severity urgency, Instant now) {
        return quiet().filter(hours -> !hours.exceptSeverities().contains(urgency))
                .flatMap(hours -> hours.endAt(now));
    }
}
