package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.event.EventSubject;
import dev.agenthealth.model.event.ProblemKind;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The problem of a subject, or the history of a subject without a problem.
 *
 * @param subject the subject as in {@link dev.agenthealth.model.operations.notification.NotificationEntry#subject()}
 * @param agentId the agent; empty without an agent
 * @param roleId the role; empty if unknown
 * @param history the steps of the subject
 * @param begun the event that began the problem or changed it last
 * @param last the last event of the subject
 * @param severity the severity of the event in {@code begun}
 * @param summary one sentence about the event in {@code begun}
 * @param parts the other subjects of the agent, for the problem of an agent's lifecycle
 * @param acknowledged the acknowledgement by a person
 * @param dismissed the dismissal by a person
 * @param version the number of changes; each change is conditional on it
 */
public record SubjectProblem(
        String subject,
        String agentId,
        String roleId,
        ProblemHistory history,
        LastEvent begun,
        LastEvent last,
        Severity severity,
        String summary,
        Set<String> parts,
        Optional<Handling> acknowledged,
        Optional<Handling> dismissed,
        long version) {

    /** The time for which an open problem without news is kept. */
    public static final Duration MAX_AGE = Duration.ofDays(30);

    /** The time for which a closed problem is kept. Later events are ignored, as they might reopen the problem. */
    public static final Duration CLOSED_RETENTION = Duration.ofDays(7);

    /**
     * An event of the subject.
     *
     * @param order the order as in {@link ReceivedEvent#order()}; empty without an event
     */
    public record LastEvent(String order, String eventId, String type, Instant at) {

        /** The value before the first event. */
        public static final LastEvent NONE = new LastEvent("", "", "", Instant.EPOCH);

        private static LastEvent of(ReceivedEvent event) {
            return new LastEvent(
                    event.order(),
                    event.entry().eventId(),
                    event.entry().detailType(),
                    event.entry().at());
        }
    }

    public SubjectProblem {
        parts = Set.copyOf(parts);
    }

    static SubjectProblem none(String subject, ProblemKind kind, String agentId) {
        return new SubjectProblem(
                subject,
                agentId,
                "",
                ProblemHistory.of(kind),
                LastEvent.NONE,
                LastEvent.NONE,
                Severity.INFO,
                "",
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                0);
    }

    /** Returns the subject of an agent's lifecycle. */
    public static String ofLifecycle(String agentId) {
        return EventSubject.LIFECYCLE_PREFIX + agentId;
    }

    public String id() {
        return ProblemId.of(subject);
    }

    public ProblemKind kind() {
        return history.kind();
    }

    /** Returns the provider; empty without a provider. */
    public String providerId() {
        return subject.startsWith(EventSubject.PROVIDER_PREFIX)
                ? subject.substring(EventSubject.PROVIDER_PREFIX.length())
                : "";
    }

    public Instant openedAt() {
        return history.course().openedAt();
    }

    /** Returns how many problems the subject has had. It is 0 if only an end arrived, which is never shown. */
    public int occurrences() {
        return history.course().occurrences();
    }

    /** Returns whether the problem is the death of an agent. */
    public boolean isDeath() {
        return history.course().isOpen() && history.last() == ProblemStep.DEATH;
    }

    /** Returns the time at which the problem ended by itself; empty if it has not. */
    public Optional<Instant> resolvedAt() {
        ProblemCourse course = history.course();
        Instant over = course.closedAt().isAfter(course.openedAt()) ? course.closedAt() : course.openedAt();
        return course.isOpen() ? Optional.empty() : Optional.of(over);
    }

    public ProblemState state(Instant now) {
        if (dismissal().isPresent()) {
            return ProblemState.DISMISSED;
        }
        if (!history.course().isOpen()) {
            return ProblemState.RESOLVED;
        }
        return acknowledgement(now).isPresent() ? ProblemState.ACKNOWLEDGED : ProblemState.OPEN;
    }

    /** Returns whether the problem is over or dismissed. Unlike the state, this changes only with events and actions of people. */
    public boolean isClosed() {
        return !history.course().isOpen() || dismissal().isPresent();
    }

    /** Returns the acknowledgement in force. */
    public Optional<Handling> acknowledgement(Instant now) {
        return acknowledged.filter(
                handling -> handling.holdsFor(this) && handling.until().isAfter(now));
    }

    /** Returns the dismissal in force. */
    public Optional<Handling> dismissal() {
        return dismissed.filter(handling -> handling.holdsFor(this));
    }

    /** Returns the moment until which the problem is kept. */
    public Instant keptUntil() {
        if (!isClosed()) {
            return last.at().plus(MAX_AGE);
        }
        Instant closedAt = dismissal().map(Handling::at).orElse(Instant.EPOCH);
        return (closedAt.isAfter(history.lastAt()) ? closedAt : history.lastAt()).plus(CLOSED_RETENTION);
    }

    /** Returns whether lists show the problem: it began at some time, and is still kept. */
    public boolean isShown(Instant now) {
        return occurrences() > 0 && keptUntil().isAfter(now);
    }

    /** Returns the problem after an event of its subject. */
    SubjectProblem plus(ReceivedEvent event, ProblemStep step) {
        LastEvent arrived = LastEvent.of(event);
        boolean begins = step.isBad() && isLater(arrived, begun);
        return new SubjectProblem(
                subject,
                agentId,
                begins ? event.entry().roleId() : roleId,
                history.plus(List.of(new ProblemHistory.Entry(event.order(), step))),
                begins ? arrived : begun,
                isLater(arrived, last) ? arrived : last,
                begins ? event.entry().severity() : severity,
                begins ? event.entry().summary() : summary,
                parts,
                acknowledged,
                dismissed,
                version);
    }

    private static boolean isLater(LastEvent event, LastEvent other) {
        return ReceivedEvent.LATER.compare(event.order(), other.order()) > 0;
    }

    /**
     * Returns the problem after events that concern all problems of its agent. They do not affect a block, as its decisions have their own numbers.
     */
    SubjectProblem plusLife(List<ProblemHistory.Entry> steps) {
        return kind() == ProblemKind.BLOCK ? this : with(history.plus(steps), parts, acknowledged, dismissed);
    }

    /** Returns the problem of the agent's lifecycle with one more subject of the agent. */
    SubjectProblem plusPart(String part) {
        Set<String> more = new TreeSet<>(parts);
        more.add(part);
        return with(history, more, acknowledged, dismissed);
    }

    /** Returns the problem after an acknowledgement. */
    public SubjectProblem acknowledgedBy(Handling handling) {
        return with(history, parts, Optional.of(handling), dismissed);
    }

    /** Returns the problem after a dismissal. */
    public SubjectProblem dismissedBy(Handling handling) {
        return with(history, parts, acknowledged, Optional.of(handling));
    }

    /** Returns the problem with the next version. */
    public SubjectProblem nextVersion() {
        return with(history, parts, acknowledged, dismissed, version + 1);
    }

    private SubjectProblem with(
            ProblemHistory newHistory,
            Set<String> newParts,
            Optional<Handling> newAcknowledged,
            Optional<Handling> newDismissed) {
        return with(newHistory, newParts, newAcknowledged, newDismissed, version);
    }

    private SubjectProblem with(
            ProblemHistory newHistory,
            Set<String> newParts,
            Optional<Handling> newAcknowledged,
            Optional<Handling> newDismissed,
            long newVersion) {
        return new SubjectProblem(
                subject,
                agentId,
                roleId,
                newHistory,
                begun,
                last,
                severity,
                summary,
                newParts,
                newAcknowledged,
                newDismissed,
                newVersion);
    }
}
