package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.model.operations.notification.EventReading;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The problem of a subject, or what has to be known of one that has none.
 *
 * @param subject as in {@link dev.agenthealth.model.operations.notification.NotificationEntry#subject()}
 * @param agentId the agent that it is about; empty if there is none
 * @param roleId the role that it concerns; empty if none is known
 * @param history what happened
 * @param begun the event that began it or changed it last
 * @param last the last event of the subject
 * @param severity of the event that began it or changed it last
 * @param summary one sentence of that event
 * @param parts on the problem of an agent's lifecycle, the other subjects of the agent
 * @param acknowledged who takes care of it
 * @param dismissed who decided that it is none
 * @param version counts its changes; each change is conditional on this number
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

    /** The time for which an open problem is kept without news. */
    public static final Duration MAX_AGE = Duration.ofDays(30);

    /** The time for which a closed one is kept. An event that arrives later than this is left out: it might open one anew. */
    public static final Duration CLOSED_RETENTION = Duration.ofDays(7);

    private static final String OF_LIFECYCLE = "agent:";
    private static final String OF_PROVIDER = "provider.trust:";

    /**
     * An event of the subject.
     *
     * @param order as in {@link EventReading#order()}; empty if there was none
     */
    public record LastEvent(String order, String eventId, String type, Instant at) {

        /** No event. */
        public static final LastEvent NONE = new LastEvent("", "", "", Instant.EPOCH);

        private static LastEvent of(EventReading event) {
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
        return OF_LIFECYCLE + agentId;
    }

    public String id() {
        return ProblemId.of(subject);
    }

    public ProblemKind kind() {
        return history.kind();
    }

    /** Returns the provider that it is about; empty if there is none. */
    public String providerId() {
        return subject.startsWith(OF_PROVIDER) ? subject.substring(OF_PROVIDER.length()) : "";
    }

    public Instant openedAt() {
        return history.course().openedAt();
    }

    /** Returns how often the subject had a problem; 0 if only what ends one arrived, which is never shown. */
    public int occurrences() {
        return history.course().occurrences();
    }

    /** Returns whether it is that an agent is dead. */
    public boolean isDeath() {
        return history.course().isOpen() && history.last() == ProblemStep.DEATH;
    }

    /** Returns when it was over by itself; empty if it is not. */
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

    /** Returns whether it is over or none: unlike the state, this changes with events and people only. */
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

    /** Returns until when it is kept. */
    public Instant keptUntil() {
        if (!isClosed()) {
            return last.at().plus(MAX_AGE);
        }
        Instant closedAt = dismissal().map(Handling::at).orElse(Instant.EPOCH);
        return (closedAt.isAfter(history.lastAt()) ? closedAt : history.lastAt()).plus(CLOSED_RETENTION);
    }

    /** Returns whether it is shown: there was a problem, and its time is not over. */
    public boolean isShown(Instant now) {
        return occurrences() > 0 && keptUntil().isAfter(now);
    }

    /** Returns the problem after an event of its subject. */
    SubjectProblem plus(EventReading event, ProblemStep step) {
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
        return EventReading.LATER.compare(event.order(), other.order()) > 0;
    }

    /** Returns the problem after events that concern all problems of its agent; a block lasts, and its decisions are numbered apart. */
    SubjectProblem plusLife(List<ProblemHistory.Entry> steps) {
        return kind() == ProblemKind.BLOCK ? this : with(history.plus(steps), parts, acknowledged, dismissed);
    }

    /** Returns the problem of the agent's lifecycle that names one more of the agent's subjects. */
    SubjectProblem plusPart(String part) {
        Set<String> more = new TreeSet<>(parts);
        more.add(part);
        return with(history, more, acknowledged, dismissed);
    }

    /** Returns the problem that somebody takes care of. */
    public SubjectProblem acknowledgedBy(Handling handling) {
        return with(history, parts, Optional.of(handling), dismissed);
    }

    /** Returns the problem that somebody dismissed. */
    public SubjectProblem dismissedBy(Handling handling) {
        return with(history, parts, acknowledged, Optional.of(handling));
    }

    /** Returns the problem that counts one more change. */
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
