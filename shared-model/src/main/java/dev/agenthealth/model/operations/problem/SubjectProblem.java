package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.event.EventSubject;
import dev.agenthealth.model.event.ProblemKind;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.health.trust.StopScope;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The problem of a subject, or the history of a subject without a problem.
 *
 * @param of the subject
 * @param history the steps of the subject
 * @param beginning the event that began the problem or changed it last
 * @param last the last event of the subject
 * @param handlings the decisions of people
 * @param notes the notifications, silences and decisions of people, in the order in which they were noted, at most {@value #MAX_NOTES}
 * @param version the number of changes; each change is conditional on it
 */
public record SubjectProblem(
        Subject of,
        ProblemHistory history,
        Beginning beginning,
        LastEvent last,
        Handlings handlings,
        List<ProblemMoment> notes,
        long version) {

    /** The maximum number of notes. The oldest notes are dropped, so that the item stays small. */
    static final int MAX_NOTES = 16;

    /** The time for which an open problem without news is kept. */
    public static final Duration MAX_AGE = Duration.ofDays(30);

    /** The time for which a closed problem is kept. Later events are ignored, as they might reopen the problem. */
    public static final Duration CLOSED_RETENTION = Duration.ofDays(7);

    /**
     * A subject.
     *
     * @param name the subject as in {@link dev.agenthealth.model.operations.notification.NotificationEntry#subject()}
     * @param agentId the agent; empty without an agent
     * @param parts the other subjects of the agent, for the subject of an agent's lifecycle
     */
    public record Subject(String name, String agentId, Set<String> parts) {

        public Subject {
            parts = Set.copyOf(parts);
        }
    }

    /**
     * The event that began a problem or changed it last.
     *
     * @param roleId the role; empty if unknown
     * @param summary one sentence about the event
     */
    public record Beginning(LastEvent event, String roleId, Severity severity, String summary) {

        private static final Beginning NONE = new Beginning(LastEvent.NONE, "", Severity.INFO, "");
    }

    /**
     * The decisions of people about a problem.
     *
     * @param acknowledged the acknowledgement by a person
     * @param dismissed the dismissal by a person
     */
    public record Handlings(Optional<Handling> acknowledged, Optional<Handling> dismissed) {

        private static final Handlings NONE = new Handlings(Optional.empty(), Optional.empty());
    }

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
        notes = List.copyOf(notes);
    }

    static SubjectProblem none(String subject, ProblemKind kind, String agentId) {
        return new SubjectProblem(
                new Subject(subject, agentId, Set.of()),
                ProblemHistory.of(kind),
                Beginning.NONE,
                LastEvent.NONE,
                Handlings.NONE,
                List.of(),
                0);
    }

    /** Returns the subject of an agent's lifecycle. */
    public static String ofLifecycle(String agentId) {
        return EventSubject.LIFECYCLE_PREFIX + agentId;
    }

    public String id() {
        return ProblemId.of(subject());
    }

    public ProblemKind kind() {
        return history.kind();
    }

    /** Returns the provider; empty without a provider. */
    public String providerId() {
        return subject().startsWith(EventSubject.PROVIDER_PREFIX)
                ? subject().substring(EventSubject.PROVIDER_PREFIX.length())
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

    /** Returns the agents of a stop; empty if the problem is no stop. */
    public Optional<StopScope> stop() {
        return subject().startsWith(EventSubject.STOP_PREFIX)
                ? StopScope.ofText(subject().substring(EventSubject.STOP_PREFIX.length()))
                : Optional.empty();
    }

    /** Returns the id of the agent, also of an agent that a stop names; empty without one agent. */
    public String namedAgentId() {
        return named(StopScope.Kind.AGENT).orElse(agentId());
    }

    /** Returns the role, also of a stop that names a role; empty without a role. */
    public String namedRoleId() {
        return named(StopScope.Kind.ROLE).orElse(roleId());
    }

    private Optional<String> named(StopScope.Kind kind) {
        return stop().filter(scope -> scope.kind() == kind).map(StopScope::id);
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
        return acknowledged()
                .filter(handling -> handling.holdsFor(this) && handling.until().isAfter(now));
    }

    /** Returns the dismissal in force. */
    public Optional<Handling> dismissal() {
        return dismissed().filter(handling -> handling.holdsFor(this));
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
        boolean begins = step.isBad() && isLater(arrived, beginning.event());
        return new SubjectProblem(
                of,
                history.plus(List.of(new ProblemHistory.Entry(
                        event.order(),
                        step,
                        step.isBad() ? Optional.of(event.entry().severity()) : Optional.empty()))),
                begins
                        ? new Beginning(
                                arrived,
                                event.entry().roleId(),
                                event.entry().severity(),
                                event.entry().summary())
                        : beginning,
                isLater(arrived, last) ? arrived : last,
                handlings,
                notes,
                version);
    }

    private static boolean isLater(LastEvent event, LastEvent other) {
        return ReceivedEvent.LATER.compare(event.order(), other.order()) > 0;
    }

    /**
     * Returns the problem after events that concern all problems of its agent. They do not affect a block, as its decisions have their own numbers.
     */
    SubjectProblem plusLife(List<ProblemHistory.Entry> steps) {
        return kind() == ProblemKind.BLOCK ? this : with(of, history.plus(steps));
    }

    /** Returns the problem of the agent's lifecycle with one more subject of the agent. */
    SubjectProblem plusPart(String part) {
        Set<String> more = new TreeSet<>(parts());
        more.add(part);
        return with(new Subject(subject(), agentId(), more), history);
    }

    /** Returns the problem after an acknowledgement, or after its holder took it back. */
    public SubjectProblem acknowledgedBy(Handling handling) {
        boolean ends = !handling.until().isAfter(handling.at());
        return handled(new Handlings(Optional.of(handling), dismissed()))
                .noted(ProblemMoment.by(
                        handling, ends ? ProblemMoment.Kind.RELEASED : ProblemMoment.Kind.ACKNOWLEDGED));
    }

    /** Returns the problem after a dismissal. */
    public SubjectProblem dismissedBy(Handling handling) {
        return handled(new Handlings(acknowledged(), Optional.of(handling)))
                .noted(ProblemMoment.by(handling, ProblemMoment.Kind.DISMISSED));
    }

    /** Returns the problem with one more note. A note replaces an earlier note about the same message or silence. */
    public SubjectProblem noted(ProblemMoment note) {
        List<ProblemMoment> all = new ArrayList<>(notes);
        all.removeIf(note::replaces);
        all.add(note);
        return new SubjectProblem(
                of,
                history,
                beginning,
                last,
                handlings,
                all.subList(Math.max(0, all.size() - MAX_NOTES), all.size()),
                version);
    }

    /** Returns the problem with the next version. */
    public SubjectProblem nextVersion() {
        return new SubjectProblem(of, history, beginning, last, handlings, notes, version + 1);
    }

    private SubjectProblem handled(Handlings newHandlings) {
        return new SubjectProblem(of, history, beginning, last, newHandlings, notes, version);
    }

    private SubjectProblem with(Subject newSubject, ProblemHistory newHistory) {
        return new SubjectProblem(newSubject, newHistory, beginning, last, handlings, notes, version);
    }

    public String subject() {
        return of.name();
    }

    public String agentId() {
        return of.agentId();
    }

    public Set<String> parts() {
        return of.parts();
    }

    public LastEvent begun() {
        return beginning.event();
    }

    public String roleId() {
        return beginning.roleId();
    }

    public Severity severity() {
        return beginning.severity();
    }

    public String summary() {
        return beginning.summary();
    }

    public Optional<Handling> acknowledged() {
        return handlings.acknowledged();
    }

    public Optional<Handling> dismissed() {
        return handlings.dismissed();
    }
}
